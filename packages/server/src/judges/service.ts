// Rules of judges: whose keys are kept encrypted, and which the policy in force may name.

import { createHash } from 'node:crypto';
import { actorOf } from '../access/principal.ts';
import { AppError, invalid, notFound } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { formatId } from '../ids.ts';
import { changeEvent, type RecordEvent } from '../journal/journal.ts';
import { lockOrganization } from '../organizations/organization.ts';
import { findCurrentPolicy } from '../policy/store.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { judgesSubject } from './directory.ts';
import { keyPurpose } from './key.ts';
import { TIMEOUT_MS_DEFAULT, type CreateJudge, type PatchJudge } from './schemas.ts';
import { countJudges, deleteJudgeById, findJudgeById, insertJudge, updateJudge, type Judge } from './store.ts';

const JUDGES_MAX = 20;

/** Makes a judge, with its event. Throws `invalid_request` for an address that may not be called, and `conflict` when there are too many. */
export async function createJudge(services: Services, call: Call, input: CreateJudge): Promise<Judge> {
  const { uuid: orgId, id: organizationId } = call.principal.organization;
  await checkUrl(services, input.url);
  const nowMs = services.clock();
  return services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, orgId);
    if ((await countJudges(tx, orgId)) >= JUDGES_MAX)
      throw new AppError('conflict', `An organization can have ${JUDGES_MAX} judges. Delete some first.`);
    const uuid = call.newResourceId();
    const judge: Judge = {
      id: formatId('jdg', uuid),
      uuid,
      version: 1,
      name: input.name,
      kind: input.kind ?? 'chat',
      url: input.url,
      model: input.model,
      timeoutMs: input.timeout_ms ?? TIMEOUT_MS_DEFAULT,
      instructions: input.instructions ?? null,
      sealedKey: sealKey(services, { uuid, url: input.url }, input.api_key ?? null),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    refuseIdleInstructions(judge);
    await insertJudge(tx, orgId, judge);
    expire(judgesSubject(organizationId));
    tell(services, call, record, judge, 'created');
    return judge;
  });
}

/**
 * Changes a judge, with its event; what changes nothing makes none. With another url it has the key that `input` brings, or none: a key is not
 * sent to a place it was not given for. Throws `not_found`, and `invalid_request` for an address that may not be called.
 */
export async function patchJudge(services: Services, call: Call, id: Buffer | null, input: PatchJudge): Promise<Judge> {
  const { uuid: orgId, id: organizationId } = call.principal.organization;
  if (input.url !== undefined) await checkUrl(services, input.url);
  return services.journal.transaction(async (tx, record, expire) => {
    const judge = await lockJudge(tx, orgId, id);
    const changed: Judge = {
      ...judge,
      version: judge.version + 1,
      name: input.name ?? judge.name,
      kind: input.kind ?? judge.kind,
      url: input.url ?? judge.url,
      model: input.model ?? judge.model,
      timeoutMs: input.timeout_ms ?? judge.timeoutMs,
      instructions: input.instructions === undefined ? judge.instructions : input.instructions,
      sealedKey: keyAfter(services, judge, input),
      updatedAtMs: services.clock(),
    };
    refuseIdleInstructions(changed);
    if (isSame(judge, changed)) return judge;
    await updateJudge(tx, orgId, changed);
    expire(judgesSubject(organizationId));
    tell(services, call, record, changed, 'updated');
    return changed;
  });
}

/** Deletes a judge and its key, with its event. Throws `not_found`, and `conflict` while the policy in force names it. */
export async function deleteJudge(services: Services, call: Call, id: Buffer | null): Promise<Judge> {
  const { uuid: orgId, id: organizationId } = call.principal.organization;
  return services.journal.transaction(async (tx, record, expire) => {
    const judge = await lockJudge(tx, orgId, id);
    const { document, version } = await findCurrentPolicy(tx, orgId);
    if (document.judges?.some(({ judge_id: named }) => named === judge.id) === true)
      throw new AppError('conflict', `The policy in force, version ${version}, names this judge. Take it out there first.`);
    await deleteJudgeById(tx, orgId, judge.uuid);
    expire(judgesSubject(organizationId));
    tell(services, call, record, judge, 'deleted');
    return judge;
  });
}

/** The judge, or `not_found`. */
export async function getJudge(services: Services, orgId: Buffer, id: Buffer | null): Promise<Judge> {
  return found(id === null ? null : await findJudgeById(services.db, orgId, id));
}

async function lockJudge(tx: Transaction, orgId: Buffer, id: Buffer | null): Promise<Judge> {
  await lockOrganization(tx, orgId);
  return found(id === null ? null : await findJudgeById(tx, orgId, id));
}

function found(judge: Judge | null): Judge {
  if (judge === null) throw notFound('judge');
  return judge;
}

async function checkUrl({ egress }: Services, url: string): Promise<void> {
  const fault = await egress.refusalOf(url);
  if (fault !== null) throw invalid('/url', fault);
}

/** Instructions that nobody would read are a mistake. */
function refuseIdleInstructions({ kind, instructions }: Judge): void {
  if (kind === 'llama_guard' && instructions !== null)
    throw invalid('/instructions', 'are not for llama_guard, which judges by the rules it was trained on');
}

function sealKey({ vault }: Services, place: Pick<Judge, 'uuid' | 'url'>, apiKey: string | null): Buffer | null {
  return apiKey === null ? null : vault.seal(keyPurpose(place), apiKey);
}

function keyAfter(services: Services, judge: Judge, { url = judge.url, api_key: apiKey }: PatchJudge): Buffer | null {
  if (apiKey === undefined) return url === judge.url ? judge.sealedKey : null;
  return sealKey(services, { uuid: judge.uuid, url }, apiKey);
}

/** A key that is given again counts as another one: what is sealed cannot be compared, and need not be. */
function isSame(a: Judge, b: Judge): boolean {
  return (['name', 'kind', 'url', 'model', 'timeoutMs', 'instructions', 'sealedKey'] as const).every(
    (name) => a[name] === b[name],
  );
}

/** Records what became of a judge: of its address the host alone, of its instructions the digest, of its key whether there is one. */
function tell({ clock }: Services, { principal, address }: Call, record: RecordEvent, judge: Judge, what: string): void {
  const { instructions } = judge;
  record(
    changeEvent(principal.organization.uuid, `judge.${what}`, actorOf(principal, address), clock(), {
      judge_id: judge.id,
      version: judge.version,
      name: judge.name,
      kind: judge.kind,
      host: new URL(judge.url).host,
      model: judge.model,
      timeout_ms: judge.timeoutMs,
      has_api_key: judge.sealedKey !== null,
      instructions_digest: instructions === null ? null : `sha256:${createHash('sha256').update(instructions).digest('hex')}`,
    }),
  );
}
