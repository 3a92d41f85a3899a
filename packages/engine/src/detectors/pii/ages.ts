// Ages of people: a number of years beside words that say somebody is so old.

import type { Find } from './finds.ts';
import { KIND, type Tokens } from './tokens.ts';

const AGE_MAX = 120;
/** How far from the number its words stand. */
const AROUND = 24;

const AFTER =
  /^(?: ?-? ?(?:years?|yrs?|months?)[ -]?(?:old|of age)\b| ?-?(?:y\/?o|y\.o\.)\b| ?(?:Jahre|jahre) alt\b| (?:años|anos) de (?:edad|idade)\b| jaar oud\b| år gammal\b| yaşında| лет\b(?! назад)| साल क|岁|歳)/u;
const BEFORE =
  /(?:\b(?:aged?|age:|age is|age of|aged about|turns|turning|turned|i am|i'm|im|he is|he's|she is|she's|who is|tengo|tiene|ho|ha|tenho|tem|âgée? de|j'ai|mam|jag är|alter:?|edad:?|età:?|âge ?:?|idade:?|leeftijd:?|возраст:?) |\bage[:=] ?|\bage": ?)$/iu;
/** What makes the number one of something else after all: "he is 5 minutes late". */
const OTHER =
  /^(?:[.,]\d|[:%/]|\s?(?:%|percent|minutes?|mins?|hours?|days?|weeks?|months?|km|miles?|kg|cm|feet|st|nd|rd|th|x|of|out|am|pm|times?|points?|euros?|dollars?|\$|€))/iu;
/** Words that alone say little: the number after them has to end the phrase. */
const WEAK =
  /(?:\b(?:i am|i'm|im|he is|he's|she is|she's|who is|turns|turning|turned|ho|ha|tem|tiene|mam|j'ai|tengo|tenho|jag är) )$/iu;
const ENDS = /^(?:[.,;!?)\n]|$| (?:and|years?|yrs|años|anos|anni|ans|lat|år|but|now|today|from|male|female|m|f)\b)/iu;

/** Judges the digits of token `i` as an age. The span is the number alone. */
export function findAge(text: string, tokens: Tokens, i: number): Find | null {
  const kind = tokens.kinds[i];
  const [start, end] = [tokens.starts[i]!, tokens.ends[i]!];
  if (end - start > 3 || (kind !== KIND.digits2 && kind !== KIND.digits4) || Number(text.slice(start, end)) > AGE_MAX)
    return null;
  const find = { kind: 'age', start, end, method: 'pattern+context' } as const;
  const after = text.slice(end, end + AROUND);
  if (AFTER.test(after)) return { ...find, score: 0.85 };
  const before = text.slice(Math.max(0, start - AROUND), start);
  if (!BEFORE.test(before) || OTHER.test(after)) return null;
  if (WEAK.test(before) && !ENDS.test(after)) return null;
  return { ...find, score: WEAK.test(before) ? 0.55 : 0.75 };
}
