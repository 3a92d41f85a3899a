// Prints the table of word frequencies, base64: half a byte by bucket of the stem's hash. Usage: node frequencies.ts <datasets>

import { tokensOf } from '../../packages/engine/src/detectors/groundedness/tokens.ts';
import { bucketsOf } from '../../packages/engine/src/detectors/groundedness/weights.ts';
import { dataFile, readRows } from './rows.ts';

const BUCKET_BITS = 17;
const LEVELS = 15;
/** Weights span `IDF_MIN` (grammar, level 15) to `IDF_MIN + IDF_RANGE` (unseen, level 0), in natural logarithms. */
const IDF_MIN = 1;
const IDF_RANGE = 5;
/** Frequency is counted in passages of this many words, so that long texts do not weigh more. */
const PASSAGE_TOKENS = 100;
/** Languages with fewer passages cannot tell grammar from chance. */
const PASSAGES_MIN = 100;

const [folder = ''] = process.argv.slice(2);
const texts: { text: string; lang: string }[] = [];
for (const { text, lang = 'en' } of readRows(dataFile(folder, 'benign_traffic', 'train'))) texts.push({ text, lang });
const contexts = new Map<string, string>();
for (const { context = '', lang = 'en' } of readRows(dataFile(folder, 'groundedness', 'train'))) contexts.set(context, lang);
for (const [text, lang] of contexts) texts.push({ text, lang });

const passagesByLang = new Map<string, number>();
const countsByLang = new Map<string, Map<number, number>>();
for (const { text, lang } of texts) {
  const { stems, count } = tokensOf([text], text.length + 1);
  for (let start = 0; start < count; start += PASSAGE_TOKENS) {
    passagesByLang.set(lang, (passagesByLang.get(lang) ?? 0) + 1);
    let counts = countsByLang.get(lang);
    if (counts === undefined) countsByLang.set(lang, (counts = new Map()));
    for (const stem of new Set(stems.subarray(start, Math.min(count, start + PASSAGE_TOKENS))))
      counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
}

const table = Buffer.alloc(2 ** (BUCKET_BITS - 1));
for (const [lang, counts] of countsByLang) {
  const passages = passagesByLang.get(lang)!;
  if (passages < PASSAGES_MIN) continue;
  for (const [stem, count] of counts) {
    // Once or twice is chance: names of a passage would count as common in a small language.
    if (count < 3) continue;
    const idf = Math.log((passages + 1) / (count + 0.5));
    const level = Math.round(LEVELS * (1 - (idf - IDF_MIN) / IDF_RANGE));
    for (const bucket of bucketsOf(stem)) raise(bucket, Math.max(0, Math.min(LEVELS, level)));
  }
}
process.stdout.write(table.toString('base64'));

/** Of several languages and words in one bucket the most frequent counts. */
function raise(bucket: number, level: number): void {
  const shift = (bucket & 1) * 4;
  const known = (table[bucket >> 1]! >> shift) & LEVELS;
  if (level > known) table[bucket >> 1] = (table[bucket >> 1]! & ~(LEVELS << shift)) | (level << shift);
}
