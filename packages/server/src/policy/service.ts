// Rules of the governance policy: linted, versioned, in force at once.

import { policyDigest, type PolicyDocument } from '@svc/engine';
import type { Principal } from '../access/principal.ts';
import { AppError } from '../http/errors.ts';
import { lintJudges } from '../judges/policy-check.ts';
import { changeEvent, type Actor } from '../journal/journal.ts';
import type { Services } from '../services.ts';
import { policySubject } from './cache.ts';
import { insertPolicyVersion, lockCurrentPolicy, type PolicyVersion } from './store.ts';

/** `"<digest>"`, as RFC 9110 §8.8.3 writes it. */
export function etagOf(policy: Pick<PolicyVersion, 'digest'>): string {
  return `"${policy.digest}"`;
}

/** True when a list of entity tags, or `*`, names this policy. */
export function matchesEtag(header: string, policy: Pick<PolicyVersion, 'digest'>): boolean {
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etagOf(policy));
}

/**
 * Stores a linted document as the next version, with its `policy.updated` event, and puts it in force. The document in force stored again
 * changes nothing. Throws `precondition_failed` when `ifMatch` names another version than the current one, and `invalid_request` for judges that
 * the organization does not have.
 */
export async function storePolicy(
  services: Services,
  principal: Principal,
  actor: Actor,
  document: PolicyDocument,
  ifMatch: string | undefined,
): Promise<PolicyVersion> {
  const { uuid, id } = principal.organization;
  const nowMs = services.clock();
  const digest = policyDigest(document);
  const stored = await services.journal.transaction(async (tx, record, expire) => {
    const current = await lockCurrentPolicy(tx, uuid);
    if (ifMatch !== undefined && !matchesEtag(ifMatch, current)) {
      throw new AppError(
        'precondition_failed',
        `The policy is at version ${current.version} by now. Read it again, then repeat.`,
      );
    }
    if (current.digest === digest) return current;
    const { errors } = await lintJudges(tx, uuid, document);
    if (errors.length > 0) throw new AppError('invalid_request', 'The request is not valid.', { details: errors });
    const next: PolicyVersion = { version: current.version + 1, digest, document, createdAtMs: nowMs, createdBy: principal.id };
    await insertPolicyVersion(tx, uuid, next);
    expire(policySubject(id));
    record(
      changeEvent(uuid, 'policy.updated', actor, nowMs, {
        version: next.version,
        digest,
        previous: { version: current.version, digest: current.digest },
      }),
    );
    return next;
  });
  services.policies.put(uuid, stored);
  return stored;
}
