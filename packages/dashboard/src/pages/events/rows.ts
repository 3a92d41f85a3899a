// Events and assessments as lines of a list: small, because thousands of them are held.

import type { Assessment, Event } from '@svc/client';
import { worstFirst } from '../../ui/worst-first.ts';
import { isInference } from '../../kinds.ts';

export interface Row {
  /** Of the event. */
  readonly id: string;
  /** `null`: an assessment does not tell. */
  readonly sequence: number | null;
  readonly at: string;
  readonly kind: string;
  /** `null`: not an inference. */
  readonly outcome: string | null;
  /** The worst that was found, or what it is about. */
  readonly what: string;
  /** Findings of other categories. */
  readonly more: number;
  /** The caller's own id, or the probe's. */
  readonly externalId: string | null;
  /** That reported it. */
  readonly probe: string | null;
  readonly model: string | null;
  /** The actor of an event, the subject of an assessment. */
  readonly who: string | null;
}

export function rowOfEvent(event: Event): Row {
  const { id, sequence, kind, recorded_at: at, actor, data } = event;
  const who = actor.id ?? actor.type;
  if (isInference(kind)) return { ...rowOfInference(data as unknown as Assessment), id, sequence, at, kind, who };
  // Who did it is told beside it.
  const about = aboutOf(data);
  return {
    id,
    sequence,
    at,
    kind,
    outcome: null,
    what: about === who ? '' : about,
    more: 0,
    externalId: null,
    probe: null,
    model: null,
    who,
  };
}

export function rowOfAssessment(assessment: Assessment): Row {
  const { event_id: id, created_at: at, outcome, subject } = assessment;
  const who = subject?.user ?? subject?.session ?? subject?.agent ?? null;
  return { ...rowOfInference(assessment), id: id ?? assessment.id, sequence: null, at, kind: `inference.${outcome}`, who };
}

/** Of a probe that decided without saying why. */
export const NOT_NAMED = 'no category named';

function rowOfInference({ findings, outcome, external_id: externalId, model, probe }: Assessment) {
  const categories = [...new Set(worstFirst(findings ?? []).map(({ category }) => category))];
  return {
    outcome,
    what: categories[0] ?? (probe !== undefined && outcome !== 'allowed' ? NOT_NAMED : ''),
    more: Math.max(0, categories.length - 1),
    externalId: externalId ?? probe?.event_id ?? null,
    probe: probe?.id ?? null,
    model: model?.name ?? null,
  };
}

/** Members that say what an event is about, the best first. */
const ABOUT = [
  'summary',
  'name',
  'host',
  'series',
  'group',
  'format',
  'basis',
  'reason',
  'version',
  'subject',
  'probe_id',
  'webhook_id',
  'integration_id',
  'monitor_id',
  'origin',
  'export_id',
  'event_id',
];

function aboutOf(data: Readonly<Record<string, unknown>>): string {
  for (const name of ABOUT) {
    const value = data[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return `${name} ${value}`;
  }
  return '';
}

/** `key_…jg089ree7r`: ids differ at their end. Other texts are as they are. */
export function shortId(text: string): string {
  return /^[a-z]+_[0-9a-z]{26}$/.test(text) ? `${text.slice(0, text.indexOf('_') + 1)}…${text.slice(-8)}` : text;
}
