// The form in which rules are written down: what each asks for, of whom, and what of the trail speaks to it.

import type { EvidenceId } from '../evidence.ts';
import type { GapId } from '../gaps.ts';

export const FRAMEWORK_IDS = ['eu-ai-act', 'nist-ai-rmf', 'iso-42001'] as const;
export type FrameworkId = (typeof FRAMEWORK_IDS)[number];

export const STATUSES = ['evidenced', 'partial', 'none', 'not_recorded_here'] as const;
/**
 * `evidenced`: there is evidence, no gap was found, and the provision asks for nothing that is not recorded here. `partial`: evidence with gaps, or of a
 * part. `none`: the evidence that it takes was not found. `not_recorded_here`: this service records nothing of it.
 */
export type Status = (typeof STATUSES)[number];

export interface Provision {
  /** Stable, for programs. */
  readonly id: string;
  /** As the text is cited. */
  readonly reference: string;
  readonly title: string;
  readonly binds: readonly string[];
  /** A paraphrase. It says no more than the text. */
  readonly requirement: string;
  /** To what it applies. */
  readonly applies: string;
  /** What speaks to it. Empty: this service does not record it. */
  readonly evidence: readonly EvidenceId[];
  /** Where there is none of these the status is `none`, whatever else there is. */
  readonly needs: readonly EvidenceId[];
  /** What may be missing from that. */
  readonly gaps: readonly GapId[];
  /** What of it is not recorded here: the status is `partial` at best. `null`: all of it can be. */
  readonly limit: string | null;
  /** What a reader must know of it. */
  readonly note: string | null;
}

export interface Framework {
  readonly id: FrameworkId;
  readonly title: string;
  /** The text that the table was written by. */
  readonly version: string;
  readonly url: string;
  /** What a report can say about it, and what not. */
  readonly about: string;
  readonly dates: string;
  readonly provisions: readonly Provision[];
}
