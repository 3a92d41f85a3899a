// Events as the leaves of their log: read from the trail, whole.

import { leafHash } from '@svc/trail';
import type { Vault } from '../access/vault.ts';
import { unsealText } from '../assessments/texts.ts';
import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { envelopeOf, type Envelope, type StoredEvent } from './envelope.ts';

/** A leaf of an organization's log. Its index in the tree is `sequence - 1`. */
export interface Leaf extends Envelope {
  readonly event: StoredEvent;
  /** 32 bytes. */
  readonly hash: Buffer;
}

/** Events `(after, until]` of an organization, by sequence. */
export interface Stretch {
  readonly orgId: Buffer;
  readonly after: number;
  readonly until: number;
}

interface Row {
  readonly org_id: string;
  readonly sequence: string;
  readonly id: string;
  readonly kind: string;
  readonly occurred_at_us: Buffer;
  readonly recorded_at_us: Buffer;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly actor_ip: string | null;
  readonly model: string | null;
  readonly subject_user: string | null;
  readonly subject_session: string | null;
  readonly subject_agent: string | null;
  readonly external_id: string | null;
  readonly probe_id: string | null;
  readonly categories: string | null;
  readonly data: string;
  readonly salt: Buffer | null;
  readonly redaction: string | null;
  readonly sealed: Buffer | null;
}

/** As PostgreSQL holds it, to the last digit and without arithmetic; an infinity, which nobody writes, is the last number there is. */
const microseconds = (column: string) => `timestamptz_send(${column})`;

const COLUMNS = `e.org_id, e.sequence, e.id, e.kind, ${microseconds('e.occurred_at')} AS occurred_at_us,
  ${microseconds('e.recorded_at')} AS recorded_at_us, e.actor_type, e.actor_id, e.actor_ip, e.model, e.subject_user, e.subject_session,
  e.subject_agent, e.external_id, e.probe_id, e.categories, e.data, e.salt, e.redaction, t.sealed`;
const TABLES = 'events e LEFT JOIN assessment_texts t ON t.org_id = e.org_id AND t.id = e.id';

/** The leaves of stretches, each in the order of its sequence, by one statement. Events that are not there are missing. */
export async function readLeaves(db: Queryable, vault: Vault, stretches: readonly Stretch[]): Promise<Leaf[]> {
  return leavesOf(vault, await readRows(db, stretches));
}

/** The same part by part, by one statement each: while the leaves of one part are made, the database reads the next. */
export async function* readLeavesInParts(
  db: Queryable,
  vault: Vault,
  parts: readonly (readonly Stretch[])[],
): AsyncGenerator<Leaf[]> {
  let reading = parts.length === 0 ? null : readRows(db, parts[0]!);
  for (let next = 1; reading !== null; next++) {
    const rows = await reading;
    reading = next < parts.length ? readRows(db, parts[next]!) : null;
    // What fails while nobody waits for it is told when it is waited for.
    reading?.catch(() => {});
    yield leavesOf(vault, rows);
  }
}

async function readRows(db: Queryable, stretches: readonly Stretch[]): Promise<Row[]> {
  const { rows } = await db.query<Row>({
    name: 'read_leaves',
    text: `SELECT l.* FROM unnest($1::uuid[], $2::int8[], $3::int8[]) WITH ORDINALITY AS s (org_id, after, until, position)
            CROSS JOIN LATERAL (
              SELECT ${COLUMNS} FROM ${TABLES} WHERE e.org_id = s.org_id AND e.sequence > s.after AND e.sequence <= s.until
               ORDER BY e.sequence OFFSET 0) l
            ORDER BY s.position, l.sequence`,
    values: [
      stretches.map(({ orgId }) => uuidText(orgId)),
      stretches.map(({ after }) => after),
      stretches.map(({ until }) => until),
    ],
  });
  return rows;
}

/** A stretch in parts of at most `bytesMax` as stored; an event that is larger is a part of its own. */
export async function splitByBytes(db: Queryable, { orgId, after, until }: Stretch, bytesMax: number): Promise<Stretch[]> {
  const { rows } = await db.query<{ sequence: string; bytes: string }>(
    // Told from where the values are: no text is read for it.
    `SELECT e.sequence, octet_length(e.data)::int8 + coalesce(octet_length(t.sealed), 0) AS bytes FROM ${TABLES}
      WHERE e.org_id = $1 AND e.sequence > $2 AND e.sequence <= $3 ORDER BY e.sequence`,
    [uuidText(orgId), after, until],
  );
  const parts: Stretch[] = [];
  let held = 0;
  for (const row of rows) {
    const [sequence, bytes] = [Number(row.sequence), Number(row.bytes)];
    const last = parts.at(-1);
    if (last === undefined || held + bytes > bytesMax) {
      parts.push({ orgId, after: sequence - 1, until: sequence });
      held = bytes;
    } else {
      parts[parts.length - 1] = { ...last, until: sequence };
      held += bytes;
    }
  }
  return parts;
}

/** The leaf of one event; `null`: it is not there. */
export async function findLeafById(db: Queryable, vault: Vault, orgId: Buffer, id: Buffer): Promise<Leaf | null> {
  const { rows } = await db.query<Row>(`SELECT ${COLUMNS} FROM ${TABLES} WHERE e.org_id = $1 AND e.id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return leavesOf(vault, rows)[0] ?? null;
}

function leavesOf(vault: Vault, rows: readonly Row[]): Leaf[] {
  let orgUuid = '';
  let orgId = '';
  return rows.map((row) => {
    // Mostly that of the row before.
    if (row.org_id !== orgUuid) [orgUuid, orgId] = [row.org_id, idFromUuidText('org', row.org_id)];
    const event = storedEventOf(vault, row, orgId);
    const envelope = envelopeOf(event);
    return { ...envelope, event, hash: leafHash(envelope.text) };
  });
}

function storedEventOf(vault: Vault, row: Row, orgId: string): StoredEvent {
  return {
    orgId,
    sequence: Number(row.sequence),
    id: idFromUuidText('evt', row.id),
    kind: row.kind,
    occurredAtUs: microsecondsOf(row.occurred_at_us),
    recordedAtUs: microsecondsOf(row.recorded_at_us),
    actorType: row.actor_type,
    actorId: row.actor_id,
    actorIp: row.actor_ip,
    model: row.model,
    subjectUser: row.subject_user,
    subjectSession: row.subject_session,
    subjectAgent: row.subject_agent,
    externalId: row.external_id,
    probeId: row.probe_id,
    categories: row.categories,
    data: row.data,
    salt: row.salt,
    redaction: row.redaction,
    text: row.sealed === null ? null : textOf(vault, row, row.sealed),
  };
}

const POSTGRES_EPOCH_US = 946_684_800_000_000n; // 2000-01-01

function microsecondsOf(sent: Buffer): bigint {
  return sent.readBigInt64BE() + POSTGRES_EPOCH_US;
}

/** What cannot be opened is committed to as it is: it must not hold up the log. */
function textOf(vault: Vault, { org_id: orgId, id }: Row, sealed: Buffer): string {
  try {
    return unsealText(vault, bytesOf(orgId), bytesOf(id), sealed);
  } catch {
    return `unreadable ${sealed.toString('base64')}`;
  }
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}
