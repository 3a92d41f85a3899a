// Many inferences in one request: each is assessed, recorded and answered for itself.

import type { Evaluation, Inference } from '@svc/engine';
import { AppError } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { toAppError } from '../http/fastify-errors.ts';
import { Turn } from '../http/turn.ts';
import { CALLS_PER_JUDGE_MAX } from '../judges/caller.ts';
import type { Services } from '../services.ts';
import { checkInference } from './check.ts';
import { isLong } from './long-texts.ts';
import { replayAssessment } from './replay.ts';
import { assessInference } from './service.ts';

interface ItemAnswer {
  readonly outcome: Evaluation['outcome'] | 'errors';
  readonly text: string;
}

/** Assesses `items`, whose ids follow from `baseId`, and answers the whole body. */
export async function assessBatch(services: Services, call: Call, items: readonly unknown[], baseId: Buffer): Promise<string> {
  const { organization } = call.principal;
  // Where the policy cannot be read, each item says so for itself.
  const policy = await services.policies.get(organization.id, organization.uuid).catch(() => null);
  if (policy !== null && policy.judges.length > 0) return assessInPace(services, call, items, baseId);
  const answers: Promise<ItemAnswer>[] = [];
  const turn = new Turn();
  for (const [index, item] of items.entries()) {
    // Not awaited one by one: those that are decided wait for the journal together, in one commit.
    const answer = assessItem(services, call, item, index, itemId(baseId, index));
    answers.push(answer.done);
    if (answer.isLong) await answer.done; // it has a turn on the other thread, and the next one has it after that
    if (turn.isOver) await turn.next();
  }
  return bodyOf(await Promise.all(answers));
}

/** Where judges are asked, no more items at once than a judge takes calls: else their time would run out while they wait for each other. */
async function assessInPace(services: Services, call: Call, items: readonly unknown[], baseId: Buffer): Promise<string> {
  const answers: ItemAnswer[] = [];
  const rest = items.entries();
  const turn = new Turn();
  const worker = async () => {
    for (const [index, item] of rest) {
      // Items that are not valid wait for nobody.
      if (turn.isOver) await turn.next();
      answers[index] = await assessItem(services, call, item, index, itemId(baseId, index)).done;
    }
  };
  await Promise.all(Array.from({ length: CALLS_PER_JUDGE_MAX }, worker));
  return bodyOf(answers);
}

/** The same body when the batch is sent again: from what is stored, and assessing what a crash left out. */
export async function resumeBatch(services: Services, call: Call, items: readonly unknown[], baseId: Buffer): Promise<string> {
  const answers: ItemAnswer[] = [];
  const turn = new Turn();
  for (const [index, item] of items.entries()) {
    if (turn.isOver) await turn.next();
    answers.push(await resumeItem(services, call, item, index, itemId(baseId, index)));
  }
  return bodyOf(answers);
}

async function resumeItem(services: Services, call: Call, item: unknown, index: number, id: Buffer): Promise<ItemAnswer> {
  const stored = refusalOf(item) === null ? await replayAssessment(services, call, item as Inference, id) : null;
  if (stored === null) return assessItem(services, call, item, index, id).done;
  const { outcome } = stored as { outcome: Evaluation['outcome'] };
  return { outcome, text: `{"index":${index},"assessment":${JSON.stringify(stored)}}` };
}

function assessItem(
  services: Services,
  call: Call,
  item: unknown,
  index: number,
  id: Buffer,
): { readonly done: Promise<ItemAnswer>; readonly isLong: boolean } {
  const refusal = refusalOf(item);
  if (refusal !== null) return { done: Promise.resolve(errorAnswer(index, refusal)), isLong: false };
  return { done: assessValid(services, call, item as Inference, index, id), isLong: isLong(item as Inference) };
}

async function assessValid(services: Services, call: Call, item: Inference, index: number, id: Buffer): Promise<ItemAnswer> {
  try {
    const { outcome, text } = await assessInference(services, call.principal, call.address, item, id);
    return { outcome, text: `{"index":${index},"assessment":${text}}` };
  } catch (err) {
    const error = toAppError(err);
    if (error.status >= 500) services.log.error({ err: error.cause ?? err, request_id: call.requestId }, error.code);
    return errorAnswer(index, error);
  }
}

function refusalOf(item: unknown): AppError | null {
  const details = checkInference(item);
  return details.length === 0 ? null : new AppError('invalid_request', 'The item is not valid.', { details });
}

function errorAnswer(index: number, { code, message, details }: AppError): ItemAnswer {
  return { outcome: 'errors', text: JSON.stringify({ index, error: { code, message, details } }) };
}

function bodyOf(answers: readonly ItemAnswer[]): string {
  const summary = { allowed: 0, flagged: 0, blocked: 0, errors: 0 };
  for (const { outcome } of answers) summary[outcome]++;
  return `{"data":[${answers.map(({ text }) => text).join(',')}],"summary":${JSON.stringify(summary)}}`;
}

/** The id of an item: the batch's own with the item's index added to its last 32 bits, so that a repetition finds it again. */
function itemId(baseId: Buffer, index: number): Buffer {
  const id = Buffer.from(baseId);
  id.writeUInt32BE((id.readUInt32BE(12) + index) >>> 0, 12);
  return id;
}
