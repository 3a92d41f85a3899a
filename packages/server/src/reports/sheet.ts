// The counts of an hour or a day: what of an organization's trail was recorded in it.

/** How many inferences, and of which outcome; the rest was not decided by anybody. */
export interface Counts {
  total: number;
  allowed: number;
  flagged: number;
  blocked: number;
}

/** Events of one kind. */
export interface Seen {
  count: number;
  /** The first and the last of them in the trail, and when they were recorded (Unix milliseconds). */
  firstSequence: number;
  firstAtMs: number;
  lastSequence: number;
  lastAtMs: number;
}

/**
 * What is counted by name. `sources`: inferences by how they came, `api` or `probe`, and in `assessed` those of `probe` whose texts the service
 * assessed. `models`: without `allowed`, which telemetry does not tell by model; an inference without a model has the name ''. `probes`: what
 * they reported. `policies`: by version. `categories`, `severities`: of inferences that the trail has an event of. `coverage`, `modes`,
 * `suppressed` (what monitor mode kept from being done), `faults` (detectors that failed or ran out of time), `latencies` (by bucket, see
 * latency.ts): of those that the service decided. `telemetry`: what became of reported inferences.
 */
const GROUPS = [
  'sources',
  'models',
  'probes',
  'policies',
  'categories',
  'severities',
  'coverage',
  'modes',
  'suppressed',
  'faults',
  'latencies',
  'telemetry',
] as const;
export type GroupName = (typeof GROUPS)[number];

/** Names beyond it in one group of one sheet are counted together. They are callers' to choose, and a sheet is to stay small. */
export const NAMES_MAX = 200;
/** Their name: no caller can send it, as no text in PostgreSQL holds a NUL. */
export const OTHERS = '\0';

export type Group = Map<string, Counts>;

export class Sheet {
  readonly kinds = new Map<string, Seen>();
  readonly groups: Readonly<Record<GroupName, Group>>;
  /** The hours (UTC) in which an inference was assessed or reported, as bits: 1 for the first hour of the day. */
  hours = 0;
  readonly #namesMax: number;

  /** `namesMax`: names of a group beyond it are counted together. */
  constructor(namesMax: number = NAMES_MAX) {
    this.#namesMax = namesMax;
    this.groups = Object.fromEntries(GROUPS.map((name) => [name, new Map()])) as unknown as Record<GroupName, Group>;
  }

  /** Counts an event. Those of a trail come in the order of their sequence. */
  see(kind: string, sequence: number, atMs: number): void {
    const seen = this.kinds.get(kind);
    if (seen === undefined) {
      this.kinds.set(kind, { count: 1, firstSequence: sequence, firstAtMs: atMs, lastSequence: sequence, lastAtMs: atMs });
      return;
    }
    seen.count++;
    if (sequence > seen.lastSequence) {
      seen.lastSequence = sequence;
      seen.lastAtMs = atMs;
    }
  }

  /** There was an inference. */
  markHour(atMs: number): void {
    this.hours |= 1 << hourOf(atMs);
  }

  /** Counts inferences under a name. */
  count(group: GroupName, name: string, outcome: keyof Counts, number = 1): void {
    const counts = countsOf(this.groups[group], name, this.#namesMax);
    counts.total += number;
    if (outcome !== 'total') counts[outcome] += number;
  }

  /** Tells the outcome of an inference that is in the total of its name already, or will be. */
  tell(group: GroupName, name: string, outcome: Exclude<keyof Counts, 'total'>): void {
    countsOf(this.groups[group], name, this.#namesMax)[outcome]++;
  }

  /** Adds what another counted. */
  add(other: Sheet): void {
    this.hours |= other.hours;
    for (const [kind, seen] of other.kinds) addSeen(this.kinds, kind, seen);
    for (const name of GROUPS)
      for (const [key, counts] of other.groups[name]) addCounts(countsOf(this.groups[name], key, this.#namesMax), counts);
  }

  /** The greatest sequence that was counted; 0: none. */
  get lastSequence(): number {
    let last = 0;
    for (const seen of this.kinds.values()) last = Math.max(last, seen.lastSequence);
    return last;
  }

  /** JSON. Names are values in it, never members: they are whatever a caller chose. */
  toText(): string {
    const groups = GROUPS.map((name) =>
      Array.from(this.groups[name], ([key, { total, allowed, flagged, blocked }]) => [key, total, allowed, flagged, blocked]),
    );
    const kinds = Array.from(this.kinds, ([kind, seen]) => [
      kind,
      seen.count,
      seen.firstSequence,
      seen.firstAtMs,
      seen.lastSequence,
      seen.lastAtMs,
    ]);
    return JSON.stringify({ v: 1, hours: this.hours, kinds, groups });
  }

  static parse(text: string): Sheet {
    const stored = JSON.parse(text) as Stored;
    const sheet = new Sheet();
    sheet.hours = stored.hours;
    for (const [kind, count, firstSequence, firstAtMs, lastSequence, lastAtMs] of stored.kinds) {
      sheet.kinds.set(kind, { count, firstSequence, firstAtMs, lastSequence, lastAtMs });
    }
    // By place: groups are only ever added, at the end.
    for (const [i, name] of GROUPS.entries()) {
      for (const [key, total, allowed, flagged, blocked] of stored.groups[i] ?? [])
        sheet.groups[name].set(key, { total, allowed, flagged, blocked });
    }
    return sheet;
  }
}

interface Stored {
  readonly hours: number;
  readonly kinds: readonly (readonly [string, number, number, number, number, number])[];
  readonly groups: readonly (readonly (readonly [string, number, number, number, number])[])[];
}

const HOUR_MS = 3_600_000;

function hourOf(ms: number): number {
  return Math.floor(ms / HOUR_MS) % 24;
}

function countsOf(group: Group, name: string, namesMax: number): Counts {
  const known = group.get(name);
  if (known !== undefined) return known;
  if (group.size >= namesMax && name !== OTHERS) return countsOf(group, OTHERS, namesMax);
  const counts = { total: 0, allowed: 0, flagged: 0, blocked: 0 };
  group.set(name, counts);
  return counts;
}

function addCounts(counts: Counts, more: Counts): void {
  counts.total += more.total;
  counts.allowed += more.allowed;
  counts.flagged += more.flagged;
  counts.blocked += more.blocked;
}

function addSeen(kinds: Map<string, Seen>, kind: string, more: Seen): void {
  const seen = kinds.get(kind);
  if (seen === undefined) {
    kinds.set(kind, { ...more });
    return;
  }
  seen.count += more.count;
  if (more.firstSequence < seen.firstSequence) {
    seen.firstSequence = more.firstSequence;
    seen.firstAtMs = more.firstAtMs;
  }
  if (more.lastSequence > seen.lastSequence) {
    seen.lastSequence = more.lastSequence;
    seen.lastAtMs = more.lastAtMs;
  }
}
