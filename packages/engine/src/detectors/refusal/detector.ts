// Finds answers in which the model declined, said nothing, or broke off.

import { anchorsIn, compileAnchors } from '../../text/anchors.ts';
import { normalise } from '../../text/normalise.ts';
import { locate, type Reading } from '../../text/view.ts';
import type { AnchorHits, Candidate, CompareContext, Part, WholeDetector } from '../../types.ts';
import { breakOf, isBlank } from './ending.ts';
import { RULES, type Rule } from './rules.ts';
import { isQuoted, sentenceAt } from './sentence.ts';

/** Rules by anchor: the same literal may belong to several. */
const RULES_BY_ANCHOR = new Map<string, Rule[]>();
for (const rule of RULES)
  for (const anchor of rule.anchors) RULES_BY_ANCHOR.set(anchor, [...(RULES_BY_ANCHOR.get(anchor) ?? []), rule]);
const RULES_BY_SCRIPT = RULES.filter(({ script }) => script !== undefined);
const FENCE = '```';
const ANCHORS = [...RULES_BY_ANCHOR.keys(), FENCE];
const RULES_AT = ANCHORS.map((anchor) => RULES_BY_ANCHOR.get(anchor) ?? []);
const FENCE_ANCHOR = ANCHORS.length - 1;

/** A refusal opens the answer: what may stand before it is a greeting, thanks or a sentence of regret. */
const OPENING_CHARS_MAX = 200;
/** After a refusal that has the last word come offers and reasons; more than this is an answer of its own. */
const REST_CHARS_MAX = 700;
const SENTENCES_MAX = 200;
const SENTENCES_PER_CLOCK_READ = 16;
const NOT_LATIN = /[\u0370-\uffff]/;
/** How a letter or mail begins: there the writer declines for the user. */
const LETTER =
  /^\s*(?:subject\s*:|betreff\s*:|objet\s*:|asunto\s*:|dear\s|sehr geehrte|liebe[rs]?\s|cher\s|chère\s|estimad[oa]|querid[oa]|hi \p{Lu}\p{L}+,\s*\n)/iu;

const AUTOMATON = compileAnchors([ANCHORS]);

/** What is asked of one answer. Offsets of candidates are those of its visible reading. */
interface AnswerContext extends Pick<CompareContext, 'expired' | 'truncated'> {
  readonly report: (candidate: Candidate) => void;
}

/**
 * The detector of refusals, empty and truncated answers. Reads what a model said, nothing else, and the whole of it: what comes last decides
 * how much a refusal at the start weighs.
 */
export const detector: WholeDetector = {
  id: 'refusal',
  version: '1.1.0',
  compare(parts, { isJudged, report, expired, truncated }) {
    parts.forEach((part, i) => {
      if (!isJudged(part) || !isAnswer(part)) return;
      const reading = visibleReading(part.text);
      readAnswer(reading.text, {
        report: (candidate) => report(i, { ...candidate, ...locate(reading, candidate.start, candidate.end) }),
        expired,
        truncated,
      });
    });
  },
};

function visibleReading(text: string): Reading {
  // oxlint-disable-next-line no-control-regex -- ASCII is its own visible reading.
  const visible = /[^\0-\x7f]/.test(text) ? normalise(text).visible : null;
  return visible ?? { kind: 'visible', layer: null, text, origins: null };
}

function readAnswer(text: string, ctx: AnswerContext): void {
  if (isBlank(text)) {
    reportEmpty(text, ctx);
    return;
  }
  const hits = anchorsIn(text, AUTOMATON);
  readRefusal(text, hits, ctx);
  readEnding(text, hits, ctx);
}

function isAnswer({ target, role }: Part): boolean {
  return target === 'output' && (role === 'assistant' || role === null);
}

interface Refusal {
  readonly type: 'refusal' | 'partial_refusal';
  readonly score: number;
  readonly start: number;
  readonly end: number;
}

