// The editor itself. It is heavy, so ./editor.tsx loads it when it is first shown.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { useEffect, useImperativeHandle, useRef, type ReactNode } from 'react';
import { completionsFor } from './completion.ts';
import type { Format } from './document.ts';
import type { EditorProps } from './editor.tsx';
import { look } from './look.ts';

/** So many are seen without scrolling; the others come as one moves on. */
const OPTIONS_MAX = 9;

/** A change that did not come from who types here. */
const fromOutside = Annotation.define<true>();

export function CodeEditor(props: EditorProps): ReactNode {
  const { text, format, marks = [], isReadOnly = false, ref } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const now = useRef(props);
  const changeable = useRef(new Compartment());
  /** What can be undone. */
  const steps = useRef(new Compartment());
  /** Texts that were typed here and have not come back yet: who types fast is ahead of what is rendered. */
  const ahead = useRef<string[]>([]);
  useEffect(() => {
    now.current = props;
  });
  useEffect(() => {
    // The content policy takes no <style>; within a shadow root the editor's styles are adopted sheets, which need none.
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const editor = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        doc: now.current.text,
        extensions: [
          ...extensions(now, ahead.current),
          steps.current.of(history()),
          changeable.current.of(changeableExtensions(now.current.format, now.current.isReadOnly ?? false)),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);
  useEffect(() => {
    const place = ahead.current.indexOf(text);
    ahead.current.splice(0, place < 0 ? ahead.current.length : place + 1);
    if (place < 0 && view.current !== null) replaceText(view.current, text);
  }, [text]);
  // After the text: what was undone would be of the other format.
  useEffect(() => {
    const [way, past] = [changeable.current, steps.current];
    view.current?.dispatch({ effects: [way.reconfigure(changeableExtensions(format, isReadOnly)), past.reconfigure([])] });
    view.current?.dispatch({ effects: past.reconfigure(history()) });
  }, [format, isReadOnly]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const end = editor.state.doc.length;
    const shown = marks.map(({ from, to, severity, message }) => ({
      from: Math.min(from, end),
      to: Math.min(to, end),
      severity,
      message,
    }));
    editor.dispatch(setDiagnostics(editor.state, shown));
  }, [marks]);
  useImperativeHandle(ref, () => ({
    goTo: (from, to) => {
      const editor = view.current;
      if (editor === null) return;
      const end = editor.state.doc.length;
      editor.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
      editor.focus();
    },
  }));
  return <div ref={host} />;
}

/** Tab is left to who goes through the page by keyboard; lines are moved in with Ctrl ]. */
function extensions(now: { readonly current: EditorProps }, ahead: string[]): Extension[] {
  const { label, hint } = now.current;
  return [
    lineNumbers(),
    lintGutter(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
    hint === undefined ? [] : placeholder(hint),
    keymap.of([
      {
        key: 'Mod-s',
        run: () => {
          now.current.onSave?.();
          return now.current.onSave !== undefined;
        },
      },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged || update.transactions.some((each) => each.annotation(fromOutside) === true)) return;
      const text = update.state.doc.toString();
      ahead.push(text);
      now.current.onChange?.(text);
    }),
    EditorView.domEventHandlers({ beforeinput: replace }),
    look,
  ];
}

function changeableExtensions(format: Format, isReadOnly: boolean): Extension[] {
  return [
    format === 'json' ? json() : yaml(),
    autocompletion({ override: isReadOnly ? [] : [completionsFor(format)], icons: false, maxRenderedOptions: OPTIONS_MAX }),
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({ 'aria-readonly': String(isReadOnly) }),
  ];
}

/**
 * Where a selection, or more than a line, is put in by the browser itself, it writes style attributes, which the content policy refuses: the
 * editor does it instead.
 */
function replace(event: InputEvent, view: EditorView): boolean {
  const { inputType, data } = event;
  const { from, to, empty: isEmpty } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || view.composing || view.state.readOnly) return false;
  if (isEmpty && !data.includes('\n')) return false;
  event.preventDefault();
  const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  // A quote around what is selected, and the like.
  const isHandled = view.state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, data, insert));
  if (!isHandled) view.dispatch(insert());
  return true;
}

/** Only what differs, so that the cursor stays where it is and one step back is one step. */
function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString();
  if (old === text) return;
  let start = 0;
  while (start < old.length && old[start] === text[start]) start++;
  let end = 0;
  while (end < old.length - start && end < text.length - start && old.at(-1 - end) === text.at(-1 - end)) end++;
  view.dispatch({
    changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) },
    annotations: fromOutside.of(true),
  });
}
