// How answers are judged where vendors agree: by status, with Retry-After.

import type { Answer, Judgement } from './adapter.ts';

const RETRY_AFTER_MS_MAX = 24 * 3_600_000; // Who asks for more than a day means that it will not work.
const TIMEOUT = 408;
const TOO_MANY = 429;

export const OK: Judgement = { outcome: 'ok' };

/** The same for all events of a request. */
export function each(count: number, judgement: Judgement): readonly Judgement[] {
  return Array.from({ length: count }, () => judgement);
}

/** It will not work unless somebody changes something. */
export function permanent(error: string): Judgement {
  return { outcome: 'permanent', error };
}

/** It may work later. */
export function retry(error: string, answer: Answer): Judgement {
  const afterMs = retryAfterMs(answer);
  return afterMs === null ? { outcome: 'retry', error } : { outcome: 'retry', error, afterMs };
}

/**
 * An answer that is not the vendor's success. 408, 429, 5xx and what no vendor documents is tried again; any other 4xx is permanent, with the
 * sentence that `refusals` has for its status.
 */
export function judgeFailure(vendor: string, answer: Answer, refusals: Readonly<Record<number, string>> = {}): Judgement {
  const { status } = answer;
  if (status === TOO_MANY) return retry(`${vendor} asks to send less often (status 429).`, answer);
  if (status === TIMEOUT || status >= 500) return retry(`${vendor} cannot take events right now (status ${status}).`, answer);
  if (status >= 400) return permanent(refusals[status] ?? `${vendor} refuses the event (status ${status}).`);
  if (status >= 300) return retry(`${vendor} answered with a redirect (status ${status}), which is not followed.`, answer);
  return retry(`${vendor} answered with status ${status}, which does not say that it took the event.`, answer);
}

/** Retry-After in milliseconds (RFC 9110 §10.2.3), at most a day. A date counts from the answer's own `Date`; `null`: none or unreadable. */
function retryAfterMs({ headers }: Answer): number | null {
  const text = headers['retry-after']?.trim();
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}

/** The body as a JSON object; empty when it is none. */
export function bodyOf({ body }: Answer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
