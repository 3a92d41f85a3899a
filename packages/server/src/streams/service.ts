// Rules of streams: a chunk is assessed with what is remembered of those before, stored, and only then answered.

import {
  createPolicyCache,
  endStream,
  heldChars,
  openStream,
  Placeholders,
  readStream,
  streamedInference,
  toolCallProblem,
  type CompiledPolicy,
  type Evaluation,
  type Finding,
  type Inference,
  type PolicyCache,
  type ReleasedToolCall,
  type StreamDelta,
  type StreamState,
} from '@svc/engine';
import { createHash } from 'node:crypto';
import { actorOf, type Principal } from '../access/principal.ts';
import { assessmentData, decide, recordAssessment, wake, withRedacted, type Assessee } from '../assessments/service.ts';
import { takeAssessments } from '../http/access-check.ts';
import { AppError, invalid, notFound } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { formatId, uuidText } from '../ids.ts';
import { lockOrganization } from '../organizations/organization.ts';
import { findPolicyByVersion } from '../policy/store.ts';
import type { Services } from '../services.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import { CHUNKS_PER_SECOND, OPEN_STREAMS_MAX, STREAM_BYTES_MAX, type AppendChunk } from './schemas.ts';
import {
  appendChunk,
  closeStream,
  countOpenStreams,
  findChunk,
  findStream,
  hasStream,
  insertStream,
  keepLastChunk,
  listDeltas,
  type Stream,
} from './store.ts';

/** What is remembered from one chunk to the next. */
interface Memory {
  readonly state: StreamState;
  /** When the last chunks came, the newest last. */
  readonly chunksAtMs: readonly number[];
}

/** The texts of an answer to a chunk, before they are serialized. */
interface ChunkAnswer {
  readonly released: string;
  readonly toolCalls: readonly ReleasedToolCall[];
  readonly heldChars: number;
  readonly findings: readonly Finding[];
  readonly outcome: Evaluation['outcome'];
  /** Serialized; `null` before the end. */
  readonly assessment: string | null;
}

/** Between two pieces of a large chunk others get their turn; a piece takes some milliseconds. */
const PIECE_CHARS = 16_384;
/** Of the answer's findings. */
const FINDINGS_MAX = 200;
/** The end reads all that was read before once more, and may take as much longer as it is long. */
const CHARS_PER_DEADLINE = 65_536;

const policies: PolicyCache = createPolicyCache();

/** Assesses the input and opens a stream under `id`. Answers the body. Throws `rate_limited` where too many are open. */
export async function createStream(services: Services, call: Call, opened: Inference, id: Buffer): Promise<string> {
  const startedAt = performance.now();
  const { principal } = call;
  const { organization, mode } = principal;
  await refuseTooMany(services.db, organization.uuid);
  await takeAssessments(services, principal, 1, call.setHeader);
  const nowMs = services.clock();
  const policy = services.policies.peek(organization.id) ?? (await services.policies.get(organization.id, organization.uuid));
  const live = await decide(services, organization, opened, policy, nowMs);
  const { evaluation } = live;
  // Where the input is blocked there is nothing to wait for: the assessment is recorded, and the stream ends as it begins.
  const isOpen = evaluation.outcome !== 'blocked';
  const assessee: Assessee = { organization, mode, actor: actorOf(principal, call.address) };
  const latencyMs = performance.now() - startedAt;
  const data = await assessmentData(services, assessee, opened, live, policy, { id, nowMs, latencyMs, isRecorded: !isOpen });
  const answer = `{"id":"${formatId('str', id)}","assessment":${withRedacted(data, evaluation)}}`;
  const stream = { id, organization, mode, isOpen, policyVersion: policy.version, actor: assessee.actor, createdAtMs: nowMs };
  const state = openStream(opened, evaluation, policy);
  const isQueued = await services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, organization.uuid);
    await refuseTooMany(tx, organization.uuid);
    await insertStream(tx, {
      ...stream,
      opened: isOpen ? seal(services, stream, 'opened', opened) : null,
      answer: seal(services, stream, 'answer', answer),
      memory: isOpen ? seal(services, stream, 'memory', { state, chunksAtMs: [] } satisfies Memory) : null,
    });
    return (
      !isOpen && recordAssessment(services, tx, record, assessee, { inference: opened, policy, evaluation, id, nowMs, data })
    );
  });
  if (isQueued) wake(services, assessee);
  return answer;
}

