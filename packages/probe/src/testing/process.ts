// The agent as its own process, as it is run.

import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../main.ts');
const UP_MS_MAX = 20_000;

export interface AgentProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** What it said on standard output, and the lines of its log. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Ends it, and waits for that; resolves with its exit code, or the signal. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | null>;
}

/** Starts it and waits until it listens. */
export async function startAgentProcess(env: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const { child, output } = run(env, []);
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the agent did not come up: ${output().stderr}`)), UP_MS_MAX);
    child.once('exit', (code) => reject(new Error(`the agent ended with ${code}: ${output().stderr}`)));
    child.stdout.on('data', () => {
      const address = /OpenTelemetry: {2}(\S+)\/otlp/.exec(output().stdout)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
  return {
    url,
    process: child,
    output,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode;
      const ended = new Promise<number | string | null>((resolve) => child.once('exit', (code, by) => resolve(code ?? by)));
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs it to its end. */
export async function runAgent(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { child, output } = run(env, args);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...output() };
}

function run(env: Readonly<Record<string, string>>, args: readonly string[]) {
  const shared = { SVC_PROBE_PORT: '0', SVC_PROBE_LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...shared, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  return { child, output: () => ({ stdout, stderr }) };
}
