// Prints rows made from others, one JSON object a line: sentences with the passage they stand in (0) and with another passage of the
// same language (1), both with and without a question, and authored statements with the evidence of another subject (1).
// Usage: node compose.ts <datasets> <pairs>

import { tokensOf } from '../../packages/engine/src/detectors/groundedness/tokens.ts';
import { dataFile, readRows, type Row } from './rows.ts';

/** Shorter sentences are headings and leftovers of the splitting. */
const SENTENCE_TOKENS_MIN = 5;
const SENTENCES_PER_PASSAGE = 2;

const [folder = '', pairs = ''] = process.argv.slice(2);

const passages = new Map<string, string[]>();
/** A question about each passage. */
const questions = new Map<string, string>();
for (const { source, category, text, context = '', lang = 'en' } of readRows(dataFile(folder, 'groundedness', 'train'))) {
  if (source !== 'xquad_swap') continue;
  if (category === 'qa_own') questions.set(context, text.slice(0, text.indexOf('\n')));
  const known = passages.get(lang) ?? [];
  if (!known.includes(context)) passages.set(lang, [...known, context]);
}

const rows: Row[] = [];
for (const [lang, contexts] of passages) {
  contexts.forEach((context, i) => {
    // Half of the passages apart: neighbours come from one article and may say the same.
    const other = contexts.at((i + Math.floor(contexts.length / 2)) % contexts.length) ?? context;
    for (const text of sentencesOf(context).slice(0, SENTENCES_PER_PASSAGE)) {
      rows.push({ text, context, label: 0, source: 'composed', category: 'own_passage', lang });
      rows.push({ text, context: other, label: 1, source: 'composed', category: 'other_passage', lang });
      const question = questions.get(context);
      if (question === undefined) continue;
      // Supported, whether it is what was asked or not: a long answer says more than that.
      const answered = `${question}\nA: ${text}`;
      rows.push({ text: answered, context, label: 0, source: 'composed', category: 'own_passage_asked', lang });
      rows.push({ text: answered, context: other, label: 1, source: 'composed', category: 'other_passage_asked', lang });
    }
  });
}

const authored = readRows(pairs).filter(({ text, category }) => category !== 'chat' && !text.startsWith('Q:'));
authored.forEach(({ text, context, lang = 'en' }, i) => {
  const others = authored.filter((row) => row.lang === lang && row.context !== context);
  const other = others.at((i * 7) % Math.max(1, others.length));
  if (other !== undefined)
    rows.push({ text, context: other.context ?? '', label: 1, source: 'composed', category: 'other_subject', lang });
});

for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);

function sentencesOf(text: string): string[] {
  return tokensOf([text], text.length + 1)
    .sentences.filter(({ first, last }) => last - first >= SENTENCE_TOKENS_MIN)
    .map(({ start, end }) => text.slice(start, end));
}
