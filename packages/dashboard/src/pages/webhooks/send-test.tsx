import type { TestEvent, TestResult } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { keyOf, resourceOf, wordOf, type Endpoint } from './endpoint.ts';
import { KINDS } from '../../kinds.ts';
import { prettyJson } from './pretty.ts';

type Sample = NonNullable<TestEvent['event']>;
const SAMPLES: readonly Sample[] = ['webhook.test', ...KINDS];

/** One real attempt with a sample of a kind, and how it went. */
export function SendTest({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }): ReactNode {
  const [sample, setSample] = useState<Sample>(endpoint.area === 'webhooks' ? 'webhook.test' : 'inference.blocked');
  const [result, setResult] = useState<TestResult | null>(null);
  const send = useAction(async () => {
    setResult(null);
    setResult(await resourceOf(endpoint).test(endpoint.id, { event: sample }));
    await queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.run();
  };
  return (
    <Dialog title="Send a test" onClose={onClose}>
      <p>
        One real attempt, now, with a sample event whose <code>data.test</code> is true. It is kept nowhere. One that arrives ends
        a pause of the {wordOf(endpoint)}.
      </p>
      <form className="stack" onSubmit={submit}>
        <label className="field">
          <span>Kind</span>
          <select className="input" value={sample} onChange={(event) => setSample(event.target.value as Sample)}>
            {SAMPLES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <div aria-live="polite">
          {send.isBusy && <p className="muted">Sending; an answer may take up to five seconds.</p>}
          {result !== null && <Outcome result={result} />}
        </div>
        {send.error !== null && <Problem error={send.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Close</Button>
          <Button kind="primary" type="submit" isBusy={send.isBusy}>
            Send
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Outcome({
  result: { delivered, event, status, latency_ms: latencyMs, error, answer },
}: {
  readonly result: TestResult;
}): ReactNode {
  return (
    <div className={`notice stack ${delivered ? 'good' : 'bad'}`}>
      <div className="row">
        {delivered ? <Badge tone="good">delivered</Badge> : <Badge tone="bad">not delivered</Badge>}
        <code>{event}</code>
        <span className="muted">
          {status === null ? 'no answer' : `status ${status}`}, {latencyMs.toFixed(1)} ms
        </span>
      </div>
      {error !== null && <p>{error}</p>}
      {answer !== null && answer !== '' && <Code text={prettyJson(answer)} raw={answer} label="Answer" />}
    </div>
  );
}
