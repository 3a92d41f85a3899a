// Judges: create, list, read, change, delete.

import { Type } from 'typebox';
import type { Principal } from '../access/principal.ts';
import { pageById } from '../http/pagination.ts';
import { route, type Route } from '../http/route.ts';
import { ListOf, PAGE_QUERY } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Services } from '../services.ts';
import { CreateJudge, JudgeBody, PatchJudge, presentJudge } from './schemas.ts';
import { createJudge, deleteJudge, getJudge, patchJudge } from './service.ts';
import { findJudgeById, listJudges } from './store.ts';

const tag = 'Judges';
const Params = Type.Object({ judge_id: Type.String({ maxLength: 64, description: 'The judge’s id, `jdg_…`.' }) });

/** The judge that a path names. */
function judgeAt(services: Services, { organization }: Principal, params: { judge_id: string }) {
  return getJudge(services, organization.uuid, parseId('jdg', params.judge_id));
}

export const judgeRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/judges',
    operationId: 'createJudge',
    tag,
    summary: 'Create a judge',
    description:
      'A model behind an OpenAI-compatible API. It is asked about inferences once a policy names it, and sent nothing before. At most 20.',
    access: 'admin:*',
    limit: 'requests',
    body: CreateJudge,
    responses: { 201: { description: 'The judge, without its key.', schema: JudgeBody } },
    handle: async (services, call) => presentJudge(await createJudge(services, call, call.body)),
    async replay(services, { principal }, resourceId) {
      const judge = await findJudgeById(services.db, principal.organization.uuid, resourceId);
      return judge === null ? null : presentJudge(judge);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/judges',
    operationId: 'listJudges',
    tag,
    summary: 'List judges',
    description: 'Newest first.',
    access: 'admin:*',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of judges.', schema: ListOf(JudgeBody, 'JudgeList') } },
    handle: ({ db }, { principal: { organization }, query }) =>
      pageById(
        'jdg',
        query,
        (before, limit) => listJudges(db, organization.uuid, before, limit),
        presentJudge,
        ({ id }) => id,
      ),
  }),
  route({
    method: 'GET',
    path: '/v1/judges/{judge_id}',
    operationId: 'getJudge',
    tag,
    summary: 'Read a judge',
    access: 'admin:*',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The judge, without its key.', schema: JudgeBody } },
    handle: async (services, { principal, params }) => presentJudge(await judgeAt(services, principal, params)),
  }),
  route({
    method: 'PATCH',
    path: '/v1/judges/{judge_id}',
    operationId: 'updateJudge',
    tag,
    summary: 'Change a judge',
    description:
      'What is absent stays as it is, but for the key: with another url it is dropped unless another one comes with it. In force on every node within a second.',
    access: 'admin:*',
    limit: 'requests',
    params: Params,
    exists: judgeAt,
    body: PatchJudge,
    responses: { 200: { description: 'The judge, without its key.', schema: JudgeBody } },
    handle: async (services, call) =>
      presentJudge(await patchJudge(services, call, parseId('jdg', call.params.judge_id), call.body)),
  }),
  route({
    method: 'DELETE',
    path: '/v1/judges/{judge_id}',
    operationId: 'deleteJudge',
    tag,
    summary: 'Delete a judge and its key',
    description: 'Refused while the policy in force names it.',
    access: 'admin:*',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The judge as it was.', schema: JudgeBody } },
    handle: async (services, call) => presentJudge(await deleteJudge(services, call, parseId('jdg', call.params.judge_id))),
  }),
];
