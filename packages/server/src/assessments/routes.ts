// Assessments: create one or many, list, read.

import { createSchemaChecker, InferenceSchema } from '@svc/engine';
import { Type } from 'typebox';
import { AssessmentQuery, filterOf } from '../events/schemas.ts';
import { INFERENCE_KINDS } from '../events/kinds.ts';
import { sequenceOfCursor } from '../events/routes.ts';
import { listEvents } from '../events/store.ts';
import { takeAssessments } from '../http/access-check.ts';
import { AppError, invalid, notFound } from '../http/errors.ts';
import { decodeCursor, pageOf } from '../http/pagination.ts';
import { BATCH_BODY_BYTES_MAX, route, SerializedJson, type Route } from '../http/route.ts';
import { ListOf, PAGE_LIMIT_DEFAULT } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import { assessBatch, resumeBatch } from './batch.ts';
import { checkInference } from './check.ts';
import { findAssessment, replayAssessment } from './replay.ts';
import { AssessmentBody, BatchEnvelope, BatchRequest, BatchResult } from './schemas.ts';
import { assessInference } from './service.ts';
import { listTestAssessments } from './store.ts';

const tag = 'Assessments';

/** Texts are kept nowhere, so a stored assessment has nothing redacted to show. */
const present = (assessment: Record<string, unknown>) => ({ ...assessment, redacted: null });

const TEST_FILTERS: ReadonlySet<string> = new Set(['limit', 'cursor', 'outcome', 'external_id']);

/** A filter that is not applied must not look as if it were. */
function refuseOtherFilters(query: object): void {
  const other = Object.keys(query).find((name) => !TEST_FILTERS.has(name));
  if (other !== undefined) throw invalid(`/query/${other}`, 'does not apply to test assessments');
}

export const assessmentRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/assessments',
    operationId: 'createAssessment',
    tag,
    summary: 'Assess an inference',
    description:
      'Answers 200 whatever the outcome, once the assessment is committed to the audit trail. `outcome` is the worst of the findings; `coverage` says what was read and by which detectors.',
    access: 'assess:create',
    limit: 'assessments',
    body: InferenceSchema,
    checkBody: checkInference,
    responses: { 200: { description: 'The assessment.', schema: AssessmentBody } },
    async handle(services, call) {
      const { text } = await assessInference(services, call.principal, call.address, call.body, call.newResourceId());
      return new SerializedJson(text);
    },
    async replay(services, call, resourceId) {
      const assessment = await replayAssessment(services, call, call.body, resourceId);
      return assessment === null ? null : new SerializedJson(JSON.stringify(assessment));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/assessments/batch',
    operationId: 'createAssessmentBatch',
    tag,
    summary: 'Assess many inferences',
    description: 'Each item costs one assessment. One bad item never fails the others.',
    access: 'assess:create',
    limit: 'batch',
    bodyBytesMax: BATCH_BODY_BYTES_MAX,
    body: BatchRequest,
    checkBody: createSchemaChecker(BatchEnvelope),
    responses: { 200: { description: 'An assessment or an error for each item.', schema: BatchResult } },
    async handle(services, call) {
      const { items } = call.body as unknown as BatchEnvelope;
      const { batch_size: most } = call.principal.organization.limits;
      if (items.length > most)
        throw new AppError('payload_too_large', `The plan takes ${most} items in a batch, these are ${items.length}.`);
      await takeAssessments(services, call.principal, items.length, call.setHeader);
      return new SerializedJson(await assessBatch(services, call, items, call.newResourceId()));
    },
    async replay(services, call, resourceId) {
      await takeAssessments(services, call.principal, (call.body as unknown as BatchEnvelope).items.length, call.setHeader);
      return new SerializedJson(await resumeBatch(services, call, (call.body as unknown as BatchEnvelope).items, resourceId));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/assessments',
    operationId: 'listAssessments',
    tag,
    summary: 'List assessments',
    description:
      'Newest first. Test credentials see the test assessments of the last 24 hours, filtered by `outcome` and `external_id` alone.',
    access: 'events:read',
    limit: 'requests',
    query: AssessmentQuery,
    responses: {
      200: { description: 'A page of assessments, without `redacted`.', schema: ListOf(AssessmentBody, 'AssessmentList') },
    },
    async handle(services, { principal, query }) {
      const { uuid } = principal.organization;
      const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
      if (principal.mode === 'test') {
        refuseOtherFilters(query);
        const before = decodeCursor('tst', query.cursor, (key) => parseId('asm', key) !== null);
        const filter = { outcome: query.outcome, externalId: query.external_id };
        const rows = await listTestAssessments(
          services.db.reader,
          uuid,
          filter,
          before === null ? null : parseId('asm', before),
          limit + 1,
        );
        return pageOf('tst', rows, limit, (row) => String(row['id']), present);
      }
      const events = await listEvents(
        services.db.reader,
        uuid,
        filterOf(query, INFERENCE_KINDS),
        sequenceOfCursor('asm', query.cursor),
        limit + 1,
      );
      return pageOf(
        'asm',
        events,
        limit,
        ({ sequence }) => String(sequence),
        ({ data }) => present(data),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/assessments/{assessment_id}',
    operationId: 'getAssessment',
    tag,
    summary: 'Read an assessment',
    access: 'events:read',
    limit: 'requests',
    params: Type.Object({ assessment_id: Type.String({ maxLength: 64, description: 'The assessment’s id, `asm_…`.' }) }),
    responses: { 200: { description: 'The assessment, without `redacted`.', schema: AssessmentBody } },
    async handle(services, call) {
      const id = parseId('asm', call.params.assessment_id);
      const assessment = id === null ? null : await findAssessment(services, call, id);
      if (assessment === null) throw notFound('assessment');
      return present(assessment);
    },
  }),
];
