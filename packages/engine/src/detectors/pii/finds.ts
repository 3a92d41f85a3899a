// What recognisers found in one view: collected within bounds, overlaps settled, worded for the report.

import type { Candidate, Method } from '../../types.ts';
import { KINDS, type Kind, SOFT_KINDS } from './kinds.ts';

/** One value. `start`, `end`: UTF-16 offsets into the view's text, end exclusive. */
export interface Find {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  /** 0–1. Finds below `SCORE_MIN` are dropped. */
  readonly score: number;
  readonly method: Method;
  /** What more to say, such as a country: put in brackets after the label. */
  readonly note?: string;
  /** True when statistics alone say so; a find of another kind that has a reason wins. */
  readonly isGuess?: boolean;
}

export const SCORE_MIN = 0.5;

/** Values of one kind kept from one view, so that a flood of one cannot hide another. The values of 200 kB fit; more is told as unread. */
export const FINDS_PER_KIND_MAX = 20_000;

/** Collects the finds of one view. */
export class Finds {
  readonly #list: Find[] = [];
  readonly #counts = new Map<Kind, number>();

  add(find: Find): void {
    if (find.score < SCORE_MIN || this.isFull(find.kind)) return;
    this.#counts.set(find.kind, (this.#counts.get(find.kind) ?? 0) + 1);
    this.#list.push(find);
  }

  /** True when no more of `kind` are taken. */
  isFull(kind: Kind): boolean {
    return (this.#counts.get(kind) ?? 0) >= FINDS_PER_KIND_MAX;
  }

  /** True when some kind has reached its bound, so that more of it may stand in the text. */
  isAnyFull(): boolean {
    return [...this.#counts.values()].some((count) => count >= FINDS_PER_KIND_MAX);
  }

  /** The finds in text order, none overlapping another. */
  settled(): Find[] {
    const kept: Find[] = [];
    for (const find of this.#list.sort((a, b) => a.start - b.start || b.end - a.end)) {
      const last = kept.at(-1);
      if (last === undefined || find.start >= last.end) kept.push(find);
      else if (compareFinds(find, last) > 0) kept[kept.length - 1] = find;
    }
    return kept;
  }
}

/**
 * Positive when `a` should win over `b`: a checksum beats a pattern, what is found for a reason and identifies what is guessed or
 * does not, the longer the shorter, then context, then the score. Two of one kind are the same value: its longer reading wins.
 */
function compareFinds(a: Find, b: Find): number {
  return (
    Number(hasChecksum(a)) - Number(hasChecksum(b)) ||
    (a.kind === b.kind ? 0 : Number(isStrong(a)) - Number(isStrong(b))) ||
    a.end - a.start - (b.end - b.start) ||
    Number(a.method === 'pattern+context') - Number(b.method === 'pattern+context') ||
    a.score - b.score
  );
}

function isStrong({ kind, isGuess }: Find): boolean {
  return isGuess !== true && !SOFT_KINDS.has(kind);
}

function hasChecksum(find: Find): boolean {
  return find.method === 'pattern+checksum';
}

/** Words a find for the report. */
export function candidateOf(find: Find, text: string): Candidate {
  const { kind, start, end, score, method, note } = find;
  const { label, severity } = KINDS[kind];
  const explanation = `Looks like ${label}${note === undefined ? '' : ` (${note})`}${REASONS[method] ?? ''}.`;
  const preview = previewOf(kind, text.slice(start, end));
  return { category: 'data.pii', type: kind, start, end, score, severity, method, explanation, preview };
}

const REASONS: Partial<Record<Method, string>> = {
  'pattern+checksum': '; its checksum is right',
  'pattern+context': '; the words around it say so',
};

function previewOf(kind: Kind, value: string): string {
  if (kind === 'credit_card' || kind === 'iban') return `…${value.replace(/[^0-9A-Za-z]/g, '').slice(-4)}`;
  const first = String.fromCodePoint(value.codePointAt(0)!);
  return kind === 'email' ? `${first}…@…` : `${first}…`;
}
