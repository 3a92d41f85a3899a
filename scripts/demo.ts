// A demonstration: simulated applications whose behaviour changes at known times, a running service that has to find out. `npm run demo` starts a
// service of its own; `npm run demo -- --url <base URL> --key <live key>` (or SVC_URL, SVC_API_KEY) drives one that runs already.
//
//   --days <n>      how many past days are sent first (8)
//   --minutes <n>   how long it goes on live afterwards (30); 0: not at all
//   --seed <text>   another one makes other people and other texts (demo)

import { APPLICATIONS, labelsOf, simulate, type Application, type Change, type Label, type SimulatedBatch } from '@svc/simulator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../packages/server/src/config.ts';
import { startService } from '../packages/server/src/service.ts';
import { isPlainError } from '../packages/server/src/start-error.ts';
import { createLog } from '../packages/server/src/telemetry/log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Of two probes of one group neither may come so much later than the other that its events count as late for drift: that is ten minutes. */
const BACKFILL_FLUSH_MS = 10 * MINUTE_MS;
const LIVE_FLUSH_MS = 5_000;
/** Two days pass until the hours of the day are known; the first change comes at 0.45 of the days. */
const DAYS_MIN = 5;
/** How many times as many people come as in the past days, and at any hour: so that something is to be seen. */
const LIVE_TRAFFIC = 40;
const HEARTBEAT_MS = 30_000;
const FEED_WAIT_S = 20;
/** Nothing new for so long: the service has looked at all that it was sent. */
const SETTLED_MS = 12_000;
const SETTLED_MS_MAX = 120_000;
const ATTEMPTS_MAX = 8;
const REQUEST_MS_MAX = 60_000;
/** By how much a reported onset may lie outside the time of a change. */
const ONSET_MS_MAX = 3 * HOUR_MS;

/** Ends the demonstration with one line. */
class DemoError extends Error {}

type Json = ReturnType<typeof JSON.parse>;

interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly isOwn: boolean;
  close(): Promise<void>;
}

interface DriftEvent {
  readonly sequence: number;
  readonly kind: string;
  readonly data: Json;
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

async function main(): Promise<void> {
  const options = readOptions();
  const target = options.url === null ? await startOwn() : { ...options.url, isOwn: false, close: async () => {} };
  try {
    await play(target, options);
    if (target.isOwn && !stop.signal.aborted) {
      say('That was all. The service goes on until Ctrl-C.');
      await waitForStop();
    }
  } finally {
    if (target.isOwn) say('Stopping.');
    await target.close();
  }
}

interface Options {
  readonly url: { readonly baseUrl: string; readonly key: string } | null;
  readonly days: number;
  readonly minutes: number;
  readonly seed: string;
}

function readOptions(): Options {
  const { values } = parsed();
  const baseUrl = values.url ?? process.env['SVC_URL'] ?? '';
  const key = values.key ?? process.env['SVC_API_KEY'] ?? '';
  if (baseUrl !== '' && !URL.canParse(baseUrl)) throw new DemoError(`${baseUrl} is not a URL.`);
  if (baseUrl !== '' && key === '') throw new DemoError('A service that runs already needs a live key: --key or SVC_API_KEY.');
  return {
    url: baseUrl === '' ? null : { baseUrl: baseUrl.replace(/\/+$/, ''), key },
    days: numberIn('--days', values.days ?? '8', DAYS_MIN, 60),
    minutes: numberIn('--minutes', values.minutes ?? '30', 0, 1_440),
    seed: values.seed ?? 'demo',
  };
}

function parsed() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ options: { url: text, key: text, days: text, minutes: text, seed: text } });
  } catch (err) {
    throw new DemoError(err instanceof Error ? err.message : String(err));
  }
}

function numberIn(name: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (text === '' || !(value >= min && value <= max)) throw new DemoError(`${name} must be a number from ${min} to ${max}.`);
  return value;
}

