// The vocabulary of the engine: what goes in, what detectors report, what comes out.

import type { View, ViewKind } from './text/view.ts';

/** Where a text of an inference stands. Policies name these in `applies_to`. */
export const TARGETS = ['input', 'output', 'context', 'tool'] as const;
export type Target = (typeof TARGETS)[number];

export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export const OUTCOMES = ['allowed', 'flagged', 'blocked'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const SEVERITIES = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a policy does about a finding, from doing nothing to stopping the inference. */
export const ACTIONS = ['ignore', 'flag', 'redact', 'block'] as const;
export type Action = (typeof ACTIONS)[number];

/** How a detector came to its finding. */
export type Method =
  | 'pattern'
  | 'pattern+checksum'
  | 'pattern+entropy'
  | 'pattern+context'
  | 'heuristic'
  | 'lexicon'
  | 'classifier'
  | 'judge'
  | 'limit';

/** `<family>.<kind>`; families are listed in the contract. Policies may add under `data.`, `brand.` and `policy.`. */
export type Category = `${string}.${string}`;

/** One text of an inference, with where it came from. */
export interface Part {
  /** JSON Pointer into the request, e.g. `/input/2/content`. */
  readonly pointer: string;
  readonly text: string;
  readonly target: Target;
  /** The role of the message it stands in; `null` outside of messages. */
  readonly role: Role | null;
  /** UTF-16 units of all texts before this one in the inference; absent means 0. */
  readonly charsBefore?: number;
  /** Messages of its own list that earlier texts came from, and the same with this text's; absent means 0. */
  readonly messagesBefore?: number;
  readonly messagesAfter?: number;
}

/**
 * What a detector reports of a view.
 * `start`, `end`: UTF-16 offsets into the view's text, end exclusive.
 */
export interface Candidate {
  readonly category: Category;
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** 0–1: how sure the detector is. */
  readonly score: number;
  readonly severity: Exclude<Severity, 'none'>;
  readonly method: Method;
  /** One sentence for a person. Never holds matched text. */
  readonly explanation: string;
  /** A masked glimpse such as `AKIA…`, or `null`. Never enough to reconstruct what was matched. */
  readonly preview: string | null;
  /** The policy's own rule that matched; absent for built-in detectors. */
  readonly ruleId?: string;
}

/** What a detector is given beside the text. */
export interface DetectContext {
  readonly part: Part;
  /** The policy drops what scores less: a detector may save itself the work of placing and explaining it. */
  readonly flagAt: number;
  /** Whether the policy does anything about findings of a type: a detector need not look for what it ignores. */
  readonly isWanted: (type: string) => boolean;
  readonly report: (candidate: Candidate) => void;
  /** True once the deadline has passed. Long loops ask at least every 100 steps and return at once when it is. */
  readonly expired: () => boolean;
  /** To be called when a bound of the detector's own leaves part of the text unread; the coverage then tells. Any number of times. */
  readonly truncated: () => void;
}

/**
 * Ends of the anchors found in a view, in text order: `rules[i]` is an index into the detector's `anchors`,
 * `ends[i]` the offset just after the literal.
 */
export interface AnchorHits {
  readonly rules: number[];
  readonly ends: number[];
}

/**
 * A detector is a pure function over one view of one part. What it says about a character of an answer is decided by what stands before it and
 * at most 960 characters after it in the view (`settledEnd` in `text/views.ts`), so that answers can be read while they are written: what it
 * finds must begin where it can be told from, bounds are used up in text order, and nothing far behind turns anything on.
 */
export interface Detector {
  readonly id: string;
  readonly version: string;
  /** Lower-case literals. The survey finds them all, ASCII case ignored, in one pass over the text. */
  readonly anchors: readonly string[];
  /** Which kinds of view it reads. */
  readonly reads: readonly ViewKind[];
  /** `hits` are those of this detector's anchors in `view`. */
  detect(view: View, hits: AnchorHits, ctx: DetectContext): void;
}

/** What a detector that compares texts is given. */
export interface CompareContext {
  /** Whether the policy wants findings in this text. The others may be read to compare with. */
  readonly isJudged: (part: Part) => boolean;
  /** `part`: an index into the parts. Offsets are those of its text. */
  readonly report: (part: number, candidate: Candidate) => void;
  readonly expired: () => boolean;
  readonly truncated: () => void;
}

/** A detector that sees all texts of an inference together, and the whole of each. */
export interface WholeDetector {
  readonly id: string;
  readonly version: string;
  /** It reads no text, only how long and how many they are: it does not fail, and is late only where all before it were. */
  readonly isCertain?: true;
  compare(parts: readonly Part[], ctx: CompareContext): void;
}

/** Any of the two kinds. */
export type AnyDetector = Detector | WholeDetector;
