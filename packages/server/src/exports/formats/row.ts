// An event as views show it: what its leaf says in clear, and what is disclosed beside it. Nothing is in a view that is not in the evidence.

import type { Leaf } from '../../audit/leaves.ts';
import { shownDisclosures, type PrivateField } from '../../audit/envelope.ts';

/** The members of a leaf. What they are is not believed: an event that was tampered with is shown too. */
interface PublicFacts {
  readonly id: string;
  readonly kind: string;
  readonly org_id: string;
  readonly sequence: number;
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly actor: { readonly type: string; readonly id?: string };
  readonly categories?: unknown;
  readonly coverage?: unknown;
  readonly model?: string;
  readonly outcome?: unknown;
  readonly policy?: { readonly digest?: unknown; readonly version?: unknown };
  readonly probe_id?: string;
  readonly score?: unknown;
  readonly severity?: unknown;
}

export interface Row {
  /** Of the leaf in the tree. */
  readonly index: number;
  /** Of the leaf as it is in the evidence, in base64. */
  readonly leafHash: string;
  readonly facts: PublicFacts;
  /** What is disclosed; absent: it is not, or there is none. */
  readonly disclosed: Readonly<Partial<Record<PrivateField, unknown>>>;
  readonly erased: readonly PrivateField[];
}

/** What every row of an export has in common. */
export interface ExportFacts {
  readonly origin: string;
  readonly treeSize: number;
  /** In base64. */
  readonly root: string;
  /** The signed note. */
  readonly checkpoint: string;
  readonly fromIndex: number;
  readonly toIndex: number;
  /** Of the service. */
  readonly version: string;
}

export function rowOf(leaf: Leaf, withDisclosures: boolean): Row {
  const disclosed: Partial<Record<PrivateField, unknown>> = {};
  for (const { name, disclosed: text } of withDisclosures ? shownDisclosures(leaf) : [])
    disclosed[name] = (JSON.parse(text) as [string, string, unknown])[2];
  return {
    index: leaf.event.sequence - 1,
    leafHash: leaf.hash.toString('base64'),
    facts: JSON.parse(leaf.text) as PublicFacts,
    disclosed,
    erased: leaf.erased,
  };
}

/** In microseconds since 1970. Leaves tell so also of a time that no calendar knows. */
export function microsecondsOf(time: string): bigint {
  if (/^-?\d+$/.test(time)) return BigInt(time);
  const below = /\.\d{3}(\d{3})Z$/.exec(time)?.[1] ?? '0';
  return BigInt(Date.parse(time)) * 1_000n + BigInt(below);
}

/** Who acted, where it is known. */
export function actorIdOf({ facts, disclosed }: Row): string | null {
  return textOrNull(facts.actor.id ?? disclosed['actor.id']);
}

export function subjectOf({ disclosed }: Row): {
  readonly user: string | null;
  readonly session: string | null;
  readonly agent: string | null;
} {
  const { user, session, agent } = (disclosed.subject ?? {}) as Record<string, unknown>;
  return { user: textOrNull(user), session: textOrNull(session), agent: textOrNull(agent) };
}

/** A value as text, what is no text as JSON, without half characters; `null`: there is none. */
export function textOrNull(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();
}

/** The same, always as JSON. */
export function jsonOrNull(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

/** Names between spaces. */
export function categoriesOf({ facts: { categories } }: Row): string | null {
  return Array.isArray(categories) ? categories.join(' ') : textOrNull(categories);
}