/** A service on a free port, with a folder that is gone afterwards. */
async function startOwn(): Promise<Target> {
  say('Starting a service with a folder of its own …');
  const folder = await mkdtemp(join(tmpdir(), 'svc-demo-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const config = readConfig({ SVC_DATA_DIR: folder, SVC_PORT: '0', SVC_LOG_LEVEL: 'error', SVC_BOOTSTRAP_PLAN: 'enterprise' });
    const fail = (err: unknown): never => {
      process.stderr.write(`The service has failed: ${String(err)}\n`);
      process.exit(1);
    };
    const running = await startService(config, createLog(config.logLevel).log, fail);
    const { baseUrl } = running;
    const { keys } = running.firstOrganization!;
    say(`It runs at ${baseUrl} (API reference: ${baseUrl}/docs).`);
    for (const [name, key] of Object.entries(keys)) say(`  ${name.padEnd(5)}  ${key}`);
    const close = async () => {
      await running.close();
      await remove();
    };
    return { baseUrl, key: keys.live, isOwn: true, close };
  } catch (err) {
    await remove();
    throw err;
  }
}

function waitForStop(): Promise<void> {
  // Something has to keep the process alive, also where the service does not.
  const alive = setInterval(() => {}, MINUTE_MS);
  return new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve(clearInterval(alive)), { once: true }));
}

async function play(target: Target, { days, minutes, seed }: Options): Promise<void> {
  const client = clientOf(target);
  const startMs = Math.floor((Date.now() - days * DAY_MS) / MINUTE_MS) * MINUTE_MS;
  const changes = pastChanges(startMs, days);
  const truth = new Truth(labelsOf(changes, APPLICATIONS));
  const watcher = new Watcher(client, truth, await client.lastSequence());
  await introduce(client);
  const heart = beat(client);
  try {
    say('');
    say(`Sending ${days} days of ${APPLICATIONS.length} applications, in which this changes:`);
    for (const change of changes) say(`  ${timeText(change.atMs)}  ${described(change)}`);
    await send(client, simulate({ seed, startMs, days, changes, flushMs: BACKFILL_FLUSH_MS }), 'past');
    say('');
    say('What the service found (drift.sustained and drift.recovered), and what is true:');
    await watcher.untilSettled();
    truth.print();
    if (minutes > 0) await playLive(client, watcher, truth, changes, seed, minutes);
  } finally {
    heart.abort();
    watcher.pause();
  }
}

/** The changes of the past, at shares of the days that are sent. */
function pastChanges(startMs: number, days: number): Change[] {
  const at = (share: number) => Math.round(startMs + share * days * DAY_MS);
  return [
    { kind: 'template_growth', application: 'code-review', atMs: at(0.45), size: 900 },
    { kind: 'provider_upgrade', application: 'support-chat', atMs: at(0.55), size: 1.35 },
    { kind: 'outage', application: 'sales-assistant', atMs: at(0.65), untilMs: at(0.65) + 4 * HOUR_MS, size: 0.4 },
    { kind: 'risk_rise', application: 'game-characters', atMs: at(0.7), size: 2 },
    { kind: 'score_drift', application: 'document-search', atMs: at(0.8), size: 0.6 },
  ];
}

async function playLive(
  client: Client,
  watcher: Watcher,
  truth: Truth,
  past: readonly Change[],
  seed: string,
  minutes: number,
): Promise<void> {
  const startMs = Date.now();
  const applications = APPLICATIONS.map((application): Application => ({
    ...application,
    sessionsPerDay: application.sessionsPerDay * LIVE_TRAFFIC,
    dayAmplitude: 0,
    weekendShare: 1,
  }));
  const change: Change = { kind: 'refusal_rise', application: 'game-characters', atMs: startMs + 2 * MINUTE_MS, size: 5 };
  truth.add(labelsOf([change], applications));
  say('');
  say(`Now live for ${minutes} minutes, ${LIVE_TRAFFIC} times the traffic. ${timeText(change.atMs)}: ${described(change)}.`);
  say('A drift counts as sustained after four blocks of three minutes at least.');
  const days = minutes / (24 * 60);
  const changes = [...past.filter(({ untilMs = Infinity }) => untilMs > startMs), change];
  const batches = simulate({ seed: `${seed} live`, startMs, days, applications, changes, flushMs: LIVE_FLUSH_MS });
  const following = watcher.follow();
  await send(client, batches, 'live');
  await watcher.untilSettled();
  watcher.pause();
  await following;
  truth.print();
}

