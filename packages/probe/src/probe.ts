// The probe: decides on this machine by the policy of the service, and tells the service what it decided. The proxy is built on it.

import { warmUp, type Evaluation, type Inference } from '@svc/engine';
import { createWorkerPool, type WorkerPool } from '@svc/engine/worker-pool';
import { hasTexts, inferenceOf, telemetryProblems, type TelemetryEvent } from '@svc/telemetry';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pino, { type Logger } from 'pino';
import { BUFFER_BYTES_MIN, PROBE_ID } from './bounds.ts';
import { SYSTEM_CLOCK, type Clock } from './clock.ts';
import { Decider, LONG_TEXT_THREADS, type Deciding, type Judges } from './decide.ts';
import { reasonOf, StartError } from './errors.ts';
import { Exchange } from './exchange.ts';
import { newId } from './ids.ts';
import { lockFolder, type FolderLock } from './lock.ts';
import { PolicyHolder, type OnNoPolicy } from './policy/holder.ts';
import { DiskQueue } from './queue/queue.ts';
import { eventOf, verdictOf, type About, type Verdict } from './report.ts';
import { ServiceClient } from './service/client.ts';
import { Liaison } from './service/liaison.ts';
import { Sender } from './service/sender.ts';

export interface ProbeOptions {
  /** Where the service is, such as `https://svc.example.com`. */
  readonly url: string;
  /** A live or test key. */
  readonly apiKey: string;
  /** The probe's own stable name: 1–128 of `A-Za-z0-9._:-`. */
  readonly probeId: string;
  /** For this probe alone; made where it is not there. */
  readonly dataDir: string;
  /** Of decisions that wait for the service. Default: 1 GiB. */
  readonly bufferBytes?: number;
  /** Told with each heartbeat; `group` says with which others drift is watched. */
  readonly labels?: Readonly<Record<string, string>>;
  /** What decides until a policy was seen for the first time. Default: the engine's own policy. */
  readonly onNoPolicy?: OnNoPolicy;
  /** What is done about the policy's judges, whom only the service can ask. Default: what the policy says about those that fail. */
  readonly judges?: Judges;
  readonly log?: Logger;
  readonly clock?: Clock;
  /** From 0 to 1, for back-off. */
  readonly random?: () => number;
}

/** A decision, as `assess` answers it. */
export interface Decision extends Verdict {
  /** Under which the service is told of it. */
  readonly id: string;
  /** The engine's answer: findings with their places, what was redacted. Holds what was said; nothing of it is sent. */
  readonly evaluation: Evaluation;
  /** `null`: no policy has been seen yet, and `onNoPolicy` has decided. */
  readonly policyVersion: number | null;
}

export interface ProbeStatus {
  readonly probe_id: string;
  readonly started_at: string;
  readonly policy: {
    readonly version: number | null;
    readonly digest: string | null;
    readonly expires_at: string | null;
    /** It has expired, and goes on. */
    readonly stale: boolean;
    /** Why what the service sent last is not in force. */
    readonly problem: string | null;
  };
  readonly queue: {
    readonly depth: number;
    readonly bytes: number;
    readonly dropped: number;
    readonly rejected: number;
    readonly sent: number;
    /** Why nothing is being sent. */
    readonly problem: string | null;
  };
  readonly service: { readonly last_heartbeat_at: string | null; readonly problem: string | null };
}

const BUFFER_BYTES = 1_073_741_824;
/** A disk that hangs must not hang answers: what it has not taken by then is on its way, or lost and counted. */
const KEEP_MS_MAX = 250;
/** A fault is told once in so long, however many decisions it costs. */
const FAULT_LOG_MS = 10_000;

/** Opens a probe: takes its folder, the last policy in it and what has not been sent. The service need not be there. Throws `StartError`. */
export async function openProbe(options: ProbeOptions): Promise<Probe> {
  if (!PROBE_ID.test(options.probeId)) throw new StartError('The name of a probe has 1 to 128 characters of A-Z a-z 0-9 . _ : -');
  if ((options.bufferBytes ?? BUFFER_BYTES) < BUFFER_BYTES_MIN)
    throw new StartError(`The buffer must have at least ${BUFFER_BYTES_MIN} bytes.`);
  const lock = await openFolder(options.dataDir);
  try {
    return await Probe.open(options, lock);
  } catch (err) {
    await lock.release();
    throw err;
  }
}

async function openFolder(folder: string): Promise<FolderLock> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await lockFolder(folder);
  } catch (err) {
    if (err instanceof StartError) throw err;
    throw new StartError(`The folder ${folder} cannot be used: ${reasonOf(err)}.`);
  }
}

export class Probe {
  readonly #options: ProbeOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #lock: FolderLock;
  readonly #queue: DiskQueue;
  readonly #holder: PolicyHolder;
  readonly #client: ServiceClient;
  readonly #sender: Sender;
  readonly #liaison: Liaison;
  readonly #decider: Decider;
  #workers: WorkerPool | null = null;
  #closing: Promise<void> | null = null;

