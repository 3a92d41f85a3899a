// What an export is, in words.

import type { Export } from '@svc/client';
import type { Tone } from '../../ui/badge.tsx';

/** How often one that is being made is read, in milliseconds. */
export const PROGRESS_INTERVAL_MS = 1_000;

export function isUnderWay({ state }: Export): boolean {
  return state === 'queued' || state === 'running';
}

/** Its time can be over before the service says so. */
export function isDownloadable({ state, download, expires_at: expiresAt }: Export): boolean {
  return state === 'ready' && download !== null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
}

interface StateWords {
  readonly tone: Tone;
  readonly title: string;
}

const STATES: Readonly<Record<string, StateWords>> = {
  queued: { tone: 'plain', title: 'waiting' },
  running: { tone: 'plain', title: 'being made' },
  ready: { tone: 'good', title: 'ready' },
  failed: { tone: 'bad', title: 'failed' },
  expired: { tone: 'warn', title: 'expired' },
};

export function stateOf(made: Export): StateWords {
  if (made.state === 'ready' && !isDownloadable(made)) return STATES['expired']!;
  return STATES[made.state] ?? { tone: 'plain', title: made.state };
}

/** Why it cannot be downloaded any more, or never could; `null`: it can, or will be. */
export function reasonOf(made: Export): string | null {
  const { title } = stateOf(made);
  if (title === 'failed') return made.error ?? 'The service gives no reason.';
  if (title === 'expired') return made.error ?? 'A bundle can be downloaded for 7 days, and these are over.';
  return null;
}

/** What a bundle has beside the evidence. One that the API has and this list has not does not compile. */
export const FORMATS: Readonly<
  Record<'jsonl' | 'csv' | 'parquet' | 'ocsf' | 'cloudevents', readonly [title: string, note: string]>
> = {
  csv: ['CSV', 'For spreadsheets.'],
  parquet: ['Parquet', 'Typed columns, for warehouses and notebooks.'],
  ocsf: ['OCSF 1.8', 'API Activity with the profile AI Operation, for a SIEM.'],
  cloudevents: ['CloudEvents 1.0', 'For event pipelines.'],
  jsonl: ['JSON Lines alone', 'The evidence, which every bundle has, and nothing beside it.'],
};
export type Format = keyof typeof FORMATS;

export function formatTitle(format: string): string {
  return FORMATS[format as Format]?.[0] ?? format;
}

/** `all that was kept`, `2026-10-24 00:00 to 2026-11-23 00:00 UTC`. */
export function periodWords({ since, until }: Pick<Export, 'since' | 'until'>): string {
  if (since === null) return until === null ? 'all that was kept' : `before ${minute(until)} UTC`;
  return until === null ? `since ${minute(since)} UTC` : `${minute(since)} to ${minute(until)} UTC`;
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

const number = new Intl.NumberFormat('en');

/** `12,345`. */
export function count(value: number): string {
  return number.format(value);
}

const UNITS = ['B', 'kB', 'MB', 'GB'] as const;

/** `4.2 MB`, on one line. */
export function byteWords(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 999.5 && unit < UNITS.length - 1) {
    amount /= 1_000;
    unit++;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)}\u00a0${UNITS[unit]}`;
}
