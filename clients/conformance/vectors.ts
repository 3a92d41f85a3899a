// The vectors, as they are in the JSON files. README.md of this folder says what each member means.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reply } from './scripted-server.ts';

export interface Group<Case> {
  readonly name: string;
  readonly about: string;
  readonly cases: readonly Case[];
}

/** JSON by name, which replies refer to as `body`. */
export type Bodies = Readonly<Record<string, object>>;

export interface VectorFile<Case> {
  readonly description: string;
  readonly bodies?: Bodies;
  readonly groups: readonly Group<Case>[];
}

/** An answer of a vector: `body` names one of the file's bodies. */
export type VectorReply = Reply | { readonly status: number; readonly body: string; readonly missing_bytes?: number };

/** Exact, or [least, most]. */
type Amount = number | readonly [least: number, most: number];

/** Of retries.json, errors.json, requests.json and paging.json: a call, the answers to it, and what is to come of it. */
export interface ExchangeCase {
  readonly name: string;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly call:
    | { readonly method: string; readonly arguments: Readonly<Record<string, unknown>> }
    | { readonly list: string; readonly query: Readonly<Record<string, unknown>>; readonly take?: number };
  readonly idempotency_key?: string;
  readonly wait?: 'real';
  /** Nobody listens. */
  readonly is_refused?: boolean;
  readonly server: readonly VectorReply[];
  readonly expect: {
    readonly requests: number;
    readonly waits_ms?: readonly Amount[];
    readonly gaps_ms?: readonly number[];
    readonly idempotency_key?: string;
    readonly seen?: readonly Readonly<Record<string, unknown>>[];
    readonly value?: unknown;
    readonly ids?: readonly string[];
    readonly error?: Readonly<Record<string, unknown>>;
  };
}

/** Of stream-guard.json. */
export interface GuardCase {
  readonly name: string;
  readonly server: {
    readonly input_outcome?: 'blocked';
    readonly blocks_at?: string;
    readonly blocks_at_end?: boolean;
    readonly holds?: number;
    readonly replaces?: readonly [from: string, to: string];
    readonly delay_ms?: number;
    /** By `open`, the number of a chunk, or `final`: what goes wrong before it goes right. */
    readonly faults?: Readonly<Record<string, readonly Reply[]>>;
  };
  readonly source: readonly ({ readonly text: string; readonly times?: number } | { readonly error: string })[];
  readonly expect: {
    readonly released?: string;
    readonly outcome?: string;
    readonly error?: Readonly<Record<string, unknown>>;
    readonly chunks?: number;
    readonly chunks_max?: number;
    readonly span_ms_min?: number;
    readonly has_final?: boolean;
    readonly source_read?: number;
    readonly source_closed?: boolean;
    readonly waits_ms?: readonly Amount[];
  };
}

export function readVectors<Case>(name: string): VectorFile<Case> {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as VectorFile<Case>;
}

/** With its body put in. */
export function replyOf(reply: VectorReply, bodies: Bodies = {}): Reply {
  if (typeof reply === 'string' || !('body' in reply)) return reply;
  const { body, ...rest } = reply;
  const json = bodies[body];
  if (json === undefined) throw new Error(`the file has no body ${body}`);
  return { ...rest, json };
}

/** What does not hold, in words. `expected`: members that must be there and match; of an array, each item; `[least, most]` where `actual` is a number. */
export function differences(expected: unknown, actual: unknown, path = ''): string[] {
  const is = () => `${path === '' ? 'it' : path} is ${shortly(actual)}, not ${shortly(expected)}`;
  if (Array.isArray(expected)) {
    if (typeof actual === 'number') {
      const [least, most] = expected as [number, number];
      return actual >= least && actual <= most ? [] : [is()];
    }
    if (!Array.isArray(actual) || actual.length !== expected.length) return [is()];
    return expected.flatMap((item, i) => differences(item, actual[i], `${path}/${i}`));
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return [is()];
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, (actual as Record<string, unknown>)[name], `${path}/${name}`),
    );
  }
  return Object.is(expected, actual) ? [] : [is()];
}

export function shortly(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length <= 300 ? text : `${text.slice(0, 300)}… (${text.length} characters)`;
}
