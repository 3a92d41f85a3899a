// Drift in one plain sentence, for people.

import type { DriftReport, Percentiles } from '@svc/drift';
import type { DriftSignal } from '@svc/engine';
import type { Resolution, SeriesName } from './store.ts';

/** What each signal is called within a sentence. */
const NOUNS: Readonly<Record<DriftSignal, string>> = {
  flagged_rate: 'share of flagged inferences',
  blocked_rate: 'share of blocked inferences',
  error_rate: 'share of calls that failed',
  refusal_rate: 'share of refusals',
  score: 'score',
  latency_ms: 'latency',
  time_to_first_token_ms: 'time to the first token',
  input_tokens: 'number of input tokens',
  output_tokens: 'number of output tokens',
  category_mix: 'share of what was found',
  finish_reason_mix: 'share of reasons to finish',
  model_version_mix: 'share of model versions',
};

/** Of mixes: what one of their names is. */
const MEMBERS: Readonly<Partial<Record<DriftSignal, string>>> = {
  category_mix: 'category',
  finish_reason_mix: 'finish reason',
  model_version_mix: 'model version',
};

const UNITS: Readonly<Partial<Record<DriftSignal, string>>> = { latency_ms: ' ms', time_to_first_token_ms: ' ms' };
const LABEL_CHARS_MAX = 80;

/** What has changed, from what to what and since when. */
export function sustainedSentence(series: SeriesName, report: DriftReport): string {
  return `Since ${minuteOf(report.onset)} ${changeOf(series, report)}.`;
}

/** How a drift ended. `report`: as of its end, where it was observed. */
export function endedSentence(
  series: SeriesName,
  resolution: Resolution,
  report: Pick<DriftReport, 'feature' | 'label' | 'baseline' | 'current'> | null,
): string {
  const what = `${NOUNS[series.signal]} ${of(series)}`;
  switch (resolution) {
    case 'recovered':
      return `${capital(report === null ? `the ${what} is back` : backOf(series, report))}.`;
    case 'rebaselined':
      return `The level that the ${what} has now is its new baseline.`;
    case 'disabled':
      return `The ${what} is not watched any more.`;
    case 'superseded':
      return `The ${what} has changed further.`;
  }
}

/** What counts as usual from now on. `n` null: it is being learned. */
export function baselinedSentence(series: SeriesName, n: number | null): string {
  const what = `the ${NOUNS[series.signal]} ${of(series)}`;
  if (n === null) return `A new baseline is learned for ${what}.`;
  return `There is a baseline of ${n.toLocaleString('en-US').replaceAll(',', '\u202f')} observations for ${what}.`;
}

export function acknowledgedSentence(series: SeriesName): string {
  return `Somebody takes care of the change in the ${NOUNS[series.signal]} ${of(series)}.`;
}

function of({ model, group }: SeriesName): string {
  return `of ${model} in group ${group}`;
}

function changeOf(series: SeriesName, report: DriftReport): string {
  const { signal } = series;
  const { feature, baseline, current, direction } = report;
  const went = direction === 'up' ? 'has risen' : 'has fallen';
  const fromTo = `from ${percent(baseline.value)} to ${percent(current.value)}`;
  const member = MEMBERS[signal];
  if (member !== undefined) return `the share of ${memberOf(member, report)} ${of(series)} ${went} ${fromTo}`;
  const what = `the ${NOUNS[signal]} ${of(series)}`;
  switch (feature) {
    case 'rate':
      return `${what} ${went} ${fromTo}`;
    case 'location':
      return `${what} ${went}${medians(signal, baseline.percentiles, current.percentiles)}`;
    case 'spread':
      return `${what} varies ${direction === 'up' ? 'more' : 'less'}${ranges(signal, baseline.percentiles, current.percentiles)}`;
    default:
      return `the share of values ${beyond(feature)} in the ${NOUNS[signal]} ${of(series)} ${went} ${fromTo}`;
  }
}

function backOf(series: SeriesName, report: Pick<DriftReport, 'feature' | 'label' | 'baseline' | 'current'>): string {
  const { feature, baseline, current } = report;
  const values = `${percent(current.value)}, ${percent(baseline.value)} at baseline`;
  const member = MEMBERS[series.signal];
  if (member !== undefined) return `the share of ${memberOf(member, report)} ${of(series)} is back: ${values}`;
  const what = `the ${NOUNS[series.signal]} ${of(series)}`;
  switch (feature) {
    case 'rate':
      return `${what} is back: ${values}`;
    case 'location':
    case 'spread':
      return `${what} is back to what it was`;
    default:
      return `the share of values ${beyond(feature)} in the ${NOUNS[series.signal]} ${of(series)} is back: ${values}`;
  }
}

/** `share above p90`: the percentile is that of the baseline. */
function beyond(feature: string): string {
  const [, side, percentile] = /^share (above|below) p(\d+)$/.exec(feature) ?? [];
  return side === undefined ? feature : `${side} the baseline’s percentile ${percentile}`;
}

function memberOf(member: string, { label }: Pick<DriftReport, 'label'>): string {
  if (label === undefined) return `every ${member} that was rare or unknown before`;
  const shown = label.length > LABEL_CHARS_MAX ? `${label.slice(0, LABEL_CHARS_MAX).toWellFormed()}…` : label;
  return `${member} ${shown}`;
}

function medians(signal: DriftSignal, from: Percentiles | undefined, to: Percentiles | undefined): string {
  if (from === undefined || to === undefined) return '';
  return `, its median from ${quantity(from.p50, signal)} to ${quantity(to.p50, signal)}`;
}

function ranges(signal: DriftSignal, from: Percentiles | undefined, to: Percentiles | undefined): string {
  if (from === undefined || to === undefined) return '';
  const range = ({ p10, p90 }: Percentiles) => `${quantity(p10, signal)} to ${quantity(p90, signal)}`;
  return `: eight in ten values were ${range(from)}, and are ${range(to)}`;
}

/** With as many digits as tell something, and thousands apart. */
function quantity(value: number, signal: DriftSignal): string {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return `${rounded.toLocaleString('en-US', { maximumFractionDigits: 6 }).replaceAll(',', '\u202f')}${UNITS[signal] ?? ''}`;
}

function percent(share: number): string {
  const value = share * 100;
  return `${value === 0 || value >= 10 ? value.toFixed(1) : String(Number(value.toPrecision(2)))} %`;
}

function minuteOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
