#!/usr/bin/env node
// The agent `svc-probe`: settings in, a proxy in front of a model, an orderly end.

import { enableCompileCache, flushCompileCache } from 'node:module';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { helpText, readConfig, type Config } from './config.ts';
import { StartError } from './errors.ts';
import { createLog } from './log.ts';
import { VERSION } from './version.ts';

// Requests get 15 s of it; below the 30 s that orchestrators commonly give.
const SHUTDOWN_MS_MAX = 28_000;
/** A start waits so long for the policy of the service: the first requests should be decided by it. */
const FIRST_CONTACT_MS_MAX = 400;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(helpText());
  if (args.includes('--version')) return void process.stdout.write(`${VERSION}\n`);
  if (args.length > 0)
    throw new StartError(`svc-probe takes no argument '${args[0]}'; it is set by the environment: svc-probe --help.`);
  const config = readConfig();
  const { log, flush } = createLog(config.logLevel);
  const close = await start(config, log);
  // Not before: a start is ended by a signal at once, and harms nothing that is on disk. So is an end, by a second one.
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  log.info('stopping: requests in flight are finished first');
  setTimeout(() => process.exit(1), SHUTDOWN_MS_MAX).unref();
  await close();
  flush();
}

/** Answers how to end. */
async function start(config: Config, log: Logger): Promise<() => Promise<void>> {
  // From the second start on, compiled code is read instead of made. In the probe's own folder, for whoever can write it can run code here.
  // Where that folder cannot be made, `openProbe` says why.
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch(() => {});
  enableCompileCache(join(config.dataDir, 'code'));
  // Only now, because it loads the models: whoever made a mistake in the settings hears of it at once.
  const [{ openProbe }, { Proxy }] = await Promise.all([import('./probe.ts'), import('./proxy/server.ts')]);
  const probe = await openProbe({ ...config, log });
  const proxy = new Proxy({ ...config, timeoutMs: config.timeoutS * 1_000, probe, log });
  const close = async () => {
    await proxy.close();
    await probe.close();
  };
  try {
    await probe.firstContact(FIRST_CONTACT_MS_MAX);
    const { port } = await proxy.listen(config.host, config.port);
    const otlp = config.otlpPort === null ? null : await proxy.listen(config.host, config.otlpPort, true);
    process.stdout.write(welcome(config, port, otlp?.port ?? null));
    // After listening: it takes half a second, and a request that comes meanwhile waits no longer than it would.
    setImmediate(() => void probe.warmUp().then(flushCompileCache));
    return close;
  } catch (err) {
    await close();
    throw err;
  }
}

function welcome({ host, upstream, probeId }: Config, port: number, otlpPort: number | null): string {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:`;
  return [
    `svc-probe ${VERSION} is running as ${probeId}.`,
    upstream === null ? 'No model: SVC_PROBE_UPSTREAM is not set.' : `OpenAI clients: ${address}${port}/v1 → ${upstream.href}`,
    `OpenTelemetry:  ${otlpPort === null ? `${address}${port}/otlp` : `${address}${otlpPort}`}`,
    '',
  ].join('\n');
}

main(process.argv.slice(2)).catch((err: unknown) => {
  const isPlain = err instanceof StartError;
  process.stderr.write(
    isPlain ? `${err.message}\n` : `The probe could not start: ${err instanceof Error ? err.stack : String(err)}\n`,
  );
  process.exit(1);
});
