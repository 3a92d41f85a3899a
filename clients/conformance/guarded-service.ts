// The part of the service that guards streams, as a vector says that it behaves. Remembers the chunks that it took, and what was not right about
// them.

import { refusal, type Reply, type Script, type Seen } from './scripted-server.ts';
import type { Bodies, GuardCase } from './vectors.ts';

const DELTA_CHARS_MAX = 65_536;

/** One that was taken; its repetitions are not told. */
export interface Chunk {
  readonly delta: string | null;
  readonly isFinal: boolean;
  /** When it came first. */
  readonly atMs: number;
}

export interface GuardedService {
  readonly script: Script;
  readonly chunks: readonly Chunk[];
  /** What the client did that it must not do, in words. */
  readonly faults: readonly string[];
  /** All that was released. */
  readonly released: string;
  readonly assessmentId: string;
  /** The chunk that was blocked, from 0. */
  readonly blockedAt: number | null;
}

export function guardedService(behaviour: GuardCase['server'], bodies: Bodies): GuardedService {
  const service = new Guarded(behaviour, bodies);
  return service;
}

class Guarded implements GuardedService {
  readonly chunks: Chunk[] = [];
  readonly faults: string[] = [];
  released = '';
  blockedAt: number | null = null;
  readonly assessmentId: string;
  readonly script: Script = (seen) => this.#answer(seen);
  readonly #behaviour: GuardCase['server'];
  readonly #bodies: Bodies;
  readonly #streamId: string;
  readonly #left: Record<string, Reply[]>;
  readonly #answers = new Map<string, { readonly text: string; readonly result: object }>();
  readonly #came = new Map<string, number>();
  #underWay = 0;
  #text = '';

  constructor(behaviour: GuardCase['server'], bodies: Bodies) {
    this.#behaviour = behaviour;
    this.#bodies = bodies;
    const { id, assessment } = bodies['stream'] as { id: string; assessment: { id: string } };
    this.#streamId = id;
    this.assessmentId = assessment.id;
    this.#left = Object.fromEntries(Object.entries(behaviour.faults ?? {}).map(([name, replies]) => [name, [...replies]]));
  }

  async #answer(seen: Seen): Promise<Reply> {
    if (++this.#underWay > 1) this.faults.push('two requests were under way at once');
    try {
      if (seen.method === 'POST' && seen.path === '/v1/assessments/streams') return this.#open(seen);
      if (seen.method === 'POST' && seen.path === `/v1/assessments/streams/${this.#streamId}/chunks`)
        return await this.#append(seen);
      this.faults.push(`there is no ${seen.method} ${seen.path}`);
      return refusal(404, 'not_found', 'No.');
    } finally {
      this.#underWay--;
    }
  }

  #open({ headers }: Seen): Reply {
    if (headers['idempotency-key'] === undefined) this.faults.push('the stream was opened without an Idempotency-Key');
    const fault = this.#left['open']?.shift();
    if (fault !== undefined) return fault;
    const stream = this.#bodies['stream'] as { assessment: object };
    const outcome = this.#behaviour.input_outcome ?? 'allowed';
    return { status: 201, json: { ...stream, assessment: { ...stream.assessment, outcome } } };
  }

  async #append({ headers, body, fromMs }: Seen): Promise<Reply> {
    const { seq, delta = null, final = false } = body as { seq: number; delta?: string | null; final?: boolean };
    const key = headers['idempotency-key'];
    if (key === undefined) this.faults.push('a chunk came without an Idempotency-Key');
    if (!this.#came.has(`${key}`)) this.#came.set(`${key}`, fromMs);
    if (this.#behaviour.delay_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, this.#behaviour.delay_ms));
    const left = this.#left[final ? 'final' : `${seq}`];
    const fault = left?.shift();
    // What breaks off has been done.
    if (fault !== undefined && fault !== 'truncate') return fault;
    const known = this.#answers.get(`${key}`);
    if (known !== undefined && known.text !== JSON.stringify(body)) this.faults.push('a chunk was sent again with another body');
    const result = known?.result ?? this.#take({ seq, delta, isFinal: final, atMs: this.#came.get(`${key}`)! });
    this.#answers.set(`${key}`, { text: JSON.stringify(body), result });
    return fault ?? { status: 200, json: result };
  }

  #take({ seq, ...chunk }: Chunk & { readonly seq: number }): object {
    const { delta, isFinal } = chunk;
    if (seq !== this.chunks.length) this.faults.push(`chunk ${this.chunks.length} has the number ${seq}`);
    if (this.chunks.at(-1)?.isFinal === true) this.faults.push('a chunk came after the last');
    if (this.blockedAt !== null && !isFinal) this.faults.push('text came after it was blocked');
    if (isFinal ? delta !== null : delta === null || delta === '') this.faults.push('a chunk must have text, and the last none');
    if ([...(delta ?? '')].length > DELTA_CHARS_MAX) this.faults.push(`a chunk has ${delta!.length} characters`);
    if (delta?.isWellFormed() === false) this.faults.push('a chunk ends inside of a character');
    this.chunks.push(chunk);
    this.#text += delta ?? '';
    const { blocks_at: word, blocks_at_end: isBlockedAtEnd = false } = this.#behaviour;
    if (word !== undefined && this.blockedAt === null && this.#text.includes(word)) this.blockedAt = this.chunks.length - 1;
    const isBlocked = this.blockedAt !== null || (isFinal && isBlockedAtEnd);
    const released = isBlocked ? '' : this.#release(isFinal);
    const outcome = isBlocked ? 'blocked' : this.#behaviour.replaces === undefined ? 'allowed' : 'flagged';
    const assessment = isFinal ? { ...this.#bodies['assessment'], outcome } : null;
    return { seq, released, tool_calls: [], held_chars: 0, findings: [], outcome, assessment };
  }

  #release(isFinal: boolean): string {
    const { replaces, holds = 0 } = this.#behaviour;
    const text = replaces === undefined ? this.#text : this.#text.replaceAll(...(replaces as [string, string]));
    const end = isFinal ? text.length : Math.max(this.released.length, text.length - holds);
    const more = text.slice(this.released.length, end);
    this.released += more;
    return more;
  }
}
