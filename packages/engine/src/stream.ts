// An answer that a model is still writing: what of it may be shown already.
//
// The text is read in the slices that it would be read in as a whole, so it does not matter how it arrives. A character may be shown once
// everything that decides about it is known, and only with what the policy redacts replaced. The end is decided by `assess` over the whole.

import type { Evaluation, Finding } from './answer.ts';
import { assess, excuse, findingOf, type AssessOptions, type Listed } from './assess.ts';
import { inferenceProblems, NAME_CHARS_MAX, type Inference } from './inference.ts';
import { compareInDocument, mergeHits } from './merge.ts';
import type { CompiledPolicy, PolicyDetector } from './policy/compile.ts';
import { ruleNeedsOutput } from './policy/rules.ts';
import { Placeholders, redactInference, redactText, type GivenPlaceholders } from './redact.ts';
import { scanSlice, type Hit, type SliceScan } from './scan.ts';
import {
  holdBefore,
  LOOKAHEAD,
  neededFrom,
  ownedFrom,
  placeAfter,
  restAt,
  sliceAt,
  START,
  type Place,
  type Slice,
} from './slices.ts';
import type { Outcome, Part } from './types.ts';

/** What came of a tool call so far, as models write them: its arguments are pieces of JSON. */
export interface ToolCallDelta {
  /** From 0, in order: a call is complete when the next one begins, or the stream ends. */
  readonly index: number;
  readonly name: string;
  readonly arguments: string;
}

/** A piece of an answer. */
export interface StreamDelta {
  readonly text: string;
  readonly toolCalls: readonly ToolCallDelta[];
}

