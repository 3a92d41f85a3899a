// Stored assessments, and the answer to a request that is sent again.

import { redactInference, type Inference } from '@svc/engine';
import { findEventById } from '../events/store.ts';
import type { Call } from '../http/route.ts';
import type { Services } from '../services.ts';
import { findTestAssessmentById } from './store.ts';

/** A stored assessment, or `null`. Live and test ones do not see each other. */
export async function findAssessment(
  services: Services,
  { principal }: Pick<Call, 'principal'>,
  id: Buffer,
): Promise<Record<string, unknown> | null> {
  const { uuid } = principal.organization;
  if (principal.mode === 'test') return findTestAssessmentById(services.db, uuid, id);
  const event = await findEventById(services.db, uuid, id);
  return event?.kind.startsWith('inference.') === true ? event.data : null;
}

/** The answer to `inference` as it was given, rebuilt from what is stored and the text that came again. */
export async function replayAssessment(services: Services, call: Call, inference: Inference, id: Buffer): Promise<object | null> {
  const stored = await findAssessment(services, call, id);
  return stored === null
    ? null
    : { ...stored, redacted: redactInference(inference, stored['findings'] as Parameters<typeof redactInference>[1]) };
}
