// Lakera Guard's screening call, for gateways with a setting for its address
// (https://docs.lakera.ai/api-reference/lakera-api/guard/screen-content).

import type { Finding, Inference } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Assessed } from '../assessments/service.ts';
import { Nullable } from '../http/schemas.ts';
import { VERSION } from '../version.ts';
import {
  compact,
  countingFindings,
  isTextPart,
  label,
  messagesOf,
  pairsOf,
  turnOf,
  type Place,
  type PlacedCall,
  type Said,
} from './exchange.ts';
import { MESSAGES_MAX } from './litellm.ts';

const isWanted = (description: string) => Type.Optional(Nullable(Type.Boolean({ description })));

const Message = Type.Object(
  {
    role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
    content: Type.Optional(Type.Union([Type.String(), Type.Null(), Type.Array(Type.Unknown(), { maxItems: MESSAGES_MAX })])),
  },
  { title: 'LakeraMessage', description: 'A message in OpenAI’s shape, calls of tools included.' },
);

export const LakeraRequest = Type.Object(
  {
    messages: Type.Array(Message, {
      description: 'The conversation. What the assistant says last is the output, all before it the input.',
      minItems: 1,
      maxItems: MESSAGES_MAX,
    }),
    project_id: Type.Optional(
      Nullable(Type.String({ description: 'Kept as metadata and answered; the organization’s policy decides.' })),
    ),
    payload: isWanted('Answer where the findings stand.'),
    breakdown: isWanted('Answer which detectors ran, and what they found.'),
    dev_info: isWanted('Answer the version of the service.'),
    metadata: Type.Optional(Nullable(Type.Object({}, { description: 'Kept; `user_id` and `session_id` become the subject.' }))),
  },
  { title: 'LakeraGuardRequest', description: 'What else a client sends is ignored.' },
);
type LakeraRequest = Static<typeof LakeraRequest>;

