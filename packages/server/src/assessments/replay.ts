// Stored assessments, and the answer to a request that is sent again.

import { compilePolicy, redactInference, type Inference, type Redactable } from '@svc/engine';
import { findEventById } from '../events/store.ts';
import { AppError } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { findPolicyByVersion } from '../policy/store.ts';
import type { Services } from '../services.ts';
import { findTestAssessmentById } from './store.ts';

const REDACT_AGAIN_MS = 10_000;

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
export async function replayAssessment(
  services: Services,
  call: Call,
  inference: Inference,
  id: Buffer,
): Promise<Record<string, unknown> | null> {
  const stored = (await findAssessment(services, call, id)) as StoredAssessment | null;
  return stored === null ? null : { ...stored, redacted: await redactAgain(services, call, inference, stored) };
}

interface StoredAssessment extends Record<string, unknown> {
  readonly findings: readonly (Redactable & { readonly detector: { readonly id: string } })[];
  readonly findings_total: number;
  readonly created_at: string;
  readonly policy: { readonly version: number };
}

/**
 * From the stored findings. Where these were cut, the ones that are missing would leave their values readable, so the policy that decided then
 * decides again, as of then; if it cannot read the whole text now, nothing is answered.
 */
async function redactAgain(
  { db, longTexts }: Services,
  { principal }: Call,
  inference: Inference,
  stored: StoredAssessment,
): Promise<unknown> {
  if (stored.findings_total === stored.findings.length) return redactInference(inference, stored.findings);
  const policy = await findPolicyByVersion(db, principal.organization.uuid, stored.policy.version);
  const compiled = compilePolicy(policy!.document, policy!.version);
  const nowMs = Date.parse(stored.created_at);
  const evaluation = await longTexts.assess(principal.organization.id, inference, compiled, {
    deadlineMs: REDACT_AGAIN_MS,
    nowMs,
  });
  if (evaluation.findings_total >= stored.findings_total - addedCount(stored)) return evaluation.redacted;
  throw new AppError('unavailable', 'The text could not be redacted again in time. Repeat the request.', {
    headers: { 'retry-after': '1' },
  });
}

/** Findings of judges and rules, which are always listed: they redact nothing, and judges are not asked again. */
function addedCount({ findings }: StoredAssessment): number {
  return findings.filter(({ detector: { id } }) => id === 'rules' || id.startsWith('judge:')).length;
}
