// How an inference was decided: by what, what was found and by whom, what was read. Where an assessment is shown, it is shown by these.

import type { Assessment, Coverage, Finding, PolicyShadowVerdict } from '@svc/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import './assessment.css';
import { Badge, Outcome } from './badge.tsx';

export function Decision({ assessment }: { readonly assessment: Assessment }): ReactNode {
  const { enforcement, score, severity, policy, latency_ms: latencyMs, probe } = assessment;
  return (
    <section className="card stack">
      <h3>Decision</h3>
      <dl className="facts">
        <dt>Done</dt>
        <dd>
          {DONE[enforcement.action] ?? enforcement.action}
          {enforcement.mode === 'monitor' && ' (the policy only watches)'}
          {enforcement.message !== null && <div className="muted">{enforcement.message}</div>}
        </dd>
        {enforcement.would !== null && (
          <>
            <dt>Would have been</dt>
            <dd>{DONE[enforcement.would] ?? enforcement.would}</dd>
          </>
        )}
        <dt>Severity</dt>
        <dd>
          {severity}, score {score}
        </dd>
        <dt>Policy</dt>
        <dd>
          {policy.version === null ? (
            'not said by the probe'
          ) : (
            <Link href={`/policy?tab=versions&version=${policy.version}`}>version {policy.version}</Link>
          )}
          {policy.digest !== null && (
            <div className="muted">
              <code>{policy.digest}</code>
            </div>
          )}
        </dd>
        <dt>Decided by</dt>
        <dd>
          {probe === undefined ? (
            `the service, in ${latencyMs < 10 ? latencyMs.toFixed(1) : Math.round(latencyMs)} ms`
          ) : (
            <>
              {probe.decided_by === 'probe' ? 'the probe ' : 'the service, for the probe '}
              <code>{probe.id}</code>
            </>
          )}
        </dd>
        {assessment.probe_outcome !== undefined && (
          <>
            <dt>The probe’s outcome</dt>
            <dd>
              <Outcome outcome={assessment.probe_outcome} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

const DONE: Readonly<Record<string, string>> = { none: 'nothing', redact: 'redacted', block: 'blocked' };

interface FindingProps {
  readonly finding: Finding;
  /** By which its passage is marked in the text. */
  readonly number?: number;
}

export function FindingItem({ finding, number }: FindingProps): ReactNode {
  const { category, type, outcome, severity, score, explanation, detector, action } = finding;
  return (
    <li className="finding stack">
      <div className="row">
        {number !== undefined && <span className="finding-number">{number}</span>}
        <code>
          <strong>{category}</strong>
        </code>
        <span className="muted">{type.replaceAll('_', ' ')}</span>
        <span className="grow" />
        <Outcome outcome={outcome} />
      </div>
      <Passage finding={finding} />
      <p>{explanation}</p>
      <dl className="facts">
        <dt>Detector</dt>
        <dd>
          <code>
            {detector.id} {detector.version}
          </code>
          , by {detector.method}
        </dd>
        <dt>Score</dt>
        <dd>
          {score}, severity {severity}
        </dd>
        <dt>Action</dt>
        <dd>
          {action}
          {finding.rule_id !== null && (
            <>
              , by the rule <code>{finding.rule_id}</code>
            </>
          )}
          {finding.exception_id !== null && (
            <>
              , excused by the exception <code>{finding.exception_id}</code>
            </>
          )}
        </dd>
        {finding.frameworks.length > 0 && (
          <>
            <dt>Frameworks</dt>
            <dd className="muted">{finding.frameworks.join(', ')}</dd>
          </>
        )}
      </dl>
    </li>
  );
}

/** Where it stood, and what may be shown of it. */
function Passage({ finding: { location, preview, outcome } }: { readonly finding: Finding }): ReactNode {
  const { pointer, start, end } = location;
  return (
    <p className="passage">
      <span className="muted">
        <code>{pointer === '' ? 'the whole inference' : pointer}</code>
        {end > start && `, characters ${start} to ${end}`}
      </span>
      {preview !== null && <mark className={outcome === 'blocked' ? 'mono blocked' : 'mono'}>{preview}</mark>}
    </p>
  );
}

const COVERED = { complete: 'good', partial: 'warn', failed: 'bad' } as const;

export function CoverageCard({ coverage }: { readonly coverage: Coverage }): ReactNode {
  const { status, chars_total: total, chars_scanned: scanned, detectors } = coverage;
  const failed = detectors.filter((run) => run.status === 'error' || run.status === 'timed_out');
  const ran = detectors.filter((run) => run.status === 'ok');
  const skipped = detectors.filter((run) => run.status === 'skipped');
  return (
    <section className="card stack">
      <div className="row">
        <h3>Coverage</h3>
        <Badge tone={COVERED[status as keyof typeof COVERED] ?? 'plain'}>{status}</Badge>
      </div>
      <p>
        {scanned.toLocaleString('en')} of {total.toLocaleString('en')} characters read by every detector concerned.
      </p>
      {failed.length > 0 && (
        <ul className="stack" aria-label="Detectors that failed">
          {failed.map((run) => (
            <li key={run.id} className="row">
              <Badge tone="bad">{run.status === 'timed_out' ? 'out of time' : 'failed'}</Badge>
              <code>
                {run.id} {run.version}
              </code>
            </li>
          ))}
        </ul>
      )}
      {detectors.length > 0 && (
        <details>
          <summary>
            {ran.length} detectors ran, {skipped.length} had nothing to do or are off
          </summary>
          <dl className="facts detectors">
            {detectors.map((run) => (
              <div key={run.id}>
                <dt>
                  <code>{run.id}</code> {run.version}
                </dt>
                <dd>{run.status === 'ok' ? `${run.latency_ms.toFixed(1)} ms` : run.status.replaceAll('_', ' ')}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

export function ShadowCard({ shadow }: { readonly shadow: NonNullable<PolicyShadowVerdict> }): ReactNode {
  const { outcome, changed, added, removed, error, policy, judges_not_asked: notAsked } = shadow;
  return (
    <section className="card stack">
      <div className="row">
        <h3>Shadow policy</h3>
        {outcome !== null && <Outcome outcome={outcome} />}
      </div>
      <p>
        {error !== null
          ? `The candidate came to no outcome: ${error.replaceAll('_', ' ')}.`
          : changed === true
            ? 'The candidate would have decided otherwise.'
            : 'The candidate decides the same.'}
        {notAsked > 0 && ` ${notAsked} of its judges were not asked.`}
      </p>
      <Differences title="Only the candidate finds" differences={added} />
      <Differences title="Only the policy in force finds" differences={removed} />
      <p className="muted address">
        <code>{policy.digest}</code>
      </p>
    </section>
  );
}

interface DifferencesProps {
  readonly title: string;
  readonly differences: NonNullable<PolicyShadowVerdict>['added'];
}

function Differences({ title, differences }: DifferencesProps): ReactNode {
  if (differences.length === 0) return null;
  return (
    <div>
      <strong>{title}</strong>
      <ul>
        {differences.map(({ category, type, location }) => (
          <li key={`${category} ${type} ${location.pointer} ${location.start}`}>
            <code>{category}</code> {type.replaceAll('_', ' ')}{' '}
            <span className="muted">
              at <code>{location.pointer}</code>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
