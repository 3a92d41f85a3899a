// Wire shapes of the governance policy.

import { PolicySchema } from '@svc/engine';
import { Type } from 'typebox';
import { SerializedJson } from '../http/route.ts';
import { isoTime, Nullable, Time } from '../http/schemas.ts';
import type { PolicyVersion } from './store.ts';

const VERSION = {
  version: Type.Integer({ description: 'From 1. A version never changes.' }),
  digest: Type.String({ description: '`sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785).' }),
  updated_at: Time('When it was stored.'),
  updated_by: Type.String({ description: 'The credential that stored it, or `system`.' }),
};
export const PolicyVersionBody = Type.Object({ ...VERSION, policy: PolicySchema }, { title: 'PolicyVersion' });
export const PolicyVersionSummary = Type.Object(VERSION, { title: 'PolicyVersionSummary' });
const Problem = Type.Object(
  { pointer: Type.String({ description: 'JSON Pointer into the document.' }), message: Type.String() },
  { title: 'PolicyProblem' },
);
export const LintResult = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Type.Array(Problem),
    warnings: Type.Array(Problem),
    digest: Nullable(Type.String({ description: 'The digest it would have; null where it is not valid.' })),
  },
  { title: 'PolicyLintResult' },
);

const VersionName = Type.Object({ version: Type.Integer(), digest: Type.String() }, { title: 'PolicyVersionName' });

export const PolicyDiff = Type.Object(
  {
    from: VersionName,
    to: VersionName,
    changes: Type.Array(
      Type.Object(
        {
          op: Type.Enum(['add', 'remove', 'replace']),
          path: Type.String({ description: 'JSON Pointer into the document of `to`; of what was removed, into that of `from`.' }),
          id: Type.Optional(Type.String({ description: 'Of the entry, where the list is one of entries with ids.' })),
          from: Type.Optional(Type.Unknown({ description: 'What stood there.' })),
          to: Type.Optional(Type.Unknown({ description: 'What stands there now.' })),
        },
        { title: 'PolicyChange' },
      ),
    ),
  },
  { title: 'PolicyDiff' },
);

export function presentSummary(policy: PolicyVersion) {
  return {
    version: policy.version,
    digest: policy.digest,
    updated_at: isoTime(policy.createdAtMs),
    updated_by: policy.createdBy,
  };
}

/** Serialized here, so that the document is answered exactly as it was sent and its digest can be recomputed. */
export function presentPolicy(policy: PolicyVersion) {
  return new SerializedJson(JSON.stringify({ ...presentSummary(policy), policy: policy.document }));
}
