// Finds what a policy's own regular expressions describe, in linear time.

import type { DetectContext, Detector } from '../../types.ts';
import { candidateOf, type CustomRule } from '../custom-rule.ts';
import { buildSets, type CompiledPattern } from './compile.ts';

export const PATTERNS_VERSION = '1.0.0';

/**
 * Texts are read in windows, so that one slow pattern cannot hold the thread past the deadline. A window owns the matches
 * that start in its first 4 096 units; behind them it reads 1 024 more, the longest match that is promised, and before them
 * a little, so that `\b` and `^` see what stands there.
 */
const WINDOW_CHARS = 4_096;
const MATCH_CHARS_MAX = 1_024;
const MARGIN_CHARS = 8;

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
  readonly isLast: boolean;
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
  const end = Math.min(text.length, from + WINDOW_CHARS + MATCH_CHARS_MAX);
  return { text: text.slice(offset, end), offset, from, to: from + WINDOW_CHARS, isLast: end === text.length };
}

/** Reports matches of one view, each pattern's without overlap across windows. */
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
    for (let steps = 1; at < window.text.length && matcher.find(at); steps++) {
      const start = matcher.start();
      const end = matcher.end();
      if (start + window.offset >= window.to) return;
      if (start < end && isWhole(rule, end, window)) this.report(rule, start + window.offset, end + window.offset);
      at = Math.max(end, start + 1);
      if (steps % 64 === 0 && this.ctx.expired()) return;
    }
  }

  private report(rule: PatternRule, start: number, end: number): void {
    this.lastEnds.set(rule, end);
    this.ctx.report(candidateOf(rule, 'pattern', this.text, start, end));
  }
}

/** False where the window's own end may have made the match: `foo$` holds there though the text goes on. */
function isWhole({ compiled }: PatternRule, end: number, window: Window): boolean {
  return window.isLast || end < window.text.length || !compiled.looksAround;
}
