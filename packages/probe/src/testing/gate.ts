// A way to a server that can be shut: whoever comes then is turned away, and who is inside is cut off.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface Gate {
  readonly url: string;
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** Stands before the server at `url`, open. */
export async function startGate(url: string): Promise<Gate> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (!isOpen) return void socket.destroy();
    const other = connect(Number(port), hostname);
    other.on('error', () => socket.destroy());
    other.on('close', () => socket.destroy());
    socket.on('close', () => other.destroy());
    socket.pipe(other).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutOff = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut() {
      isOpen = false;
      cutOff();
    },
    open: () => void (isOpen = true),
    async close() {
      cutOff();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