/** One line about a change. */
function described({ kind, application, size, untilMs, atMs }: Change): string {
  const until = untilMs === undefined ? '' : `, for ${Math.round((untilMs - atMs) / HOUR_MS)} hours`;
  switch (kind) {
    case 'template_growth':
      return `${application}: the prompt template grows by ${size} tokens${until}`;
    case 'provider_upgrade':
      return `${application}: the provider serves another version, whose answers are ${size} times as long${until}`;
    case 'outage':
      return `${application}: ${size * 100} % of the calls fail, the others take three times as long${until}`;
    case 'risk_rise':
      return `${application}: risky conversations are ${size} times as frequent${until}`;
    case 'score_drift':
      return `${application}: scores of harmless inferences move up by ${size} standard deviations${until}`;
    case 'refusal_rise':
      return `${application}: refusals are ${size} times as frequent${until}`;
    case 'category_shift':
      return `${application}: ${size * 100} % of the findings are of a new category${until}`;
    case 'deploy':
      return `${application}: another version serves ${size * 100} % of the traffic${until}`;
  }
}

/** Sends batches in the order of their time: those of the past as fast as they are taken, live ones when they are due. */
async function send(client: Client, batches: Iterable<SimulatedBatch>, pace: 'past' | 'live'): Promise<void> {
  const startedAt = performance.now();
  const total = { events: 0, accepted: 0, duplicates: 0, rejected: 0 };
  let shownAt = startedAt;
  const show = () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    say(`  ${grouped(total.events)} events sent, ${grouped(total.events / seconds)} a second`);
    shownAt = performance.now();
  };
  for (const due of byTime(batches)) {
    if (pace === 'live') await sleep(Math.max(0, due[0]!.sentAtMs - Date.now()), undefined, { signal: stop.signal });
    const byProbe = [...Map.groupBy(due, ({ probe }) => probe).values()];
    const answers = await Promise.all(byProbe.map((own) => sendInTurn(client, own)));
    for (const { events, accepted, duplicates, rejected } of answers.flat()) {
      total.events += events;
      total.accepted += accepted;
      total.duplicates += duplicates;
      total.rejected += rejected;
    }
    if (performance.now() - shownAt > (pace === 'past' ? 5_000 : MINUTE_MS)) show();
  }
  show();
  say(`  ${grouped(total.accepted)} accepted, ${grouped(total.duplicates)} duplicates, ${grouped(total.rejected)} rejected`);
}

async function sendInTurn(client: Client, batches: readonly SimulatedBatch[]) {
  const answers = [];
  for (const { probe, events } of batches) {
    const answer = await client.send('POST', '/api/svc/probe/telemetry', { events }, probe);
    const { accepted, duplicates, rejected } = answer as { accepted: number; duplicates: number; rejected: unknown[] };
    answers.push({ events: events.length, accepted, duplicates, rejected: rejected.length });
  }
  return answers;
}

/** Batches that are sent at the same time, together. */
function* byTime(batches: Iterable<SimulatedBatch>): Generator<SimulatedBatch[]> {
  let due: SimulatedBatch[] = [];
  for (const batch of batches) {
    if (due.length > 0 && due[0]!.sentAtMs !== batch.sentAtMs) {
      yield due;
      due = [];
    }
    due.push(batch);
  }
  if (due.length > 0) yield due;
}

/** The first heartbeat of every probe names its group. */
async function introduce(client: Client): Promise<void> {
  for (const application of APPLICATIONS) await heartbeats(client, application);
  const names = APPLICATIONS.flatMap(({ probes, group }) => probes.map((probe) => `${probe} (${group})`));
  say(`Probes: ${names.join(', ')}`);
}

