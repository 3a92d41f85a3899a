// The signal hour by hour, with what is usual, and when the drift began and was sure.

import type { DriftEpisode, DriftMonitorDetail } from '@svc/client';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { letterOf, Lines, type Band, type Line, type Mark } from '../../charts/lines.tsx';
import { exactTime, Time } from '../../ui/time.tsx';
import { percent, signalTitle, valueFormat } from './signals.ts';

const DAY_MS = 86_400_000;
const PERIODS = [
  { id: null, title: 'All', said: 'last 90 days', ms: Infinity },
  { id: '30d', title: 'Last 30 days', said: 'last 30 days', ms: 30 * DAY_MS },
  { id: '7d', title: 'Last 7 days', said: 'last 7 days', ms: 7 * DAY_MS },
  { id: '24h', title: 'Last 24 hours', said: 'last 24 hours', ms: DAY_MS },
] as const;
/** Names of a mix that have a picture of their own. */
const LABELS_MAX = 6;
const OTHERS = 'other';
/** Hours of fewer observations say little. */
const FEW = 10;

type Point = DriftMonitorDetail['series']['points'][number];

interface Props {
  readonly monitor: DriftMonitorDetail;
  /** The drift whose times are marked. */
  readonly episode: DriftEpisode | null;
}

export function MonitorChart({ monitor, episode }: Props): ReactNode {
  const [params] = useSearchParams();
  const period = PERIODS.find(({ id }) => id === params.get('period')) ?? PERIODS[0];
  const stepMs = monitor.series.interval_s * 1_000;
  // With the hour that is not over.
  const toMs = Math.ceil(Date.now() / stepMs) * stepMs;
  const span = period.ms === Infinity ? undefined : { fromMs: toMs - period.ms, toMs };
  const all = monitor.series.points.filter(({ from }) => span === undefined || Date.parse(from) >= span.fromMs);
  const points = tellingOf(all);
  const marks = marksOf(monitor, episode);
  return (
    <section className="card stack">
      <div className="row">
        <h2>{signalTitle(monitor.signal)} by hour</h2>
        <span className="grow" />
        <nav className="row" aria-label="Period of the chart">
          {PERIODS.map(({ id, title }) => (
            <Link
              key={title}
              className="button small"
              href={id === null ? `/drift/${monitor.id}` : `/drift/${monitor.id}?period=${id}`}
              aria-current={id === period.id ? 'true' : undefined}
            >
              {title}
            </Link>
          ))}
        </nav>
      </div>
      {points.length === 0 ? (
        <p className="muted">
          Nothing was observed in the {period.said}. The last observation came <Time at={monitor.last_observed_at} />.
        </p>
      ) : monitor.kind === 'categorical' ? (
        <Mix monitor={monitor} points={points} stepMs={stepMs} span={span} marks={marks} episode={episode} />
      ) : (
        <Value monitor={monitor} points={points} stepMs={stepMs} span={span} marks={marks} />
      )}
      {points.length < all.length && (
        <p className="muted">
          Left out {all.length - points.length === 1 ? 'is 1 hour' : `are ${all.length - points.length} hours`} of fewer than{' '}
          {FEW} observations.
        </p>
      )}
      <MarkList marks={marks} />
    </section>
  );
}

interface PartProps {
  readonly monitor: DriftMonitorDetail;
  readonly points: readonly Point[];
  readonly stepMs: number;
  /** The period up to now; `undefined`: all that there is. */
  readonly span: { readonly fromMs: number; readonly toMs: number } | undefined;
  readonly marks: readonly Mark[];
}

/** Of a rate or a number. */
function Value({ monitor, points, stepMs, span, marks }: PartProps): ReactNode {
  const { kind, series } = monitor;
  const name = kind === 'rate' ? 'Share' : 'Mean';
  const line: Line = {
    title: name,
    color: '--text',
    values: points.map(({ value }) => value),
    low: points.map(({ low }) => low),
    high: points.map(({ high }) => high),
  };
  return (
    <>
      <Lines
        title={`${name} of each hour, with its 95 % interval`}
        label={`${signalTitle(monitor.signal)} of ${monitor.model} by hour${series.baseline === null ? '' : ', with the band of its baseline'}${marks.length === 0 ? '' : '; when the drift began and was detected is marked'}.`}
        times={timesOf(points, stepMs)}
        stepMs={stepMs}
        {...(span === undefined ? {} : { span })}
        lines={[line]}
        band={series.baseline === null ? null : { title: 'Usual', ...series.baseline }}
        marks={marks}
        more={[countsOf(points)]}
        format={valueFormat(monitor)}
        isFromZero={kind === 'rate'}
        height={280}
      />
      {series.baseline !== null && (
        <p className="muted">
          Within the band an hour of many observations counts as unchanged. Drift is judged by observation, not by hour: the chart
          shows it, the evidence below decides.
        </p>
      )}
    </>
  );
}

