// Erasing values of an event, by whom the law obliges to. The leaf commits to them by salted digests: value and salt go, the leaf stays.

import { actorOf } from '../access/principal.ts';
import { forgetBlockOf } from '../events/block-indexer.ts';
import { findEventById, type RecordedEvent } from '../events/store.ts';
import { purgeExportsSoon } from '../exports/service.ts';
import { expireExportsWith } from '../exports/store.ts';
import { AppError, notFound } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { isoTime } from '../http/schemas.ts';
import { formatId, parseId, uuidText } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import type { PrivateField, StoredEvent } from './envelope.ts';
import { erasableFields } from './erasable.ts';
import { IN_TEXTS, withoutFields } from './erasure.ts';
import { findLeafById, type Leaf } from './leaves.ts';
import { leafHashes } from './log-store.ts';
import { logOf, tellOfMismatch, waitForCheckpoint } from './proofs.ts';

interface RedactionRequest {
  readonly event_id: string;
  readonly fields: readonly string[];
  readonly basis: string;
}

type RedactionCall = Call<unknown, unknown, RedactionRequest>;

/** What `audit.redacted` says. */
interface RedactedData {
  readonly event_id: string;
  readonly sequence: number;
  readonly fields: readonly string[];
  readonly basis: string;
}

/**
 * Erases fields of an event, with the event that tells of it, in one transaction. Throws `not_found`; `invalid_request` for fields that cannot be
 * erased of such an event; `conflict` for those that are not there, or not any more, and for an event that is not what the log says; `unavailable`
 * where the log does not have it yet.
 */
export async function redactEvent(services: Services, call: RedactionCall) {
  const { principal, address, body } = call;
  const orgId = logOf(principal);
  const id = parseId('evt', body.event_id);
  const event = id === null ? null : await findEventById(services.db, orgId, id);
  if (id === null || event === null) throw notFound('event');
  const asked = fieldsOf(event.kind, body.fields);
  await waitForCheckpoint(services, orgId, event.sequence, call.recheck);
  const nowMs = services.clock();
  const toldId = call.newResourceId();
  const data = await services.journal.transaction(async (tx, record) => {
    await expireExportsWith(tx, orgId, event.sequence);
    const leaf = await lockLeaf(services, tx, orgId, id, event.sequence);
    refuseAbsent(leaf, asked);
    const fields = withTextThatRepeats(asked, leaf);
    const left = withoutFields(leaf.event, fields);
    await storeErased(tx, orgId, id, left);
    await forgetBlockOf(tx, orgId, event.sequence);
    if (fields.includes('text')) await deleteText(tx, orgId, id);
    await eraseReported(tx, orgId, leaf, fields);
    const after = await findLeafById(tx, services.vault, orgId, id);
    // Such as a copy in the data that says something else than the column.
    if (after?.text !== leaf.text)
      throw new AppError(
        'conflict',
        'The event is stored in a form from which these fields cannot be erased without changing its leaf.',
      );
    const told: RedactedData = { event_id: event.id, sequence: event.sequence, fields, basis: body.basis };
    record({ ...changeEvent(orgId, 'audit.redacted', actorOf(principal, address), nowMs, told), id: toldId });
    return told;
  });
  purgeExportsSoon(services, orgId);
  return presentRedaction(formatId('evt', toldId), nowMs, data);
}

/** The answer again; `null`: it was not done. */
export async function findRedaction(services: Services, { principal }: Pick<Call, 'principal'>, eventId: Buffer) {
  const event = await findEventById(services.db, principal.organization.uuid, eventId);
  return event === null ? null : presentRedaction(event.id, event.occurredAtMs, event.data as unknown as RedactedData);
}

function presentRedaction(id: RecordedEvent['id'], atMs: number, data: RedactedData) {
  return {
    event_id: data.event_id,
    sequence: data.sequence,
    fields: [...data.fields],
    basis: data.basis,
    redaction_event_id: id,
    created_at: isoTime(atMs),
  };
}

