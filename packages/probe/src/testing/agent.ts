// A probe with its proxy in front of a model's server, as the agent has them, in this process.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import pino, { type Logger } from 'pino';
import { openProbe, type Probe, type ProbeOptions } from '../probe.ts';
import { Proxy, type ProxyOptions } from '../proxy/server.ts';

export interface Agent {
  readonly url: string;
  readonly probe: Probe;
  readonly dataDir: string;
  /** OpenAI's own client, which makes one attempt. */
  readonly client: OpenAI;
  /** Lines of the log, parsed. */
  readonly lines: ReturnType<typeof JSON.parse>[];
  close(): Promise<void>;
}

export interface AgentOptions
  extends
    Partial<ProbeOptions>,
    Partial<Pick<ProxyOptions, 'bodyBytesMax' | 'bytesUnderWayMax' | 'unknownRoutes' | 'timeoutMs'>> {
  /** The service. */
  readonly url: string;
  /** The model's server. */
  readonly model?: string;
}

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { lines, log } = listeningLog();
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'svc-probe-')));
  const probe = await openProbe({ apiKey: 'svc_test_key_of_nobody', probeId: 'probe-1', log, ...options, dataDir });
  const proxy = new Proxy({
    probe,
    log,
    upstream: options.model === undefined ? null : new URL(options.model),
    provider: null,
    bodyBytesMax: 33_554_432,
    timeoutMs: 10_000,
    unknownRoutes: 'refuse',
    ...options,
  });
  const { port } = await proxy.listen('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    probe,
    dataDir,
    client: new OpenAI({ apiKey: 'sk-of-the-client', baseURL: `${url}/v1`, maxRetries: 0 }),
    lines,
    async close() {
      await proxy.close();
      await probe.close();
      if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function listeningLog(): { lines: ReturnType<typeof JSON.parse>[]; log: Logger } {
  const lines: ReturnType<typeof JSON.parse>[] = [];
  return { lines, log: pino({ level: 'debug', base: null }, { write: (line) => void lines.push(JSON.parse(line)) }) };
}

/** Waits, for real, until something holds. */
export async function until(isDone: () => boolean | Promise<boolean>, mostMs = 10_000): Promise<void> {
  const giveUpAt = performance.now() + mostMs;
  while (!(await isDone())) {
    if (performance.now() > giveUpAt) throw new Error('it did not happen in time');
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
}
