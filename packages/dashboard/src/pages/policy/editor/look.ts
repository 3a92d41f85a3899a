// How the editor looks: all of it from the tokens of the pages, so that it follows their theme.

import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** The default style's colours, of which each stands for a kind of word, and ours. What it has besides is text. */
const COLOURS: Readonly<Record<string, string>> = {
  '#00c': 'var(--accent)',
  '#a11': 'var(--flagged)',
  '#164': 'var(--blocked)',
  '#219': 'var(--blocked)',
  '#940': 'var(--muted)',
  '#f00': 'var(--blocked)',
};

const highlighting = HighlightStyle.define(
  defaultHighlightStyle.specs.flatMap(({ tag, color }) => {
    const ours = COLOURS[String(color)];
    return ours === undefined ? [] : [{ tag, color: ours, ...(color === '#940' ? { fontStyle: 'italic' } : {}) }];
  }),
);

const theme = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: '13px',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    minHeight: '260px',
    maxHeight: 'max(320px, calc(100dvh - 330px))',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '2px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.55',
    minHeight: 'inherit',
    maxHeight: 'inherit',
    overflow: 'auto',
    borderRadius: '6px',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-2)', color: 'var(--muted)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--surface-2) 55%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--line)', color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--focus) 28%, transparent)',
  },
  '.cm-placeholder': { color: 'var(--muted)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '24em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent-soft)', color: 'var(--accent)' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 10px', maxWidth: '340px', fontFamily: 'var(--sans)' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)' },
  '.cm-diagnostic-error': { borderLeft: '4px solid var(--blocked)' },
  '.cm-diagnostic-warning': { borderLeft: '4px solid var(--flagged)' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--blocked)', textUnderlineOffset: '3px' },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--flagged) 2px',
    textUnderlineOffset: '3px',
  },
});

export const look: Extension = [theme, syntaxHighlighting(highlighting)];
