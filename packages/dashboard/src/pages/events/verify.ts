// Checks the proof of an event in this browser, and tells each step. Loaded when it is first asked for.

import { CheckpointError, verifyEventProof, type Event, type EventProof, type ProvedEvent } from '@svc/client';
import { faultOfForm } from './proof-form.ts';

type StepName = 'signature' | 'leaf' | 'event' | 'values' | 'shown';

export interface Step {
  readonly name: StepName | 'growth';
  readonly title: string;
  readonly state: 'holds' | 'broken' | 'not reached' | 'first seen';
  readonly text: string;
}

export interface Verdict {
  readonly holds: boolean;
  readonly steps: readonly Step[];
}

const TITLES: readonly (readonly [StepName, string])[] = [
  ['signature', 'The checkpoint is signed'],
  ['leaf', 'The leaf is in the tree'],
  ['event', 'The leaf is this event'],
  ['values', 'The values are those of the leaf'],
  ['shown', 'The event above is what was proved'],
];

/**
 * `event`: as the page shows it; `id`: the one that was asked for. Never throws for a proof that is wrong: the verdict says at which step. Throws where the
 * browser cannot check.
 */
export async function verify(event: Event, proof: EventProof, keys: readonly string[], id: string): Promise<Verdict> {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error(
      'This browser checks signatures only on pages that came over HTTPS, or from this machine. Download the proof and check it with svc-verify.',
    );
  const malformed = faultOfForm(proof);
  if (malformed !== null) return brokenAt('signature', malformed);
  const leafHash = await leafHashOf(proof.envelope);
  let proved: ProvedEvent;
  try {
    proved = await verifyEventProof(proof, keys);
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return brokenAt(stepOf(error, proof), error.message);
  }
  const texts = textsOf(proof, proved, leafHash);
  if (proof.event_id !== id) return brokenAt('event', `It is the proof of another event: ${proof.event_id}.`, texts);
  const fault = differenceOf(event, proof, proved);
  if (fault !== null) return brokenAt('shown', fault, texts);
  return { holds: true, steps: TITLES.map(([name, title]) => ({ name, title, state: 'holds', text: texts[name] })) };
}

function brokenAt(broken: StepName, text: string, texts?: Readonly<Record<StepName, string>>): Verdict {
  const at = TITLES.findIndex(([name]) => name === broken);
  const steps = TITLES.map(([name, title], i): Step => {
    if (i === at) return { name, title, state: 'broken', text };
    return i < at ? { name, title, state: 'holds', text: texts?.[name] ?? '' } : { name, title, state: 'not reached', text: '' };
  });
  return { holds: false, steps };
}

/** The checks are in the order of the steps. */
function stepOf({ rule }: CheckpointError, { envelope, event_id: id, leaf_index: index }: EventProof): StepName {
  if (rule === 'not_included') return 'leaf';
  if (rule === 'disclosure_mismatch') return 'values';
  if (rule !== 'malformed') return 'signature';
  const leaf = objectOf(envelope);
  return leaf?.['id'] === id && leaf['sequence'] === index + 1 ? 'signature' : 'event';
}

function textsOf(
  proof: EventProof,
  { checkpoint, disclosed, envelope }: ProvedEvent,
  leafHash: string,
): Record<StepName, string> {
  const size = checkpoint.size.toLocaleString('en');
  const names = Object.keys(disclosed);
  const hidden = (Array.isArray(envelope['private']) ? envelope['private'].length : 0) - names.length;
  return {
    signature: `Ed25519, under ${checkpoint.origin}, of ${size} events with the root ${checkpoint.root}.`,
    leaf: `Leaf hash ${leafHash}, leaf ${proof.leaf_index.toLocaleString('en')}. ${proof.hashes.length} hashes lead from it to the root.`,
    event: `Id ${proof.event_id}, sequence ${proof.sequence.toLocaleString('en')}.`,
    values:
      (names.length === 0 ? 'No values were disclosed.' : `Disclosed, and as committed to: ${names.join(', ')}.`) +
      (proof.erased.length === 0 ? '' : ` Erased, as the service says: ${proof.erased.join(', ')}.`) +
      (hidden === 0 ? '' : ` Committed to and not disclosed: ${hidden}, erased or a kept text.`),
    shown: 'Kind, times, actor, data and what was erased are those of the proof.',
  };
}

/** Members that an event has; others would be shown as JSON without being proved. */
const MEMBERS = new Set([
  'id',
  'sequence',
  'kind',
  'mode',
  'occurred_at',
  'recorded_at',
  'org_id',
  'actor',
  'data',
  'leaf_hash',
  'erased',
]);