/** Reports the surest refusal, one a text. */
function readRefusal(text: string, hits: AnchorHits, ctx: AnswerContext): void {
  let best = refusalInScript(text);
  let sentence = { start: 0, end: 0 };
  let sentences = 0;
  const tried = new Set<Rule>();
  for (let i = 0; i < hits.ends.length; i++) {
    const rules = RULES_AT[hits.rules[i]!]!;
    if (rules.length === 0) continue;
    const at = hits.ends[i]! - 1;
    if (at >= sentence.end) {
      if (++sentences > SENTENCES_MAX) {
        ctx.truncated();
        break;
      }
      if (sentences % SENTENCES_PER_CLOCK_READ === 0 && ctx.expired()) return;
      sentence = sentenceAt(text, at);
      tried.clear();
    }
    for (const rule of rules) {
      if (tried.has(rule)) continue;
      tried.add(rule);
      best = surer(best, refusalBy(rule, text, sentence));
    }
  }
  if (best !== null) report(best, ctx);
}

/** Sentences of the opening in scripts that have rules instead of anchors. */
function refusalInScript(text: string): Refusal | null {
  let best: Refusal | null = null;
  for (let at = 0; at < text.length && at <= OPENING_CHARS_MAX;) {
    const sentence = sentenceAt(text, at);
    const words = text.slice(sentence.start, sentence.end);
    if (NOT_LATIN.test(words)) {
      for (const rule of RULES_BY_SCRIPT) if (rule.script!.test(words)) best = surer(best, refusalBy(rule, text, sentence));
    }
    at = sentence.end;
  }
  return best;
}

function surer(one: Refusal | null, other: Refusal | null): Refusal | null {
  return one === null || (other !== null && other.score > one.score) ? other : one;
}

function report(refusal: Refusal, ctx: AnswerContext): void {
  ctx.report({
    category: 'quality.refusal',
    severity: 'low',
    method: 'pattern',
    preview: null,
    ...refusal,
    explanation:
      refusal.type === 'refusal'
        ? 'The model declined to answer.'
        : 'The model declined part of what was asked and went on with the rest.',
  });
}

/** Weights of what speaks against a refusal of the model's own. */
const LETTER_SHARE = 0.4;
const LATER_SHARE = 0.65;
const LONG_REST_SHARE = 0.7;
const SCORE_MIN = 0.25;

function refusalBy(rule: Rule, text: string, { start, end }: { readonly start: number; readonly end: number }): Refusal | null {
  const sentence = text.slice(start, end);
  const found = rule.pattern.exec(sentence);
  if (found === null || rule.unless?.test(sentence) === true) return null;
  const from = start + found.index;
  if (isQuoted(text, from, start)) return null;
  const isOpening = from <= OPENING_CHARS_MAX;
  if (!isOpening && !rule.isTelling) return null;
  const isRestLong = text.length - end > REST_CHARS_MAX;
  let score = rule.score;
  if (!isOpening) score *= LATER_SHARE;
  else if (isRestLong) score *= LONG_REST_SHARE;
  if (LETTER.test(text.slice(0, OPENING_CHARS_MAX))) score *= LETTER_SHARE;
  if (score < SCORE_MIN) return null;
  return { type: isOpening && !isRestLong ? 'refusal' : 'partial_refusal', score, start: from, end: from + found[0].length };
}

function reportEmpty(text: string, ctx: AnswerContext): void {
  ctx.report({
    category: 'quality.empty',
    type: 'empty_output',
    start: 0,
    end: text.length,
    score: 0.9,
    severity: 'low',
    method: 'heuristic',
    explanation: 'The answer holds no visible character.',
    preview: null,
  });
}

function readEnding(text: string, hits: AnchorHits, ctx: AnswerContext): void {
  const fences = hits.ends.filter((_end, i) => hits.rules[i] === FENCE_ANCHOR);
  const found = breakOf(text, fences);
  if (found === null) return;
  ctx.report({ category: 'quality.truncated', severity: 'low', method: 'heuristic', preview: null, end: text.length, ...found });
}
