// The leaf of an event: a canonical record of it that says in clear what anybody may know, and commits to everything else by salted digests. Who
// erases a value and its salt leaves the leaf as it is. The form, for those who write verifiers: docs/reference/evidence.md.

import { hash } from 'node:crypto';
import { erasableFields } from './erasable.ts';

/** What a leaf commits to without telling, where the event has it. Names of the wire. */
export const PRIVATE_FIELDS = ['actor.id', 'actor.ip', 'subject', 'external_id', 'metadata', 'previews', 'text', 'data'] as const;
export type PrivateField = (typeof PRIVATE_FIELDS)[number];

/** An event as it is stored: each column, so that a change to any of them is a change to the leaf. */
export interface StoredEvent {
  /** `org_…` */
  readonly orgId: string;
  readonly sequence: number;
  /** `evt_…` */
  readonly id: string;
  readonly kind: string;
  /** Microseconds since 1970. */
  readonly occurredAtUs: bigint;
  readonly recordedAtUs: bigint;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly actorIp: string | null;
  readonly model: string | null;
  readonly subjectUser: string | null;
  readonly subjectSession: string | null;
  readonly subjectAgent: string | null;
  readonly externalId: string | null;
  readonly probeId: string | null;
  /** As in its column: each between spaces. */
  readonly categories: string | null;
  /** JSON. */
  readonly data: string;
  /** 16 bytes; `null`: something was erased. */
  readonly salt: Buffer | null;
  /** What was erased, as in its column. */
  readonly redaction: string | null;
  /** What was assessed, as JSON, where it is kept; else `null`. */
  readonly text: string | null;
}

/** A value that a leaf commits to. */
interface Disclosure {
  readonly name: PrivateField;
  /** JSON of `[salt, name, value]`. The SHA-256 of exactly this text is in the leaf, so that who checks it need not know how it was written. */
  readonly disclosed: string;
}

export interface Envelope {
  /** The leaf: canonical JSON (RFC 8785). */
  readonly text: string;
  readonly disclosures: readonly Disclosure[];
  /** What is committed to, and not there any more. */
  readonly erased: readonly PrivateField[];
  /** `data` as it was parsed; what cannot be: the text. */
  readonly data: unknown;
}

/** What of an event was erased: the digests in its leaf, and the salts of what is left. */
export interface Redaction {
  readonly erased: Readonly<Partial<Record<PrivateField, string>>>;
  readonly salts: Readonly<Partial<Record<PrivateField, string>>>;
}

const VERSION = 1;
/** Of base64: 132 bits. */
const SALT_CHARS = 22;

/** The leaf of an event. The same for the same row, for ever: a change to what is in it is another version. Never throws for what a row may hold. */
export function envelopeOf(event: StoredEvent): Envelope {
  const data = parsed(event.data);
  const redaction = event.redaction === null ? null : redactionOf(event.redaction, event.kind);
  const values = privateValues(event, data, redaction);
  const digests: string[] = [];
  const disclosures: Disclosure[] = [];
  // Whoever erases takes the salt away. Where both are there one of them is not ours.
  const salt = redaction === null ? event.salt?.toString('base64') : undefined;
  for (const [name, json] of values) {
    const disclosed = `["${salt === undefined ? saltLeft(redaction, name) : fieldSalt(salt, name)}","${name}",${json}]`;
    disclosures.push({ name, disclosed });
    digests.push(digestOf(disclosed));
  }
  const erased = Object.entries(redaction?.erased ?? {});
  for (const [, digest] of erased) digests.push(digest);
  digests.sort();
  return {
    text: JSON.stringify(publicFacts(event, data, digests)),
    disclosures,
    erased: erased.map(([name]) => name as PrivateField),
    data,
  };
}

/** What whoever may read events is shown. Texts that were assessed are committed to and shown to nobody: proofs and exports ask here. */
export function shownDisclosures({ disclosures }: Pick<Envelope, 'disclosures'>): readonly Disclosure[] {
  return disclosures.filter(({ name }) => name !== 'text');
}

/** The salt of one value. */
function fieldSalt(salt: string, name: PrivateField): string {
  return hash('sha256', `${salt} ${name}`, 'base64').slice(0, SALT_CHARS);
}

/** The digest of a disclosure as it stands in the leaf. */
export function digestOf(disclosed: string): string {
  return hash('sha256', disclosed, 'base64');
}

/**
 * Members in the order of RFC 8785, which writes numbers and texts as `JSON.stringify` does: so this is canonical, at a third of the cost of sorting.
 */
