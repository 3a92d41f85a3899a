// What is wrong with a policy's judges that the policy alone cannot tell.

import { DEFAULT_POLICY, type PolicyDocument } from '@svc/engine';
import type { ErrorDetail } from '../http/errors.ts';
import type { Queryable } from '../storage/database.ts';
import { findAllJudges } from './store.ts';

/** `document`: one that has been linted. An organization's judges are known to itself alone: another's reads as one that is not there. */
export async function lintJudges(
  db: Queryable,
  orgId: Buffer,
  { judges: named = [], deadline_ms: deadlineMs = DEFAULT_POLICY.deadline_ms }: PolicyDocument,
): Promise<{ errors: ErrorDetail[]; warnings: ErrorDetail[] }> {
  if (named.length === 0) return { errors: [], warnings: [] };
  const { judges } = await findAllJudges(db, orgId);
  const errors: ErrorDetail[] = [];
  const warnings: ErrorDetail[] = [];
  named.forEach(({ judge_id: id }, i) => {
    const judge = judges.find((known) => known.id === id);
    const pointer = `/judges/${i}/judge_id`;
    if (judge === undefined) errors.push({ pointer, message: 'names no judge of this organization' });
    else if (judge.timeoutMs > deadlineMs) {
      const message = `has a timeout_ms of ${judge.timeoutMs}, but the policy’s deadline_ms is ${deadlineMs}: later answers do not count`;
      warnings.push({ pointer, message });
    }
  });
  return { errors, warnings };
}
