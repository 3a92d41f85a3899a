import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { EMPTY_DRAFT } from './draft.ts';
import { EXAMPLES } from './examples.ts';
import { InferenceForm } from './inference-form.tsx';
import type { Request } from './request.ts';

export function RequestFields({ request }: { readonly request: Request }): ReactNode {
  const { view, draft, json, refusal, inference } = request;
  return (
    <>
      <div className="row">
        <h2 className="grow">Inference</h2>
        <div className="row" role="group" aria-label="Shown as">
          <Button isSmall aria-pressed={view === 'form'} onClick={() => request.show('form')}>
            Form
          </Button>
          <Button isSmall aria-pressed={view === 'json'} onClick={() => request.show('json')}>
            As JSON
          </Button>
        </div>
      </div>
      <div className="row" role="group" aria-label="Examples">
        <span className="muted">Begin with</span>
        {EXAMPLES.map((example) => (
          <Button key={example.title} isSmall aria-pressed={request.example === example} onClick={() => request.begin(example)}>
            {example.title}
          </Button>
        ))}
        {(draft !== EMPTY_DRAFT || json !== '') && (
          <Button kind="quiet" isSmall onClick={() => request.begin(null)}>
            Clear
          </Button>
        )}
      </div>
      {refusal !== null && (
        <p className="notice warn" role="alert">
          {refusal} {view === 'json' ? 'It stays as JSON.' : 'It stays a form.'}
        </p>
      )}
      {view === 'form' ? (
        <InferenceForm draft={draft} onChange={request.setDraft} />
      ) : (
        <label className="field">
          <span>Inference as JSON</span>
          <textarea
            className="input mono"
            rows={14}
            spellCheck={false}
            autoComplete="off"
            aria-invalid={json !== '' && 'problem' in inference}
            value={json}
            onChange={(event) => request.setJson(event.target.value)}
          />
          {json !== '' && 'problem' in inference ? (
            <small className="problem">{inference.problem}</small>
          ) : (
            <small>The body of POST /v1/assessments: also parts of messages, model, subject and metadata.</small>
          )}
        </label>
      )}
    </>
  );
}
