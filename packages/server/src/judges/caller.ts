// Asks a judge: one call to its address, within its time, with bounds on how much is under way, and not again what was just answered.

import type { JudgeQuestion, JudgeVerdict } from '@svc/engine';
import type { Vault } from '../access/vault.ts';
import { EgressError, type Egress, type EgressResponse } from '../egress/egress.ts';
import { Slots } from '../egress/slots.ts';
import type { Logger } from '../telemetry/log.ts';
import { Breaker, type CallResult } from './breaker.ts';
import { Opinions, opinionKey } from './opinions.ts';
import { PROTOCOLS } from './protocols/index.ts';
import { keyPurpose } from './key.ts';
import type { Judge } from './store.ts';

/** Calls under way for one judge, on this node. The others wait within their time. */
export const CALLS_PER_JUDGE_MAX = 8;
const WAITING_PER_JUDGE_MAX = 1_000;
// An answer is a few words; what comes before them are the thoughts of some models.
const ANSWER_BYTES_MAX = 65_536;
/** Some 100 000 tokens, which is near what models of this sort can read. */
const QUESTION_CHARS_MAX = 400_000;
// Each is a few numbers; the one used longest ago is dropped.
const JUDGES_REMEMBERED_MAX = 10_000;

/** What came of asking. The explanation is one sentence of ours. */
export type Opinion =
  | { readonly status: 'ok'; readonly verdicts: readonly JudgeVerdict[] }
  | { readonly status: 'error' | 'timed_out'; readonly explanation: string };

/** The time there is for a call, in milliseconds. */
export interface CallTime {
  /** What is left. */
  readonly leftMs: number;
  /** What the policy and the judge's own settings give to a call. */
  readonly usualMs: number;
}

interface JudgeState {
  readonly version: number;
  readonly slots: Slots;
  readonly breaker: Breaker;
  waiting: number;
}

interface Failure {
  readonly result: Exclude<CallResult, 'success'>;
  readonly status: 'error' | 'timed_out';
  readonly explanation: string;
}

const TIMED_OUT = 'The judge has not answered in time.';

/** Asks judges. Every way of failing is an answer. */
export class JudgeCaller {
  readonly #egress: Egress;
  readonly #vault: Vault;
  readonly #log: Logger;
  readonly #clock: () => number;
  readonly #opinions: Opinions;
  /** The one used longest ago first. */
  readonly #states = new Map<string, JudgeState>();

  /** `clock`: milliseconds from any start, never going back. */
  constructor(egress: Egress, vault: Vault, log: Logger, clock: () => number = () => performance.now()) {
    this.#egress = egress;
    this.#vault = vault;
    this.#log = log;
    this.#clock = clock;
    this.#opinions = new Opinions(clock);
  }

  /** Asks `judge` of organization `orgId`, or answers what it said to the same question less than ten minutes ago. */
  async ask(orgId: string, judge: Judge, question: JudgeQuestion, time: CallTime): Promise<Opinion> {
    const chars = question.texts.reduce((sum, { text }) => sum + text.length, 0);
    if (chars > QUESTION_CHARS_MAX)
      return {
        status: 'error',
        explanation: `The texts are longer than the ${QUESTION_CHARS_MAX} characters that a judge is sent.`,
      };
    const body = bodyOf(judge, question);
    const key = opinionKey(orgId, judge, body);
    const known = this.#opinions.get(key);
    if (known !== undefined) return { status: 'ok', verdicts: known };
    const opinion = await this.#askWithin(orgId, judge, body, time);
    if (opinion.status === 'ok') this.#opinions.put(key, opinion.verdicts);
    return opinion;
  }

