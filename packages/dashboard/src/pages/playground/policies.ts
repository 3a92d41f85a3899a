// The policies that there are to try by.

import { ApiError, type Policy } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';

export interface ShadowState {
  /** `null`: none runs, or it is not known yet. */
  readonly policy: Policy | null;
  readonly expiresAt: string | null;
  readonly isKnown: boolean;
}

export interface Policies {
  /** `null`: not read yet, or not to be read by this session. */
  readonly inForce: { readonly version: number; readonly policy: Policy } | null;
  readonly shadow: ShadowState;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly retry: () => unknown;
}

export function usePolicies(): Policies {
  const enabled = useMay('policy:read');
  const inForce = useQuery({ queryKey: ['policy', 'of-playground', 'in-force'], queryFn: () => svc.policy.get(), enabled });
  const shadow = useQuery({ queryKey: ['policy', 'of-playground', 'shadow'], queryFn: readShadow, enabled });
  return {
    inForce: inForce.data ?? null,
    shadow: {
      policy: shadow.data?.policy ?? null,
      expiresAt: shadow.data?.expires_at ?? null,
      isKnown: shadow.data !== undefined,
    },
    error: inForce.error ?? shadow.error,
    isPending: enabled && (inForce.isPending || shadow.isPending),
    retry: () => Promise.all([inForce.refetch(), shadow.refetch()]),
  };
}

/** `null` where none runs. */
async function readShadow() {
  try {
    return await svc.policy.getShadow();
  } catch (err) {
    if (err instanceof ApiError && err.status === 404) return null;
    throw err;
  }
}
