// How sure a drift is, and how large: what its event in the trail says.

import type { DriftEpisode, DriftMonitorDetail } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Figure } from '../../ui/figure.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { featureTitle } from './features.tsx';
import { chanceOf, featureFormat, valueFormat } from './signals.ts';

interface Props {
  readonly monitor: DriftMonitorDetail;
  readonly episode: DriftEpisode;
}

type Percentiles = Readonly<Record<'p10' | 'p50' | 'p90' | 'p99', number>>;

/** The data of `drift.sustained`, as docs/guide/drift.md has it. */
interface Told {
  readonly baseline: { readonly n: number; readonly value: number; readonly percentiles?: Percentiles };
  readonly current: {
    readonly n: number;
    readonly value: number;
    readonly ci95: readonly [low: number, high: number];
    readonly percentiles?: Percentiles;
  };
  readonly effect: {
    readonly ratio?: number;
    readonly difference?: number;
    readonly standardized?: number;
    readonly tolerance: number;
  };
  readonly suspected_at: string;
  readonly blocks: number;
  readonly evidence: { readonly log10_e: number; readonly false_alarm_budget: string };
  readonly provisional: boolean;
  readonly sample_event_ids: readonly string[];
}

const COINCIDENCES: Readonly<Record<string, string>> = {
  model_version_change: 'another version of the model answered',
  policy_change: 'the policy was changed',
};

export function Evidence({ monitor, episode }: Props): ReactNode {
  const mayRead = useMay('events:read');
  const event = useQuery({
    queryKey: ['drift', 'told', episode.event_id],
    queryFn: ({ signal }) => svc.events.get(episode.event_id, { signal }),
    enabled: mayRead,
    // What was told stays as it is.
    staleTime: Infinity,
  });
  return (
    <section className="card stack">
      <div className="row">
        <h2>{episode.ended_at === null ? 'How sure it is' : 'How sure the last drift was'}</h2>
        <Badge tone={episode.severity === 'high' ? 'bad' : 'warn'}>severity {episode.severity}</Badge>
        <span className="grow" />
        {mayRead && <Link href={`/events/${episode.event_id}`}>Its event in the trail</Link>}
      </div>
      {!mayRead ? (
        <>
          <p>{episode.summary}</p>
          <p className="muted">
            The evidence is in its event, which needs the scope <code>events:read</code>; this session does not have it.
          </p>
        </>
      ) : event.isPending ? (
        <Skeleton lines={6} />
      ) : event.data === undefined ? (
        <Problem error={event.error} onRetry={() => event.refetch()} />
      ) : (
        <Numbers monitor={monitor} episode={episode} told={event.data.data as unknown as Told} />
      )}
    </section>
  );
}

