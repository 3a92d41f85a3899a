// Keeps compiled policies, so that a policy in use is compiled once.

import { compilePolicy, type CompiledPolicy } from './compile.ts';
import type { PolicyDocument } from './document.ts';

/** A compiled policy with 256 patterns can hold some 20 MB of automata. */
const POLICIES_MAX = 32;

export interface PolicyCache {
  /** The compiled document. `digest` must be the document's; equal digests are taken for equal documents. Throws as `compilePolicy` does. */
  get(document: PolicyDocument, version: number, digest: string): CompiledPolicy;
}

/** A cache of the 32 policies used last. */
export function createPolicyCache(): PolicyCache {
  const policies = new Map<string, CompiledPolicy>();
  return {
    get(document, version, digest) {
      const key = `${digest}/${version}`;
      const policy = policies.get(key) ?? compilePolicy(document, version);
      // A Map keeps the order of insertion: what was just used goes to the end, what falls out is at the front.
      policies.delete(key);
      policies.set(key, policy);
      if (policies.size > POLICIES_MAX) policies.delete(policies.keys().next().value!);
      return policy;
    },
  };
}
