// Telemetry as the probes of an organization would send it, from a seed: conversations of people who come and go with the hour.

import type { TelemetryEvent, TelemetryFinding } from '@svc/telemetry';
import { APPLICATIONS, TOKENS_OF_LANGUAGE, type Application, type Lognormal } from './applications.ts';
import { effectsAt, labelsOf, type Change, type Effects } from './changes.ts';
import { Random, weightedPicker } from './random.ts';

export interface Simulation {
  readonly seed: string | number;
  /** Unix milliseconds, rounded down to a minute. */
  readonly startMs: number;
  readonly days: number;
  readonly applications?: readonly Application[];
  readonly changes?: readonly Change[];
  /** How often a probe sends what it has seen, in milliseconds; the events are the same whatever it is. */
  readonly flushMs?: number;
}

export interface SimulatedBatch {
  readonly application: string;
  readonly group: string;
  readonly probe: string;
  /** When the probe sends it: at the end of its interval. */
  readonly sentAtMs: number;
  /** 1 to 500, by time. */
  readonly events: readonly TelemetryEvent[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const EVENTS_MAX = 500;
/** Hours UTC of the most and of the least traffic are 15 and 3. */
const QUIETEST_HOUR = 3;
const USERS = 2_000;
const TURNS_MAX = 40;
/** Between two turns of a conversation: people read, think and type. */
const PAUSE_MS: Lognormal = { median: 35_000, sigma: 0.8 };
/** How much of a turn's length is the person's own, as a share of the variance of its logarithm. */
const SHARED = 0.3;
/** Logits of the scores: nearly all harmless inferences lie below 0.2, most of the others above 0.5. */
const HARMLESS = { mean: -3.5, sd: 0.8 };
const RISKY = { mean: 1.2, sd: 1 };
const RISKY_TURNS = 0.5;
const FLAGGED_FROM = 0.5;
const BLOCKED_FROM = 0.9;
const REFUSED_WHEN_RISKY = 0.3;
const REFUSAL_LENGTH = 0.3;
const NEW_CATEGORY = 'content.medical_advice';
const ERRORS = ['timeout', 'rate_limit_exceeded', 'server_error'];

/**
 * The batches of all probes in the order in which they are sent, the same for the same options. Events are those of `@svc/telemetry`, without texts.
 * A change alters nothing but the members that its labels name: before it, and in other applications, every event is the same as without it.
 */
export function* simulate(simulation: Simulation): Generator<SimulatedBatch, void, undefined> {
  const { seed, days, applications = APPLICATIONS, changes = [], flushMs = 30_000 } = simulation;
  labelsOf(changes, applications);
  const startMs = Math.floor(simulation.startMs / MINUTE_MS) * MINUTE_MS;
  const endMs = startMs + days * DAY_MS;
  const root = new Random(seed);
  const probes = applications.flatMap((application) => {
    const own = changes.filter((change) => change.application === application.name);
    return application.probes.map((name) => new SimulatedProbe(application, name, own, root.fork(name), startMs));
  });
  for (let fromMs = startMs; fromMs < endMs; fromMs += flushMs) {
    const untilMs = Math.min(fromMs + flushMs, endMs);
    for (const probe of probes) {
      const events = probe.eventsUntil(untilMs);
      const { name: application, group } = probe.application;
      for (let i = 0; i < events.length; i += EVENTS_MAX)
        yield { application, group, probe: probe.name, sentAtMs: untilMs, events: events.slice(i, i + EVENTS_MAX) };
    }
  }
}

interface Turn {
  readonly timeMs: number;
  readonly event: TelemetryEvent;
}

/** One probe: makes the conversations minute by minute and hands out their turns by time. */
class SimulatedProbe {
  readonly application: Application;
  readonly name: string;
  readonly #changes: readonly Change[];
  readonly #random: Random;
  readonly #arrivals: Random;
  readonly #idPrefix: string;
  readonly #pickUser = zipfUser();
  #minuteMs: number;
  #sessions = 0;
  /** Turns of conversations that have begun. */
  #waiting: Turn[] = [];

  constructor(application: Application, name: string, changes: readonly Change[], random: Random, startMs: number) {
    this.application = application;
    this.name = name;
    this.#changes = changes;
    this.#random = random;
    this.#arrivals = random.fork('arrivals');
    this.#idPrefix = startMs.toString(36);
    this.#minuteMs = startMs;
  }

  eventsUntil(untilMs: number): TelemetryEvent[] {
    for (; this.#minuteMs < untilMs; this.#minuteMs += MINUTE_MS) this.#beginSessions(this.#minuteMs);
    const due = this.#waiting.filter(({ timeMs }) => timeMs < untilMs).sort((a, b) => a.timeMs - b.timeMs);
    this.#waiting = this.#waiting.filter(({ timeMs }) => timeMs >= untilMs);
    return due.map(({ event }) => event);
  }

  #beginSessions(minuteMs: number): void {
    const { sessionsPerDay, probes } = this.application;
    const expected = (sessionsPerDay / probes.length / (DAY_MS / MINUTE_MS)) * loadAt(minuteMs, this.application);
    for (let left = this.#arrivals.poisson(expected); left > 0; left--) {
      const session = this.#sessions++;
      const random = this.#random.fork(session);
      this.#waiting.push(...this.#turnsOf(`${this.#idPrefix}-${session}`, minuteMs + random.below(MINUTE_MS), random));
    }
  }

  #turnsOf(sessionId: string, beginMs: number, random: Random): Turn[] {
    const { application } = this;
    const session: Session = {
      id: sessionId,
      user: `u${this.#pickUser(random.uniform())}`,
      language: pickName(application.languages, random.uniform()),
      riskDraw: random.uniform(),
      lengthDraw: random.normal(),
    };
    const count = Math.min(TURNS_MAX, 1 + random.geometric(1 / application.turns));
    let timeMs = beginMs;
    return Array.from({ length: count }, (_, i) => {
      const event = inferenceAt(timeMs, `${sessionId}-${i}`, application, session, effectsAt(timeMs, this.#changes), random);
      const turn = { timeMs, event };
      timeMs += Math.ceil(lognormal(PAUSE_MS, random.normal()));
      return turn;
    });
  }
}

interface Session {
  readonly id: string;
  readonly user: string;
  readonly language: string;
  /** Below the share of risk: something is found in some of its turns. */
  readonly riskDraw: number;
  /** How much this person writes and is answered, a normal number. */
  readonly lengthDraw: number;
}

/** Draws the same number of random numbers whatever the effects are, so that a change does not alter what it has nothing to do with. */
function inferenceAt(
  timeMs: number,
  id: string,
  application: Application,
  session: Session,
  effects: Effects,
  random: Random,
): TelemetryEvent {
  const draw = {
    error: random.uniform(),
    errorName: random.below(ERRORS.length),
    risky: random.uniform(),
    score: random.normal(),
    category: random.uniform(),
    newCategory: random.uniform(),
    refused: random.uniform(),
    filtered: random.uniform(),
    input: random.normal(),
    output: random.normal(),
    firstToken: random.normal(),
    version: random.uniform(),
  };
  const isRisky = session.riskDraw < application.riskShare * effects.riskFactor && draw.risky < RISKY_TURNS;
  const score = scoreOf(isRisky, draw.score, effects.scoreShift);
  const tokens = TOKENS_OF_LANGUAGE[session.language]!;
  const inputTokens = Math.round(
    application.templateTokens +
      effects.templateTokens +
      tokens * lognormal(application.inputTokens, sharedDraw(session.lengthDraw, draw.input)),
  );
  const slowness = effects.latencyFactor * (1 + application.busyLatency * waveAt(timeMs));
  const firstTokenMs =
    slowness * (lognormal(application.firstTokenMs, draw.firstToken) + application.msPerInputToken * inputTokens);
  const common = {
    id,
    occurred_at: new Date(timeMs).toISOString(),
    model: application.model,
    provider: application.provider,
    operation: 'chat',
    input_tokens: inputTokens,
    score: rounded(score, 4),
    coverage: 'complete',
    subject: { user: session.user, session: session.id, agent: application.name },
    attributes: { language: session.language },
  } as const;
  if (draw.error < Math.max(application.errorShare, effects.errorShare))
    return {
      ...common,
      ...decisionOf(score, false, isRisky, draw, application, effects),
      latency_ms: rounded(firstTokenMs, 1),
      error: ERRORS[draw.errorName]!,
    };
  const isRefused =
    draw.refused < application.refusalShare * effects.refusalFactor || (isRisky && draw.refused > 1 - REFUSED_WHEN_RISKY);
  const length =
    tokens *
    effects.outputFactor *
    (isRefused ? REFUSAL_LENGTH : 1) *
    lognormal(application.outputTokens, sharedDraw(session.lengthDraw, draw.output));
  const outputTokens = Math.max(1, Math.min(application.outputTokensMax, Math.round(length)));
  return {
    ...common,
    ...decisionOf(score, isRefused, isRisky, draw, application, effects),
    model_version: versionOf(application, effects, draw.version),
    output_tokens: outputTokens,
    latency_ms: rounded(firstTokenMs + slowness * application.msPerOutputToken * outputTokens, 1),
    time_to_first_token_ms: rounded(firstTokenMs, 1),
    finish_reason:
      isRefused && draw.filtered < 0.3 ? 'content_filter' : outputTokens === application.outputTokensMax ? 'length' : 'stop',
  };
}

function scoreOf(isRisky: boolean, draw: number, shift: number): number {
  const logit = isRisky ? RISKY.mean + RISKY.sd * draw : HARMLESS.mean + HARMLESS.sd * (draw + shift);
  return 1 / (1 + Math.exp(-logit));
}

function decisionOf(
  score: number,
  isRefused: boolean,
  isRisky: boolean,
  draw: { readonly category: number; readonly newCategory: number },
  { risks }: Application,
  { newCategoryShare }: Effects,
): Required<Pick<TelemetryEvent, 'outcome' | 'findings'>> {
  const outcome = score >= BLOCKED_FROM ? 'blocked' : score >= FLAGGED_FROM ? 'flagged' : 'allowed';
  const findings: TelemetryFinding[] = [];
  if (isRisky || outcome !== 'allowed') {
    const category = draw.newCategory < newCategoryShare ? NEW_CATEGORY : pickName(risks, draw.category);
    findings.push({ category, type: category.slice(category.indexOf('.') + 1), score: rounded(score, 4), outcome });
  }
  if (isRefused) findings.push({ category: 'quality.refusal', type: 'refusal', score: 0.9, outcome: 'allowed' });
  return { outcome, findings };
}

function versionOf({ modelVersion, model }: Application, { versions }: Effects, draw: number): string {
  const newest = versions.findLast(({ share }) => draw < share);
  return newest === undefined ? modelVersion : `${model}-${newest.version}`;
}

/** The logarithms of one person's turns vary together to a part. */
function sharedDraw(shared: number, own: number): number {
  return Math.sqrt(SHARED) * shared + Math.sqrt(1 - SHARED) * own;
}

/** `draw`: a normal number. */
function lognormal({ median, sigma }: Lognormal, draw: number): number {
  return median * Math.exp(sigma * draw);
}

/** From −1 at the quietest hour of the day to 1 at the busiest. */
function waveAt(timeMs: number): number {
  return -Math.cos((2 * Math.PI * (timeMs - QUIETEST_HOUR * 3_600_000)) / DAY_MS);
}

/** How much is asked, beside the mean of a weekday. */
function loadAt(timeMs: number, { dayAmplitude, weekendShare }: Application): number {
  const day = new Date(timeMs).getUTCDay();
  return (1 + dayAmplitude * waveAt(timeMs)) * (day === 0 || day === 6 ? weekendShare : 1);
}

const pickers = new WeakMap<object, (uniform: number) => string>();

/** A name at random, in proportion to the weights. */
function pickName(weights: Readonly<Record<string, number>>, uniform: number): string {
  let pick = pickers.get(weights);
  if (pick === undefined) {
    const names = Object.keys(weights);
    const pickIndex = weightedPicker(Object.values(weights));
    pick = (drawn) => names[pickIndex(drawn)]!;
    pickers.set(weights, pick);
  }
  return pick(uniform);
}

/** Some people ask much more than others: their number by Zipf's law. */
function zipfUser(): (uniform: number) => number {
  const whole = Math.log(USERS + 1);
  return (uniform) => Math.floor(Math.exp(uniform * whole)) - 1;
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
