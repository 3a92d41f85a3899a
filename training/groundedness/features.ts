// Prints the features of every sentence of labelled answers, one JSON object a line. Usage: node features.ts <file>...

import { evidenceOf } from '../../packages/engine/src/detectors/groundedness/evidence.ts';
import { FEATURES, featuresOf } from '../../packages/engine/src/detectors/groundedness/features.ts';
import { ANSWER_TOKENS_MAX, withoutQuestion } from '../../packages/engine/src/detectors/groundedness/judge.ts';
import { Question } from '../../packages/engine/src/detectors/groundedness/question.ts';
import { tokensOf } from '../../packages/engine/src/detectors/groundedness/tokens.ts';
import { readRows } from './rows.ts';

process.stdout.write(`${JSON.stringify(FEATURES)}\n`);
for (const path of process.argv.slice(2)) {
  for (const { text, context = '', label, source = 'authored', category, lang = 'en' } of readRows(path)) {
    const evidence = evidenceOf([context]);
    const { asked, from } = withoutQuestion(text);
    const tokens = tokensOf([text.slice(from)], ANSWER_TOKENS_MAX);
    const question = asked === undefined ? null : new Question(asked, evidence);
    const sentences = tokens.sentences.map((sentence) => {
      const features = featuresOf(tokens, sentence, evidence, question);
      return FEATURES.map((name) => Math.round(features[name] * 1e4) / 1e4);
    });
    process.stdout.write(`${JSON.stringify({ label, source, category, lang, context: context.slice(0, 200), sentences })}\n`);
  }
}