/** A tool call that may be made. `arguments`: as they were written where they are no JSON object. */
export interface ReleasedToolCall {
  readonly index: number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** What a stream remembers from one chunk to the next. Plain JSON, and no more of it however long the answer becomes. */
export interface StreamState {
  /** The end of the text so far, and at which of its offsets that starts. */
  readonly known: string;
  readonly base: number;
  /** Where in `known` the next slice begins. */
  readonly place: Place;
  /** How long the text was when it was last read. */
  readonly readTo: number;
  /** Up to which offset the text was released, and how many characters that came to, placeholders included. */
  readonly releasedTo: number;
  readonly releasedChars: number;
  /** Findings that start before this offset have been reported. */
  readonly reportedTo: number;
  /** How many findings have an id. */
  readonly findings: number;
  readonly outcome: Outcome;
  /** Nothing more is released before the end: something was blocked or could not be read, or only the end can decide. */
  readonly isHeld: boolean;
  /** The same of tool calls, where the text is not held. */
  readonly areToolCallsHeld: boolean;
  readonly toolCall: ToolCallDelta | null;
  readonly toolCallsReleased: number;
  readonly placeholders: GivenPlaceholders;
  /** On whose behalf: exceptions may ask. */
  readonly subject: NonNullable<Inference['subject']> | null;
}

/** What came of a chunk. */
export interface StreamStep {
  readonly state: StreamState;
  /** What may be shown now. */
  readonly released: string;
  readonly toolCalls: readonly ReleasedToolCall[];
  /** Those that are certain by now and were not before. */
  readonly findings: readonly Finding[];
}

/** UTF-16 units that have come and are not released. */
export function heldChars({ base, known, releasedTo }: StreamState): number {
  return base + known.length - releasedTo;
}

/** Shorter pieces wait for the next: reading each word anew would cost more than it shows. With `LOOKAHEAD` at most 1 024. */
const STEP_CHARS = 64;

/** A slice that a long finding fills is read more rarely: its end is as far away as it is long. */
function stepOf({ size }: Place): number {
  return STEP_CHARS * (size / START.size) ** 2;
}

/** Begins a stream. `opened`: the inference without output, which `evaluation` is of. */
export function openStream(opened: Inference, evaluation: Evaluation, policy: CompiledPolicy): StreamState {
  const placeholders = new Placeholders();
  if (policy.mode === 'enforce') redactInference(opened, evaluation.findings, placeholders);
  // Where findings are missing from the list their placeholders are unknown, and what is shown early could not keep its own.
  const isUncertain = evaluation.findings_total > evaluation.findings.length;
  return {
    known: '',
    base: 0,
    place: START,
    readTo: 0,
    releasedTo: 0,
    releasedChars: 0,
    reportedTo: 0,
    findings: evaluation.findings.length,
    outcome: evaluation.outcome,
    isHeld: evaluation.outcome === 'blocked' || isUncertain || isDecidedAtEnd(policy, 'output'),
    areToolCallsHeld: isDecidedAtEnd(policy, 'tool'),
    toolCall: null,
    toolCallsReleased: 0,
    placeholders: placeholders.given,
    subject: opened.subject ?? null,
  };
}

/**
 * Whether something that sees only the whole may take an answer's text (`output`) or its tool calls (`tool`) away, and the policy lets them wait
 * for that. What fails at the end does, where the policy blocks on errors.
 */
function isDecidedAtEnd(policy: CompiledPolicy, target: 'output' | 'tool'): boolean {
  if (policy.mode === 'monitor' || policy.stream === 'release') return false;
  const blocksOnError = policy.onError[target === 'output' ? 'output' : 'input'] === 'block';
  return (
    policy.detectors.some(({ detector, ...owner }) => {
      if (!('compare' in detector) || !owner.enabled || !owner.appliesTo[target]) return false;
      return mayTakeAway(owner) || (blocksOnError && detector.isCertain !== true);
    }) ||
    policy.judges.some(({ appliesTo, blockAt }) => appliesTo[target] && (blocksOnError || blockAt !== null)) ||
    policy.rules.some((rule) => ruleNeedsOutput(rule) && (policy.onError.output === 'block' || rule.outcome === 'blocked'))
  );
}

/** Whether findings of a detector may be redacted or block. */
function mayTakeAway({ action, blockAt, chosen, usual }: Omit<PolicyDetector, 'detector'>): boolean {
  const actions = [action, ...chosen.values(), ...usual.values()];
  return blockAt !== null || actions.some((one) => one === 'redact' || one === 'block');
}

/** Whether a detector may take something away from the text of an answer. */
function mayAct(owner: PolicyDetector): boolean {
  return owner.enabled && owner.appliesTo.output && mayTakeAway(owner);
}

/** What keeps a delta from being the next of a stream; `null`: nothing. */
export function toolCallProblem(state: StreamState, toolCalls: readonly ToolCallDelta[]): string | null {
  let next = state.toolCall === null ? 0 : state.toolCall.index;
  let isFirst = state.toolCall === null;
  for (const { index } of toolCalls) {
    if (index === next) isFirst = false;
    else if (index === next + 1 && !isFirst) next = index;
    else return `the tool call ${index} is not the one that is being written, nor the next`;
  }
  const open = [state.toolCall, ...toolCalls].filter((call) => call !== null);
  const isTooLong = open.some(({ index: of }) => {
    const name = open.filter(({ index }) => index === of).map((call) => call.name);
    return name.join('').length > NAME_CHARS_MAX;
  });
  return isTooLong ? `the name of a tool call must not have more than ${NAME_CHARS_MAX} characters` : null;
}

/** Reads the next piece of an answer, which has no `toolCallProblem`. Costs the same however much came before. */
export function readStream(state: StreamState, delta: StreamDelta, policy: CompiledPolicy, options: AssessOptions): StreamStep {
  const reader = new StreamReader(state, policy, options);
  reader.readText(delta.text);
  for (const toolCall of delta.toolCalls) reader.readToolCall(toolCall);
  return reader.step;
}

/** What is released at the end, `evaluation` being that of the whole inference made with the stream's placeholders. */
export function endStream(
  state: StreamState,
  inference: Inference,
  evaluation: Evaluation,
): Pick<StreamStep, 'released' | 'toolCalls'> {
  if (evaluation.outcome === 'blocked') return { released: '', toolCalls: [] };
  const output = evaluation.redacted?.output ?? inference.output ?? '';
  const toolCalls = (evaluation.redacted?.tool_calls ?? inference.tool_calls ?? []) as ToolCalls;
  return {
    released: (output as string).slice(state.releasedChars),
    toolCalls: toolCalls.map(releasedToolCall).slice(state.toolCallsReleased),
  };
}

type ToolCalls = NonNullable<Inference['tool_calls']>;

/** The inference that a stream has become: `opened` with all that came after. */
export function streamedInference(opened: Inference, deltas: readonly StreamDelta[]): Inference {
  const calls: ToolCallDelta[] = [];
  for (const delta of deltas.flatMap(({ toolCalls }) => toolCalls)) calls[delta.index] = joined(calls[delta.index], delta);
  const output = deltas.map(({ text }) => text).join('');
  return {
    ...opened,
    output,
    ...(calls.length === 0 ? {} : { tool_calls: [...(opened.tool_calls ?? []), ...calls.map(parsedCall)] }),
  };
}

function joined(call: ToolCallDelta | null | undefined, more: ToolCallDelta): ToolCallDelta {
  return call === null || call === undefined
    ? more
    : { index: call.index, name: call.name + more.name, arguments: call.arguments + more.arguments };
}

/** The member that holds arguments as they were written, where they are no JSON object within the bounds of an inference. */
const UNPARSED = '';

function parsedCall({ name, arguments: written }: ToolCallDelta): ToolCalls[number] {
  if (written.trim() === '') return { name };
  const call = { name, arguments: parsedArguments(written) };
  return inferenceProblems({ input: '', tool_calls: [call] }).length === 0 ? call : { name, arguments: { [UNPARSED]: written } };
}

function parsedArguments(written: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // No JSON: read as a text.
  }
  return { [UNPARSED]: written };
}

