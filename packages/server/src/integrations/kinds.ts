// What is known of kinds of events beside their names.

import type { Severity } from '@svc/engine';

/** Kinds that tell of the end of a condition. A probe that is deleted is not waited for any more. */
export const ENDINGS: ReadonlySet<string> = new Set(['drift.recovered', 'webhook.recovered', 'probe.online', 'probe.deleted']);

/** Kinds that are one side of a state. */
export const STATES: ReadonlySet<string> = new Set([...ENDINGS, 'drift.sustained', 'webhook.paused', 'probe.offline']);

/** The severity of events whose data has none; the others are information. */
export const SEVERITY_OF: ReadonlyMap<string, Severity> = new Map([
  ['webhook.paused', 'high'],
  ['audit.restored', 'high'],
  ['probe.offline', 'high'],
  ['drift.sustained', 'medium'],
  ['probe.skewed', 'medium'],
  ['sso.updated', 'medium'],
  ['audit.redacted', 'medium'],
  ['audit.key_rotated', 'low'],
  ['api_key.created', 'low'],
  ['api_key.revoked', 'low'],
  ['service_account.created', 'low'],
  ['service_account.updated', 'low'],
  ['service_account.deleted', 'low'],
  ['organization.updated', 'low'],
  ['policy.updated', 'low'],
]);

/** Where the words of the kind do not make a sentence. */
const TITLES: ReadonlyMap<string, string> = new Map([
  ['drift.sustained', 'Drift persists'],
  ['drift.recovered', 'Drift has ended'],
  ['webhook.paused', 'Webhook paused, its receiver does not answer'],
  ['webhook.recovered', 'Webhook delivers again'],
  ['webhook.test', 'Test of this integration'],
  ['probe.offline', 'Probe is silent'],
  ['probe.online', 'Probe is back'],
  ['probe.skewed', 'Probe decides by an old policy'],
  ['audit.restored', 'The database was set back, the log has a new origin'],
]);

/** The kind in words, also of one that is not known here; never empty. */
export function titleOf(kind: string): string {
  const known = TITLES.get(kind);
  if (known !== undefined) return known;
  return capitalized(wordsOf(kind.replaceAll('.', ' ')).replace(/^sso\b/, 'single sign-on')) || 'Event';
}

/** A name in snake case as words. */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ').replace(/^api key\b/, 'API key');
}

/** With a capital at its beginning. */
export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