/** The answer that was given when the stream was opened; `null` where it is not there any more. */
export async function openedAnswer(
  services: Services,
  { principal }: Pick<Call, 'principal'>,
  id: Buffer,
): Promise<string | null> {
  const stream = await findStream(services.db, principal, id);
  return stream?.answer === null || stream === null ? null : (unseal(services, stream, 'answer', stream.answer) as string);
}

async function refuseTooMany(db: Queryable, orgId: Buffer): Promise<void> {
  if ((await countOpenStreams(db, orgId)) < OPEN_STREAMS_MAX) return;
  throw limited(
    `${OPEN_STREAMS_MAX} streams are open. End one, or wait until one has been idle for a minute.`,
    'open streams',
    OPEN_STREAMS_MAX,
  );
}

function limited(message: string, limit: string, most: number): AppError {
  return new AppError('rate_limited', message, {
    details: [{ pointer: '', message: `limit: ${limit}, ${most}` }],
    headers: { 'retry-after': '1' },
  });
}

/** Throws `not_found` where there is no such stream. */
export async function requireStream({ db }: Services, principal: Principal, id: Buffer | null): Promise<void> {
  if (id === null || !(await hasStream(db, principal, id))) throw notFound('stream');
}

async function getStream(services: Services, { principal }: Pick<Call, 'principal'>, id: Buffer | null): Promise<Stream> {
  const stream = id === null ? null : await findStream(services.db, principal, id);
  if (stream === null) throw notFound('stream');
  return stream;
}

/** Takes the next chunk. Answers the body: the same again for one that was taken before. */
export async function takeChunk(
  services: Services,
  call: Call<unknown, unknown, AppendChunk>,
  id: Buffer | null,
): Promise<string> {
  const { body } = call;
  const digest = createHash('sha256')
    .update(JSON.stringify([body.seq, body.final ?? false, deltaOf(body.delta)]))
    .digest();
  for (;;) {
    const stream = await getStream(services, call, id);
    const repeated = await repeatedAnswer(services, stream, body.seq, digest);
    if (repeated !== null) return repeated;
    refuseGap(stream, body.seq);
    const answer = await answerNext(services, stream, body, digest);
    if (answer !== null) return answer;
    // Another request was quicker: it was this chunk, or another with its number.
  }
}

async function repeatedAnswer(services: Services, stream: Stream, seq: number, digest: Buffer): Promise<string | null> {
  if (stream.lastSeq === null || seq > stream.lastSeq) return null;
  const chunk = await findChunk(services.db, stream, seq);
  if (chunk === null)
    throw new AppError('conflict', stream.isOpen ? `The chunk ${seq} was never sent.` : 'The stream has ended.');
  if (!chunk.digest.equals(digest)) throw new AppError('conflict', `The chunk ${seq} was sent before with other content.`);
  return unseal(services, stream, `answer of ${seq}`, chunk.answer) as string;
}

function refuseGap({ isOpen, lastSeq }: Stream, seq: number): void {
  if (!isOpen) throw new AppError('conflict', 'The stream has ended.');
  const isNext = lastSeq === null ? seq <= 1 : seq === lastSeq + 1;
  if (isNext) return;
  const expected = lastSeq === null ? '0 or 1' : String(lastSeq + 1);
  throw new AppError('conflict', `The next chunk has seq ${expected}, this one ${seq}. Send chunks one after another.`);
}

/** `null`: the stream went on meanwhile. */
async function answerNext(services: Services, stream: Stream, body: AppendChunk, digest: Buffer): Promise<string | null> {
  const { seq, final: isFinal = false } = body;
  const delta = deltaOf(body.delta);
  const bytes = bytesOf(delta);
  const nowMs = services.clock();
  const memory = unseal(services, stream, 'memory', stream.memory!) as Memory;
  refuseTooMuch(stream, memory, bytes, nowMs);
  const problem = toolCallProblem(memory.state, delta.toolCalls);
  if (problem !== null) throw invalid('/delta/tool_calls', problem);
  const policy = await policyOf(services, stream);
  const sealedDelta = seal(services, stream, `delta of ${seq}`, delta);
  if (isFinal) return finish(services, stream, policy, memory.state, { seq, delta, digest, sealedDelta });
  const { state, ...step } = await readInPieces(memory.state, delta, policy, stream.createdAtMs);
  const answer = bodyOf(seq, { ...step, heldChars: heldChars(state), outcome: state.outcome, assessment: null });
  const chunksAtMs = [...memory.chunksAtMs, nowMs].slice(-CHUNKS_PER_SECOND);
  const isStored = await appendChunk(services.db, stream, {
    seq,
    digest,
    delta: sealedDelta,
    answer: seal(services, stream, `answer of ${seq}`, answer),
    memory: seal(services, stream, 'memory', { state, chunksAtMs } satisfies Memory),
    bytes,
    atMs: nowMs,
  });
  return isStored ? answer : null;
}

