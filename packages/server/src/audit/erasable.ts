// Which values of an event can be erased. Of a leaf nothing else is believed to be.

import type { PrivateField } from './envelope.ts';

const OF_EVERY_EVENT = ['actor.id', 'actor.ip'] as const;
const OF_INFERENCES = [...OF_EVERY_EVENT, 'subject', 'external_id', 'metadata', 'previews', 'text'] as const;
/** Their data may name people. That of others says by which rules, and how well, the service has worked, which stays. */
const WITH_ERASABLE_DATA =
  /^(?:(?:session|api_key|service_account|webhook|integration|judge|organization|probe)\..+|sso\.updated)$/;

/** What can be erased of an event of this kind, where it is there. */
export function erasableFields(kind: string): readonly PrivateField[] {
  if (kind.startsWith('inference.')) return OF_INFERENCES;
  return WITH_ERASABLE_DATA.test(kind) ? [...OF_EVERY_EVENT, 'data'] : OF_EVERY_EVENT;
}
