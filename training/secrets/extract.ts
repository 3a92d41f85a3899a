// Writes the clues of labelled texts with their features, for train.py:
//   node training/secrets/extract.ts <datasets folder> > clues.jsonl
// One JSON object a line: {"source", "fold", "label", "weight", "slots", "shown"}. `shown` is for reading mistakes.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isHopeless } from '../../packages/engine/src/detectors/secrets/clue-match.ts';
import type { Clue } from '../../packages/engine/src/detectors/secrets/clue.ts';
import { JUDGED } from '../../packages/engine/src/detectors/secrets/detector.ts';
import { featuresOf } from '../../packages/engine/src/detectors/secrets/features.ts';
import { nothingNear } from '../../packages/engine/src/detectors/secrets/near.ts';
import { compileAnchors } from '../../packages/engine/src/text/anchors.ts';
import { viewsOf } from '../../packages/engine/src/text/views.ts';

interface Row {
  readonly text: string;
  readonly label: number;
  readonly source?: string;
  readonly spans?: readonly { readonly start: number; readonly end: number }[];
}

const FOLDS = 5;
const automaton = compileAnchors([JUDGED.map(({ anchor }) => anchor)]);

function cluesOf(text: string): Clue[] {
  const view = viewsOf(text, automaton)[0]!;
  const { rules, ends } = view.survey.hits[0]!;
  const near = nothingNear();
  const found: Clue[] = [];
  rules.forEach((rule, i) => {
    const { anchor, find } = JUDGED[rule]!;
    const clue = find(view.text, ends[i]! - anchor.length, ends[i]!, near);
    if (clue !== null && !isHopeless(clue)) found.push(clue);
  });
  return found;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

function write(source: string, fold: number, label: number, weight: number, clue: Clue): void {
  const shown = `${clue.text.slice(Math.max(0, clue.start - 60), clue.start)}[[${clue.value.slice(0, 60)}]]${clue.text.slice(clue.end, clue.end + 10)}`;
  process.stdout.write(`${JSON.stringify({ source, fold, label, weight, slots: featuresOf(clue), shown })}\n`);
}

/** Spans count code points, clues UTF-16 units. */
function unitsOf(text: string, at: number): number {
  return Array.from(text).slice(0, at).join('').length;
}

function isMarked({ text, spans = [] }: Row, clue: Clue): boolean {
  return spans.some(({ start, end }) => clue.start < unitsOf(text, end) && unitsOf(text, start) < clue.end);
}

function readRows(file: string): Row[] {
  const bytes = readFileSync(file);
  const text = file.endsWith('.gz') ? gunzipSync(bytes).toString('utf8') : bytes.toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

/** A generator of repeatable numbers below `n`. */
function lottery(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

/** `value` with each letter and digit replaced by another of its class. */
function redrawn(value: string, draw: (n: number) => number): string {
  return value.replaceAll(/[A-Za-z0-9]/g, (char) => {
    const alphabet = ALPHABETS.find((letters) => letters.includes(char))!;
    return alphabet[draw(alphabet.length)]!;
  });
}

/** The clue with another value in its place. */
function withValue(clue: Clue, value: string): Clue {
  const text = clue.text.slice(0, clue.start) + value + clue.text.slice(clue.end);
  return { ...clue, text, value, end: clue.start + value.length };
}

/** Own lines, with values redrawn and exchanged, so that the model learns places and values apart. */
function writeLines(file: string): void {
  const draw = lottery(7);
  const all = readRows(file).flatMap((row) =>
    cluesOf(row.text).map((clue) => ({ clue, label: isMarked(row, clue) ? 1 : 0, fold: hashOf(row.text) % FOLDS })),
  );
  for (const { clue, label, fold } of all) {
    write('lines', fold, label, 1, clue);
    const others = all.filter((other) => other.fold === fold && other.clue.quoted === clue.quoted);
    if (label === 1) {
      for (let i = 0; i < 2; i++) write('redrawn', fold, 1, 0.5, withValue(clue, redrawn(clue.value, draw)));
      const alike = others.filter((other) => other.label === 1 && other.clue.kind === clue.kind);
      for (let i = 0; i < 2; i++) write('exchanged', fold, 1, 0.4, withValue(clue, alike[draw(alike.length)]!.clue.value));
      const false_ = others.filter((other) => other.label === 0);
      for (let i = 0; i < 2 && false_.length > 0; i++) {
        const lie = withValue(clue, false_[draw(false_.length)]!.clue.value);
        if (!isHopeless(lie)) write('lies', fold, 0, 0.4, lie);
      }
    }
  }
}

function writeDataset(folder: string): void {
  for (const row of readRows(join(folder, 'secrets/train.jsonl.gz'))) {
    const isComposed = row.source === 'composed_secrets';
    for (const clue of cluesOf(row.text)) {
      // Where a row of a test suite does not say which part is the credential, its clues teach nothing.
      if (row.label === 1 && (row.spans ?? []).length === 0) continue;
      const label = row.label === 1 && isMarked(row, clue) ? 1 : 0;
      write(row.source!, hashOf(row.text) % FOLDS, label, isComposed ? 0.15 : 0.5, clue);
    }
  }
  for (const row of readRows(join(folder, 'benign_traffic/train.jsonl.gz')))
    for (const clue of cluesOf(row.text)) write('benign_traffic', hashOf(row.text) % FOLDS, 0, 0.7, clue);
}

const FILE_BYTES_MAX = 60_000;
const FILES_MAX = 9_000;
const CLUES_A_FILE_MAX = 6;

/** Sources of the packages that this repository installs: names of credentials, hardly ever one. Folds by package. */
function writePackages(folder: string): void {
  const draw = lottery(11);
  const seen = new Set<string>();
  const files = (readdirSync(folder, { recursive: true }) as string[])
    .filter(
      (file) =>
        !file.startsWith('@svc') &&
        /\.(?:js|mjs|cjs|ts|mts|md|json|ya?ml|html|css|py|sh|c|h|cc)$/.test(file) &&
        !file.endsWith('package-lock.json'),
    )
    .toSorted();
  for (let left = FILES_MAX; left > 0 && files.length > 0; left--) {
    const file = files.splice(draw(files.length), 1)[0]!;
    const path = join(folder, file);
    if (!statSync(path).isFile() || statSync(path).size > FILE_BYTES_MAX) continue;
    const parts = file.split('/');
    const name = parts[0]!.startsWith('@') ? `${parts[0]!}/${parts[1]!}` : parts[0]!;
    let written = 0;
    for (const clue of cluesOf(readFileSync(path, 'utf8'))) {
      // Packages are installed in many versions, and repeat themselves.
      const what = `${clue.word} ${clue.value}`;
      if (written >= CLUES_A_FILE_MAX || seen.has(what)) continue;
      seen.add(what);
      written++;
      write('packages', hashOf(name) % FOLDS, 0, 0.5, clue);
    }
  }
}

writeLines(join(import.meta.dirname, 'lines.jsonl'));
writeDataset(process.argv[2]!);
writePackages(join(import.meta.dirname, '../../node_modules'));
