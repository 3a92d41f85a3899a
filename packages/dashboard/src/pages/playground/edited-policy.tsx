// A policy that is tried and stored nowhere, in the editor of policies. Both are loaded when they are first shown.

import type { Policy } from '@svc/client';
import { useRef, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { write } from '../policy/editor/document.ts';
import { PolicyEditor, type EditorHandle } from '../policy/editor/editor.tsx';
import { useLint } from '../policy/editor/lint.ts';
import { Problems } from '../policy/editor/problems.tsx';
import '../policy/policy.css';

interface Props {
  /** `null`: nothing was typed yet, so that it is the policy in force. */
  readonly text: string | null;
  readonly inForce: Policy | null;
  readonly onChange: (text: string | null) => void;
}

export function EditedPolicy({ text, inForce, onChange }: Props): ReactNode {
  const editor = useRef<EditorHandle>(null);
  const shown = text ?? write(inForce ?? {}, 'yaml');
  const lint = useLint(shown, 'yaml');
  return (
    <div className="stack playground-policy">
      <PolicyEditor
        ref={editor}
        label="Edited policy"
        text={shown}
        // JSON is nearly all YAML: who has it pastes it.
        format="yaml"
        marks={lint.marks}
        hint="Nothing is written here: every member has its default. Type, or press Ctrl Space."
        onChange={onChange}
      />
      <p className="muted keys">
        YAML or JSON. It is the whole document: what it does not say is as by default, not as in force.
      </p>
      <Problems lint={lint} text={shown} onGo={({ from, to }) => editor.current?.goTo(from, to)} />
      {text !== null && inForce !== null && (
        <div>
          <Button isSmall onClick={() => onChange(null)}>
            Back to the policy in force
          </Button>
        </div>
      )}
    </div>
  );
}