export const LakeraQuery = Type.Object(
  {
    flagged_when: Type.Optional(
      Type.Enum(['flagged', 'blocked'], {
        default: 'flagged',
        description:
          'From which outcome on the answer says `flagged`. With `blocked`, callers do not hear of what the policy redacts.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const LakeraAnswer = Type.Object(
  {
    flagged: Type.Boolean({ description: 'Never true while the policy is in monitor mode.' }),
    payload: Type.Optional(
      Type.Array(
        Type.Object({
          start: Type.Integer({ description: 'Offset in characters (code points) of the message’s text.' }),
          end: Type.Integer({ description: 'Exclusive.' }),
          text: Type.String({
            description: 'A masked glimpse: matched text is not answered, because gateways repeat answers in errors and logs.',
          }),
          detector_type: Type.String(),
          labels: Type.Array(Type.String()),
          message_id: Type.Integer({ description: 'Index of the message.' }),
        }),
      ),
    ),
    breakdown: Type.Optional(
      Type.Array(
        Type.Object({
          project_id: Nullable(Type.String()),
          policy_id: Type.String(),
          detector_id: Type.String(),
          detector_type: Type.String(),
          detected: Type.Boolean(),
          message_id: Nullable(Type.Integer()),
        }),
      ),
    ),
    dev_info: Type.Optional(
      Type.Object({
        git_revision: Nullable(Type.String()),
        git_timestamp: Nullable(Type.String()),
        model_version: Nullable(Type.String()),
        version: Type.String(),
      }),
    ),
    metadata: Type.Object({ request_uuid: Type.String({ description: 'The assessment has it as `external_id`.' }) }),
  },
  { title: 'LakeraGuardAnswer' },
);
type LakeraAnswer = Static<typeof LakeraAnswer>;

/** A request, read. */
export interface LakeraCall {
  readonly inference: Inference;
  /** By member of the inference. */
  readonly said: { readonly input: readonly Said[]; readonly output: readonly Said[] };
  readonly calls: readonly PlacedCall[];
  readonly messages: LakeraRequest['messages'];
}

export function readLakera(body: LakeraRequest, requestUuid: string): LakeraCall {
  const turns = body.messages.map((message, i) => turnOf(message, [i]));
  const outputFrom = body.messages.findLastIndex(({ role }) => role !== 'assistant') + 1;
  const input = turns.slice(0, outputFrom).flatMap((turn) => turn.said);
  const output = turns.slice(outputFrom).flatMap((turn) => turn.said);
  const calls = turns.flatMap((turn) => turn.calls);
  const { user_id: user, session_id: session, ...metadata } = pairsOf(body.metadata);
  const projectId = label(body.project_id);
  const inference: Inference = {
    input: messagesOf(input),
    output: output.length === 0 ? null : messagesOf(output),
    external_id: requestUuid,
    ...compact({
      tool_calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
      subject: compact({ user: label(user), session: label(session) }),
      metadata: { ...metadata, ...compact({ project_id: projectId }) },
    }),
  };
  return { inference, said: { input, output }, calls, messages: body.messages };
}

/** The answer; `payload`, `breakdown` and `dev_info` as the request wants them. */
export function answerLakera(
  call: LakeraCall,
  { evaluation, policy }: Assessed,
  body: LakeraRequest,
  flaggedWhen: 'flagged' | 'blocked' = 'flagged',
): LakeraAnswer {
  const { outcome, enforcement } = evaluation;
  const isFlagged = outcome === 'blocked' || (outcome === 'flagged' && flaggedWhen === 'flagged');
  const located = countingFindings(evaluation).map((finding) => ({ finding, at: locate(call, finding) }));
  const ids = { project_id: label(body.project_id) ?? null, policy_id: `policy-${policy.version}` };
  return {
    flagged: isFlagged && enforcement.mode === 'enforce',
    ...(body.payload === true ? { payload: located.flatMap(payloadOf) } : {}),
    ...(body.breakdown === true ? { breakdown: breakdownOf(evaluation, located).map((entry) => Object.assign(entry, ids)) } : {}),
    ...(body.dev_info === true
      ? { dev_info: { git_revision: null, git_timestamp: null, model_version: policy.digest, version: VERSION } }
      : {}),
    metadata: { request_uuid: call.inference.external_id! },
  };
}

/** Where a finding stands in the caller's messages. Without `start`, it is not in what callers see as a message's text. */
interface Spot {
  readonly messageId: number;
  readonly start?: number;
  readonly end?: number;
}

interface Located {
  readonly finding: Finding;
  readonly at: Spot | null;
}

const TEXT_POINTER = /^\/(input|output)\/(\d+)\/content(?:\/(\d+)\/text)?$/;
const CALL_POINTER = /^\/tool_calls\/(\d+)\//;

function locate({ said, calls, messages }: LakeraCall, { location: { pointer, start, end } }: Finding): Spot | null {
  const text = TEXT_POINTER.exec(pointer);
  if (text !== null) {
    const { texts } = said[text[1] as 'input' | 'output'][Number(text[2])]!;
    const index = Number(text[3] ?? 0);
    const { text: own, place } = texts[index]!;
    const messageId = place[0] as number;
    if (!isSeen(messages, place)) return { messageId };
    // Callers see the text parts of a message as one text.
    const seen = texts.slice(0, index).filter((each) => isSeen(messages, each.place));
    const before = seen.reduce((sum, each) => sum + codePoints(each.text, each.text.length), 0);
    return { messageId, start: before + codePoints(own, start), end: before + codePoints(own, end) };
  }
  const call = CALL_POINTER.exec(pointer);
  return call === null ? null : { messageId: calls[Number(call[1])]!.place[0] as number };
}

/** Whether callers know a text as one of the message: its content, or a text part of it, and nothing that lies deeper. */
function isSeen(messages: LakeraRequest['messages'], [id, member, part, name]: Place): boolean {
  if (member !== 'content') return false;
  if (part === undefined) return true;
  const { content } = messages[id as number]!;
  return (name === undefined || name === 'text') && isTextPart((content as unknown[])[part as number]);
}

/** How many characters the first `units` UTF-16 units of `text` are: Lakera's callers count as Python does. */
function codePoints(text: string, units: number): number {
  let count = units;
  for (let i = 1; i < units; i++) {
    const isPair = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) count--;
  }
  return count;
}

/** Lakera locates what can be masked. */
function payloadOf({ finding, at }: Located): NonNullable<LakeraAnswer['payload']> {
  if (!isMaskable(finding) || at?.start === undefined) return [];
  const { messageId, start, end } = at;
  const detectorType = detectorTypeOf(finding);
  return [{ start, end: end!, text: finding.preview ?? '', detector_type: detectorType, labels: [], message_id: messageId }];
}

function isMaskable({ category, action }: Finding): boolean {
  return action === 'redact' || category.startsWith('data.');
}

type Breakdown = Pick<
  NonNullable<LakeraAnswer['breakdown']>[number],
  'detector_id' | 'detector_type' | 'detected' | 'message_id'
>;

/** What was found, each type once for a message, and the detectors that ran and found nothing. */
function breakdownOf(
  { enforcement, coverage, findings, findings_total: total }: Assessed['evaluation'],
  located: readonly Located[],
): Breakdown[] {
  const found = new Map<string, Breakdown>();
  for (const { finding, at } of located) {
    const entry = {
      detector_id: finding.detector.id,
      detector_type: detectorTypeOf(finding),
      detected: true,
      message_id: at?.messageId ?? null,
    };
    found.set(JSON.stringify(entry), entry);
  }
  const finders = new Set(located.map(({ finding }) => finding.detector.id));
  const isCut = total > findings.length;
  // Of a list that was cut nobody can tell who found nothing.
  const silent = (isCut ? [] : coverage.detectors)
    .filter(({ id, status }) => status !== 'skipped' && !finders.has(id))
    .map(({ id }) => ({ detector_id: id, detector_type: SILENT_TYPES.get(id) ?? id, detected: false, message_id: null }));
  // Callers mask, and let pass, what has personal data alone. This entry tells them that masking is not enough.
  const isMasking = located.every(({ finding, at }) => finding.action !== 'redact' || at?.start !== undefined);
  const isBlocked = enforcement.action === 'block' || (enforcement.action === 'redact' && (!isMasking || isCut));
  const block = { detector_id: 'policy', detector_type: 'custom/policy_block', detected: true, message_id: null };
  return [...found.values(), ...(isBlocked ? [block] : []), ...silent];
}

/** What Lakera calls the detectors of ours that have a counterpart there. */
const SILENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['prompt_injection', 'prompt_attack'],
  ['harm', 'moderated_content'],
  ['links', 'unknown_links'],
]);

const PII_TYPES: ReadonlyMap<string, string> = new Map([
  ['phone', 'phone_number'],
  ['person', 'name'],
  ['iban', 'iban_code'],
  ['us_ssn', 'us_social_security_number'],
]);

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['illicit', 'crime'],
  ['minors', 'sexual'],
]);

/** Lakera's name for what was found. All that a policy redacts counts as `pii/…`: that is what callers mask. */
function detectorTypeOf({ category, type, action }: Finding): string {
  const [family = '', kind = ''] = category.split('.', 2);
  if (action === 'redact' || category === 'data.pii') return `pii/${PII_TYPES.get(type) ?? type}`;
  if (family === 'attack') return 'prompt_attack';
  if (family === 'content') return `moderated_content/${CONTENT_TYPES.get(kind) ?? kind}`;
  return category === 'output.unsafe_link' ? 'unknown_links' : `custom/${family}_${kind}`;
}
