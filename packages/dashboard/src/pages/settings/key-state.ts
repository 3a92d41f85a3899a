// How a key is known without being seen, and what there is to say of it.

import type { ApiKey } from '@svc/client';
import type { Tone } from '../../ui/badge.tsx';

const SOON_MS = 14 * 86_400_000;

/** `svc_live_…saeP`. */
export function keyHint({ type, last4 }: Pick<ApiKey, 'type' | 'last4'>): string {
  return `svc_${type}_…${last4}`;
}

/** `null`: nothing is out of the ordinary. */
export function stateOf(key: ApiKey, nowMs: number = Date.now()): { readonly tone: Tone; readonly text: string } | null {
  if (key.revoked_at !== null) return { tone: 'plain', text: 'revoked' };
  const left = key.expires_at === null ? Infinity : Date.parse(key.expires_at) - nowMs;
  if (left <= 0) return { tone: 'plain', text: 'expired' };
  if (key.rotation_due) return { tone: 'warn', text: 'rotation due' };
  return left < SOON_MS ? { tone: 'warn', text: 'expires soon' } : null;
}
