// The signals that can be watched for drift.

/** What is watched of each model, and of what kind the observations are. */
export const DRIFT_SIGNALS = {
  flagged_rate: 'rate',
  blocked_rate: 'rate',
  error_rate: 'rate',
  refusal_rate: 'rate',
  score: 'numeric',
  latency_ms: 'numeric',
  time_to_first_token_ms: 'numeric',
  input_tokens: 'numeric',
  output_tokens: 'numeric',
  category_mix: 'categorical',
  finish_reason_mix: 'categorical',
  model_version_mix: 'categorical',
} as const satisfies Record<string, DriftSignalKind>;

export type DriftSignalKind = 'rate' | 'numeric' | 'categorical';
export type DriftSignal = keyof typeof DRIFT_SIGNALS;
export type DriftSeason = 'none' | 'day' | 'week';

/** Changes of this size or smaller count as none: shares of a standard deviation, or of the rate itself. */
export const DRIFT_TOLERANCES: Readonly<Record<DriftSignalKind, number>> = { numeric: 0.05, rate: 0.1, categorical: 0.1 };
