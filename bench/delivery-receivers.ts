// Receivers of deliveries over raw sockets, each on a port of its own: they must cost less than what is measured. Some never answer,
// some answer 500. The parent says how many of each, and collects when which event arrived.

import { createServer, type AddressInfo, type Socket } from 'node:net';

/** `arrivals`: what was received by the healthy ones since the last question, as event ids and the times of their first bytes, in Unix milliseconds. */
export interface Arrivals {
  readonly ids: string[];
  readonly atMs: number[];
}

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nKeep-Alive: timeout=60\r\n\r\nok');
const FAULT = Buffer.from('HTTP/1.1 500 Fault\r\nContent-Length: 5\r\nKeep-Alive: timeout=60\r\n\r\nfault');
const ID = 'webhook-id: ';
const ID_CHARS = 30;
let arrivals: Arrivals = { ids: [], atMs: [] };

/** The ports of each kind. */
export interface Ports {
  readonly healthy: number[];
  readonly dead: number[];
  readonly failing: number[];
}

const counts = JSON.parse(process.argv[2]!) as Readonly<Record<keyof Ports, number>>;
const ports = async (count: number, onSocket: (socket: Socket) => void) =>
  Promise.all(Array.from({ length: count }, () => listen(onSocket)));
process.send!({
  healthy: await ports(counts.healthy, (socket) => answer(socket, OK)),
  dead: await ports(counts.dead, (socket) => void socket.resume()),
  failing: await ports(counts.failing, (socket) => answer(socket, FAULT)),
} satisfies Ports);
process.on('message', () => {
  process.send!(arrivals);
  arrivals = { ids: [], atMs: [] };
});

function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}

function answer(socket: Socket, bytes: Buffer): void {
  let pending = '';
  let firstByteAtMs = 0;
  socket.setEncoding('latin1');
  socket.on('data', (chunk: string) => {
    if (pending === '') firstByteAtMs = performance.timeOrigin + performance.now();
    pending += chunk;
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = pending.slice(0, headEnd).toLowerCase();
    const length = Number.parseInt(head.slice(head.indexOf('content-length: ') + 'content-length: '.length), 10);
    if (pending.length < headEnd + 4 + length) return;
    const idAt = head.indexOf(ID) + ID.length;
    if (bytes === OK) {
      arrivals.ids.push(head.slice(idAt, idAt + ID_CHARS));
      arrivals.atMs.push(firstByteAtMs);
    }
    pending = '';
    socket.write(bytes);
  });
}
