// Records as rows that can be typed in one after another, and back.

import type { PutSso, Sso } from '@svc/client';
import type { Role } from './scopes.ts';

export interface RoleRow {
  readonly id: number;
  readonly group: string;
  readonly role: Role;
}

export const CLAIM_KINDS = { text: 'text', number: 'number', true: 'true', false: 'false' } as const;
export type ClaimKind = keyof typeof CLAIM_KINDS;

export interface ClaimRow {
  readonly id: number;
  readonly claim: string;
  readonly kind: ClaimKind;
  readonly value: string;
}

let lastId = 0;
export const newRole = (group = '', role: Role = 'viewer'): RoleRow => ({ id: ++lastId, group, role });
export const newClaim = (claim = '', kind: ClaimKind = 'text', value = ''): ClaimRow => ({ id: ++lastId, claim, kind, value });

export function roleRowsOf(sso: Sso | null): RoleRow[] {
  return sso === null ? [newRole()] : Object.entries(sso.roles).map(([group, role]) => newRole(group, role as Role));
}

export function claimRowsOf(sso: Sso | null): ClaimRow[] {
  return Object.entries(sso?.require ?? {}).map(([claim, value]) => {
    if (typeof value === 'boolean') return newClaim(claim, value ? 'true' : 'false');
    return newClaim(claim, typeof value === 'number' ? 'number' : 'text', String(value));
  });
}

/** Rows without a group are left out. */
export function rolesOf(rows: readonly RoleRow[]): PutSso['roles'] {
  return Object.fromEntries(rows.filter(({ group }) => group.trim() !== '').map(({ group, role }) => [group.trim(), role]));
}

/** Rows without a claim are left out. */
export function requireOf(rows: readonly ClaimRow[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    rows
      .filter(({ claim }) => claim.trim() !== '')
      .map((row): [string, string | number | boolean] => [row.claim.trim(), valueOf(row)]),
  );
}

function valueOf({ kind, value }: ClaimRow): string | number | boolean {
  if (kind === 'number') return Number(value);
  return kind === 'text' ? value : kind === 'true';
}