async function heartbeats(client: Client, { probes, group }: Application): Promise<void> {
  for (const probe of probes)
    await client.send(
      'POST',
      '/api/svc/probe/heartbeat',
      { version: 'demo', labels: { group }, queue: { depth: 0, dropped: 0 } },
      probe,
    );
}

/** Heartbeats until it is aborted. One that fails is not worth a word: the telemetry will tell. */
function beat(client: Client): AbortController {
  const over = new AbortController();
  const go = async () => {
    for (;;) {
      await sleep(HEARTBEAT_MS, undefined, { signal: AbortSignal.any([over.signal, stop.signal]) });
      for (const application of APPLICATIONS) await heartbeats(client, application);
    }
  };
  go().catch(() => {});
  return over;
}

interface Client {
  /** Throws DemoError with one line for people. Waits and tries again where the service asks for it. */
  send(method: string, path: string, body?: unknown, probe?: string): Promise<Json>;
  lastSequence(): Promise<number>;
  eventsAfter(kind: string, sequence: number, waitS: number, signal: AbortSignal): Promise<DriftEvent[]>;
}

function clientOf({ baseUrl, key }: Target): Client {
  const request = async (method: string, path: string, body: unknown, probe: string | undefined, signal: AbortSignal) => {
    const res = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(probe === undefined ? {} : { 'x-svc-probe-id': probe }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS_MAX)]),
    }).catch((err: unknown) => {
      if (signal.aborted) throw err;
      throw new DemoError(`${baseUrl} does not answer (${reasonOf(err)}).`);
    });
    const text = await res.text();
    const isJson = res.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: res.status, headers: res.headers, body: isJson ? JSON.parse(text) : null };
  };
  const send = async (method: string, path: string, body?: unknown, probe?: string, signal = stop.signal): Promise<Json> => {
    for (let attempt = 1; ; attempt++) {
      const { status, headers, body: answer } = await request(method, path, body, probe, signal);
      if (status < 300) return answer;
      const isPassing = status === 429 || status === 503;
      if (!isPassing || attempt === ATTEMPTS_MAX)
        throw new DemoError(
          `${method} ${path} was refused: ${status}${answer === null ? '' : `, ${answer.error?.message ?? 'without a reason'}`}`,
        );
      await sleep(1_000 * Number(headers.get('retry-after') ?? 1), undefined, { signal });
    }
  };
  return {
    send,
    async lastSequence() {
      const { data } = await send('GET', '/v1/events?limit=1');
      return (data as DriftEvent[])[0]?.sequence ?? 0;
    },
    async eventsAfter(kind, sequence, waitS, signal) {
      const path = `/v1/events?kind=${kind}&after_sequence=${sequence}&wait_s=${waitS}&limit=100`;
      const { data } = await send('GET', path, undefined, undefined, signal);
      return data as DriftEvent[];
    },
  };
}

function reasonOf(err: unknown): string {
  const cause = err instanceof Error && err.cause instanceof Error ? err.cause : err;
  return cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : String(cause);
}

const KINDS = ['drift.sustained', 'drift.recovered'] as const;

/** Reads the drift events from the pull feed and prints each beside the truth. */
class Watcher {
  readonly #client: Client;
  readonly #truth: Truth;
  readonly #after: Record<(typeof KINDS)[number], number>;
  #following = new AbortController();

  constructor(client: Client, truth: Truth, afterSequence: number) {
    this.#client = client;
    this.#truth = truth;
    this.#after = { 'drift.sustained': afterSequence, 'drift.recovered': afterSequence };
  }