function refuseTooMuch({ bytes: before }: Stream, { chunksAtMs }: Memory, bytes: number, nowMs: number): void {
  if (before + bytes > STREAM_BYTES_MAX) {
    throw new AppError(
      'payload_too_large',
      `A stream takes ${STREAM_BYTES_MAX} bytes; with this chunk it would hold ${before + bytes}.`,
    );
  }
  if (chunksAtMs.length === CHUNKS_PER_SECOND && nowMs - chunksAtMs[0]! < 1_000) {
    throw limited(
      `A stream takes ${CHUNKS_PER_SECOND} chunks a second. Send larger ones.`,
      'chunks of a stream in a second',
      CHUNKS_PER_SECOND,
    );
  }
}

function deltaOf(delta: AppendChunk['delta']): StreamDelta {
  if (delta === undefined || typeof delta === 'string') return { text: delta ?? '', toolCalls: [] };
  const toolCalls = (delta.tool_calls ?? []).map(({ index, function: called }) => ({
    index,
    name: called?.name ?? '',
    arguments: called?.arguments ?? '',
  }));
  return { text: delta.content ?? '', toolCalls };
}

function bytesOf({ text, toolCalls }: StreamDelta): number {
  return toolCalls.reduce(
    (sum, { name, arguments: written }) => sum + Buffer.byteLength(name) + Buffer.byteLength(written),
    Buffer.byteLength(text),
  );
}

/** The policy that was in force when the stream began. */
async function policyOf(services: Services, { organization, policyVersion }: Stream): Promise<CompiledPolicy> {
  const current = services.policies.peek(organization.id);
  if (current?.version === policyVersion) return current;
  const policy = await findPolicyByVersion(services.db, organization.uuid, policyVersion);
  return policies.get(policy!.document, policy!.version, policy!.digest);
}

async function readInPieces(before: StreamState, { text, toolCalls }: StreamDelta, policy: CompiledPolicy, nowMs: number) {
  // An exception that ends while the answer is written is good until its end: what was shown cannot be taken back.
  const options = { clock: () => performance.now(), nowMs };
  let step = readStream(before, { text: text.slice(0, PIECE_CHARS), toolCalls: [] }, policy, options);
  const [released, findings] = [[step.released], [...step.findings]];
  for (let at = PIECE_CHARS; at < text.length; at += PIECE_CHARS) {
    await new Promise((resolve) => setImmediate(resolve));
    step = readStream(step.state, { text: text.slice(at, at + PIECE_CHARS), toolCalls: [] }, policy, options);
    released.push(step.released);
    findings.push(...step.findings);
  }
  const { state, toolCalls: calls, findings: ofCalls } = readStream(step.state, { text: '', toolCalls }, policy, options);
  return { state, released: released.join(''), toolCalls: calls, findings: [...findings, ...ofCalls] };
}

interface LastChunk {
  readonly seq: number;
  readonly delta: StreamDelta;
  readonly digest: Buffer;
  readonly sealedDelta: Buffer;
}

/** Assesses the whole and records it. `null`: the stream went on meanwhile. */
async function finish(
  services: Services,
  stream: Stream,
  policy: CompiledPolicy,
  state: StreamState,
  last: LastChunk,
): Promise<string | null> {
  const { seq } = last;
  const ended = await conclude(services, stream, policy, state, last.delta);
  const { inference, evaluation, data } = ended;
  const { released, toolCalls } = endStream(state, inference, evaluation);
  const answer = bodyOf(seq, {
    released,
    toolCalls,
    heldChars: evaluation.outcome === 'blocked' ? (inference.output as string).length - state.releasedTo : 0,
    findings: evaluation.findings.filter((finding) => isNew(finding, state)),
    outcome: evaluation.outcome,
    assessment: withRedacted(data, evaluation),
  });
  const sealed = {
    digest: last.digest,
    delta: seal(services, stream, 'delta', ''),
    answer: seal(services, stream, `answer of ${seq}`, answer),
  };
  const isEnded = await end(services, stream, policy, ended, (tx) => keepLastChunk(tx, stream, seq, sealed));
  return isEnded ? answer : null;
}