function publicFacts(event: StoredEvent, data: unknown, digests: readonly string[]): object {
  const decided = isInference(event) && isObject(data) ? data : {};
  const { policy, coverage } = decided;
  return {
    // People are known to the identity provider by names that may tell who they are.
    actor: { id: event.actorType === 'user' ? undefined : (event.actorId ?? undefined), type: event.actorType },
    categories: categoriesOf(event.categories),
    coverage: isObject(coverage) ? plain(coverage['status']) : undefined,
    id: event.id,
    kind: event.kind,
    model: event.model ?? undefined,
    occurred_at: timeText(event.occurredAtUs),
    org_id: event.orgId,
    outcome: plain(decided['outcome']),
    policy: isObject(policy) ? { digest: plain(policy['digest']), version: plain(policy['version']) } : undefined,
    private: digests,
    probe_id: event.probeId ?? undefined,
    recorded_at: timeText(event.recordedAtUs),
    score: plain(decided['score']),
    sequence: event.sequence,
    severity: plain(decided['severity']),
    v: VERSION,
  };
}

/** As the service writes it. Anything else, which would need sorting, is committed to with the rest of the data alone. */
function plain(value: unknown): unknown {
  return isObject(value) || Array.isArray(value) ? undefined : value;
}

function isInference({ kind }: Pick<StoredEvent, 'kind'>): boolean {
  return kind.startsWith('inference.');
}

/** Injective: a column that is not as we write it is told as it is. */
function categoriesOf(column: string | null): readonly string[] | string | undefined {
  if (column === null) return undefined;
  const names = column.slice(1, -1).split(' ');
  return ` ${names.join(' ')} ` === column && !names.includes('') ? names : column;
}

/** Each as JSON. What is told to be erased and is there all the same is a value like any other: so nothing can be put into its place. */
function privateValues(event: StoredEvent, data: unknown, redaction: Redaction | null): [PrivateField, string][] {
  const isErased = (name: PrivateField) => redaction?.erased[name] !== undefined;
  const values: [PrivateField, string][] = [];
  const add = (name: PrivateField, value: unknown) => {
    if (value !== null) values.push([name, JSON.stringify(value)]);
  };
  if (event.actorType === 'user') add('actor.id', event.actorId);
  add('actor.ip', event.actorIp);
  const subject = subjectOf(event);
  add('subject', subject);
  add('external_id', event.externalId);
  add('text', event.text);
  if (!isInference(event) || !isObject(data)) {
    if (!isErased('data') || event.data !== '{}') values.push(['data', jsonOf(event.data, data)]);
    return values;
  }
  if (!isAsWritten(event, data, isErased)) {
    values.push(['data', unparsed(event.data)]);
    return values;
  }
  // The columns are copies of members of the data: what both say is committed to once.
  const parts: Record<string, unknown> = {};
  if (subject !== null || isErased('subject')) parts['subject'] = undefined;
  if (event.externalId !== null || isErased('external_id')) parts['external_id'] = undefined;
  const { metadata } = data;
  if (isErased('metadata')) parts['metadata'] = undefined;
  else if (isObject(metadata) && Object.keys(metadata).length > 0) {
    add('metadata', metadata);
    parts['metadata'] = undefined;
  }
  const personal = placesOf(data).map(personalOf);
  if (personal.some(({ preview, pointer }) => preview !== undefined || pointer !== undefined)) {
    const isThere = personal.some(({ preview, pointer }) => (preview ?? null) !== null || pointer !== undefined);
    if (isThere || !isErased('previews')) add('previews', personal);
    Object.assign(parts, withoutPersonal(data, undefined));
  }
  // What is undefined is not written, and an object from which nothing was deleted is written twice as fast.
  values.push(['data', Object.keys(parts).length === 0 ? event.data : JSON.stringify({ ...data, ...parts })]);
  return values;
}

/**
 * Whether an inference's data is what the service makes of the columns: written as `JSON.stringify` does, with the same subject and external id, and
 * without what was erased. All else of it can be taken apart and told from any other; the order of members alone says nothing.
 */
function isAsWritten(event: StoredEvent, data: Record<string, unknown>, isErased: (name: PrivateField) => boolean): boolean {
  const { subject, external_id: externalId, metadata } = data;
  const isSubjectCopied = isErased('subject') ? subject === null : subjectOf(event) === null || isSame(subject, event);
  const isExternalIdCopied = isErased('external_id') ? externalId === null : event.externalId === null;
  return (
    isSubjectCopied &&
    (isExternalIdCopied || externalId === event.externalId) &&
    (!isErased('metadata') || (isObject(metadata) && Object.keys(metadata).length === 0)) &&
    !(UNPARSED in data) &&
    JSON.stringify(data) === event.data
  );
}

/** The text as it is stored, to the byte, where it is JSON. */
function jsonOf(text: string, data: unknown): string {
  return data === text || text.startsWith(`{"${UNPARSED}"`) ? unparsed(text) : text;
}

const UNPARSED = 'unparsed';

/** Data that is not what we write, as the text that it is. */
function unparsed(text: string): string {
  return JSON.stringify({ [UNPARSED]: text });
}