  /** Prints what is there until nothing has come for a while. */
  async untilSettled(): Promise<void> {
    const startedAt = performance.now();
    for (let quietSince = startedAt; performance.now() - quietSince < SETTLED_MS;) {
      if ((await this.#read(0, stop.signal)) > 0) quietSince = performance.now();
      if (performance.now() - startedAt > SETTLED_MS_MAX) return;
      await sleep(500, undefined, { signal: stop.signal });
    }
  }

  /** Prints what comes, until it is paused. */
  async follow(): Promise<void> {
    this.#following = new AbortController();
    const signal = AbortSignal.any([this.#following.signal, stop.signal]);
    while (!signal.aborted) await this.#read(FEED_WAIT_S, signal).catch((err: unknown) => this.#unlessStopped(err, signal));
  }

  pause(): void {
    this.#following.abort();
  }

  #unlessStopped(err: unknown, signal: AbortSignal): number {
    if (signal.aborted) return 0;
    throw err;
  }

  /** How many events came. Those of both kinds are printed in their order. */
  async #read(waitS: number, signal: AbortSignal): Promise<number> {
    const lists = await Promise.all(KINDS.map((kind) => this.#client.eventsAfter(kind, this.#after[kind], waitS, signal)));
    const events = lists.flat().toSorted((a, b) => a.sequence - b.sequence);
    for (const event of events) {
      const kind = event.kind as (typeof KINDS)[number];
      if (event.sequence <= this.#after[kind]) continue;
      this.#after[kind] = event.sequence;
      this.#truth.judge(event);
    }
    return events.length;
  }
}

/** What has truly changed, and what of it was found. */
class Truth {
  readonly #labels: { readonly label: Label; foundAt: string | null }[] = [];
  #withoutLabel = 0;

  constructor(labels: readonly Label[]) {
    this.add(labels);
  }

  add(labels: readonly Label[]): void {
    this.#labels.push(...labels.map((label) => ({ label, foundAt: null })));
  }

  /** Prints an event and whether something is behind it. */
  judge({ kind, data }: DriftEvent): void {
    const { model, group, signal } = data.series;
    say(`  ${kind}  ${group} · ${signal}: ${data.summary ?? ''}`);
    if (kind !== 'drift.sustained') return;
    const onsetMs = Date.parse(data.onset);
    const entry = this.#labels
      .filter(({ label }) => label.series.model === model && label.series.group === group && label.signal === signal)
      .findLast(({ label }) => isWithin(label, onsetMs));
    if (entry === undefined) {
      this.#withoutLabel++;
      say(`      true: nothing was changed there`);
      return;
    }
    entry.foundAt ??= data.sustained_at;
    const { label } = entry;
    say(
      `      true: ${label.kind} at ${timeText(label.atMs)}; onset told ${timeText(onsetMs)}, sustained ${timeText(Date.parse(data.sustained_at))}`,
    );
  }

  /** The direct labels and when each was found. */
  print(): void {
    const direct = this.#labels.filter(({ label }) => label.isDirect && label.atMs < Date.now());
    const found = direct.filter(({ foundAt }) => foundAt !== null).length;
    say('');
    say(
      `Of ${direct.length} signals that a change is about, ${found} were found; ${this.#withoutLabel} were reported where nothing was changed.`,
    );
    for (const { label, foundAt } of direct) {
      const what = `${label.series.group} · ${label.signal} (${label.kind})`;
      say(
        `  ${timeText(label.atMs)}  ${what.padEnd(52)} ${foundAt === null ? 'not found' : `found after ${durationText(Date.parse(foundAt) - label.atMs)}`}`,
      );
    }
  }
}

/** Whether a change that is told to begin at this time may be this one: what stays is found late where it is small, or where few people come. */
function isWithin({ atMs, untilMs }: Label, onsetMs: number): boolean {
  return onsetMs >= atMs - ONSET_MS_MAX && (untilMs === null || onsetMs <= untilMs + ONSET_MS_MAX);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(5, 16).replace('T', ' ');
}

function durationText(ms: number): string {
  return ms < 2 * HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${(ms / HOUR_MS).toFixed(1)} h`;
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
}

try {
  await main();
} catch (err) {
  if (!stop.signal.aborted) {
    process.stderr.write(
      `${err instanceof DemoError || isPlainError(err) ? err.message : `The demonstration failed: ${String(err)}`}\n`,
    );
    process.exitCode = 1;
  }
}
