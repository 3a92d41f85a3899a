// A list that goes on in both directions: older ones by cursor, new ones as they come. It knows nothing of the page that shows it.

import { ApiError, NotFoundError, type Assessment, type Event } from '@svc/client';
import { svc } from '../../api.ts';
import { queryOf, spanOf, type Filter } from './filters.ts';
import { isInference } from '../../kinds.ts';
import { rowOfAssessment, rowOfEvent, type Row } from './rows.ts';

const PAGE = 200;
const WAIT_S = 25;
/** Beyond these a list begins anew at its newest: memory is not to grow for as long as a page is open. */
const ROWS_MAX = 20_000;
const FRESH_MAX = 1_000;
const POLL_MS_MIN = 400;
/** The service answers at once when too many wait. */
const AT_ONCE_MS = 1_000;
const PAUSE_MS = 2_000;
const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000];
/** So much the clock here may be ahead of the service's: what comes until a time is waited for as long. */
const CLOCK_MS = 5_000;

type Live = 'on' | 'paused' | 'lost' | 'ended' | 'none';

export interface TrailState {
  readonly rows: readonly Row[];
  /** Came, and wait to be shown, newest first. */
  readonly fresh: readonly Row[];
  /** There are more new ones than are held. */
  readonly isBehind: boolean;
  /** The first page is there. */
  readonly isRead: boolean;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly error: unknown;
  readonly live: Live;
  readonly liveError: unknown;
}

/** A sequence that the trail of `owner` had reached when a list looked last: new lists need not ask. */
let lastHead = { owner: '', sequence: 0 };

const NOTHING: TrailState = {
  rows: [],
  fresh: [],
  isBehind: false,
  isRead: false,
  isReading: false,
  hasMore: false,
  error: null,
  live: 'on',
  liveError: null,
};

export class Trail {
  readonly #filter: Filter;
  readonly #owner: string;
  /** Nothing comes after it. */
  readonly #endMs: number;
  /** Of a period that moves on with the time. */
  readonly #spanMs: number;
  #query: ReturnType<typeof queryOf>;
  readonly #listeners = new Set<() => void>();
  #state: TrailState = NOTHING;
  #cursor: string | null = null;
  /** All up to this sequence is known. */
  #after = 0;
  #run: AbortController | null = null;
  #poll: AbortController | null = null;
  #wake: () => void = () => {};
  /** Whether new ones can be put on top without moving what is read. */
  isAtTop = true;
  /** How many lines are above what is looked at. */
  scrolledRows = 0;

