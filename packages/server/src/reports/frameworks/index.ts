// The frameworks that reports can be about.

import { EU_AI_ACT } from './eu-ai-act.ts';
import type { Framework, FrameworkId } from './framework.ts';
import { ISO_42001 } from './iso-42001.ts';
import { NIST_AI_RMF } from './nist-ai-rmf.ts';

export const FRAMEWORKS: Readonly<Record<FrameworkId, Framework>> = {
  'eu-ai-act': EU_AI_ACT,
  'nist-ai-rmf': NIST_AI_RMF,
  'iso-42001': ISO_42001,
};
