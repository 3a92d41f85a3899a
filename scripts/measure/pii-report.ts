// How exactly personal data is located, by type and by source, at the default threshold.

import { readDataset, type Split } from './datasets.ts';
import type { LabelledRow, Span } from './rows.ts';
import { addCounts, countSpans, exactQuality, fMeasure, NO_SPANS, overlapQuality, type SpanCounts } from './spans.ts';
import { decimal, table } from './tables.ts';
import { createScorer, PII_SPAN_TYPES } from './tasks.ts';

/** Types that the engine can find. */
const FOUND_TYPES: ReadonlySet<string> = new Set(Object.values(PII_SPAN_TYPES).filter((type) => type !== null));

const NAMES: ReadonlySet<string> = new Set(['PERSON', 'LOCATION', 'ORGANIZATION']);
const SOFTER_TYPES: ReadonlySet<string> = new Set('ORGANIZATION LOCATION DATE_TIME AGE TITLE NRP DOMAIN ZIP_CODE'.split(' '));
/** The types of Presidio's generator, by the names of the data. */
const PRESIDIO_TYPES =
  'PERSON LOCATION ORGANIZATION ADDRESS AGE CREDIT_CARD DATE_TIME DOMAIN DRIVER_LICENSE EMAIL IBAN IP_ADDRESS NRP PHONE TITLE US_SSN ZIP_CODE';

/**
 * Types that each source labels. A span of another type is left out, found or not: nobody has looked whether it is right.
 * A source that is not listed is taken to label what the engine can find.
 */
const LABELLED_TYPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['composed_pii', new Set([...FOUND_TYPES].filter((type) => !SOFTER_TYPES.has(type)))],
  ['btc', NAMES],
  ['wikigold', NAMES],
  ['presidio_generated', new Set(PRESIDIO_TYPES.split(' '))],
]);

type Tally = Map<string, SpanCounts>;

/** Two tables: the types of all sources together, and the sources with all their types together. */
export async function piiReport(folder: string, split: Split): Promise<string> {
  const byType: Tally = new Map();
  const bySource: Tally = new Map();
  const score = createScorer('pii');
  for await (const row of readDataset(folder, 'pii', split)) {
    for (const [type, counts] of countsByType(row, score(row).spans)) {
      for (const name of [type, 'all']) add(byType, name, counts);
      for (const name of [row.source, 'all']) add(bySource, name, counts);
    }
  }
  return `${typeTable(byType)}\n\n${sourceTable(bySource)}`;
}

function countsByType(row: LabelledRow, predicted: readonly Span[]): Map<string, SpanCounts> {
  const labelled = LABELLED_TYPES.get(row.source) ?? FOUND_TYPES;
  const types = new Set([...row.spans, ...predicted].map(({ type }) => type).filter((type) => labelled.has(type)));
  const ofType = (spans: readonly Span[], type: string) => spans.filter((span) => span.type === type);
  return new Map([...types].map((type) => [type, countSpans(ofType(row.spans, type), ofType(predicted, type))]));
}

function add(tally: Tally, name: string, counts: SpanCounts): void {
  tally.set(name, addCounts(tally.get(name) ?? NO_SPANS, counts));
}

function typeTable(byType: Tally): string {
  const head = [
    'type',
    'labelled',
    'found',
    'exact P',
    'exact R',
    'exact F1',
    'overlap P',
    'overlap R',
    'overlap F1',
    'overlap F2',
  ];
  return table(head, inOrder(byType).map(typeLine));
}

function typeLine([type, counts]: [string, SpanCounts]): string[] {
  const exact = exactQuality(counts);
  const overlap = overlapQuality(counts);
  const figures = [
    exact.precision,
    exact.recall,
    fMeasure(exact, 1),
    overlap.precision,
    overlap.recall,
    fMeasure(overlap, 1),
    fMeasure(overlap, 2),
  ];
  return [type, String(counts.gold), String(counts.predicted), ...figures.map(decimal)];
}

function sourceTable(bySource: Tally): string {
  const head = ['source', 'labelled', 'found', 'exact F1', 'overlap F1', 'overlap F2'];
  const rows = inOrder(bySource).map(([source, counts]) => [
    source,
    String(counts.gold),
    String(counts.predicted),
    decimal(fMeasure(exactQuality(counts), 1)),
    decimal(fMeasure(overlapQuality(counts), 1)),
    decimal(fMeasure(overlapQuality(counts), 2)),
  ]);
  return table(head, rows);
}

/** By name, sums last. */
function inOrder(tally: Tally): [string, SpanCounts][] {
  const isSum = (name: string) => name.startsWith('all');
  return [...tally].toSorted(([a], [b]) => Number(isSum(a)) - Number(isSum(b)) || (a < b ? -1 : 1));
}