function fieldsOf(kind: string, asked: readonly string[]): PrivateField[] {
  const erasable: readonly string[] = erasableFields(kind);
  const details = asked.flatMap((field, i) => {
    if (!erasable.includes(field))
      return [{ pointer: `/fields/${i}`, message: `cannot be erased of ${kind}; this can: ${erasable.join(', ')}` }];
    return asked.indexOf(field) === i ? [] : [{ pointer: `/fields/${i}`, message: 'is there twice' }];
  });
  if (details.length > 0) throw new AppError('invalid_request', 'The request is not valid.', { details });
  return asked as PrivateField[];
}

/** The leaf as it is now, and stays until the commit. */
async function lockLeaf(services: Services, tx: Transaction, orgId: Buffer, id: Buffer, sequence: number): Promise<Leaf> {
  await tx.query('SELECT 1 FROM events WHERE org_id = $1 AND id = $2 FOR UPDATE', [uuidText(orgId), uuidText(id)]);
  const leaf = await findLeafById(tx, services.vault, orgId, id);
  if (leaf === null) throw notFound('event');
  const [hash] = await leafHashes(tx, orgId, sequence - 1, sequence);
  if (leaf.hash.equals(hash!)) return leaf;
  tellOfMismatch(services, leaf);
  throw new AppError(
    'conflict',
    'The event is not what its leaf in the log says, so nothing can be erased of it without hiding that.',
  );
}

function refuseAbsent({ disclosures, erased }: Leaf, fields: readonly PrivateField[]): void {
  const details = fields.flatMap((field, i) => {
    if (disclosures.some(({ name }) => name === field)) return [];
    return [{ pointer: `/fields/${i}`, message: erased.includes(field) ? 'is erased already' : 'is not there' }];
  });
  if (details.length > 0) throw new AppError('conflict', 'The event does not have all of these fields.', { details });
}

/** The kept text is the whole request: who erases what was in it erases it too. */
function withTextThatRepeats(fields: readonly PrivateField[], { disclosures }: Leaf): readonly PrivateField[] {
  const isKept = disclosures.some(({ name }) => name === 'text');
  const isRepeated = fields.some((field) => IN_TEXTS.includes(field));
  return isKept && isRepeated && !fields.includes('text') ? [...fields, 'text'] : fields;
}

async function storeErased(tx: Transaction, orgId: Buffer, id: Buffer, left: StoredEvent): Promise<void> {
  await tx.query(
    `UPDATE events SET actor_id = $3, actor_ip = $4, subject_user = $5, subject_session = $6, subject_agent = $7, external_id = $8,
                       data = $9, salt = NULL, redaction = $10
      WHERE org_id = $1 AND id = $2`,
    [
      uuidText(orgId),
      uuidText(id),
      left.actorId,
      left.actorIp,
      left.subjectUser,
      left.subjectSession,
      left.subjectAgent,
      left.externalId,
      left.data,
      left.redaction,
    ],
  );
}

async function deleteText(tx: Transaction, orgId: Buffer, id: Buffer): Promise<void> {
  await tx.query('DELETE FROM assessment_texts WHERE org_id = $1 AND id = $2', [uuidText(orgId), uuidText(id)]);
}

/** The row of what a probe reported holds the same of an inference. */
async function eraseReported(
  tx: Transaction,
  orgId: Buffer,
  { event, data }: Leaf,
  fields: readonly PrivateField[],
): Promise<void> {
  const { probe } = data as { readonly probe?: { readonly event_id?: unknown } };
  if (event.probeId === null || typeof probe?.event_id !== 'string') return;
  const columns = [
    ...(fields.includes('subject') ? ['subject_user = NULL', 'subject_session = NULL', 'subject_agent = NULL'] : []),
    ...(fields.includes('metadata') ? ['attributes = NULL'] : []),
  ];
  if (columns.length === 0) return;
  await tx.query(
    `UPDATE telemetry SET ${columns.join(', ')} WHERE org_id = $1 AND mode = 'live' AND probe_id = $2 AND event_id = $3`,
    [uuidText(orgId), event.probeId, probe.event_id],
  );
}
