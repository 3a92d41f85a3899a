// How an inference was decided: what was found and by whom, what was read, and by which policy.

import type { Assessment } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { CoverageCard, Decision, FindingItem, ShadowCard } from '../../ui/assessment.tsx';
import { worstFirst } from '../../ui/worst-first.ts';
import { DataList } from './data.tsx';

interface Props {
  readonly assessment: Assessment;
  readonly erased: readonly string[];
}

export function Inference({ assessment, erased }: Props): ReactNode {
  return (
    <>
      <Decision assessment={assessment} />
      <Findings assessment={assessment} isErased={erased.includes('previews')} />
      <CoverageCard coverage={assessment.coverage} />
      {assessment.shadow !== null && <ShadowCard shadow={assessment.shadow} />}
      <Concerns assessment={assessment} erased={erased} />
    </>
  );
}

/** Nobody reads more, and a page with all would be slow. */
const AT_ONCE = 50;

function Findings({ assessment, isErased }: { readonly assessment: Assessment; readonly isErased: boolean }): ReactNode {
  const { findings, findings_total: total } = assessment;
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <section className="card stack">
      <h3>{total === 0 ? 'Findings' : `Findings (${total})`}</h3>
      {findings.length === 0 ? (
        <p className="muted">Nothing was found.</p>
      ) : (
        <p className="muted">
          {isErased
            ? 'The passages were erased. Where they stood, and why they counted, is left.'
            : 'Texts are not shown. Of each passage there is a masked glimpse, and where it stood.'}
          {total > findings.length && ` The worst ${findings.length} of ${total} are listed.`}
        </p>
      )}
      <ol className="stack">
        {worstFirst(findings)
          .slice(0, shown)
          .map((finding) => (
            <FindingItem key={finding.id} finding={finding} />
          ))}
      </ol>
      {findings.length > shown && (
        <div>
          <Button isSmall onClick={() => setShown(shown + AT_ONCE)}>
            Show {Math.min(AT_ONCE, findings.length - shown)} more of {findings.length.toLocaleString('en')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Of which model, for whom, and what the caller said besides. */
function Concerns({ assessment, erased }: Props): ReactNode {
  const { model, subject, external_id: externalId, metadata } = assessment;
  const facts: Record<string, unknown> = {
    ...(model === null ? {} : { model: [model.provider, model.name, model.version].filter(Boolean).join(' ') }),
    ...withoutNulls(subject ?? {}),
    ...(externalId === null ? {} : { external_id: externalId }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...Object.fromEntries(['subject', 'external_id', 'metadata'].filter((f) => erased.includes(f)).map((f) => [f, 'erased'])),
  };
  return (
    <section className="card">
      <h3>Sent with it</h3>
      {Object.keys(facts).length === 0 ? (
        <p className="muted">No model, subject, external id or metadata.</p>
      ) : (
        <DataList isForeign data={facts} />
      )}
    </section>
  );
}

function withoutNulls(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}
