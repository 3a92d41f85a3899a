// Rules of exports: what is taken, how many there may be, and what of one is sent.

import { actorOf } from '../access/principal.ts';
import { findLastSequence } from '../events/store.ts';
import { AppError, invalid, notFound } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { formatId } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import { zipFileOf } from './bundle.ts';
import type { CreateExport } from './schemas.ts';
import {
  BYTES_MAX,
  countExports,
  deleteExport,
  findExportById,
  FULL,
  insertExport,
  listExportFiles,
  purgeExportBytes,
  type Export,
} from './store.ts';
import { layOutZip, type ZipLayout } from './zip.ts';

/** How many of an organization may be under way. */
const UNFINISHED_MAX = 5;
/** How many may lie there, those under way included. */
const KEPT_MAX = 50;

type Caller = Pick<Call, 'principal'>;

/**
 * Queues an export, with its `export.created` event. Throws `invalid_request`, `insufficient_permissions` for a test credential, and `conflict`
 * when there are too many.
 */
export async function createExport(services: Services, call: Call, input: CreateExport): Promise<Export> {
  const { organization, mode, id: createdBy } = call.principal;
  const { uuid: orgId } = organization;
  if (mode === 'test')
    throw new AppError('insufficient_permissions', 'Nothing of test mode is in the trail. Export it with a live credential.');
  const { format, kinds = null, held_size: heldSize = null, disclosures: hasDisclosures = true } = input;
  const sinceMs = timeOf('since', input.since);
  const untilMs = timeOf('until', input.until);
  if (sinceMs !== null && untilMs !== null && sinceMs >= untilMs) throw invalid('/since', 'must be before until');
  if (heldSize !== null && heldSize > (await findLastSequence(services.db, orgId)))
    throw invalid('/held_size', 'is more than the trail has');
  const id = call.newResourceId();
  const nowMs = services.clock();
  await services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, orgId);
    const { unfinished, kept, bytes } = await countExports(tx, orgId);
    if (unfinished >= UNFINISHED_MAX)
      throw new AppError('conflict', `${UNFINISHED_MAX} exports are not over yet. Wait for one of them.`);
    if (kept >= KEPT_MAX)
      throw new AppError('conflict', `An organization can have ${KEPT_MAX} exports at a time. Delete some first.`);
    if (bytes >= BYTES_MAX) throw new AppError('conflict', `${FULL} Delete some first.`);
    const asked = { format, sinceMs, untilMs, kinds, heldSize, hasDisclosures };
    await insertExport(tx, { orgId, id, ...asked, createdAtMs: nowMs, createdBy });
    record(
      changeEvent(orgId, 'export.created', actorOf(call.principal, call.address), nowMs, {
        export_id: formatId('exp', id),
        format,
        since: sinceMs === null ? null : new Date(sinceMs).toISOString(),
        until: untilMs === null ? null : new Date(untilMs).toISOString(),
        kinds,
        held_size: heldSize,
        disclosures: hasDisclosures,
      }),
    );
  });
  return getExport(services, call, id);
}

/** An export, or `not_found`. Test credentials see none. */
export async function getExport(services: Services, { principal }: Caller, id: Buffer | null): Promise<Export> {
  const { organization, mode } = principal;
  const found = id === null || mode === 'test' ? null : await findExportById(services.db, organization.uuid, id);
  if (found === null) throw notFound('export');
  return found;
}

/**
 * Deletes the bytes of what cannot be downloaded any more, beside the request: of a large bundle that takes a while. What it leaves, housekeeping
 * deletes.
 */
export function purgeExportsSoon({ db, log }: Pick<Services, 'db' | 'log'>, orgId: Buffer): void {
  purgeExportBytes(db, orgId).catch((err: unknown) => log.warn({ err }, 'bytes of exports are left to housekeeping'));
}

/** Throws `not_found`. One that is under way ends. */
export async function removeExport(services: Services, { principal }: Caller, id: Buffer | null): Promise<void> {
  const { organization, mode } = principal;
  if (id === null || mode === 'test' || !(await deleteExport(services.db, organization.uuid, id))) throw notFound('export');
  purgeExportsSoon(services, organization.uuid);
}

/** What of a zip is sent. */
export interface Bundle {
  readonly made: Export;
  readonly layout: ZipLayout;
  /** Of the whole of it. */
  readonly etag: string;
}

/** Throws `not_found`, and `conflict` for an export that cannot be downloaded yet or any more. */
export async function openBundle(services: Services, call: Caller, id: Buffer | null): Promise<Bundle> {
  const made = await getExport(services, call, id);
  const isOver = made.expiresAtMs !== null && made.expiresAtMs <= services.clock();
  if (made.state !== 'ready' || isOver)
    throw new AppError('conflict', `The export is ${isOver ? 'expired' : made.state}; only one that is ready can be downloaded.`);
  const files = await listExportFiles(services.db, made);
  return { made, layout: layOutZip(files.map(zipFileOf), made.createdAtMs), etag: `"${made.zip!.sha256.toString('hex')}"` };
}

/** Bytes `[from, to)`. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/**
 * What a Range header asks for of so many bytes (RFC 9110 §14.1.2): one range. `null`: all of it, as for what cannot be read, for several ranges
 * and for those of another version; `unsatisfiable`: it begins beyond the end.
 */
export function rangeOf(
  range: string | undefined,
  ifRange: string | undefined,
  etag: string,
  bytes: number,
): ByteRange | 'unsatisfiable' | null {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  if (first === '' && last === '') return null;
  if (first === '')
    return last === '0'.repeat(last.length) ? 'unsatisfiable' : { from: Math.max(0, bytes - Number(last)), to: bytes };
  const from = Number(first);
  const to = last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  if (last !== '' && Number(last) < from) return null;
  return from >= bytes ? 'unsatisfiable' : { from, to };
}

function timeOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(`/${name}`, 'is not a time');
  return ms;
}