function Numbers({ monitor, episode, told }: Props & { readonly told: Told }): ReactNode {
  const { baseline, current, effect, evidence } = told;
  const format = featureFormat(episode.feature);
  const medians = mediansOf(monitor, episode, told);
  const count = (n: number) => `${n.toLocaleString('en')} observations`;
  return (
    <>
      <dl className="figures">
        <Figure
          title={medians === null ? 'Usual' : 'Usual median'}
          value={medians === null ? format(baseline.value) : medians.usual}
          note={count(baseline.n)}
        />
        <Figure
          title={medians === null ? 'Since' : 'Median since'}
          value={medians === null ? format(current.value) : medians.since}
          note={`${count(current.n)} after the suspicion`}
        />
        <Figure
          title="Effect"
          value={effectOf(effect)}
          note={EFFECT_NOTES[effect.ratio === undefined ? 'standardized' : 'ratio']}
        />
        <Figure
          title="Evidence"
          value={chanceOf(evidence.log10_e)}
          note="at most so often is so much seen where nothing has changed"
        />
      </dl>
      <dl className="facts">
        <dt>What changed</dt>
        <dd>
          {featureTitle(episode.feature)}: {episode.direction === 'up' ? 'risen' : 'fallen'} from {format(baseline.value)} to{' '}
          {format(current.value)}{' '}
          <span className="muted">
            (95 %: {format(current.ci95[0])} to {format(current.ci95[1])}); {episode.direction} to {format(effect.tolerance)}{' '}
            counts as unchanged
          </span>
        </dd>
        {effect.ratio !== undefined && effect.standardized !== undefined && (
          <>
            <dt>Size</dt>
            <dd>{effect.standardized.toFixed(2)} standard deviations</dd>
          </>
        )}
        <dt>Suspected</dt>
        <dd>
          <Time at={told.suspected_at} />, confirmed by {told.blocks} blocks of what came after it
        </dd>
        <dt>False alarms</dt>
        <dd>
          at most {evidence.false_alarm_budget}, as the policy allows
          {told.provisional && '; provisional, because a whole season was not known yet'}
        </dd>
        <dt>At the same time</dt>
        <dd>
          {episode.coincides_with.length === 0
            ? 'no change of the model’s version or of the policy'
            : episode.coincides_with.map((name) => COINCIDENCES[name] ?? name).join(', ')}
        </dd>
        <dt>Inferences</dt>
        <dd>
          <Samples ids={told.sample_event_ids} />
        </dd>
      </dl>
      <PercentileTable monitor={monitor} told={told} />
    </>
  );
}

/** Those to look at. */
function Samples({ ids }: { readonly ids: readonly string[] }): ReactNode {
  if (ids.length === 0) return <span className="muted">none was kept</span>;
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          {id.startsWith('evt_') ? (
            <Link href={`/events/${id}`}>
              <code>{id}</code>
            </Link>
          ) : (
            <code>{id}</code>
          )}
        </li>
      ))}
      {ids.some((id) => !id.startsWith('evt_')) && (
        <li className="muted">Names without a link are the probe’s own: allowed inferences of probes have no event.</li>
      )}
    </ul>
  );
}

const PERCENTILES = [
  { name: 'p10', title: '10 % are below' },
  { name: 'p50', title: 'Median' },
  { name: 'p90', title: '10 % are above' },
  { name: 'p99', title: '1 % are above' },
] as const;

/** Of numbers, in the signal's own unit. */
function PercentileTable({ monitor, told }: { readonly monitor: DriftMonitorDetail; readonly told: Told }): ReactNode {
  const [before, now] = [told.baseline.percentiles, told.current.percentiles];
  if (before === undefined || now === undefined) return null;
  const format = valueFormat(monitor);
  const columns: readonly Column<(typeof PERCENTILES)[number]>[] = [
    { title: 'Values', cell: ({ title }) => title },
    { title: 'Usual', isNumber: true, cell: ({ name }) => format(before[name]) },
    { title: 'Since', isNumber: true, cell: ({ name }) => format(now[name]) },
  ];
  return <Table label="Values before and since" columns={columns} items={PERCENTILES} keyOf={({ name }) => name} />;
}

/** Where the values lie is told by rank, which says little to people: their medians say it. */
function mediansOf(monitor: DriftMonitorDetail, { feature }: DriftEpisode, { baseline, current }: Told) {
  if (feature !== 'location' || baseline.percentiles === undefined || current.percentiles === undefined) return null;
  const format = valueFormat(monitor);
  return { usual: format(baseline.percentiles.p50), since: format(current.percentiles.p50) };
}

const EFFECT_NOTES = { ratio: 'of what was usual', standardized: 'standard deviations' } as const;

/** The clearest of what is told. */
function effectOf({ ratio, standardized, difference }: Told['effect']): string {
  if (ratio !== undefined) return `${ratio.toFixed(2)} times`;
  if (standardized !== undefined) return `${standardized > 0 ? '+' : ''}${standardized.toFixed(2)}`;
  return difference === undefined ? '–' : difference.toFixed(3);
}