/** Whether no chunk before the last could tell of a finding. */
function isNew({ location: { pointer, start } }: Finding, { reportedTo, toolCall }: StreamState): boolean {
  if (pointer === '/output') return start >= reportedTo;
  const call = /^\/tool_calls\/(\d+)/.exec(pointer)?.[1];
  return call === undefined ? pointer === '' : Number(call) >= (toolCall?.index ?? 0);
}

/** Ends a stream of which nothing was heard for too long, as far as it came. False: it went on meanwhile. */
export async function endIdleStream(services: Services, stream: Stream): Promise<boolean> {
  const policy = await policyOf(services, stream);
  const { state } = unseal(services, stream, 'memory', stream.memory!) as Memory;
  const ended = await conclude(services, stream, policy, state, null);
  return end(services, stream, policy, ended, null);
}

interface Ended {
  readonly inference: Inference;
  readonly evaluation: Evaluation;
  /** The assessment, serialized, without what was redacted. */
  readonly data: string;
  readonly nowMs: number;
}

/** Assesses the whole. `last`: what came last; `null`: the rest never came, so that it is known in part only. */
async function conclude(
  services: Services,
  stream: Stream,
  policy: CompiledPolicy,
  state: StreamState,
  last: StreamDelta | null,
): Promise<Ended> {
  const startedAt = performance.now();
  const nowMs = services.clock();
  const opened = unseal(services, stream, 'opened', stream.opened!) as Inference;
  const stored = await listDeltas(services.db, stream);
  const deltas = stored.map(({ seq, delta }) => unseal(services, stream, `delta of ${seq}`, delta) as StreamDelta);
  const inference = streamedInference(opened, last === null ? deltas : [...deltas, last]);
  const decided = await decide(services, stream.organization, inference, policy, stream.createdAtMs, {
    placeholders: new Placeholders(state.placeholders),
    deadlineFactor: 1 + (inference.output as string).length / CHARS_PER_DEADLINE,
  });
  const evaluation = last === null ? inPart(decided.evaluation) : decided.evaluation;
  const latencyMs = performance.now() - startedAt;
  const identity = { id: stream.id, nowMs, latencyMs, isRecorded: true };
  const data = await assessmentData(services, stream, inference, { ...decided, evaluation }, policy, identity);
  return { inference, evaluation, data, nowMs };
}

function inPart(evaluation: Evaluation): Evaluation {
  const { coverage } = evaluation;
  return { ...evaluation, coverage: { ...coverage, status: coverage.status === 'complete' ? 'partial' : coverage.status } };
}

async function end(
  services: Services,
  stream: Stream,
  policy: CompiledPolicy,
  { inference, evaluation, data, nowMs }: Ended,
  keep: ((tx: Transaction) => Promise<void>) | null,
): Promise<boolean> {
  const { isEnded, isQueued } = await services.journal.transaction(async (tx, record) => {
    if (!(await closeStream(tx, stream, nowMs))) return { isEnded: false, isQueued: false };
    await keep?.(tx);
    const recording = { inference, policy, evaluation, id: stream.id, nowMs, data };
    return { isEnded: true, isQueued: await recordAssessment(services, tx, record, stream, recording) };
  });
  if (isQueued) wake(services, stream);
  return isEnded;
}

function bodyOf(seq: number, { released, toolCalls, heldChars: held, findings, outcome, assessment }: ChunkAnswer): string {
  const body = { seq, released, tool_calls: toolCalls, held_chars: held, findings: findings.slice(0, FINDINGS_MAX), outcome };
  return `${JSON.stringify(body).slice(0, -1)},"assessment":${assessment ?? 'null'}}`;
}

type Sealed = Pick<Stream, 'id' | 'organization'>;

function seal({ vault }: Services, stream: Sealed, what: string, value: unknown): Buffer {
  return vault.seal(purposeOf(stream, what), JSON.stringify(value));
}

function unseal({ vault }: Services, stream: Sealed, what: string, sealed: Buffer): unknown {
  return JSON.parse(vault.open(purposeOf(stream, what), sealed));
}

function purposeOf({ organization, id }: Sealed, what: string): string {
  return `stream ${organization.id} ${uuidText(id)} ${what}`;
}
