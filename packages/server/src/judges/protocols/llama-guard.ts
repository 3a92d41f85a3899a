// Llama Guard (https://github.com/meta-llama/PurpleLlama, model card of Llama Guard 3): sent a conversation, it judges the last turn and answers
// `safe`, or `unsafe` and in the next line the hazards of the MLCommons taxonomy, such as `S1,S10`. Its own template holds the rules.

import type { Category, JudgeQuestion, JudgeVerdict, Part } from '@svc/engine';
import { PLAIN_SCORE, type ChatMessage, type Protocol } from './protocol.ts';

type Severity = JudgeVerdict['severity'];

/** Hazard, our category, our type, severity, in words. */
const HAZARDS: readonly (readonly [code: string, category: Category, type: string, severity: Severity, words: string])[] = [
  ['S1', 'content.violence', 'violent_crimes', 'high', 'violent crimes'],
  ['S2', 'content.illicit', 'non_violent_crimes', 'high', 'non-violent crimes'],
  ['S3', 'content.sexual', 'sex_crimes', 'high', 'sex-related crimes'],
  ['S4', 'content.minors', 'child_exploitation', 'critical', 'sexual exploitation of children'],
  ['S5', 'content.harassment', 'defamation', 'medium', 'defamation'],
  ['S6', 'policy.topic', 'specialized_advice', 'medium', 'specialized advice'],
  ['S7', 'data.pii', 'privacy', 'medium', 'sensitive personal information'],
  ['S8', 'policy.intellectual_property', 'intellectual_property', 'medium', 'a breach of intellectual property'],
  ['S9', 'content.illicit', 'indiscriminate_weapons', 'critical', 'weapons of mass destruction'],
  ['S10', 'content.hate', 'hate', 'high', 'hate'],
  ['S11', 'content.self_harm', 'self_harm', 'high', 'suicide and self-harm'],
  ['S12', 'content.sexual', 'sexual_content', 'medium', 'sexual content'],
  ['S13', 'policy.elections', 'elections', 'medium', 'false statements on elections'],
  ['S14', 'output.unsafe_code', 'code_interpreter_abuse', 'high', 'abuse of a code interpreter'],
];

const BY_CODE = new Map(
  HAZARDS.map(([code, category, type, severity, words]) => [code, verdictOf(category, type, severity, words)]),
);
/** For a hazard of a taxonomy that is not Meta's, and for none. */
const OTHER = verdictOf('policy.violation', 'unsafe', 'medium', 'a violation of the rules it was given');

function verdictOf(category: Category, type: string, severity: Severity, words: string): JudgeVerdict {
  return { category, type, score: PLAIN_SCORE, severity, explanation: `The judge sees ${words}.` };
}

export const llamaGuard: Protocol = {
  messages: (question) => inTurns(inReadingOrder(question)),
  tokensMax: 64, // `unsafe` and all fourteen hazards.
  read: readAnswer,
};

const ANSWER_CHARS_MAX = 200;
const ANSWER = /^(?:safe|unsafe(?:\s*\n\s*(S\d{1,2}(?:\s*,\s*S\d{1,2})*))?)$/i;

function readAnswer(answer: string): readonly JudgeVerdict[] | null {
  const text = answer.trim();
  const match = text.length > ANSWER_CHARS_MAX ? null : ANSWER.exec(text);
  if (match === null) return null;
  if (/^safe$/i.test(text)) return [];
  const codes = new Set((match[1] ?? '').toUpperCase().split(/\s*,\s*/));
  // Several unknown hazards are one verdict: a map keeps each once.
  return [...new Set([...codes].map((code) => BY_CODE.get(code) ?? OTHER))];
}

/** Documents first, as they stand in a prompt; then what was asked, tools, and what was answered. */
function inReadingOrder({ texts }: JudgeQuestion): readonly Part[] {
  const rank = ({ pointer, target }: Part) => (pointer.startsWith('/context/') ? 0 : target === 'output' ? 2 : 1);
  return texts.toSorted((a, b) => rank(a) - rank(b));
}

/** Its template takes turns of user and assistant, the user first, and refuses all else: whatever is not the model's word is the user's. */
function inTurns(texts: readonly Part[]): readonly ChatMessage[] {
  const turns: { role: 'user' | 'assistant'; content: string }[] = [];
  for (const { role, target, text } of texts) {
    const speaker = target === 'output' || role === 'assistant' ? 'assistant' : 'user';
    const last = turns.at(-1);
    if (last?.role === speaker) last.content += `\n\n${text}`;
    else turns.push({ role: speaker, content: text });
  }
  return turns[0]?.role === 'assistant' ? [{ role: 'user', content: '(not shown)' }, ...turns] : turns;
}
