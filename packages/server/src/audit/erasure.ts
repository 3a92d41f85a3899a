// What is left of an event when values of it are erased: less to read, and the same leaf.

import {
  digestOf,
  envelopeOf,
  redactionOf,
  withoutPersonal,
  type PrivateField,
  type Redaction,
  type StoredEvent,
} from './envelope.ts';

/** What a request says of itself, and so its text, where that is kept. */
export const IN_TEXTS: readonly PrivateField[] = ['subject', 'external_id', 'metadata', 'previews'];

/**
 * The event without the values of `fields`, each of which its leaf commits to. What is left keeps its salts; those of what is gone are gone, so that
 * their digests, which stay, cannot be guessed. `envelopeOf` makes the same text of it, where the row is as the service writes it: who stores it
 * makes sure of that. `text` is kept elsewhere, and is to be deleted there.
 */
export function withoutFields(event: StoredEvent, fields: readonly PrivateField[]): StoredEvent {
  const { disclosures, data } = envelopeOf(event);
  const isErased = (name: PrivateField) => fields.includes(name);
  const erased = new Map<string, string>(
    Object.entries(event.redaction === null ? {} : redactionOf(event.redaction, event.kind).erased),
  );
  const salts = new Map<string, string>();
  for (const { name, disclosed } of disclosures) {
    if (isErased(name)) erased.set(name, digestOf(disclosed));
    else salts.set(name, (JSON.parse(disclosed) as [string])[0]);
  }
  const redaction: Redaction = { erased: Object.fromEntries(erased), salts: Object.fromEntries(salts) };
  return {
    ...event,
    actorId: isErased('actor.id') ? null : event.actorId,
    actorIp: isErased('actor.ip') ? null : event.actorIp,
    ...(isErased('subject') ? { subjectUser: null, subjectSession: null, subjectAgent: null } : {}),
    externalId: isErased('external_id') ? null : event.externalId,
    text: isErased('text') ? null : event.text,
    data: IN_DATA.some(isErased) ? JSON.stringify(dataWithout(data, isErased)) : event.data,
    salt: null,
    redaction: JSON.stringify(redaction),
  };
}

const IN_DATA: readonly PrivateField[] = ['subject', 'external_id', 'metadata', 'previews', 'data'];

/** In the shape that readers know: an assessment that has no subject, no metadata, no previews; of other kinds nothing. */
function dataWithout(data: unknown, isErased: (name: PrivateField) => boolean): unknown {
  if (isErased('data')) return {};
  const { ...left } = data as Record<string, unknown>;
  if (isErased('subject')) left['subject'] = null;
  if (isErased('external_id')) left['external_id'] = null;
  if (isErased('metadata')) left['metadata'] = {};
  return isErased('previews') ? { ...left, ...withoutPersonal(left, null) } : left;
}
