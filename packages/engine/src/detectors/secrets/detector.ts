// Finds credentials: tokens by their published formats, values beside names that promise one, passwords in URLs, private keys.

import type { AnchorHits, Candidate, DetectContext, Detector } from '../../types.ts';
import type { View } from '../../text/view.ts';
import { withoutOverlaps } from './match.ts';
import type { Match, NearProbe } from './match.ts';
import { NAME_WORDS, probeName, probeVendor } from './name-probe.ts';
import { nothingNear } from './near.ts';
import { probeBasic, probeBearer, probeLogin, probePassOption, probeUrl } from './places.ts';
import { probePrivateKey, probePuttyKey } from './private-key.ts';
import { RULES } from './rules.ts';
import { tokenProbe } from './token-probe.ts';
import { VENDORS } from './vendors.ts';

interface Waiter {
  readonly anchor: string;
  /** True for formats, which are sure of their span: other anchors inside it are passed over. */
  readonly isFormat: boolean;
  readonly probe: NearProbe;
}

const WAITERS: readonly Waiter[] = [
  ...RULES.flatMap((rule) => {
    const probe = tokenProbe(rule);
    return rule.anchors.map((anchor) => ({ anchor, isFormat: true, probe }));
  }),
  { anchor: '-----begin', isFormat: true, probe: probePrivateKey },
  { anchor: 'putty-user-key-file-', isFormat: true, probe: probePuttyKey },
  { anchor: '://', isFormat: false, probe: probeUrl },
  { anchor: 'bearer ', isFormat: false, probe: probeBearer },
  { anchor: 'basic ', isFormat: false, probe: probeBasic },
  { anchor: ' -u', isFormat: false, probe: probeLogin },
  { anchor: ' --user', isFormat: false, probe: probeLogin },
  { anchor: ' -p', isFormat: false, probe: probePassOption },
  ...Object.keys(NAME_WORDS).map((anchor) => ({ anchor, isFormat: false, probe: probeName.bind(null, anchor) })),
  ...Object.keys(VENDORS).map((anchor) => ({ anchor, isFormat: false, probe: probeVendor.bind(null, anchor) })),
];

const HITS_PER_DEADLINE_CHECK = 64;

/** Credentials of visible and decoded text. Looks only near anchors; a private key may reach 8 192 characters. */
export const detector: Detector = {
  id: 'secrets',
  version: '1.0.0',
  anchors: WAITERS.map(({ anchor }) => anchor),
  reads: ['visible', 'decoded'],
  detect(view, hits, ctx) {
    if (hits.ends.length === 0) return;
    for (const match of withoutOverlaps(collect(view, hits, ctx))) ctx.report(toCandidate(match));
  },
};

// Field by field: a text full of secrets has thousands, and a spread costs five times as much.
function toCandidate({ type, start, end, score, severity, method, explanation, preview }: Match): Candidate {
  return { category: 'data.secret', type, start, end, score, severity, method, explanation, preview };
}

function collect({ text }: View, hits: AnchorHits, ctx: DetectContext): Match[] {
  const matches: Match[] = [];
  const near = nothingNear();
  let formatEnd = 0;
  for (let i = 0; i < hits.ends.length; i++) {
    if (i % HITS_PER_DEADLINE_CHECK === 0 && ctx.expired()) break;
    const end = hits.ends[i]!;
    if (end <= formatEnd) continue;
    const waiter = WAITERS[hits.rules[i]!]!;
    const match = waiter.probe(text, end - waiter.anchor.length, end, near);
    if (match === null) continue;
    matches.push(match);
    if (waiter.isFormat) formatEnd = match.end;
  }
  return matches;
}