/** Of a mix: a picture for each name, that which changed first. */
function Mix({
  monitor,
  points,
  stepMs,
  span,
  marks,
  episode,
}: PartProps & { readonly episode: DriftEpisode | null }): ReactNode {
  const { labels } = monitor.series;
  const weight = (index: number) => points.reduce((sum, { n, shares }) => sum + n * (shares?.[index] ?? 0), 0);
  const byNeed = labels
    .map((label, index) => ({ label, index, weight: weight(index), hasChanged: label === episode?.label }))
    .filter(({ weight: seen, hasChanged }) => seen > 0 || hasChanged)
    .toSorted((a, b) => Number(b.hasChanged) - Number(a.hasChanged) || b.weight - a.weight);
  const shown = byNeed.slice(0, LABELS_MAX);
  return (
    <>
      <div className="grid">
        {shown.map(({ label, index }) => (
          <Lines
            key={label}
            title={`${label}: share of each hour`}
            label={`Share of ${label} by hour${marks.length === 0 ? '' : '; when the drift began and was detected is marked'}.`}
            times={timesOf(points, stepMs)}
            stepMs={stepMs}
            {...(span === undefined ? {} : { span })}
            lines={[{ title: 'Share', color: '--text', values: points.map(({ shares }) => shares?.[index] ?? null) }]}
            band={bandOf(monitor, label, index)}
            marks={marks}
            more={[countsOf(points)]}
            format={percent}
            isFromZero
            height={180}
          />
        ))}
      </div>
      {byNeed.length > shown.length && (
        <p className="muted">
          The {shown.length} most frequent of {byNeed.length} names. All are compared below.
        </p>
      )}
    </>
  );
}

/** What the letters in the picture stand for. */
function MarkList({ marks }: { readonly marks: readonly Mark[] }): ReactNode {
  if (marks.length === 0) return null;
  return (
    <ul className="drift-marks" aria-label="Marks of the chart">
      {marks.map((mark) => {
        const at = new Date(mark.atMs).toISOString();
        return (
          <li key={mark.title} className="row">
            <strong className="drift-letter">{letterOf(marks, mark)}</strong> {mark.title} <Time at={at} />
            <span className="muted">{exactTime(at).replace(/\.\d+/, '')}</span>
          </li>
        );
      })}
    </ul>
  );
}

function marksOf({ baseline }: DriftMonitorDetail, episode: DriftEpisode | null): readonly Mark[] {
  const marks: Mark[] = [];
  if (baseline !== null) marks.push({ title: 'Baseline ends', atMs: Date.parse(baseline.to), dash: '1 3' });
  if (episode !== null) {
    marks.push({ title: 'Drift began', atMs: Date.parse(episode.onset) });
    marks.push({ title: 'Detected', atMs: Date.parse(episode.sustained_at), dash: '6 3' });
    if (episode.ended_at !== null) marks.push({ title: 'Ended', atMs: Date.parse(episode.ended_at), dash: '2 3' });
  }
  return marks.toSorted((a, b) => a.atMs - b.atMs);
}

function bandOf({ features }: DriftMonitorDetail, label: string, index: number): Band | null {
  // The last name of a series is all others; among what is compared they have none.
  const feature =
    features.find((each) => each.label === label) ??
    (label === OTHERS && index > 0 ? features.find((each) => each.label === null) : undefined);
  return feature === undefined ? null : { title: 'Usual', value: feature.baseline, low: feature.low, high: feature.high };
}

/** Without hours of a few observations, which jump from one end to the other; all where most are so. */
function tellingOf(points: readonly Point[]): readonly Point[] {
  const telling = points.filter(({ n }) => n >= FEW);
  return telling.length * 2 > points.length ? telling : points;
}

function timesOf(points: readonly Point[], stepMs: number): number[] {
  return points.map(({ from }) => Date.parse(from) + stepMs / 2);
}

function countsOf(points: readonly Point[]) {
  return { title: 'Observations', cells: points.map(({ n }) => n.toLocaleString('en')) };
}