/** What tells where something was found: findings, and differences that a shadow has seen. */
function placesOf({ findings, shadow }: Record<string, unknown>): readonly unknown[] {
  const found = listOf(findings);
  return isObject(shadow) ? [...found, ...listOf(shadow['added']), ...listOf(shadow['removed'])] : found;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What `previews` has of a place: its preview, and its pointer where that names arguments. */
function personalOf(place: unknown): { readonly preview?: unknown; readonly pointer?: unknown } {
  if (!isObject(place)) return {};
  const { preview, location } = place;
  const pointer = isObject(location) ? location['pointer'] : undefined;
  return { preview, pointer: withoutArguments(pointer) === undefined ? undefined : pointer };
}

/** Below the arguments of a call a pointer goes on by their names, which may be those of people. */
const ARGUMENT_POINTER = /^(\/tool_calls\/\d+\/arguments)\//;

/** A pointer without the names of arguments; `undefined`: it has none. */
function withoutArguments(pointer: unknown): string | undefined {
  return typeof pointer === 'string' ? ARGUMENT_POINTER.exec(pointer)?.[1] : undefined;
}

/** The members of an inference's data that hold places, without what `previews` has of them; previews are `preview` then. */
export function withoutPersonal(data: Record<string, unknown>, preview: null | undefined): Record<string, unknown> {
  const strip = (place: unknown): unknown => {
    if (!isObject(place)) return place;
    const { location } = place;
    const pointer = isObject(location) ? withoutArguments(location['pointer']) : undefined;
    const left: Record<string, unknown> = { ...place };
    if ('preview' in place) left['preview'] = preview;
    if (pointer !== undefined) left['location'] = { ...(location as object), pointer };
    return left;
  };
  const stripAll = (list: unknown): unknown => (Array.isArray(list) ? list.map(strip) : list);
  const { findings, shadow } = data;
  return {
    findings: stripAll(findings),
    shadow: isObject(shadow) ? { ...shadow, added: stripAll(shadow['added']), removed: stripAll(shadow['removed']) } : shadow,
  };
}

/** As assessments have it; `null`: nobody. */
function subjectOf({ subjectUser, subjectSession, subjectAgent }: StoredEvent): object | null {
  if (subjectUser === null && subjectSession === null && subjectAgent === null) return null;
  return { user: subjectUser, session: subjectSession, agent: subjectAgent };
}

/** Where something was erased. */
function saltLeft(redaction: Redaction | null, name: PrivateField): string {
  return JSON.stringify(redaction?.salts[name] ?? '').slice(1, -1);
}

const DATE_MS_MAX = 8_640_000_000_000_000n;

/** `2026-11-21T00:00:00.000Z`, with six digits where there is more than milliseconds; times that no calendar of ours knows as microseconds since 1970. */
function timeText(us: bigint): string {
  const belowMs = ((us % 1_000n) + 1_000n) % 1_000n;
  const ms = (us - belowMs) / 1_000n;
  if (ms > DATE_MS_MAX || ms < -DATE_MS_MAX) return String(us);
  const text = new Date(Number(ms)).toISOString();
  return belowMs === 0n ? text : `${text.slice(0, -1)}${String(belowMs).padStart(3, '0')}Z`;
}

function parsed(json: string): unknown {
  if (isDeep(json)) return json;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}

/** A third of what every thread's stack bears; which depth one just does not bear depends on where it is called from, and a leaf must not. */
const DEPTH_MAX = 1_000;

/** Whether values of a JSON text are within each other more than `DEPTH_MAX` times. Of what is not JSON it may say either. */
function isDeep(json: string): boolean {
  if (json.length <= 2 * DEPTH_MAX) return false;
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const char = json.charCodeAt(i);
    if (char === QUOTE) i = endOfString(json, i);
    // Both kinds of brackets, as one is 32 above the other.
    else if ((char | 32) === OPENING && ++depth > DEPTH_MAX) return true;
    else if ((char | 32) === CLOSING) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPENING, CLOSING] = [0x22, 0x5c, 0x7b, 0x7d];

/** The place of the quote that ends the string which begins at `start`; none: the end of the text. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** Of the column's text; what is not as we write it, and what cannot be erased of an event of this kind, counts for nothing. */
export function redactionOf(json: string, kind: string): Redaction {
  const value = parsed(json);
  const { erased, salts } = isObject(value) ? value : {};
  return { erased: textsOf(erased, erasableFields(kind)), salts: textsOf(salts, PRIVATE_FIELDS) };
}

function textsOf(value: unknown, names: readonly PrivateField[]): Partial<Record<PrivateField, string>> {
  const texts: Partial<Record<PrivateField, string>> = {};
  if (!isObject(value)) return texts;
  for (const name of names) if (typeof value[name] === 'string') texts[name] = value[name];
  return texts;
}

/** Whether a `subject` is what assessments make of the columns. */
function isSame(subject: unknown, { subjectUser, subjectSession, subjectAgent }: StoredEvent): boolean {
  if (!isObject(subject)) return false;
  const { user, session, agent } = subject;
  return user === subjectUser && session === subjectSession && agent === subjectAgent && Object.keys(subject).length === 3;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
