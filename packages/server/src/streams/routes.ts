// Streams: open one, send what the model writes, get what may be shown.

import type { Inference } from '@svc/engine';
import { Type } from 'typebox';
import { createStream, openedAnswer, requireStream, takeChunk } from './service.ts';
import { AppendChunk, ChunkBody, CreateStream, StreamBody } from './schemas.ts';
import { inferenceChecker } from '../assessments/check.ts';
import { route, SerializedJson, type Route } from '../http/route.ts';
import { parseId } from '../ids.ts';

const tag = 'Streams';

export const streamRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/assessments/streams',
    operationId: 'createStream',
    tag,
    summary: 'Assess an answer while it is written',
    description:
      'Assesses the input, and opens a stream for the answer. Costs one assessment; its chunks cost nothing. At most 100 are open at a time. One that hears nothing for 60 s is closed and recorded as far as it came.',
    access: 'assess:create',
    limit: 'batch',
    body: CreateStream,
    checkBody: inferenceChecker(CreateStream),
    responses: { 201: { description: 'The stream, with the assessment of the input.', schema: StreamBody } },
    async handle(services, call) {
      return new SerializedJson(await createStream(services, call, call.body as Inference, call.newResourceId()));
    },
    async replay(services, call, resourceId) {
      const answer = await openedAnswer(services, call, resourceId);
      return answer === null ? null : new SerializedJson(answer);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/assessments/streams/{stream_id}/chunks',
    operationId: 'appendStreamChunk',
    tag,
    summary: 'Send what the model has written since',
    description:
      'Answers what may be shown now. Send chunks one after another: a gap in `seq` is a 409, and a chunk that is sent again is answered as before. At most 50 a second and 1 MiB a stream. The last chunk, with `final`, answers the whole assessment, committed to the audit trail. Once `outcome` is `blocked` nothing more is released: stop the model and send the last chunk.',
    access: 'assess:create',
    limit: 'chunks',
    params: Type.Object({ stream_id: Type.String({ maxLength: 64, description: 'The stream’s id, `str_…`.' }) }),
    body: AppendChunk,
    exists: (services, principal, { stream_id: id }) => requireStream(services, principal, parseId('str', id)),
    responses: { 200: { description: 'What may be shown.', schema: ChunkBody } },
    async handle(services, call) {
      return new SerializedJson(await takeChunk(services, call, parseId('str', call.params.stream_id)));
    },
  }),
];
