// The signals that are watched, and how their values are said.

import type { DriftListQuery, DriftMonitor } from '@svc/client';
import { shortNumber } from '../../charts/scale.ts';
import { visible } from '../../ui/name.tsx';

/** Beyond a million millions nobody counts. */
const CHANCE_LOG10_MAX = 12;

export type Signal = NonNullable<DriftListQuery['signal']>;

interface Known {
  readonly title: string;
  /** Behind a value. */
  readonly unit: string;
  /** What it is. */
  readonly meaning: string;
}

export const SIGNALS: Readonly<Record<Signal, Known>> = {
  flagged_rate: { title: 'Flagged rate', unit: '', meaning: 'share of inferences with the outcome flagged' },
  blocked_rate: { title: 'Blocked rate', unit: '', meaning: 'share of inferences with the outcome blocked' },
  error_rate: { title: 'Error rate', unit: '', meaning: 'share of calls that failed' },
  refusal_rate: { title: 'Refusal rate', unit: '', meaning: 'share of answers that refuse' },
  score: { title: 'Score', unit: '', meaning: 'the inference’s score' },
  latency_ms: { title: 'Latency', unit: '\u{a0}ms', meaning: 'how long the model took' },
  time_to_first_token_ms: { title: 'Time to first token', unit: '\u{a0}ms', meaning: 'how long until the model began to answer' },
  input_tokens: { title: 'Input tokens', unit: '', meaning: 'tokens in' },
  output_tokens: { title: 'Output tokens', unit: '', meaning: 'tokens out' },
  category_mix: { title: 'Categories', unit: '', meaning: 'what was found, as shares' },
  finish_reason_mix: { title: 'Finish reasons', unit: '', meaning: 'why the model stopped, as shares' },
  model_version_mix: { title: 'Model versions', unit: '', meaning: 'which version answered, as shares' },
};

export function signalTitle(signal: string): string {
  return (SIGNALS as Readonly<Record<string, Known>>)[signal]?.title ?? signal.replaceAll('_', ' ');
}

export function signalMeaning(signal: string): string {
  return (SIGNALS as Readonly<Record<string, Known>>)[signal]?.meaning ?? 'a signal that these pages do not know yet';
}

/** `Latency of gpt-5-mini in group support`. */
export function monitorTitle({ signal, model, group }: Pick<DriftMonitor, 'signal' | 'model' | 'group'>): string {
  return visible(`${signalTitle(signal)} of ${model} in group ${group}`);
}

/** A value of the signal itself: `4.8 %`, `652 ms`. */
export function valueFormat({ signal, kind }: Pick<DriftMonitor, 'signal' | 'kind'>): (value: number) => string {
  if (kind !== 'numeric') return percent;
  const unit = (SIGNALS as Readonly<Record<string, Known>>)[signal]?.unit ?? '';
  return (value) => plain(value) + unit;
}

/** What is compared of a signal: shares are shares, places among the values of the baseline are numbers from 0 to 1. */
export function featureFormat(feature: string): (value: number) => string {
  return feature === 'rate' || feature.startsWith('share') ? percent : (value) => value.toFixed(3);
}

/** `4.82 %`. */
export function percent(share: number): string {
  const value = share * 100;
  const digits = value === 0 || Math.abs(value) >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))}\u{a0}%`;
}

function plain(value: number): string {
  if (Math.abs(value) >= 10_000) return shortNumber(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}

/** How rarely, at most, so much evidence is seen where nothing has changed: `1 in 920M`. */
export function chanceOf(log10: number): string {
  if (log10 <= 0) return '1 in 1';
  return `1 in ${log10 > CHANCE_LOG10_MAX ? 'more than ' : ''}${shortNumber(10 ** Math.min(log10, CHANCE_LOG10_MAX))}`;
}