function releasedToolCall({ name, arguments: values = {} }: ToolCalls[number], index: number): ReleasedToolCall {
  const unparsed = Object.keys(values).length === 1 ? values[UNPARSED] : undefined;
  return { index, name, arguments: typeof unparsed === 'string' ? unparsed : values };
}

const OUTPUT: Part = { pointer: '/output', text: '', target: 'output', role: null };

class StreamReader {
  readonly #policy: CompiledPolicy;
  readonly #options: AssessOptions;
  readonly #isEnforced: boolean;
  /** Detectors whose findings may take something away. */
  readonly #acting: ReadonlySet<string>;
  readonly #placeholders: Placeholders;
  readonly #findings: Finding[] = [];
  readonly #toolCalls: ReleasedToolCall[] = [];
  #state: StreamState;
  #released = '';

  constructor(state: StreamState, policy: CompiledPolicy, options: AssessOptions) {
    this.#state = state;
    this.#policy = policy;
    this.#options = options;
    this.#isEnforced = policy.mode === 'enforce';
    this.#acting = new Set(this.#isEnforced ? policy.detectors.filter(mayAct).map(({ detector }) => detector.id) : []);
    this.#placeholders = new Placeholders(state.placeholders);
  }

  get step(): StreamStep {
    return {
      state: { ...this.#state, placeholders: this.#placeholders.given },
      released: this.#released,
      toolCalls: this.#toolCalls,
      findings: this.#findings,
    };
  }

  readText(delta: string): void {
    this.#change({ known: this.#state.known + delta });
    for (let slice = this.#nextSlice(); slice !== null; slice = this.#nextSlice()) this.#readSlice(slice);
    this.#readRest();
    if (this.#acting.size === 0) this.#release([], [], this.#state.known.length);
  }

  #nextSlice(): Slice | null {
    return sliceAt(this.#state.place, this.#state.known);
  }

  /** Reads a slice that is complete, which decides about all that it owns. */
  #readSlice(slice: Slice): void {
    const scan = this.#scan(slice);
    const { base, known, place: before, readTo } = this.#state;
    const place = placeAfter(before, scan);
    this.#settle(scan.hits, place.from, place.from);
    const drop = neededFrom(place);
    this.#change({
      known: known.slice(drop),
      base: base + drop,
      place: { ...place, from: place.from - drop },
      readTo: Math.max(readTo, base + slice.end),
    });
  }

  /** Reads what is known of the next slice, where that can show or report anything. */
  #readRest(): void {
    const { base, known, place, readTo, reportedTo } = this.#state;
    const limit = known.length - LOOKAHEAD;
    // What is reported is released too, where anything may be.
    if (limit <= Math.max(place.from, reportedTo - base) || base + known.length - readTo < stepOf(place)) return;
    const { hits, settledTo } = this.#scan(restAt(place, known));
    const certain = Math.min(limit, settledTo);
    const acting = hits.filter(({ detector }) => this.#acting.has(detector.id));
    this.#settle(hits, holdBefore(certain, hits), holdBefore(certain, acting));
    this.#change({ readTo: base + known.length });
  }

