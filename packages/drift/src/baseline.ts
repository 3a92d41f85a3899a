// What "unchanged" means for one series: where values fall, how often, and how sure that is.

import { createHash } from 'node:crypto';
import { BLOCK_SIZES, Dependence } from './dependence.ts';
import { type Feature, labelFeatures, momentsOf, numericFeatures, RATE_FEATURES, TOP_LABELS, valuesOf } from './features.ts';
import { type Interval, meanInterval, shareInterval } from './interval.ts';
import { cellOf, type Cells, cellsOf, EDGES_MAX, percentile, searchable } from './quantiles.ts';
import { LABEL_UNITS_MAX, OTHER, type Sample } from './sample.ts';
import { StateError, type StateReader, type StateWriter } from './state-format.ts';
import type { BaselineReport, Percentiles, SignalKind } from './types.ts';

const NO_VALUES = new Float64Array(0);

/** How values become cells. */
type Encoding =
  | { readonly kind: 'rate' }
  | { readonly kind: 'numeric'; readonly cells: Cells; readonly search: Int32Array }
  | { readonly kind: 'categorical'; readonly labels: readonly string[]; readonly cellOfLabel: ReadonlyMap<string, number> };

/** One feature as measured. */
export interface Measured {
  readonly feature: Feature;
  /** A level's value in each cell; empty for a share. */
  readonly values: Float64Array;
  readonly mean: number;
  readonly variance: number;
  /** How many observations depend on each other, 1 to 50. */
  readonly dependence: number;
  /** Where the true mean lies, as far as can be told. */
  readonly interval: Interval;
}

/** Observations added to a baseline together: counts by cell and the sums of blocks. */
export interface Addition {
  readonly counts: Float64Array;
  readonly dependence: Dependence;
  readonly toMs: number;
}

export class Baseline {
  readonly fromMs: number;
  readonly counts: Float64Array;
  readonly features: readonly Feature[];
  toMs: number;
  n: number;
  isFrozen = false;
  measured: readonly Measured[] = [];
  readonly #encoding: Encoding;
  #dependence: Dependence;
  /** The counts that gave each cell its level, where levels are to stay as hours were compared by them. */
  #levelCounts: Float64Array | null = null;
  /** Factors that hold until the dependence of what is left beyond the season is known. */
  #factorsBefore: readonly number[] = [];

  private constructor(encoding: Encoding, counts: Float64Array, dependence: Dependence | null, fromMs: number, toMs: number) {
    this.#encoding = encoding;
    this.features = featuresOf(encoding);
    this.counts = counts;
    this.#dependence = dependence ?? new Dependence(this.features.length);
    this.fromMs = fromMs;
    this.toMs = toMs;
    this.n = counts.reduce((sum, count) => sum + count, 0);
  }

  /** The first baseline from the observations of a sample. */
  static learn(sample: Sample): Baseline {
    const encoding = encodingOf(sample);
    const codes = sample.codes;
    const cells = Uint8Array.from(codes, (code) => cellOfCode(encoding, sample, code));
    const counts = new Float64Array(cellCountOf(encoding));
    for (const cell of cells) counts[cell]!++;
    const baseline = new Baseline(encoding, counts, null, sample.firstMs, sample.lastMs);
    const values = baseline.features.map((feature) => valuesOf(feature, counts));
    for (const [index, size] of BLOCK_SIZES.entries())
      for (let at = 0; at + size <= cells.length; at += size)
        baseline.#dependence.addBlock(index, sumsOf(values, cells.subarray(at, at + size)));
    baseline.measure();
    return baseline;
  }

  get cellCount(): number {
    return this.counts.length;
  }

  /** The cell of an ordered key (numeric) or of 0 or 1 (rate). */
  cellOfNumber(code: number): number {
    return this.#encoding.kind === 'numeric' ? cellOf(this.#encoding.search, code) : code;
  }

