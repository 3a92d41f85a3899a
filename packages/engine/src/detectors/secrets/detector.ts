// Finds credentials: tokens by their published formats, values beside names that promise one, passwords in URLs, private keys.

import type { AnchorHits, Candidate, DetectContext, Detector } from '../../types.ts';
import type { View } from '../../text/view.ts';
import { withoutOverlaps } from './match.ts';
import type { Match, NearProbe } from './match.ts';
import { findNamed, probeName, probeVendor } from './name-probe.ts';
import { NAME_WORDS } from './names.ts';
import { nothingNear } from './near.ts';
import type { Near } from './near.ts';
import { CALLS, findCall, findInserted } from './calls.ts';
import { matchClue } from './clue-match.ts';
import type { Clue, Kind } from './clue.ts';
import { findOption, findShortOption, OPTIONS } from './options.ts';
import { probeBasic, probeBearer, probeLogin, probeUrl } from './places.ts';
import { probeEncodedKey, probePrivateKey, probePuttyKey } from './private-key.ts';
import { RULES } from './rules.ts';
import { tokenProbe } from './token-probe.ts';
import { VENDORS } from './vendors.ts';

interface Waiter {
  readonly anchor: string;
  /** True for formats, which are sure of their span: other anchors inside it are passed over. */
  readonly isFormat: boolean;
  readonly probe: NearProbe;
}

/** Types of what calls are given. */
const TYPES: Readonly<Record<Kind, string>> = { password: 'password', key: 'api_key', weak: 'token', salt: 'salt' };

type Find = (text: string, start: number, end: number, near: Near) => Clue | null;

interface ClueFinder {
  readonly anchor: string;
  readonly find: Find;
  readonly type: string;
  readonly label: string;
}

/** Places that give a credential by position. */
const CLUE_FINDERS: readonly ClueFinder[] = [
  ...Object.entries(CALLS).map(([anchor, { kind }]) => ({
    anchor,
    find: findCall.bind(null, anchor),
    type: TYPES[kind],
    label: kind === 'password' ? 'a password' : 'a key',
  })),
  ...['values (', 'values('].map((anchor) => ({ anchor, find: findInserted, type: 'password', label: 'a password' })),
  ...Object.keys(OPTIONS).map((anchor) => ({
    anchor,
    find: findOption.bind(null, anchor),
    type: 'command_line_password',
    label: 'a password',
  })),
  ...[' -p', ' -a', ' -w'].map((anchor) => ({
    anchor,
    find: findShortOption,
    type: 'command_line_password',
    label: 'a password',
  })),
];

/** Every place that a model has to judge, for training it. */
export const JUDGED: readonly Pick<ClueFinder, 'anchor' | 'find'>[] = [
  ...CLUE_FINDERS,
  ...Object.keys(NAME_WORDS).map((anchor) => ({ anchor, find: findNamed.bind(null, anchor) })),
];

function clueProbe(find: Find, type: string, label: string): NearProbe {
  return (text, start, end, near) => {
    const clue = find(text, start, end, near);
    return clue === null ? null : matchClue(clue, type, label);
  };
}

const WAITERS: readonly Waiter[] = [
  ...RULES.flatMap((rule) => {
    const probe = tokenProbe(rule);
    return rule.anchors.map((anchor) => ({ anchor, isFormat: true, probe }));
  }),
  { anchor: '-----begin', isFormat: true, probe: probePrivateKey },
  { anchor: 'ls0tls1crudjti', isFormat: true, probe: probeEncodedKey },
  { anchor: 'putty-user-key-file-', isFormat: true, probe: probePuttyKey },
  { anchor: '://', isFormat: false, probe: probeUrl },
  { anchor: 'bearer ', isFormat: false, probe: probeBearer },
  { anchor: 'basic ', isFormat: false, probe: probeBasic },
  { anchor: ' -u', isFormat: false, probe: probeLogin },
  { anchor: ' --user', isFormat: false, probe: probeLogin },
  ...CLUE_FINDERS.map(({ anchor, find, type, label }) => ({ anchor, isFormat: false, probe: clueProbe(find, type, label) })),
  ...Object.keys(NAME_WORDS).map((anchor) => ({ anchor, isFormat: false, probe: probeName.bind(null, anchor) })),
  ...Object.keys(VENDORS).map((anchor) => ({ anchor, isFormat: false, probe: probeVendor.bind(null, anchor) })),
];

const HITS_PER_DEADLINE_CHECK = 64;

/** Credentials of visible and decoded text. Looks only near anchors; a private key may reach 8 192 characters. */
export const detector: Detector = {
  id: 'secrets',
  version: '1.2.0',
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
