// What is asked of an export, as it stands in the address, so that a link opens the form filled in.

import type { CreateExport, Export } from '@svc/client';
import { KINDS, type Kind } from '../../kinds.ts';
import { utcOf } from '../../ui/utc.ts';
import { FORMATS, type Format } from './words.ts';

/** What somebody writes down. Times as `datetime-local` fields have them, and of UTC; empty: none. */
export interface Draft {
  readonly format: Format;
  readonly since: string;
  readonly until: string;
  /** `null`: all. */
  readonly kinds: readonly Kind[] | null;
  readonly heldSize: string;
  readonly disclosures: boolean;
}

/** The draft of an address that asks for a new export; `null`: it asks for none. */
export function readDraft(params: URLSearchParams): Draft | null {
  if (!params.has('new')) return null;
  const format = params.get('format') ?? '';
  const named = params.get('kinds')?.split(',') ?? [];
  const kinds = KINDS.filter((kind) => named.includes(kind));
  return {
    format: format in FORMATS ? (format as Format) : 'csv',
    since: fieldOf(params.get('since')),
    until: fieldOf(params.get('until')),
    kinds: kinds.length === 0 ? null : kinds,
    heldSize: /^\d{1,15}$/.exec(params.get('held_size') ?? '')?.[0] ?? '',
    disclosures: params.get('disclosures') !== 'false',
  };
}

/** The address of the form that asks for the same again. */
export function againPath(made: Export): string {
  const params = new URLSearchParams({ new: '', format: made.format });
  if (made.since !== null) params.set('since', made.since);
  if (made.until !== null) params.set('until', made.until);
  if (made.kinds !== null) params.set('kinds', made.kinds.join(','));
  if (made.held_size !== null) params.set('held_size', String(made.held_size));
  if (!made.disclosures) params.set('disclosures', 'false');
  return `/exports?${params}`;
}

export function requestOf({ format, since, until, kinds, heldSize, disclosures }: Draft): CreateExport {
  return {
    format,
    disclosures,
    ...(since === '' ? {} : { since: utcOf(since) }),
    ...(until === '' ? {} : { until: utcOf(until) }),
    ...(kinds === null ? {} : { kinds: [...kinds] }),
    ...(heldSize === '' ? {} : { held_size: Number(heldSize) }),
  };
}

function fieldOf(iso: string | null): string {
  const ms = iso === null ? NaN : Date.parse(iso);
  if (Number.isNaN(ms)) return '';
  const text = new Date(ms).toISOString();
  return text.slice(0, text.endsWith(':00.000Z') ? 16 : -1);
}