  /** `owner`: whose session reads. */
  constructor(filter: Filter, owner: string) {
    this.#filter = filter;
    this.#owner = owner;
    this.#query = queryOf(filter, Date.now());
    this.#endMs = filter.values.until === undefined ? Infinity : Date.parse(filter.values.until);
    this.#spanMs = spanOf(filter);
    // Nothing new is before a time that has passed.
    if (this.#isOver()) this.#state = { ...NOTHING, live: 'none' };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): TrailState => this.#state;

  /** Reads, and follows until it is stopped. It may be started again. */
  start(): void {
    this.#run = new AbortController();
    const onVisible = () => this.#wake();
    document.addEventListener('visibilitychange', onVisible, { signal: this.#run.signal });
    void this.#go(this.#run.signal);
  }

  stop(): void {
    this.#run?.abort();
    this.#run = null;
  }

  pause(isPaused: boolean): void {
    this.#set({ live: isPaused ? 'paused' : 'on', liveError: null });
    this.#poll?.abort();
    this.#wake();
  }

  /** Tries at once, where the service was lost. */
  retry(): void {
    this.#wake();
  }

  /** Begins anew at the newest. */
  reload(): void {
    if (this.#run === null) return;
    this.stop();
    this.#set({ ...NOTHING, live: this.#state.live === 'paused' || this.#state.live === 'none' ? this.#state.live : 'on' });
    this.start();
  }

  showFresh(): void {
    if (this.#state.isBehind) this.reload();
    else this.#set({ rows: [...this.#state.fresh, ...this.#state.rows], fresh: [] });
  }

  async readMore(): Promise<void> {
    const run = this.#run;
    if (run === null || this.#state.isReading || !this.#state.hasMore) return;
    this.#set({ isReading: true, error: null });
    try {
      const rows = await this.#page(this.#cursor, run.signal);
      if (run.signal.aborted) return;
      this.#set({ rows: [...this.#state.rows, ...rows], isReading: false });
      this.#leave();
    } catch (error) {
      // Who stopped it may start it again.
      this.#set({ isReading: false, ...(run.signal.aborted ? {} : { error }) });
    }
  }

  #isOver(): boolean {
    return Date.now() >= this.#endMs + CLOCK_MS;
  }

  /** The period has moved on: what is older now leaves. */
  #leave(): void {
    if (this.#spanMs === Infinity) return;
    const start = new Date(Date.now() - this.#spanMs).toISOString();
    const [rows, fresh] = [this.#state.rows, this.#state.fresh].map((list) =>
      list.slice(0, list.findLastIndex(({ at }) => at >= start) + 1),
    ) as [Row[], Row[]];
    // What lies beyond the last that left is older still.
    if (rows.length < this.#state.rows.length) this.#set({ rows, fresh, hasMore: false });
    else if (fresh.length < this.#state.fresh.length) this.#set({ fresh });
  }

  #set(changes: Partial<TrailState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener();
  }

  async #go(signal: AbortSignal): Promise<void> {
    try {
      if (!this.#state.isRead) await this.#readFirst(signal);
    } catch (error) {
      if (!signal.aborted) this.#set({ isReading: false, error });
      return;
    }
    if (this.#state.live !== 'none') await this.#follow(signal);
  }

  async #readFirst(signal: AbortSignal): Promise<void> {
    this.#set({ isReading: true, error: null });
    this.#query = queryOf(this.#filter, Date.now());
    // From before the page: what was committed in between is in both, and is dropped once. Assessments do not tell their sequence.
    const { owner, sequence } = lastHead;
    this.#after = owner === this.#owner && sequence > 0 && this.#filter.view === 'events' ? sequence : await this.#head(signal);
    const rows = await this.#page(null, signal);
    if (signal.aborted) return;
    this.#set({ rows, isRead: true, isReading: false });
  }

  async #page(cursor: string | null, signal: AbortSignal): Promise<Row[]> {
    const query = { ...this.#query, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const page =
      this.#filter.view === 'assessments'
        ? await svc.assessments
            .list(query, { signal })
            .then(({ data, ...rest }) => ({ ...rest, rows: data.map(rowOfAssessment) }))
        : await svc.events.list(query, { signal }).then(({ data, ...rest }) => ({ ...rest, rows: data.map(rowOfEvent) }));
    if (!signal.aborted) {
      this.#cursor = page.next_cursor;
      this.#set({ hasMore: page.has_more });
    }
    return page.rows;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      if (this.#state.live === 'paused' || this.#state.isBehind || document.hidden) {
        await this.#sleep(Infinity, signal);
        continue;
      }
      this.#leave();
      // Asked once more after it: what came at the last moment is there, too.
      const isLast = this.#isOver();
      const askedAt = performance.now();
      const poll = new AbortController();
      this.#poll = poll;
      try {
        const came = await this.#pull(AbortSignal.any([signal, poll.signal]));
        failures = 0;
        if (signal.aborted) return;
        if (isLast && came !== 'some' && !poll.signal.aborted) return this.#set({ live: 'none' });
        const tookMs = performance.now() - askedAt;
        await this.#sleep(came === 'nothing' && tookMs < AT_ONCE_MS ? PAUSE_MS : POLL_MS_MIN - tookMs, signal);
      } catch (error) {
        if (signal.aborted) return;
        if (poll.signal.aborted) continue;
        if (error instanceof NotFoundError) return this.reload();
        const isOver = error instanceof ApiError && (error.status === 401 || error.status === 403);
        this.#set({ live: isOver ? 'ended' : 'lost', liveError: error });
        if (isOver) return;
        await this.#sleep(RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]!, signal);
      }
    }
  }

  /** `others`: the trail went on, with nothing that is listed here. */
  async #pull(signal: AbortSignal): Promise<'some' | 'others' | 'nothing'> {
    const isLost = this.#state.live === 'lost';
    // Without it a filter that matches nothing would have the same stretch read over and over.
    const head = await this.#head(signal, 0);
    if (isLost) this.#set({ live: 'on', liveError: null });
    const page = await svc.events.list(
      { ...this.#query, after_sequence: this.#after, wait_s: head > this.#after ? 0 : this.#waitS(), limit: PAGE },
      { signal, maxRetries: 0 },
    );
    if (signal.aborted) return 'nothing';
    if (page.data.length === 0) {
      const isBeyond = head > this.#after;
      this.#after = Math.max(this.#after, head);
      // What had to be looked through is: the next request waits.
      return isBeyond ? 'others' : 'nothing';
    }
    this.#after = page.data.at(-1)!.sequence;
    this.#take(page.data, page.has_more);
    return 'some';
  }

  /** Not beyond the time at which the list ends. */
  #waitS(): number {
    return Math.max(0, Math.min(WAIT_S, Math.ceil((this.#endMs + CLOCK_MS - Date.now()) / 1_000)));
  }

  /** The last sequence of the trail. */
  async #head(signal: AbortSignal, maxRetries?: number): Promise<number> {
    const { data } = await svc.events.list({ limit: 1 }, { signal, maxRetries });
    const sequence = data[0]?.sequence ?? 0;
    lastHead = { owner: this.#owner, sequence };
    return sequence;
  }

  #take(events: readonly Event[], hasMore: boolean): void {
    const { rows, fresh } = this.#state;
    const isAssessments = this.#filter.view === 'assessments';
    const known = new Set([...rows.slice(0, PAGE), ...fresh.slice(0, PAGE)].map(({ id }) => id));
    const newest = (fresh[0] ?? rows[0])?.sequence ?? 0;
    const come = events
      .filter(({ id, sequence, kind }) => sequence > newest && !known.has(id) && (!isAssessments || isInference(kind)))
      .map((event) =>
        isAssessments ? rowOfAssessment({ ...(event.data as unknown as Assessment), event_id: event.id }) : rowOfEvent(event),
      )
      .toReversed();
    if (this.isAtTop && fresh.length === 0) {
      // Too many came at once to show each: the newest are shown.
      if (hasMore || rows.length + come.length > ROWS_MAX) this.reload();
      else this.#set({ rows: [...come, ...rows] });
    } else this.#set({ fresh: [...come, ...fresh], isBehind: fresh.length + come.length > FRESH_MAX });
  }

  /** Ends early when something changed. */
  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = ms === Infinity ? undefined : setTimeout(end, Math.max(0, ms));
      this.#wake = end;
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }
}
