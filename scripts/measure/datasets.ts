// Finds the labelled data, which is not part of the repository, and reads its files.

import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { BadLine, parseLabelledRow, rowsOf, type LabelledRow } from './rows.ts';
import { TASKS, type Task } from './tasks.ts';

export type Split = 'dev' | 'train';
/** A task's rows, or the ordinary traffic that false positives are counted on. */
export type Dataset = Task | 'benign_traffic';

export const BESIDE_THE_REPOSITORY = join(import.meta.dirname, '../../../shared/datasets');

/** The data cannot be used. `message` says what is missing or wrong, and where. */
export class DatasetsError extends Error {}

/** The folder given, else that of `SVC_TEST_DATASETS`, else `../shared/datasets` beside the repository. Throws `DatasetsError` unless all files are there. */
export function datasetsFolder(given: string | undefined): string {
  const folder = given ?? process.env['SVC_TEST_DATASETS'] ?? BESIDE_THE_REPOSITORY;
  for (const dataset of [...TASKS, 'benign_traffic'] as const) {
    for (const split of ['dev', 'train'] as const) {
      const file = fileOf(folder, dataset, split);
      if (existsSync(file)) continue;
      throw new DatasetsError(
        `There is no ${file}. The labelled data is not part of the repository: name its folder with --datasets <folder> or SVC_TEST_DATASETS.`,
      );
    }
  }
  return folder;
}

/** All rows of a file, in order. Throws `DatasetsError` for a line that is no row. */
export async function* readDataset(folder: string, dataset: Dataset, split: Split): AsyncGenerator<LabelledRow> {
  const file = fileOf(folder, dataset, split);
  try {
    yield* rowsOf(createReadStream(file).pipe(createGunzip()), parseLabelledRow);
  } catch (error) {
    if (error instanceof BadLine) throw new DatasetsError(`${file}, ${error.message}`, { cause: error });
    throw error;
  }
}

function fileOf(folder: string, dataset: Dataset, split: Split): string {
  return join(folder, dataset, `${split}.jsonl.gz`);
}
