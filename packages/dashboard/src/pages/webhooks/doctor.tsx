// Why does the signature of a delivery not match? Answered in the browser.

import { useState, type FormEvent, type ReactNode } from 'react';
import { useAction } from '../../ui/action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { diagnose, EMPTY_DRAFT, type Draft, type Verdict } from './diagnose.ts';

interface Props {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

export function Doctor({ draft, onChange }: Props): ReactNode {
  const [verdicts, setVerdicts] = useState<readonly Verdict[] | null>(null);
  const check = useAction(async () => setVerdicts(await diagnose(draft, Date.now())));
  const change = (changed: Partial<Draft>) => {
    setVerdicts(null);
    onChange({ ...draft, ...changed });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.run();
  };
  return (
    <div className="grid">
      <form className="card stack" onSubmit={submit}>
        <h2>A delivery as your receiver saw it</h2>
        <p className="muted">It is checked in this browser. Nothing is sent and nothing is kept.</p>
        <label className="field">
          <span>Headers</span>
          <textarea
            className="input mono"
            rows={6}
            required
            spellCheck={false}
            placeholder={'webhook-id: evt_…\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
            value={draft.headers}
            onChange={(event) => change({ headers: event.target.value })}
          />
          <small>Lines, or a JSON object.</small>
        </label>
        <label className="field">
          <span>Raw body</span>
          <textarea
            className="input mono"
            rows={6}
            required
            spellCheck={false}
            placeholder='{"id":"evt_…","sequence":…'
            value={draft.body}
            onChange={(event) => change({ body: event.target.value })}
          />
        </label>
        <label className="field">
          <span>Signing secret</span>
          <input
            className="input mono"
            type="password"
            required
            autoComplete="off"
            spellCheck={false}
            placeholder="whsec_…"
            value={draft.secret}
            onChange={(event) => change({ secret: event.target.value })}
          />
          <small>The one that your receiver has, exactly as it has it.</small>
        </label>
        <div className="row">
          <Button kind="primary" type="submit" isBusy={check.isBusy}>
            Check the signature
          </Button>
          <Button kind="quiet" onClick={() => change(EMPTY_DRAFT)}>
            Clear
          </Button>
        </div>
        {check.error !== null && <Problem error={check.error} />}
      </form>
      <section className="stack top" aria-label="Findings" aria-live="polite">
        {verdicts === null ? <HowTo /> : verdicts.map((verdict) => <Finding key={verdict.family} verdict={verdict} />)}
      </section>
    </div>
  );
}

function Finding({ verdict: { family, rule, message, causes } }: { readonly verdict: Verdict }): ReactNode {
  return (
    <article className="card stack">
      <div className="row">
        <h2>{family}</h2>
        {rule === null ? (
          <Badge tone="good">holds</Badge>
        ) : rule === 'absent' ? (
          <Badge>not there</Badge>
        ) : (
          <Badge tone="bad">{rule}</Badge>
        )}
      </div>
      <p>{message}</p>
      {causes.length > 0 && (
        <ul className="stack">
          {causes.map((cause) => (
            <li key={cause} className="notice">
              {cause}
            </li>
          ))}
        </ul>
      )}
    </article>
  );
}

function HowTo(): ReactNode {
  return (
    <div className="card stack">
      <h2>What it tells</h2>
      <p>Each delivery carries two signatures, made with one secret. A receiver checks one of them:</p>
      <dl className="facts">
        <dt>Standard Webhooks</dt>
        <dd>
          <code>webhook-signature</code> over id, time and body. Old deliveries are refused. Prefer it.
        </dd>
        <dt>X-Svc-Signature-256</dt>
        <dd>Over the body alone, for receivers that verify GitHub’s webhooks already.</dd>
      </dl>
      <p>
        The doctor says which rule each of them breaks, and tries what usually went wrong: a body that was parsed and written
        again, a line end too many, a secret without its prefix or with a space around it, a clock that is off.
      </p>
      <p className="muted">A message of an inbox has a button that brings it here.</p>
    </div>
  );
}
