// What became of a try: the outcome, what was found in each text, and what another policy makes of it.

import type { Assessment, Finding, Inference } from '@svc/client';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { CoverageCard, Decision, FindingItem, ShadowCard } from '../../ui/assessment.tsx';
import { Outcome } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { Copy, Id } from '../../ui/copy.tsx';
import { Problem } from '../../ui/problem.tsx';
import { worstFirst } from '../../ui/worst-first.ts';
import { Comparison } from './comparison.tsx';
import { MarkedText } from './marked-text.tsx';
import type { Tried } from './run.ts';
import { textsOf } from './texts.ts';

/** Of texts in which nothing was found; arguments of tools may hold thousands. */
const PLAIN_TEXTS_MAX = 20;

export function Answer({ tried }: { readonly tried: Tried }): ReactNode {
  const { assessment, simulation, candidate, inference } = tried;
  const assessed = assessment !== null && 'value' in assessment ? assessment.value : null;
  // It decides real traffic, so it is there unasked too.
  const verdict = assessed?.shadow != null && <ShadowCard shadow={assessed.shadow} />;
  return (
    <>
      {assessment !== null && 'error' in assessment && <Problem error={assessment.error} />}
      {assessed !== null && <Summary assessment={assessed} />}
      {simulation !== null && 'error' in simulation && <Problem error={simulation.error} />}
      {simulation !== null && 'value' in simulation && candidate !== null && (
        <Comparison name={candidate.name} result={simulation.value.result} outcomeInForce={assessed?.outcome ?? null} />
      )}
      {candidate?.name === 'shadow' && verdict}
      {assessed !== null && <Assessed inference={inference} assessment={assessed} />}
      {candidate?.name !== 'shadow' && verdict}
      {assessed !== null && <AsJson assessment={assessed} />}
    </>
  );
}

function Summary({ assessment }: { readonly assessment: Assessment }): ReactNode {
  const { id, outcome, event_id: eventId, findings_total: total, latency_ms: latencyMs } = assessment;
  return (
    <section className="card stack" aria-label="Outcome">
      <div className="row playground-outcome">
        <Outcome outcome={outcome} />
        <span>
          {total === 0 ? 'Nothing was found' : total === 1 ? 'One finding' : `${total} findings`}, decided in{' '}
          {latencyMs < 10 ? latencyMs.toFixed(1) : Math.round(latencyMs)} ms
        </span>
      </div>
      <dl className="facts">
        <dt>Assessment</dt>
        <dd>
          <Id id={id} />
        </dd>
        <dt>Event</dt>
        <dd>
          {eventId === null ? (
            <span className="muted">none: it was assessed in test mode</span>
          ) : (
            <Link href={`/events/${eventId}`}>
              <code>{eventId}</code>
            </Link>
          )}
        </dd>
      </dl>
    </section>
  );
}

function Assessed({ inference, assessment }: { readonly inference: Inference; readonly assessment: Assessment }): ReactNode {
  const { findings, findings_total: total, redacted, coverage } = assessment;
  const numbered = new Map(worstFirst(findings).map((finding, i) => [i + 1, finding]));
  return (
    <>
      <Texts inference={inference} findings={numbered} />
      {numbered.size > 0 && (
        <section className="card stack">
          <h3>Findings ({total})</h3>
          {total > numbered.size && <p className="muted">The worst {numbered.size} are listed and marked.</p>}
          <ol className="stack">
            {[...numbered].map(([number, finding]) => (
              <FindingItem key={finding.id} finding={finding} number={number} />
            ))}
          </ol>
        </section>
      )}
      {redacted !== null && <RedactedTexts inference={inference} redacted={redacted as Inference} />}
      <Decision assessment={assessment} />
      <CoverageCard coverage={coverage} />
    </>
  );
}

function Texts({
  inference,
  findings,
}: {
  readonly inference: Inference;
  readonly findings: ReadonlyMap<number, Finding>;
}): ReactNode {
  const byPointer = Map.groupBy(findings, ([, { location }]) => location.pointer);
  const texts = textsOf(inference).filter(({ text }) => text !== '');
  const plain = texts.filter(({ pointer }) => !byPointer.has(pointer));
  const left = new Set(plain.slice(PLAIN_TEXTS_MAX));
  return (
    <section className="card stack">
      <h3>{findings.size === 0 ? 'What was read' : 'What was found, and where'}</h3>
      {texts
        .filter((text) => !left.has(text))
        .map(({ pointer, title, text }) => (
          <div key={pointer} className="playground-read">
            <TextHead title={title} pointer={pointer} />
            <MarkedText label={`${title}, ${pointer}`} text={text} findings={new Map(byPointer.get(pointer))} />
          </div>
        ))}
      {left.size > 0 && <p className="muted">{left.size} more texts in which nothing was found.</p>}
    </section>
  );
}

function TextHead({
  title,
  pointer,
  children,
}: {
  readonly title: string;
  readonly pointer: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="row">
      <strong>{title}</strong> <code className="muted">{pointer}</code>
      <span className="grow" />
      {children}
    </div>
  );
}

/** `redacted` has the shape of what was sent, and of it only the members that changed. */
function RedactedTexts({ inference, redacted }: { readonly inference: Inference; readonly redacted: Inference }): ReactNode {
  const before = new Map(textsOf(inference).map(({ pointer, text }) => [pointer, text]));
  const changed = textsOf(redacted).filter(({ pointer, text }) => before.get(pointer) !== text);
  return (
    <section className="card stack">
      <h3>Redacted</h3>
      <p className="muted">What your application goes on with instead. It is in this answer alone, and stored nowhere.</p>
      {changed.map(({ pointer, title, text }) => (
        <div key={pointer} className="playground-read">
          <TextHead title={title} pointer={pointer}>
            <Copy text={text} />
          </TextHead>
          <MarkedText label={`${title}, redacted`} text={text} findings={new Map()} />
        </div>
      ))}
    </section>
  );
}

/** Written when it is asked for: it may be long. */
function AsJson({ assessment }: { readonly assessment: Assessment }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The answer as JSON</summary>
      {isOpen && <Code label="The answer as JSON" text={JSON.stringify(assessment, null, 2)} />}
    </details>
  );
}
