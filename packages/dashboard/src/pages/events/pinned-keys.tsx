// The keys by which proofs are checked here, kept in this browser.

import { useState, type FormEvent, type ReactNode } from 'react';
import { useOrganization } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { parsePins, savePins } from './pins.ts';

interface Props {
  readonly pins: readonly string[];
  readonly onChange: (pins: readonly string[]) => void;
}

export function PinnedKeys({ pins, onChange }: Props): ReactNode {
  const { id: orgId } = useOrganization();
  const [text, setText] = useState(pins.join('\n'));
  const [error, setError] = useState<unknown>(null);
  const keep = (keys: readonly string[]) => {
    savePins(orgId, keys);
    setText(keys.join('\n'));
    setError(null);
    onChange(keys);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      keep(parsePins(text));
    } catch (wrong) {
      setError(wrong);
    }
  };
  return (
    <details>
      <summary>
        {pins.length === 0 ? 'No keys are pinned' : pins.length === 1 ? '1 key is pinned' : `${pins.length} keys are pinned`}
      </summary>
      <form className="stack pins" onSubmit={submit}>
        <label className="field">
          <span>Verifier keys, one in each line</span>
          <textarea
            className="input mono"
            rows={3}
            spellCheck={false}
            placeholder="example.org/org/org_…+0a1b2c3d+AQ…"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <small>
            As the operator gave them to you: on paper, by telephone, on a page elsewhere. They are public, and are kept in this
            browser for this organization alone.
          </small>
        </label>
        {error !== null && <Problem error={error} />}
        <div className="row">
          <Button type="submit">Pin these keys</Button>
          {pins.length > 0 && (
            <Button kind="quiet" onClick={() => keep([])}>
              Take the pins away
            </Button>
          )}
        </div>
      </form>
    </details>
  );
}