  /** What stands in a slice of `known`, from the place on. */
  #scan(slice: Slice): SliceScan {
    const { clock, deadlineMs } = this.#options;
    const { known, place } = this.#state;
    const deadlineAt = clock() + (deadlineMs ?? this.#policy.deadlineMs);
    const { hits, settledTo, failures } = scanSlice({ ...OUTPUT, text: known }, slice, this.#policy, clock, deadlineAt);
    // What was not read waits for the end, which decides by `on_error`.
    if (failures.length > 0 && this.#isEnforced && this.#policy.onError.output === 'block') this.#change({ isHeld: true });
    return { hits: ownedFrom(place.from, hits), settledTo };
  }

  /** Reports what starts before `reportTo`, and releases the text before `releaseTo`: none of the hits that matter for it reaches over these. */
  #settle(hits: readonly Hit[], reportTo: number, releaseTo: number): void {
    const { counting, excused } = excuse(hits, subjectOf(this.#state), this.#policy, this.#options.nowMs);
    const merged = mergeHits(counting);
    this.#report([...merged.map((hit) => ({ hit, exceptionId: null })), ...excused], reportTo);
    this.#release(counting, merged, releaseTo);
  }

  #report(found: readonly Listed[], upTo: number): void {
    const { base, reportedTo } = this.#state;
    if (base + upTo <= reportedTo) return;
    const isDue = ({ hit }: Listed) => hit.start < upTo && base + hit.start >= reportedTo;
    for (const { hit, exceptionId } of found.filter(isDue).sort((a, b) => compareInDocument(a.hit, b.hit))) {
      this.#add(findingOf({ ...hit, start: hit.start + base, end: hit.end + base }, exceptionId, 0, this.#isEnforced));
    }
    this.#change({ reportedTo: base + upTo });
  }

  #add(finding: Finding): void {
    const { findings, outcome } = this.#state;
    this.#findings.push({ ...finding, id: `fnd_${findings + 1}` });
    this.#change({ findings: findings + 1, outcome: worse(outcome, finding.outcome) });
  }

  /** Releases the text before `upTo`, or before what blocks it. */
  #release(hits: readonly Hit[], merged: readonly Hit[], upTo: number): void {
    const { base, known, isHeld, releasedTo, releasedChars } = this.#state;
    const from = releasedTo - base;
    if (isHeld || upTo <= from) return;
    const hidden = hits.filter(({ action }) => action === 'redact');
    const blocked = hits.reduce((first, { action, start }) => (action === 'block' ? Math.min(first, start) : first), Infinity);
    if (this.#isEnforced && blocked < upTo) this.#change({ isHeld: true, outcome: 'blocked' });
    const to = wholeCharacters(
      known,
      this.#isEnforced ? Math.max(from, Math.min(upTo, holdBefore(blocked, hidden))) : upTo,
      from,
    );
    const spans = merged.filter(({ action, start, end }) => action === 'redact' && start < end && start < to && end > from);
    const text = this.#isEnforced ? this.#redacted(known.slice(from, to), spans, from) : known.slice(from, to);
    this.#released += text;
    this.#change({ releasedTo: base + to, releasedChars: releasedChars + text.length });
  }

  #redacted(text: string, hits: readonly Hit[], from: number): string {
    const spans = hits.map(({ candidate: { type }, start, end }) => ({
      type,
      start: Math.max(0, start - from),
      end: end - from,
    }));
    return redactText(text, spans, this.#placeholders);
  }

  readToolCall(delta: ToolCallDelta): void {
    const open = this.#state.toolCall;
    const isNext = open?.index !== delta.index;
    if (open !== null && isNext) this.#completeToolCall(open);
    this.#change({ toolCall: isNext ? delta : joined(open, delta) });
  }

  #completeToolCall(open: ToolCallDelta): void {
    const call = parsedCall(open);
    // Those before it stand for themselves, so that pointers name its place.
    const tool_calls = [...Array.from({ length: open.index }, () => ({ name: 'released' })), call];
    const evaluation = assess(
      { tool_calls, ...subjectOf(this.#state) },
      { ...this.#policy, rules: [] },
      { ...this.#options, placeholders: this.#placeholders },
    );
    for (const finding of evaluation.findings) this.#add(finding);
    if (evaluation.outcome === 'blocked') this.#change({ isHeld: true });
    if (this.#state.isHeld || this.#state.areToolCallsHeld) return;
    const released = ((evaluation.redacted?.tool_calls ?? tool_calls) as ToolCalls)[open.index]!;
    this.#toolCalls.push(releasedToolCall(released, open.index));
    this.#change({ toolCallsReleased: open.index + 1 });
  }

  #change(changes: Partial<StreamState>): void {
    this.#state = { ...this.#state, ...changes };
  }
}

/** `to`, or one unit less where that would cut a character in two. */
function wholeCharacters(text: string, to: number, from: number): number {
  const code = text.charCodeAt(to - 1);
  return to > from && code >= 0xd800 && code < 0xdc00 ? to - 1 : to;
}

function subjectOf({ subject }: StreamState): Pick<Inference, 'subject'> {
  return subject === null ? {} : { subject };
}

const OUTCOME_RANK: Readonly<Record<Outcome, number>> = { allowed: 0, flagged: 1, blocked: 2 };

function worse(a: Outcome, b: Outcome): Outcome {
  return OUTCOME_RANK[a] >= OUTCOME_RANK[b] ? a : b;
}
