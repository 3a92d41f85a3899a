// The leaf of an event: a canonical record of it that says in clear what anybody may know, and commits to everything else by salted digests. Who
// erases a value and its salt leaves the leaf as it is. The form, for those who write verifiers: docs/reference/evidence.md.

import { hash } from 'node:crypto';

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
export interface Disclosure {
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
  /** `data` as it was parsed; not JSON: the text. */
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
  const redaction = event.redaction === null ? null : redactionOf(event.redaction);
  const values = privateValues(event, data, redaction);
  const digests: string[] = [];
  const disclosures: Disclosure[] = [];
  const salt = event.salt?.toString('base64');
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

/** Each as JSON. */
function privateValues(event: StoredEvent, data: unknown, redaction: Redaction | null): [PrivateField, string][] {
  const isErased = (name: PrivateField) => redaction?.erased[name] !== undefined;
  const values: [PrivateField, string][] = [];
  const add = (name: PrivateField, value: unknown) => {
    if (value !== null && !isErased(name)) values.push([name, JSON.stringify(value)]);
  };
  if (event.actorType === 'user') add('actor.id', event.actorId);
  add('actor.ip', event.actorIp);
  const subject = subjectOf(event);
  add('subject', subject);
  add('external_id', event.externalId);
  add('text', event.text);
  if (!isInference(event) || !isObject(data)) {
    if (!isErased('data')) values.push(['data', jsonOf(event.data, data)]);
    return values;
  }
  // The columns are copies of members of the data. Where the two say the same it is committed to once; else both, so that neither can be changed.
  const parts: Record<string, undefined> = {};
  if (isErased('subject') || (subject !== null && isSame(data['subject'], event))) parts['subject'] = undefined;
  if (isErased('external_id') || (event.externalId !== null && data['external_id'] === event.externalId))
    parts['external_id'] = undefined;
  const { metadata, findings } = data;
  if (isErased('metadata')) parts['metadata'] = undefined;
  else if (isObject(metadata) && Object.keys(metadata).length > 0) {
    add('metadata', metadata);
    parts['metadata'] = undefined;
  }
  const hasPreviews =
    Array.isArray(findings) && findings.length > 0 && findings.every((finding) => isObject(finding) && 'preview' in finding);
  if (hasPreviews)
    add(
      'previews',
      findings.map(({ preview }: { preview: unknown }) => preview),
    );
  if (isErased('data')) return values;
  // What is undefined is not written, and an object from which nothing was deleted is written twice as fast.
  const rest = { ...data, ...parts, ...(hasPreviews ? { findings: findings.map(withoutPreview) } : {}) };
  const isWhole = Object.keys(parts).length === 0 && !hasPreviews;
  values.push(['data', isWhole ? event.data : JSON.stringify(rest)]);
  return values;
}

/** The text as it is stored, to the byte, where it is JSON. */
function jsonOf(text: string, data: unknown): string {
  return data === text ? JSON.stringify(text) : text;
}

function withoutPreview(finding: object): object {
  const left: { preview?: unknown } = { ...finding };
  left.preview = undefined;
  return left;
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
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
}

/** Of the column's text; what is not as we write it counts for nothing. */
export function redactionOf(json: string): Redaction {
  const value = parsed(json);
  const { erased, salts } = isObject(value) ? value : {};
  return { erased: textsOf(erased), salts: textsOf(salts) };
}

function textsOf(value: unknown): Record<string, string> {
  const texts = isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    : [];
  return Object.fromEntries(texts);
}

/** Whether a `subject` says what the columns say; members that are `null` may be left out. */
function isSame(subject: unknown, { subjectUser, subjectSession, subjectAgent }: StoredEvent): boolean {
  if (!isObject(subject)) return false;
  const { user = null, session = null, agent = null, ...more } = subject;
  return user === subjectUser && session === subjectSession && agent === subjectAgent && Object.keys(more).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