  private constructor(options: ProbeOptions, lock: FolderLock, queue: DiskQueue, holder: PolicyHolder, log: Logger) {
    const clock = options.clock ?? SYSTEM_CLOCK;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#lock = lock;
    this.#queue = queue;
    this.#holder = holder;
    this.#client = new ServiceClient(options);
    const shared = { client: this.#client, queue, clock, log };
    this.#sender = new Sender({ ...shared, random: options.random ?? Math.random });
    this.#liaison = new Liaison({ ...shared, holder, labels: options.labels ?? {} });
    this.#decider = new Decider(() => this.#pool(), options.judges ?? 'on_error', LONG_TEXT_THREADS);
  }

  static async open(options: ProbeOptions, lock: FolderLock): Promise<Probe> {
    const { dataDir, bufferBytes = BUFFER_BYTES, onNoPolicy = 'default', clock = SYSTEM_CLOCK } = options;
    const log = options.log ?? pino({ level: 'silent' });
    const onFault = seldom(clock, (err) => log.error({ err }, 'the queue on disk has a fault; decisions go on'));
    const queue = await DiskQueue.open({ folder: join(dataDir, 'queue'), bytesMax: bufferBytes, onFault });
    const holder = await PolicyHolder.load({ folder: dataDir, onNoPolicy, now: () => clock.now(), log });
    const probe = new Probe(options, lock, queue, holder, log);
    probe.#sender.start();
    probe.#liaison.start();
    return probe;
  }

  /** Resolves once the service was asked for its policy, for at most `ms`: whoever would rather begin with it than without. */
  async firstContact(ms: number): Promise<void> {
    await Promise.race([this.#liaison.firstContact(), this.#clock.sleep(ms)]);
  }

  /**
   * Makes the first decisions as fast as the later ones, and has threads ready for long texts, which otherwise are started for the first of them:
   * half a second of work each.
   */
  async warmUp(): Promise<void> {
    const workers = this.#pool();
    warmUp();
    await workers.ready();
  }

  /**
   * Decides about an inference and reports it. Never throws for what a text holds, nor for want of the service or of the disk; a `BusyError` where
   * so many long texts wait that this one found no turn within 10 s, and nothing was decided. So do `begin`, what it returns, and `report`.
   */
  async assess(inference: Inference, about: About = {}): Promise<Decision> {
    const deciding = this.deciding();
    const evaluation = await this.#decider.decide(inference, deciding);
    const verdict = verdictOf([evaluation]);
    const id = newId(deciding.nowMs);
    await this.#keep(eventOf(id, deciding.nowMs, inference, verdict, deciding, about));
    return { ...verdict, id, evaluation, policyVersion: deciding.policy.bundle?.version ?? null };
  }

  /** Decides about a question, whose answers are decided about and reported by what is returned, also while they are written. */
  begin(question: Inference): Promise<Exchange> {
    const keep = (event: TelemetryEvent) => this.#keep(event);
    return Exchange.begin({ decider: this.#decider, deciding: this.deciding(), keep }, question);
  }

  /**
   * Reports an inference that somebody else has seen. With texts it is assessed here, and its texts go no further. Resolves once the report is in
   * the file. Throws a TypeError for what is no telemetry event.
   */
  async report(event: TelemetryEvent): Promise<void> {
    const [problem] = telemetryProblems(event);
    if (problem !== undefined) throw new TypeError(`${problem.pointer} ${problem.message}`.trim());
    const { input: _input, output: _output, context: _context, tool_calls: _calls, ...rest } = event;
    if (!hasTexts(event)) return this.#keep(rest);
    const deciding = this.deciding();
    const evaluation = await this.#decider.decide(inferenceOf(event), deciding);
    const { outcome, score, findings, coverage, policy_version, policy_digest } = eventOf(
      event.id,
      deciding.nowMs,
      {},
      verdictOf([evaluation]),
      deciding,
      {},
    );
    await this.#keep({
      ...rest,
      outcome: outcome ?? null,
      score: score ?? null,
      findings: findings ?? null,
      coverage: coverage ?? null,
      policy_version: policy_version ?? null,
      policy_digest: policy_digest ?? null,
    });
  }

  status(): ProbeStatus {
    const { bundle } = this.#holder.inForce;
    const { heardAtMs } = this.#liaison;
    return {
      probe_id: this.#options.probeId,
      started_at: this.#liaison.startedAt,
      policy: {
        version: bundle?.version ?? null,
        digest: bundle?.digest ?? null,
        expires_at: bundle?.expires_at ?? null,
        stale: this.#holder.isStale,
        problem: this.#holder.problem,
      },
      queue: {
        depth: this.#queue.depth,
        bytes: this.#queue.bytes,
        dropped: this.#queue.dropped,
        rejected: this.#queue.rejected,
        sent: this.#sender.sent,
        problem: this.#sender.problem,
      },
      service: {
        last_heartbeat_at: heardAtMs === null ? null : new Date(heardAtMs).toISOString(),
        problem: this.#liaison.problem,
      },
    };
  }

  /** By what is decided from now on. */
  deciding(): Deciding {
    return { policy: this.#holder.inForce, nowMs: this.#clock.now() };
  }

  /** Flushes the queue to disk, lets go of everything. What was not sent is sent after the next start. Safe to call twice. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.all([this.#sender.stop(), this.#liaison.stop()]);
    await this.#queue.close();
    await this.#workers?.close();
    await this.#client.close();
    await this.#lock.release();
    this.#log.info({ queue: this.#queue.depth }, 'the probe has ended; what waits is sent after the next start');
  }

  #pool(): WorkerPool {
    return (this.#workers ??= createWorkerPool({ size: LONG_TEXT_THREADS }));
  }

  async #keep(event: TelemetryEvent): Promise<void> {
    const patience = new AbortController();
    const patient = SYSTEM_CLOCK.sleep(KEEP_MS_MAX, patience.signal);
    await Promise.race([this.#queue.append(JSON.stringify(event)), patient]);
    patience.abort();
  }
}

/** `tell`, at most once in ten seconds. */
function seldom(clock: Clock, tell: (err: unknown) => void): (err: unknown) => void {
  let lastMs = -Infinity;
  return (err) => {
    if (clock.now() - lastMs < FAULT_LOG_MS) return;
    lastMs = clock.now();
    tell(err);
  };
}
