// Events as Parquet, a row group at a time: what was written before needs to be remembered by its places alone, so that another process can go on.

import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import {
  actorIdOf,
  categoriesOf,
  jsonOrNull,
  microsecondsOf,
  numberOrNull,
  subjectOf,
  textOrNull,
  type ExportFacts,
  type Row,
} from './row.ts';

type Value = string | number | bigint | null;

interface Column {
  readonly element: Omit<SchemaElement, 'name'>;
  readonly valueOf: (row: Row) => Value;
  /** Least and greatest value of each row group, for readers that skip groups. */
  readonly hasStatistics?: boolean;
}

const REQUIRED = { repetition_type: 'REQUIRED' } as const;
const text = (valueOf: (row: Row) => Value, repetition: 'REQUIRED' | 'OPTIONAL' = 'OPTIONAL'): Column => ({
  element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: repetition },
  valueOf,
});
const integer = (valueOf: (row: Row) => Value): Column => ({
  element: { type: 'INT64', ...REQUIRED },
  valueOf,
  hasStatistics: true,
});
const time = (valueOf: (row: Row) => string): Column => ({
  element: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', ...REQUIRED },
  valueOf: (row) => microseconds(valueOf(row)),
  hasStatistics: true,
});
const double = (valueOf: (row: Row) => unknown): Column => ({
  element: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  valueOf: (row) => numberOrNull(valueOf(row)),
});

const COLUMNS: Readonly<Record<string, Column>> = {
  index: integer(({ index }) => BigInt(index)),
  sequence: integer(({ facts }) => BigInt(facts.sequence)),
  id: text(({ facts }) => facts.id, 'REQUIRED'),
  kind: text(({ facts }) => facts.kind, 'REQUIRED'),
  occurred_at: time(({ facts }) => facts.occurred_at),
  recorded_at: time(({ facts }) => facts.recorded_at),
  actor_type: text(({ facts }) => facts.actor.type, 'REQUIRED'),
  actor_id: text(actorIdOf),
  actor_ip: text(({ disclosed }) => textOrNull(disclosed['actor.ip'])),
  model: text(({ facts }) => textOrNull(facts.model)),
  probe_id: text(({ facts }) => textOrNull(facts.probe_id)),
  outcome: text(({ facts }) => textOrNull(facts.outcome)),
  severity: text(({ facts }) => textOrNull(facts.severity)),
  score: double(({ facts }) => facts.score),
  categories: text(categoriesOf),
  coverage: text(({ facts }) => textOrNull(facts.coverage)),
  policy_version: double(({ facts }) => facts.policy?.version),
  policy_digest: text(({ facts }) => textOrNull(facts.policy?.digest)),
  subject_user: text((row) => subjectOf(row).user),
  subject_session: text((row) => subjectOf(row).session),
  subject_agent: text((row) => subjectOf(row).agent),
  external_id: text(({ disclosed }) => textOrNull(disclosed.external_id)),
  metadata: text(({ disclosed }) => jsonOrNull(disclosed.metadata)),
  previews: text(({ disclosed }) => jsonOrNull(disclosed.previews)),
  data: text(({ disclosed }) => jsonOrNull(disclosed.data)),
  erased: text(({ erased }) => erased.join(' '), 'REQUIRED'),
  leaf_hash: text(({ leafHash }) => leafHash, 'REQUIRED'),
};

const SCHEMA: SchemaElement[] = [
  { name: 'event', num_children: Object.keys(COLUMNS).length },
  ...Object.entries(COLUMNS).map(([name, { element }]) => Object.assign({ name }, element)),
];

type RowGroup = ParquetWriter['row_groups'][number];

export class ParquetFile {
  readonly #sink = new ByteWriter();
  readonly #writer: ParquetWriter;

  /** `groups`: what `add` gave for the row groups that are written already; `bytes`: how long the file is by now. */
  constructor(facts: ExportFacts, groups: readonly string[], bytes: number) {
    this.#writer = new ParquetWriter({
      writer: this.#sink,
      schema: SCHEMA,
      kvMetadata: metadataOf(facts),
      createdBy: `svc ${facts.version}`,
    });
    if (bytes === 0) return;
    this.#writer.row_groups = groups.map(parseGroup);
    this.#writer.num_rows = this.#writer.row_groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n);
    this.#take();
    this.#sink.offset = bytes;
  }

  /** The bytes of a row group, and where its parts lie. Rows must not be empty. */
  add(rows: readonly Row[]): { readonly bytes: Buffer; readonly group: string } {
    const columnData = Object.entries(COLUMNS).map(([name, { valueOf, hasStatistics = false }]) => ({
      name,
      data: rows.map(valueOf),
      statistics: hasStatistics,
      // A group is small enough to be read whole.
      offsetIndex: false,
    }));
    // Returns a promise for a sink that is flushed by itself alone.
    void this.#writer.write({ columnData, rowGroupSize: rows.length });
    return { bytes: this.#take(), group: formatGroup(this.#writer.row_groups.at(-1)!) };
  }

  /** The last bytes. */
  finish(): Buffer {
    void this.#writer.finish();
    return this.#take();
  }

  #take(): Buffer {
    const bytes = Buffer.from(this.#sink.getBytes());
    this.#sink.index = 0;
    return bytes;
  }
}

function metadataOf(facts: ExportFacts): { key: string; value: string }[] {
  return [
    { key: 'svc.origin', value: facts.origin },
    { key: 'svc.tree_size', value: String(facts.treeSize) },
    { key: 'svc.root', value: facts.root },
    { key: 'svc.checkpoint', value: facts.checkpoint },
    { key: 'svc.range', value: `${facts.fromIndex} ${facts.toIndex}` },
  ];
}

/** JSON, in which 64-bit numbers are texts with an `n`: no name or text of a group looks like that. */
function formatGroup(group: RowGroup): string {
  return JSON.stringify(group, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

function parseGroup(json: string): RowGroup {
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value,
  ) as RowGroup;
}

const INT64_MAX = 2n ** 63n - 1n;

function microseconds(time: string): bigint {
  const us = microsecondsOf(time);
  return us > INT64_MAX ? INT64_MAX : us;
}