  cellOfLabel(label: string): number {
    if (this.#encoding.kind !== 'categorical') throw new TypeError('only a categorical baseline has labels');
    return this.#encoding.cellOfLabel.get(label) ?? this.#encoding.labels.length;
  }

  add(addition: Addition): void {
    for (let cell = 0; cell < this.counts.length; cell++) {
      this.counts[cell]! += addition.counts[cell]!;
      this.n += addition.counts[cell]!;
    }
    this.#dependence.merge(addition.dependence);
    this.toMs = addition.toMs;
    this.measure();
  }

  /** Keeps the cells' levels as they are, while the counts go on growing. */
  keepLevels(): void {
    this.#levelCounts = this.counts.slice();
  }

  /** From now on blocks are what is left after the season: they say more, as soon as there are enough of them. */
  forgetDependence(): void {
    this.#factorsBefore = this.measured.map(({ dependence }) => dependence);
    this.#dependence = new Dependence(this.features.length);
    this.measure();
  }

  measure(): void {
    this.measured = this.features.map((feature, index) => this.#measure(feature, index));
  }

  percentiles(counts: ArrayLike<number> = this.counts): Percentiles | undefined {
    if (this.#encoding.kind !== 'numeric') return undefined;
    const edges = this.#encoding.cells.edges;
    const [p10, p50, p90, p99] = [0.1, 0.5, 0.9, 0.99].map((share) => percentile(edges, counts, share)) as [
      number,
      number,
      number,
      number,
    ];
    return { p10, p50, p90, p99 };
  }

  /** SHA-256 (lower-case hex) of the baseline's canonical form: one JSON text of all that decides, members in a fixed order. */
  digest(extra: readonly unknown[] = []): string {
    const encoding = this.#encoding;
    const places =
      encoding.kind === 'numeric' ? [...encoding.cells.edges] : encoding.kind === 'categorical' ? encoding.labels : [];
    const form = {
      version: 1,
      kind: encoding.kind,
      n: this.n,
      from: this.fromMs,
      to: this.toMs,
      places,
      counts: [...this.counts],
      dependence: this.measured.map(({ dependence }) => dependence),
      extra,
    };
    return createHash('sha256').update(JSON.stringify(form)).digest('hex');
  }

  report(bounds: readonly Interval[], isSeasonal: boolean, sha256: string): BaselineReport {
    const percentiles = this.percentiles();
    return {
      n: this.n,
      from: this.fromMs,
      to: this.toMs,
      value: this.measured[0]!.mean,
      sha256,
      frozen: this.isFrozen,
      seasonal: isSeasonal,
      features: this.measured.map(({ feature, mean }, index) => ({
        feature: feature.name,
        ...(feature.label !== undefined && { label: feature.label }),
        value: mean,
        low: bounds[index]!.low,
        high: bounds[index]!.high,
      })),
      ...(percentiles && { percentiles }),
    };
  }

  write(writer: StateWriter): void {
    writeEncoding(writer, this.#encoding);
    writer.counts(this.counts);
    writer.double(this.fromMs);
    writer.double(this.toMs);
    writer.flag(this.isFrozen);
    this.#dependence.write(writer);
    writer.count(this.#factorsBefore.length);
    writer.doubles(Float64Array.from(this.#factorsBefore));
    writer.flag(this.#levelCounts !== null);
    if (this.#levelCounts) writer.counts(this.#levelCounts);
  }

  static read(reader: StateReader, kind: SignalKind): Baseline {
    const encoding = readEncoding(reader, kind);
    const counts = reader.counts(cellCountOf(encoding));
    const fromMs = reader.double();
    const toMs = reader.double();
    const isFrozen = reader.flag();
    const baseline = new Baseline(encoding, counts, null, fromMs, toMs);
    baseline.#dependence = Dependence.read(reader, baseline.features.length);
    baseline.isFrozen = isFrozen;
    baseline.#factorsBefore = [...reader.doubles(reader.count(baseline.features.length))];
    if (reader.flag()) baseline.#levelCounts = reader.counts(baseline.cellCount);
    if (baseline.n === 0) throw new StateError('its baseline is empty');
    baseline.measure();
    return baseline;
  }

  /** A feature's value in each cell. */
  valuesOf(index: number): Float64Array {
    return valuesOf(this.features[index]!, this.#levelCounts ?? this.counts);
  }

  /** A feature's value in one cell. */
  valueIn(cell: number, index: number): number {
    const feature = this.features[index]!;
    if (feature.kind === 'level') return this.measured[index]!.values[cell]!;
    return cell >= feature.from && cell < feature.to ? 1 : 0;
  }

  #measure(feature: Feature, index: number): Measured {
    const values = this.valuesOf(index);
    const { n, mean, variance } = momentsOf(values, this.counts);
    const dependence = this.#factor(index, values, mean, variance);
    const independent = n / dependence;
    const interval =
      feature.kind === 'share' ? shareInterval(mean * independent, independent) : meanInterval(mean, variance, independent);
    return { feature, values: feature.kind === 'level' ? values : NO_VALUES, mean, variance, dependence, interval };
  }

  #factor(index: number, values: Float64Array, mean: number, variance: number): number {
    if (!this.#dependence.isKnown && index < this.#factorsBefore.length) return this.#factorsBefore[index]!;
    let fourth = 0;
    for (let cell = 0; cell < values.length; cell++) fourth += this.counts[cell]! * (values[cell]! - mean) ** 4;
    return this.#dependence.factor(index, variance, fourth / this.n);
  }
}

function encodingOf(sample: Sample): Encoding {
  if (sample.kind === 'rate') return { kind: 'rate' };
  if (sample.kind === 'categorical') return labelEncoding(sample.frequentLabels().slice(0, TOP_LABELS));
  return numberEncoding(cellsOf(Int32Array.from(sample.codes).sort()));
}

function numberEncoding(cells: Cells): Encoding {
  return { kind: 'numeric', cells, search: searchable(cells.edges) };
}

function labelEncoding(labels: readonly string[]): Encoding {
  return { kind: 'categorical', labels, cellOfLabel: new Map(labels.map((label, cell) => [label, cell])) };
}

function featuresOf(encoding: Encoding): readonly Feature[] {
  if (encoding.kind === 'rate') return RATE_FEATURES;
  return encoding.kind === 'numeric' ? numericFeatures(encoding.cells) : labelFeatures(encoding.labels);
}

function cellCountOf(encoding: Encoding): number {
  if (encoding.kind === 'rate') return 2;
  return encoding.kind === 'numeric' ? encoding.cells.edges.length + 1 : encoding.labels.length + 1;
}

function cellOfCode(encoding: Encoding, sample: Sample, code: number): number {
  if (encoding.kind === 'rate') return code;
  if (encoding.kind === 'numeric') return cellOf(encoding.search, code);
  const label = code === OTHER ? undefined : sample.labels[code]!;
  return (label === undefined ? undefined : encoding.cellOfLabel.get(label)) ?? encoding.labels.length;
}

function sumsOf(values: readonly Float64Array[], cells: Uint8Array): Float64Array {
  return Float64Array.from(values, (ofFeature) => cells.reduce((sum, cell) => sum + ofFeature[cell]!, 0));
}

function writeEncoding(writer: StateWriter, encoding: Encoding): void {
  if (encoding.kind === 'categorical') writer.texts(encoding.labels);
  if (encoding.kind !== 'numeric') return;
  const { edges, notBelowP1, notBelowP10, aboveP90, aboveP99 } = encoding.cells;
  writer.count(edges.length);
  for (const edge of edges) writer.integer(edge);
  writer.counts([notBelowP1, notBelowP10, aboveP90, aboveP99]);
}

function readEncoding(reader: StateReader, kind: SignalKind): Encoding {
  if (kind === 'rate') return { kind };
  if (kind === 'categorical') return labelEncoding(reader.texts(TOP_LABELS, LABEL_UNITS_MAX));
  const edges = Int32Array.from({ length: reader.count(EDGES_MAX) }, () => reader.integer());
  const cut = (): number => reader.count(edges.length);
  return numberEncoding({ edges, notBelowP1: cut(), notBelowP10: cut(), aboveP90: cut(), aboveP99: cut() });
}
