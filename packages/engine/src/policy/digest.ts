// The name of a policy by its content.

import { createHash } from 'node:crypto';
import { canonicalJson } from '../json/canonical.ts';

/** `sha256:` and the hex SHA-256 of the document's canonical JSON, as stored. Throws as `canonicalJson` does. */
export function policyDigest(document: unknown): string {
  return `sha256:${createHash('sha256').update(canonicalJson(document)).digest('hex')}`;
}
