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
const SALT_BYTES = 16;

/** The leaf of an event. The same for the same row, for ever: a change to what is in it is another version. Never throws for what a row may hold. */
export function envelopeOf(event: StoredEvent): Envelope {
  const data = parsed(event.data);
  const redaction = event.redaction === null ? null : redactionOf(event.redaction);
  const values = privateValues(event, data, redaction);
  const digests: string[] = [];
  const disclosures: Disclosure[] = [];
  for (const [name, value] of values) {
    const disclosed = JSON.stringify([saltOf(event.salt, redaction, name), name, value]);
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

/** The salt of one value: 16 bytes in base64. */
export function fieldSalt(salt: Buffer, name: PrivateField): string {
  return hash('sha256', Buffer.concat([salt, Buffer.from(name)]), 'buffer').toString('base64', 0, SALT_BYTES);
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

function privateValues(event: StoredEvent, data: unknown, redaction: Redaction | null): [PrivateField, unknown][] {
  const isErased = (name: PrivateField) => redaction?.erased[name] !== undefined;
  const values: [PrivateField, unknown][] = [];
  const add = (name: PrivateField, value: unknown) => {
    if (value !== null && value !== undefined && !isErased(name)) values.push([name, value]);
  };
  if (event.actorType === 'user') add('actor.id', event.actorId);
  add('actor.ip', event.actorIp);
  const subject = subjectOf(event);
  add('subject', subject);
  add('external_id', event.externalId);
  add('text', event.text);
  if (!isInference(event) || !isObject(data)) {
    add('data', data);
    return values;
  }
  // The columns are copies of members of the data. Where the two say the same it is committed to once; else both, so that neither can be changed.
  // What is undefined is not written, and an object from which nothing was deleted is written twice as fast.
  const rest: Record<string, unknown> = { ...data };
  if (isErased('subject') || (subject !== null && isSame(rest['subject'], event))) rest['subject'] = undefined;
  if (isErased('external_id') || (event.externalId !== null && rest['external_id'] === event.externalId))
    rest['external_id'] = undefined;
  if (isErased('metadata')) rest['metadata'] = undefined;
  else if (isObject(rest['metadata']) && Object.keys(rest['metadata']).length > 0) {
    add('metadata', rest['metadata']);
    rest['metadata'] = undefined;
  }
  const findings = rest['findings'];
  if (Array.isArray(findings) && findings.length > 0 && findings.every((finding) => isObject(finding) && 'preview' in finding)) {
    add(
      'previews',
      findings.map(({ preview }: { preview: unknown }) => preview),
    );
    rest['findings'] = findings.map(withoutPreview);
  }
  add('data', rest);
  return values;
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

function saltOf(salt: Buffer | null, redaction: Redaction | null, name: PrivateField): string {
  return salt === null ? (redaction?.salts[name] ?? '') : fieldSalt(salt, name);
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
