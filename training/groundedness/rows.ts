// The labelled rows that groundedness is trained on.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A row of the data: `text` is the answer, `context` its evidence, label 1 means not supported. */
export interface Row {
  readonly id?: string;
  readonly text: string;
  readonly context?: string;
  readonly label: number;
  readonly source: string;
  readonly category: string;
  readonly lang?: string;
}

/** Reads a file of JSON lines, gzipped when its name says so. */
export function readRows(path: string): Row[] {
  const bytes = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** The files of `folder`, the datasets, for one part of the data. */
export function dataFile(folder: string, task: string, part: 'train' | 'dev'): string {
  return join(folder, task, `${part}.jsonl.gz`);
}
