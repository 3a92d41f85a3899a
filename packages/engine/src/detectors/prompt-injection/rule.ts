// The shape of a rule and the words that rules share.

import type { Concept } from './concepts.ts';

/** What an attack tries. Extraction has a category of its own. */
export type Family =
  | 'instruction_override'
  | 'fake_turn'
  | 'jailbreak_persona'
  | 'prompt_extraction'
  | 'indirect_instruction'
  | 'exfiltration';

/** One sign of an attack. */
export interface Rule {
  readonly id: string;
  readonly family: Family;
  /** All of these must occur in the segment before the pattern is tried. */
  readonly needs: readonly Concept[];
  /** Tried on a segment of at most 400 characters. Gaps are bounded and nothing repeats inside a repetition. */
  readonly pattern: RegExp;
  /** 0–1: how sure one match makes by itself. */
  readonly weight: number;
  /** The same where a document or tool speaks, when that differs: it has no business giving orders. */
  readonly contextWeight?: number;
  /** Mitigated by questions, reports and quotes. False for signs that ordinary text never holds. */
  readonly isWording: boolean;
  /** Completes "The text …". */
  readonly explanation: string;
}

/** Puts a pattern together from parts. Case is ignored; a space in the parts stands for one to three blanks, ` ?` for up to three. */
export function patternOf(...parts: readonly string[]): RegExp {
  return new RegExp(parts.join('').replaceAll(' ?', '\\s{0,3}').replaceAll(' ', '\\s{1,3}'), 'i');
}