/** What of the event is not as it was proved; `null`: nothing. */
function differenceOf(event: Event, proof: EventProof, { envelope, disclosed }: ProvedEvent): string | null {
  const actor = isObject(envelope['actor']) ? envelope['actor'] : {};
  const shown: Members = isObject(event.data) ? event.data : {};
  const pairs: [string, unknown, unknown][] = [
    ['id', event.id, envelope['id']],
    ['sequence', event.sequence, envelope['sequence']],
    ['kind', event.kind, envelope['kind']],
    // Nothing of test keys is in the log.
    ['mode', event.mode, 'live'],
    // The log has microseconds where there are any.
    ['occurred_at', Date.parse(event.occurred_at), Math.floor(Date.parse(String(envelope['occurred_at'])))],
    ['recorded_at', Date.parse(event.recorded_at), Math.floor(Date.parse(String(envelope['recorded_at'])))],
    ['org_id', event.org_id, envelope['org_id']],
    [
      'actor',
      event.actor,
      {
        type: actor['type'],
        id: actor['id'] ?? disclosed['actor.id'] ?? null,
        ip: disclosed['actor.ip'] ?? null,
      },
    ],
    // Until the log has it, it is told to have none.
    ['leaf_hash', event.leaf_hash ?? proof.leaf_hash, proof.leaf_hash],
    ['erased', namesOf(event.erased), namesOf(proof.erased)],
    ...(event.kind.startsWith('inference.')
      ? ofInference(shown, disclosed)
      : [['data', event.data, disclosed['data'] ?? {}] as [string, unknown, unknown]]),
    ...Object.keys(event)
      .filter((name) => !MEMBERS.has(name))
      .map((name): [string, unknown, unknown] => [name, true, false]),
  ];
  const wrong = pairs.filter(([, here, there]) => canonical(here) !== canonical(there)).map(([name]) => name);
  return wrong.length === 0 ? null : `Not as in the log: ${wrong.join(', ')}. The event was changed after it was logged.`;
}

function namesOf(erased: unknown): unknown {
  return Array.isArray(erased) ? erased.toSorted() : (erased ?? []);
}

/** Names of what two answers for an event tell differently: `kind`, `data.outcome`. */
export function differingNames(before: Event, now: Event): string[] {
  const [old, fresh] = [membersOf(before), membersOf(now)];
  // An event that the log did not have yet had no hash.
  if (before.leaf_hash === null) fresh.delete('leaf_hash');
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((name) => canonical(old.get(name)) !== canonical(fresh.get(name)));
}

function membersOf({ data, leaf_hash: hash, ...rest }: Event): Map<string, unknown> {
  const members = new Map<string, unknown>(Object.entries(rest));
  if (hash !== null) members.set('leaf_hash', hash);
  for (const [name, value] of Object.entries(data)) members.set(`data.${name}`, value);
  return members;
}

/** The leaf commits to some members by themselves, so that each can be erased. */
function ofInference(shown: Members, disclosed: Members): [string, unknown, unknown][] {
  const proved = isObject(disclosed['data']) ? disclosed['data'] : {};
  const own = (name: string, none: unknown) => disclosed[name] ?? proved[name] ?? none;
  const previews = Array.isArray(disclosed['previews']) ? (disclosed['previews'] as Members[]) : null;
  return [
    ['subject', shown['subject'] ?? null, own('subject', null)],
    ['external_id', shown['external_id'] ?? null, own('external_id', null)],
    ['metadata', shown['metadata'] ?? {}, own('metadata', {})],
    [
      'previews',
      placesOf(shown).map((place) => place['preview'] ?? null),
      previews === null
        ? placesOf(proved).map((place) => place['preview'] ?? null)
        : previews.map(({ preview }) => preview ?? null),
    ],
    ['data', withoutPrivate(shown), withoutPrivate(proved)],
  ];
}

type Members = Readonly<Record<string, unknown>>;

function placesOf({ findings, shadow }: Members): Members[] {
  const lists = isObject(shadow) ? [findings, shadow['added'], shadow['removed']] : [findings];
  return lists.flatMap((list) => (Array.isArray(list) ? (list as Members[]) : []));
}

const ARGUMENTS = /^(\/tool_calls\/\d+\/arguments)\/.*$/s;

function withoutPrivate(data: Members): Members {
  const strip = (list: unknown) => (Array.isArray(list) ? (list as Members[]).map(placeWithoutPrivate) : list);
  const { findings, shadow } = data;
  const stripped = isObject(shadow) ? { ...shadow, added: strip(shadow['added']), removed: strip(shadow['removed']) } : shadow;
  return { ...data, subject: null, external_id: null, metadata: null, findings: strip(findings), shadow: stripped };
}

function placeWithoutPrivate(place: Members): Members {
  const location = isObject(place['location']) ? place['location'] : {};
  const pointer = String(location['pointer']).replace(ARGUMENTS, '$1');
  return { ...place, preview: null, location: { ...location, pointer } };
}

async function leafHashOf(envelope: string): Promise<string> {
  const bytes = new TextEncoder().encode(envelope);
  const hash = await crypto.subtle.digest('SHA-256', Uint8Array.from([0, ...bytes]));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

/** The same text for the same value: members in order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}

function objectOf(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
