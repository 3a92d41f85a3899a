// Changes of behaviour that are put into the telemetry, and what is true of them: the labels by which a detector is measured.

import type { Application } from './applications.ts';

/**
 * What happens, and what its `size` means:
 * - `score_drift`: the scores of harmless inferences move up by so many standard deviations (of their logit).
 * - `risk_rise`: the share of sessions in which something is found is multiplied.
 * - `refusal_rise`: the share of refusals is multiplied.
 * - `template_growth`: the prompt template takes so many tokens more.
 * - `category_shift`: that share of the findings becomes one of a category never seen before.
 * - `provider_upgrade`: the provider serves another version, whose answers are so many times as long; nobody has told.
 * - `deploy`: another version serves that share of the traffic, and behaves as the one before.
 * - `outage`: that share of the requests fails, and the others take three times as long.
 */
export type ChangeKind =
  | 'score_drift'
  | 'risk_rise'
  | 'refusal_rise'
  | 'template_growth'
  | 'category_shift'
  | 'provider_upgrade'
  | 'deploy'
  | 'outage';

export interface Change {
  readonly kind: ChangeKind;
  /** The name of the application. */
  readonly application: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** When it ends; left out: it stays. */
  readonly untilMs?: number;
  readonly size: number;
}

/** The signals of the drift detector that a change can move. */
export type Signal =
  | 'flagged_rate'
  | 'blocked_rate'
  | 'error_rate'
  | 'refusal_rate'
  | 'score'
  | 'latency_ms'
  | 'time_to_first_token_ms'
  | 'input_tokens'
  | 'output_tokens'
  | 'category_mix'
  | 'finish_reason_mix'
  | 'model_version_mix';

/** One signal of one series that a change moves: what a detector should find. */
export interface Label {
  readonly kind: ChangeKind;
  readonly size: number;
  readonly atMs: number;
  /** `null`: it stays. */
  readonly untilMs: number | null;
  readonly series: { readonly model: string; readonly group: string };
  readonly signal: Signal;
  /** What the change is about; false: moved along with it, perhaps too little to be found. */
  readonly isDirect: boolean;
}

const MOVED: Readonly<Record<ChangeKind, { readonly direct: readonly Signal[]; readonly along: readonly Signal[] }>> = {
  score_drift: { direct: ['score'], along: ['flagged_rate', 'blocked_rate', 'category_mix'] },
  risk_rise: {
    direct: ['flagged_rate', 'category_mix'],
    along: ['blocked_rate', 'score', 'finish_reason_mix', 'refusal_rate', 'output_tokens', 'latency_ms'],
  },
  refusal_rise: {
    direct: ['refusal_rate'],
    along: ['category_mix', 'output_tokens', 'latency_ms', 'finish_reason_mix'],
  },
  template_growth: { direct: ['input_tokens'], along: ['time_to_first_token_ms', 'latency_ms'] },
  category_shift: { direct: ['category_mix'], along: [] },
  provider_upgrade: { direct: ['model_version_mix', 'output_tokens'], along: ['latency_ms', 'finish_reason_mix'] },
  deploy: { direct: ['model_version_mix'], along: [] },
  outage: {
    direct: ['error_rate', 'latency_ms', 'time_to_first_token_ms'],
    along: ['refusal_rate', 'category_mix', 'finish_reason_mix', 'model_version_mix', 'output_tokens'],
  },
};

/** The truth about the changes: a label for each signal that one of them moves. Changes of unknown applications: RangeError. */
export function labelsOf(changes: readonly Change[], applications: readonly Application[]): Label[] {
  return changes.flatMap(({ kind, size, atMs, untilMs, application: name }) => {
    const { model, group } = applicationOf(name, applications);
    const { direct, along } = MOVED[kind];
    return [...direct, ...along].map((signal) => ({
      kind,
      size,
      atMs,
      untilMs: untilMs ?? null,
      series: { model, group },
      signal,
      isDirect: direct.includes(signal),
    }));
  });
}

function applicationOf(name: string, applications: readonly Application[]): Application {
  const application = applications.find((candidate) => candidate.name === name);
  if (application === undefined) throw new RangeError(`No application is named ${name}.`);
  return application;
}

/** What is different in an application at one time. */
export interface Effects {
  readonly scoreShift: number;
  readonly riskFactor: number;
  readonly refusalFactor: number;
  readonly templateTokens: number;
  readonly newCategoryShare: number;
  readonly outputFactor: number;
  readonly errorShare: number;
  readonly latencyFactor: number;
  /** Versions that came after the first, each with the share of the traffic it takes over from those before it. */
  readonly versions: readonly { readonly version: string; readonly share: number }[];
}

/** Nothing is different. */
const UNCHANGED: Effects = {
  scoreShift: 0,
  riskFactor: 1,
  refusalFactor: 1,
  templateTokens: 0,
  newCategoryShare: 0,
  outputFactor: 1,
  errorShare: 0,
  latencyFactor: 1,
  versions: [],
};

/** The effects of an application's changes at one time. */
export function effectsAt(timeMs: number, changes: readonly Change[]): Effects {
  const current = changes.filter(({ atMs, untilMs = Infinity }) => timeMs >= atMs && timeMs < untilMs);
  return current.length === 0 ? UNCHANGED : current.reduce(withChange, UNCHANGED);
}

function withChange(effects: Effects, { kind, size, atMs }: Change): Effects {
  switch (kind) {
    case 'score_drift':
      return { ...effects, scoreShift: effects.scoreShift + size };
    case 'risk_rise':
      return { ...effects, riskFactor: effects.riskFactor * size };
    case 'refusal_rise':
      return { ...effects, refusalFactor: effects.refusalFactor * size };
    case 'template_growth':
      return { ...effects, templateTokens: effects.templateTokens + size };
    case 'category_shift':
      return { ...effects, newCategoryShare: Math.max(effects.newCategoryShare, size) };
    case 'provider_upgrade':
      return {
        ...effects,
        outputFactor: effects.outputFactor * size,
        versions: [...effects.versions, { version: versionSince(atMs), share: 1 }],
      };
    case 'deploy':
      return { ...effects, versions: [...effects.versions, { version: versionSince(atMs), share: size }] };
    case 'outage':
      return { ...effects, errorShare: Math.max(effects.errorShare, size), latencyFactor: effects.latencyFactor * 3 };
  }
}

/** What a version is called that began to serve at that time. */
function versionSince(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replaceAll(/[-:T]/g, '');
}
