// Proposes what may stand where one is typing, with its meaning.

import { startCompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { stringify } from 'yaml';
import type { Format } from './document.ts';
import { placeAt, type Place } from './place.ts';
import { membersAt, schemaAt, valuesAt, type Word } from './reference.ts';

export function completionsFor(format: Format): (context: CompletionContext) => CompletionResult | null {
  return ({ state, pos, explicit: isAskedFor }) => {
    const text = state.doc.toString();
    const place = placeAt(text, pos, format);
    if (place === null || (!isAskedFor && pos === place.from && place.isKey)) return null;
    const words = place.isKey ? keysAt(place, format) : valuesAt(place.path).map((word) => valueOf(word, place, format));
    // In the order of the schema, as far as what is typed does not tell.
    const options = words.map((word, i) => Object.assign(word, { sortText: String(i).padStart(4, '0') }));
    return options.length === 0 ? null : { from: place.from, options, validFor: /^"?[\w.*@-]*$/ };
  };
}

function keysAt(place: Place, format: Format): Completion[] {
  // An entry of a list of words has no members.
  const members = membersAt(place.path);
  if (members.length === 0 && place.path.at(-1) === 0) return valuesAt(place.path).map((word) => valueOf(word, place, format));
  return members.map((word) =>
    Object.assign(shown(word, format), { type: 'property', apply: insertKey(word.label, place, format) }),
  );
}

function shown({ label, detail, info }: Word, format: Format): Completion {
  // What is typed in JSON begins with a quote.
  const quoted = format === 'json' ? JSON.stringify(label) : label;
  return { label: quoted, displayLabel: label, detail, ...(info === '' ? {} : { info }) };
}

function insertKey(label: string, { path, indent }: Place, format: Format): NonNullable<Completion['apply']> {
  return (view, _completion, from, to) => {
    const rest = view.state.sliceDoc(to, view.state.doc.lineAt(to).to);
    const end = format === 'json' && rest.startsWith('"') ? to + 1 : to;
    if (/^"?\s*:/.test(rest)) insert(view, from, end, format === 'json' ? JSON.stringify(label) : label);
    else if (format === 'json') insert(view, from, end, `${JSON.stringify(label)}: `);
    else insert(view, from, end, `${label}:${followOf(schemaAt([...path, label])?.type, ' '.repeat(indent + 2))}`);
  };
}

/** What comes behind the colon of a name in YAML. */
function followOf(type: string | readonly string[] | undefined, indent: string): string {
  if (type === 'object') return `\n${indent}`;
  return type === 'array' ? `\n${indent}- ` : ' ';
}

/** What is proposed next depends on what was chosen. */
function insert(view: EditorView, from: number, to: number, text: string): void {
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: from + text.length }, userEvent: 'input.complete' });
  startCompletion(view);
}

function valueOf(word: Word, { path }: Place, format: Format): Completion {
  const isText = !['true', 'false', 'null'].includes(word.label) || schemaAt(path)?.type === 'string';
  const written = !isText ? word.label : format === 'json' ? JSON.stringify(word.label) : stringify(word.label).trim();
  return {
    ...shown(word, format),
    label: written,
    type: 'constant',
    apply: (view, _completion, from, to) => {
      const end = written.endsWith('"') && view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to;
      view.dispatch({
        changes: { from, to: end, insert: written },
        selection: { anchor: from + written.length },
        userEvent: 'input.complete',
      });
    },
  };
}
