// Scores labelled rows from standard input with the engine: `npm run -s score -- <task> < rows.jsonl > scores.jsonl`.

import { pipeline } from 'node:stream/promises';
import { BadLine } from './measure/rows.ts';
import { scoreLines } from './measure/score-lines.ts';
import { isTask, TASKS } from './measure/tasks.ts';

const USAGE = `usage: npm run -s score -- <task> < rows.jsonl > scores.jsonl

<task> is one of ${TASKS.join(', ')}.
Reads one JSON object a line with "id", "text" and, where there is one, "context"; writes {"id", "score", "spans"} a line.`;

const [task = '', ...others] = process.argv.slice(2);
if (!isTask(task) || others.length > 0) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    await pipeline(process.stdin, (chunks: AsyncIterable<Uint8Array>) => scoreLines(task, chunks), process.stdout);
  } catch (error) {
    // A reader that has seen enough, such as `head`, closes the pipe: nothing went wrong.
    if (!(error instanceof BadLine) && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    if (error instanceof BadLine) {
      console.error(error.message);
      process.exitCode = 1;
    }
  }
}
