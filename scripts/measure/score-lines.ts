// Turns rows into lines with their scores, one at a time.

import { parseRow, rowsOf } from './rows.ts';
import { createScorer, type Task } from './tasks.ts';

/**
 * One line `{"id", "score", "spans"?}` a row, in order; spans in code points. Throws `BadLine` at the first line that is no row, after
 * the lines before it were given out. Holds one line at a time.
 */
export async function* scoreLines(task: Task, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const score = createScorer(task);
  for await (const row of rowsOf(chunks, parseRow)) yield `${JSON.stringify({ id: row.id, ...score(row) })}\n`;
}
