// Finds what a policy's own regular expressions describe, in linear time.

import type { DetectContext, Detector } from '../../types.ts';
import { candidateOf, type CustomRule } from '../custom-rule.ts';
import { buildSets, type CompiledPattern } from './compile.ts';

export const PATTERNS_VERSION = '1.1.0';

/** A match is what the expression finds in at most so many units from where it starts, as if the text ended there. */
export const MATCH_CHARS_MAX = 900;
/**
 * Texts are read in windows, so that one slow pattern cannot hold the thread past the deadline. A window owns the matches
 * that start in its first 4 096 units; behind them it reads as much as a match can have, and before them a little, so that
 * `\b` and `^` see what stands there.
 */
const WINDOW_CHARS = 4_096;
const MARGIN_CHARS = 8;
/** A match that is too long is searched again in less text, which costs up to about 50 µs. */
const STEPS_PER_CLOCK_READ = 64;
const RETRIES_PER_CLOCK_READ = 8;

/** A pattern of a policy with its rule. */
export interface PatternRule extends CustomRule {
  readonly regex: string;
  readonly compiled: CompiledPattern;
}

interface Window {
  readonly text: string;
  /** Where the window's text starts in the view. */
  readonly offset: number;
  /** Matches that start in `[from, to)` of the view are this window's. */
  readonly from: number;
  readonly to: number;
}

/** Builds the detector of a policy's patterns. */
export function createPatternsDetector(rules: readonly PatternRule[]): Detector {
  const sets = buildSets(rules);
  const large = rules.filter(({ compiled }) => compiled.literal !== '');

  return {
    id: 'patterns',
    version: PATTERNS_VERSION,
    anchors: [],
    reads: ['visible', 'decoded'],
    detect({ text }, _hits, ctx) {
      const finder = new MatchFinder(text, ctx);
      for (let from = 0; from < text.length; from += WINDOW_CHARS) {
        const window = windowAt(text, from);
        for (const { set, members } of sets) {
          if (ctx.expired()) return;
          for (const index of set.match(window.text)) finder.find(members[index]!, window);
        }
        if (large.length > 0) findLarge(large, window, finder, ctx);
      }
    },
  };
}

function findLarge(rules: readonly PatternRule[], window: Window, finder: MatchFinder, ctx: DetectContext): void {
  const lowered = window.text.toLowerCase();
  for (const rule of rules) {
    if (!lowered.includes(rule.compiled.literal)) continue;
    if (ctx.expired()) return;
    finder.find(rule, window);
  }
}

function windowAt(text: string, from: number): Window {
  const offset = Math.max(0, from - MARGIN_CHARS);
  const to = from + WINDOW_CHARS;
  return { text: text.slice(offset, to + MATCH_CHARS_MAX), offset, from, to };
}

/** Reports matches of one view, each pattern's from left to right without overlap, across windows. */
class MatchFinder {
  readonly text: string;
  readonly ctx: DetectContext;
  /** Where each pattern's last match ended. */
  readonly lastEnds = new Map<PatternRule, number>();

  constructor(text: string, ctx: DetectContext) {
    this.text = text;
    this.ctx = ctx;
  }

  find(rule: PatternRule, window: Window): void {
    if (!rule.appliesTo.includes(this.ctx.part.target)) return;
    const matcher = rule.compiled.re.matcher(window.text);
    let at = Math.max(window.from, this.lastEnds.get(rule) ?? 0) - window.offset;
    let retries = 0;
    for (let steps = 1; at < window.text.length && matcher.find(at); steps++) {
      const start = matcher.start() + window.offset;
      let end = matcher.end() + window.offset;
      if (start >= window.to) return;
      if (end - start > MATCH_CHARS_MAX) {
        end = this.shorterEnd(rule, start);
        if (++retries % RETRIES_PER_CLOCK_READ === 0 && this.ctx.expired()) return;
      }
      if (start < end) this.report(rule, start, end);
      at = Math.max(end, start + 1) - window.offset;
      if (steps % STEPS_PER_CLOCK_READ === 0 && this.ctx.expired()) return;
    }
  }

  /** Where the match at `start` ends when it may have no more than the longest has; `start` when there is none then. */
  private shorterEnd({ compiled: { re, looksAround } }: PatternRule, start: number): number {
    const offset = Math.max(0, start - MARGIN_CHARS);
    const cut = wholeCharacters(this.text, start + MATCH_CHARS_MAX);
    const matcher = re.matcher(this.text.slice(offset, cut));
    if (!matcher.find(start - offset) || matcher.start() !== start - offset) return start;
    const end = matcher.end() + offset;
    // The cut itself may have made the match: `foo$` holds there though the text goes on.
    return end === cut && looksAround && cut < this.text.length ? start : end;
  }

  private report(rule: PatternRule, start: number, end: number): void {
    this.lastEnds.set(rule, end);
    this.ctx.report(candidateOf(rule, 'pattern', this.text, start, end));
  }
}

/** `at`, or just before it where it would part a pair. */
function wholeCharacters(text: string, at: number): number {
  return text.codePointAt(at - 1)! > 0xffff ? at - 1 : at;
}