  /** Waits for a place among the calls under way. */
  async #askWithin(orgId: string, judge: Judge, body: string, time: CallTime): Promise<Opinion> {
    const state = this.#stateOf(orgId, judge);
    if (state.breaker.isOpen) return PAUSED;
    if (state.waiting >= WAITING_PER_JUDGE_MAX)
      return { status: 'error', explanation: 'Too many wait for an answer of the judge.' };
    const dueAt = this.#clock() + time.leftMs;
    if (time.leftMs < 1) return { status: 'timed_out', explanation: TIMED_OUT };
    state.waiting++;
    const hasPlace = await takeWithin(state.slots, time.leftMs).finally(() => state.waiting--);
    if (!hasPlace) return { status: 'timed_out', explanation: 'The judge was too busy with other calls to be asked in time.' };
    try {
      return await this.#askNow(orgId, judge, state, body, { ...time, leftMs: dueAt - this.#clock() });
    } finally {
      state.slots.give();
    }
  }

  async #askNow(orgId: string, judge: Judge, { breaker }: JudgeState, body: string, time: CallTime): Promise<Opinion> {
    const admission = breaker.begin();
    if (admission === null) return PAUSED;
    const answer = await this.#call(judge, body, time);
    const isFailure = 'result' in answer;
    const hasOpened = breaker.end(admission, isFailure ? answer.result : 'success');
    if (!isFailure) return { status: 'ok', verdicts: answer.verdicts };
    if (hasOpened) {
      const line = { org_id: orgId, judge_id: judge.id, reason: answer.explanation };
      this.#log.warn(line, 'a judge is not asked for a while, because it failed too often');
    }
    return { status: answer.status, explanation: answer.explanation };
  }

  async #call(judge: Judge, body: string, time: CallTime): Promise<Failure | { readonly verdicts: readonly JudgeVerdict[] }> {
    if (time.leftMs < 1) return timedOut(time);
    const startedAt = this.#clock();
    try {
      const response = await this.#egress.request({
        method: 'POST',
        url: completionsUrl(judge.url),
        headers: this.#headersFor(judge),
        body,
        timeoutMs: Math.floor(time.leftMs),
        bodyBytesMax: ANSWER_BYTES_MAX,
      });
      const isLate = response.isTruncated && this.#clock() - startedAt >= Math.floor(time.leftMs) - 1;
      return isLate ? timedOut(time) : readResponse(judge, response);
    } catch (err) {
      if (err instanceof EgressError) return failureOf(err, time);
      // A key that cannot be opened, most likely. The policy's on_error decides, as about every judge that says nothing.
      this.#log.error({ err, judge_id: judge.id }, 'a judge could not be asked');
      return failure('The judge could not be asked: a fault of this service, which is in its log.');
    }
  }

  #headersFor(judge: Judge): Record<string, string> {
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Svc-Judges/1' };
    if (judge.sealedKey === null) return headers;
    return { ...headers, authorization: `Bearer ${this.#vault.open(keyPurpose(judge), judge.sealedKey)}` };
  }

  /** Made anew when the judge is changed: what failed may be mended. */
  #stateOf(orgId: string, { id, version }: Judge): JudgeState {
    const key = `${orgId} ${id}`;
    const known = this.#states.get(key);
    const state =
      known?.version === version
        ? known
        : { version, slots: new Slots(CALLS_PER_JUDGE_MAX), breaker: new Breaker(this.#clock), waiting: 0 };
    this.#states.delete(key);
    if (this.#states.size >= JUDGES_REMEMBERED_MAX) this.#states.delete(this.#states.keys().next().value!);
    this.#states.set(key, state);
    return state;
  }
}

const PAUSED: Opinion = {
  status: 'error',
  explanation: 'The judge failed several times in a row and is not asked for half a minute.',
};

function bodyOf({ kind, model, instructions }: Judge, question: JudgeQuestion): string {
  const protocol = PROTOCOLS[kind];
  return JSON.stringify({
    model,
    messages: protocol.messages(question, instructions),
    temperature: 0,
    ...(protocol.tokensMax === null ? {} : { max_tokens: protocol.tokensMax }),
  });
}

/** The whole address is taken as well as its base, with what some vendors want in the query. */
function completionsUrl(base: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/\/$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  return url.href;
}

/** True with a place; false when the time is up first. */
async function takeWithin(slots: Slots, timeMs: number): Promise<boolean> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('the time is up')), timeMs);
  try {
    await slots.take(controller.signal);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function failureOf({ kind, message }: EgressError, time: CallTime): Failure {
  if (kind === 'timeout') return timedOut(time);
  // No call was made: other tenants' calls to the same host, or the end of this service.
  const isUnsaid = kind === 'busy' || kind === 'aborted';
  return {
    result: isUnsaid ? 'unsaid' : 'failure',
    status: kind === 'busy' ? 'timed_out' : 'error',
    explanation: `The judge could not be asked: ${message}`,
  };
}

/** A call that was given less than half of the usual time says nothing of the judge: a caller in a hurry must not stop it for others. */
function timedOut({ leftMs, usualMs }: CallTime): Failure {
  return { result: leftMs < usualMs / 2 ? 'unsaid' : 'failure', status: 'timed_out', explanation: TIMED_OUT };
}

function readResponse(
  judge: Judge,
  { status, body, isTruncated }: EgressResponse,
): Failure | { verdicts: readonly JudgeVerdict[] } {
  if (status !== 200) return failure(`The judge answered with status ${status}.`);
  if (isTruncated) return failure(`The judge’s answer is cut off, or longer than ${ANSWER_BYTES_MAX} bytes.`);
  const content = contentOf(body);
  const verdicts = content === null ? null : PROTOCOLS[judge.kind].read(content, judge.instructions);
  return verdicts === null ? failure('The judge’s answer could not be understood.') : { verdicts };
}

function failure(explanation: string): Failure {
  return { result: 'failure', status: 'error', explanation };
}

/** The text of the first choice; `null`: there is none. */
function contentOf(body: Buffer): string | null {
  try {
    const answer = JSON.parse(body.toString('utf8')) as { choices?: { message?: { content?: unknown } }[] } | null;
    const content = answer?.choices?.[0]?.message?.content;
    return typeof content === 'string' ? content : null;
  } catch {
    return null;
  }
}
