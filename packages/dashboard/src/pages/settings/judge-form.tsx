import type { CreateJudge, Judge } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';

type Kind = NonNullable<CreateJudge['kind']>;

const KINDS: Readonly<Record<Kind, string>> = {
  chat: 'Any chat model, asked with instructions.',
  gpt_oss_safeguard: 'A model that judges by a policy it is given: the instructions.',
  llama_guard: 'A model that answers “safe” or “unsafe” by rules of its own.',
};
const TIMEOUT_MS = 2_000;

interface Props {
  /** As it is; `null`: a new one. */
  readonly judge: Judge | null;
  readonly save: (body: CreateJudge) => Promise<void>;
  readonly onClose: () => void;
}

export function JudgeForm({ judge, save, onClose }: Props): ReactNode {
  const [name, setName] = useState(judge?.name ?? '');
  const [kind, setKind] = useState<Kind>((judge?.kind as Kind | undefined) ?? 'chat');
  const [url, setUrl] = useState(judge?.url ?? '');
  const [model, setModel] = useState(judge?.model ?? '');
  const [apiKey, setApiKey] = useState('');
  const [dropsKey, setDropsKey] = useState(false);
  const [timeoutMs, setTimeoutMs] = useState(String(judge?.timeout_ms ?? TIMEOUT_MS));
  const [instructions, setInstructions] = useState(judge?.instructions ?? '');
  const action = useAction(save);
  const keepsKey = judge?.has_api_key === true && judge.url === url.trim();
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        action.run({
          name: name.trim(),
          kind,
          url: url.trim(),
          model: model.trim(),
          ...(dropsKey ? { api_key: null } : apiKey === '' ? {} : { api_key: apiKey }),
          timeout_ms: Number(timeoutMs),
          instructions: kind === 'llama_guard' || instructions.trim() === '' ? null : instructions,
        });
      }}
    >
      <label className="field">
        <span>Name</span>
        <input className="input" required maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
        <small>What it judges.</small>
      </label>
      <label className="field">
        <span>Kind</span>
        <select className="input" value={kind} onChange={(event) => setKind(event.target.value as Kind)}>
          {(Object.keys(KINDS) as Kind[]).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <small>{KINDS[kind]}</small>
      </label>
      <label className="field">
        <span>URL</span>
        <input
          className="input mono"
          type="url"
          required
          spellCheck={false}
          maxLength={2_048}
          placeholder="https://models.example.com/v1"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <small>
          Base of an OpenAI-compatible API; <code>/chat/completions</code> is added. https and public, or in a range that the
          operator allows.
        </small>
      </label>
      <label className="field">
        <span>Model</span>
        <input
          className="input mono"
          required
          spellCheck={false}
          maxLength={200}
          value={model}
          onChange={(event) => setModel(event.target.value)}
        />
        <small>Its name at that API.</small>
      </label>
      <label className="field">
        <span>
          Key <span className="muted">(optional)</span>
        </span>
        <input
          className="input mono"
          type="password"
          autoComplete="off"
          maxLength={1_000}
          disabled={dropsKey}
          placeholder={keepsKey && !dropsKey ? 'A key is stored: leave empty to keep it' : ''}
          value={dropsKey ? '' : apiKey}
          onChange={(event) => setApiKey(event.target.value)}
        />
        <small>
          {judge?.has_api_key === true && !keepsKey
            ? 'The stored key was for the URL before, and is dropped with it: give it again if this one needs one.'
            : 'Sent as Authorization: Bearer. Kept encrypted and never shown.'}
        </small>
      </label>
      {keepsKey && (
        <label className="row">
          <input type="checkbox" checked={dropsKey} onChange={(event) => setDropsKey(event.target.checked)} />
          Delete the stored key
        </label>
      )}
      <label className="field">
        <span>Time for one answer, in milliseconds</span>
        <input
          className="input"
          type="number"
          required
          min={10}
          max={30_000}
          value={timeoutMs}
          onChange={(event) => setTimeoutMs(event.target.value)}
        />
        <small>What is left of an assessment’s deadline may be less.</small>
      </label>
      {kind !== 'llama_guard' && (
        <label className="field">
          <span>
            Instructions <span className="muted">(optional)</span>
          </span>
          <textarea
            className="input"
            rows={5}
            maxLength={32_768}
            value={instructions}
            onChange={(event) => setInstructions(event.target.value)}
          />
          <small>What it is to judge by, in place of the built-in rules.</small>
        </label>
      )}
      {action.error !== null && <Problem error={action.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={action.isBusy}>
          {judge === null ? 'Make the judge' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
