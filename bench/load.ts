// A small HTTP/1.1 load generator over raw sockets: the generator must cost less than what it measures.

import { connect, type Socket } from 'node:net';

export interface LoadResult {
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface LoadOptions {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Sends the same POST over and over, one in flight on each connection. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const head = Object.entries(options.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(
    `POST ${options.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(options.body)}\r\n${head.join('')}\r\n${options.body}`,
  );
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1_000;
  await Promise.all(Array.from({ length: options.connections }, () => drive(options.port, request, endsAt, latencies, statuses)));
  const seconds = (performance.now() - startedAt) / 1_000;
  latencies.sort((a, b) => a - b);
  return {
    requestsPerSecond: latencies.length / seconds,
    p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? 0,
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    statuses,
  };
}

function drive(
  port: number,
  request: Buffer,
  endsAt: number,
  latencies: number[],
  statuses: Record<string, number>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let pending = '';
    let sentAt = 0;
    const send = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      pending = pending === '' ? chunk : pending + chunk;
      const end = responseEnd(pending);
      if (end < 0 || pending.length < end) return;
      const status = pending.slice(9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      pending = pending.slice(end);
      const now = performance.now();
      latencies.push(now - sentAt);
      if (now < endsAt) send();
      else socket.destroy();
    });
  });
}

/** Length of the first response in `text`, or -1 while its header is not whole. */
function responseEnd(text: string): number {
  const headerEnd = text.indexOf('\r\n\r\n');
  if (headerEnd < 0) return -1;
  const at = text.toLowerCase().indexOf('content-length: ');
  return headerEnd + 4 + Number.parseInt(text.slice(at + 16, at + 26), 10);
}
