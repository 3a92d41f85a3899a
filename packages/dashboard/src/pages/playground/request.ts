// What is typed: in the form, or as JSON.

import type { Inference } from '@svc/client';
import { draftOf, EMPTY_DRAFT, inferenceOf, parseInference, type Draft, type Read } from './draft.ts';
import type { Example } from './examples.ts';
import { useKept } from './kept.ts';

interface Typed {
  readonly view: 'form' | 'json';
  readonly draft: Draft;
  readonly json: string;
  /** With which it began; `null`: with nothing. */
  readonly example: Example | null;
  /** Why it stays as JSON. */
  readonly refusal: string | null;
}

export interface Request extends Typed {
  readonly inference: Read<Inference>;
  readonly setDraft: (draft: Draft) => void;
  readonly setJson: (json: string) => void;
  readonly begin: (example: Example | null) => void;
  readonly show: (view: Typed['view']) => void;
}

const NOTHING: Typed = { view: 'form', draft: EMPTY_DRAFT, json: '', example: null, refusal: null };

export function useRequest(): Request {
  const [typed, setTyped] = useKept<Typed>('request', NOTHING);
  const inference = typed.view === 'form' ? inferenceOf(typed.draft) : parseInference(typed.json);
  return {
    ...typed,
    inference,
    setDraft: (draft) => setTyped({ ...typed, draft }),
    setJson: (json) => setTyped({ ...typed, json, refusal: null }),
    begin: (example) => setTyped(begun(typed.view, example)),
    show: (view) => setTyped(shownAs(typed, view)),
  };
}

function begun(view: Typed['view'], example: Example | null): Typed {
  if (example === null) return { ...NOTHING, view };
  const draft = draftOf(example.inference);
  return { ...NOTHING, view, example, json: jsonOf(example.inference), draft: 'value' in draft ? draft.value : EMPTY_DRAFT };
}

/** The other view begins with what this one has. */
function shownAs(typed: Typed, view: Typed['view']): Typed {
  if (view === typed.view) return typed;
  if (view === 'json') {
    const inference = inferenceOf(typed.draft);
    if ('problem' in inference)
      return isUntouched(typed.draft)
        ? { ...typed, view, json: '{\n  "input": ""\n}' }
        : { ...typed, refusal: inference.problem };
    return { ...typed, view, json: jsonOf(inference.value), refusal: null };
  }
  const inference = parseInference(typed.json);
  const draft = 'value' in inference ? draftOf(inference.value) : inference;
  return 'value' in draft ? { ...typed, view, draft: draft.value, refusal: null } : { ...typed, refusal: draft.problem };
}

function isUntouched({ messages, input, output, context, calls }: Draft): boolean {
  return [...messages, ...context, ...calls, ...input, ...output].length === 0;
}

function jsonOf(inference: Inference): string {
  return JSON.stringify(inference, null, 2);
}
