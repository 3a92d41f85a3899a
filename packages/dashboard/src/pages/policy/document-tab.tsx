// The document: as a text with lint and completion, and as a form over the same text.

import { useRef, useState, type ReactNode } from 'react';
import { useMay } from '../../session.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Time } from '../../ui/time.tsx';
import { hasComments, type Editing } from './draft.ts';
import type { Format } from './editor/document.ts';
import { PolicyEditor, type EditorHandle } from './editor/editor.tsx';
import type { Lint } from './editor/lint.ts';
import { Problems } from './editor/problems.tsx';
import { PolicyForm } from './form.tsx';

interface Props {
  readonly editing: Editing;
  readonly lint: Lint;
  readonly onSave: () => void;
}

export function DocumentTab({ editing, lint, onSave }: Props): ReactNode {
  const { draft, current, isDirty } = editing;
  const mayWrite = useMay('policy:write');
  const editor = useRef<EditorHandle>(null);
  const [isDropping, setDropping] = useState(false);
  const maySave = mayWrite && isDirty && !editing.isBehind;
  return (
    <>
      <div className="row">
        <p className="grow">
          <Badge tone="good">version {current.version} in force</Badge>{' '}
          <span className="muted">
            stored by <Actor id={current.updated_by} /> <Time at={current.updated_at} />
          </span>{' '}
          {isDirty && <Badge tone="warn">changes not saved</Badge>}
        </p>
        <FormatChoice editing={editing} />
        {isDirty && <Button onClick={() => setDropping(true)}>Discard changes</Button>}
        {mayWrite && (
          <Button kind="primary" disabled={!maySave || lint.state === 'invalid'} onClick={onSave}>
            Save …
          </Button>
        )}
      </div>
      {!mayWrite && (
        <p className="notice">
          You may write here, check and simulate. Saving needs the scope <code>policy:write</code>, which this session does not
          have.
        </p>
      )}
      <div className="policy-desk">
        <div className="stack policy-text">
          <PolicyEditor
            ref={editor}
            label="Policy document"
            text={draft.text}
            format={draft.format}
            marks={lint.marks}
            hint="Nothing is written here: every member has its default. Type, or press Ctrl Space."
            onChange={editing.setText}
            onSave={() => maySave && lint.state !== 'invalid' && onSave()}
          />
          <p className="muted keys">
            <kbd>Ctrl Space</kbd> proposes, <kbd>F8</kbd> goes to the next problem, <kbd>Ctrl S</kbd> shows the difference before
            saving.
          </p>
          <Problems lint={lint} text={draft.text} onGo={({ from, to }) => editor.current?.goTo(from, to)} />
        </div>
        <PolicyForm setMember={editing.setMember} reading={lint.reading} />
      </div>
      {isDropping && (
        <Confirm
          title="Discard changes"
          deed="Discard them"
          effect={<p>The editor then shows version {current.version}, which is in force. What you typed is gone.</p>}
          run={async () => editing.discard()}
          onClose={() => setDropping(false)}
        />
      )}
    </>
  );
}

const FORMATS: readonly Format[] = ['yaml', 'json'];

function FormatChoice({ editing }: { readonly editing: Editing }): ReactNode {
  const { draft, setFormat } = editing;
  const [asked, setAsked] = useState<Format | null>(null);
  const [isStuck, setStuck] = useState(false);
  const choose = (format: Format) => {
    if (format === draft.format) return;
    if (format === 'json' && hasComments(draft)) setAsked(format);
    else setStuck(!setFormat(format));
  };
  return (
    <fieldset className="row">
      <legend className="visually-hidden">Format</legend>
      {FORMATS.map((format) => (
        <Button key={format} isSmall aria-pressed={format === draft.format} onClick={() => choose(format)}>
          {format.toUpperCase()}
        </Button>
      ))}
      {isStuck && (
        <span className="problem" role="alert">
          Mend first what cannot be read.
        </span>
      )}
      {asked !== null && (
        <Confirm
          title="Change to JSON"
          deed="Change to JSON"
          effect={<p>JSON has no comments: those in the text are lost. The document says the same.</p>}
          run={async () => setStuck(!setFormat(asked))}
          onClose={() => setAsked(null)}
        />
      )}
    </fieldset>
  );
}
