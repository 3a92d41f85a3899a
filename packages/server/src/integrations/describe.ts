// What an event says to a person on call: one description, which every adapter lays out in its vendor's form.

import { SEVERITIES, type Severity } from '@svc/engine';
import type { OutgoingEvent } from './adapter.ts';
import { capitalized, ENDINGS, SEVERITY_OF, STATES, titleOf, wordsOf } from './kinds.ts';
import { at, textAt } from './members.ts';
import { oneLine } from './text.ts';

// One look: more is behind the link.
const FINDINGS_SHOWN = 5;
const FACTS_MAX = 8; // Slack has room for ten fields.
const TITLE_CHARS_MAX = 150; // A Slack header, the shortest title of all vendors but one.
const LINE_CHARS_MAX = 250;
const VALUE_CHARS_MAX = 100;
const NAME_CHARS_MAX = 40;

/** A name and its value, each one line, at most 40 and 100 characters. */
type Fact = readonly [name: string, value: string];

/** An event in words. Nothing in it is text of an inference but masked previews. */
export interface Description {
  /** One line, never empty, at most 150 characters. */
  readonly title: string;
  /** At most seven lines of 250 characters; never empty. */
  readonly text: string;
  readonly severity: Severity;
  /** At most eight. */
  readonly facts: readonly Fact[];
  /** Names the condition, not the event: what tells of the same trouble, and of its end, has the same. */
  readonly condition: string;
  /** Whether it tells of the end of its condition. */
  readonly resolves: boolean;
  /** What it is about: the model, the probe, a resource, in one line of at most 100 characters; `null`: the organization. */
  readonly subject: string | null;
}

/** Describes an event of any kind, also of one that is not known here. */
export function describeEvent(event: OutgoingEvent): Description {
  const { kind, data } = event;
  const resolves = ENDINGS.has(kind);
  const severity = resolves ? 'none' : (severityIn(data) ?? SEVERITY_OF.get(kind) ?? 'none');
  const subject = subjectOf(event);
  const isInference = kind.startsWith('inference.');
  const title = `${isTest(event) && kind !== 'webhook.test' ? 'Test: ' : ''}${titleOf(kind)}${subject === null ? '' : `: ${subject}`}`;
  const facts = isInference ? inferenceFacts(data) : changeFacts(event);
  return {
    title: oneLine(title, TITLE_CHARS_MAX) || 'Event',
    text: (isInference ? inferenceLines(data) : kind.startsWith('drift.') ? driftLines(event) : [changeLine(event)]).join('\n'),
    severity,
    facts: [...(severity === 'none' ? [] : [['Severity', severity] as const]), ...facts].slice(0, FACTS_MAX),
    condition: conditionOf(event, subject),
    resolves,
    subject: oneLine(subject ?? '', VALUE_CHARS_MAX) || null,
  };
}

/** Of test mode, or a sample that somebody asked for. */
function isTest({ mode, data }: OutgoingEvent): boolean {
  return mode === 'test' || data['test'] === true;
}

/** The dashboard's page of an event; `null` for one that is not in the trail. */
export function linkOf({ id, sequence }: OutgoingEvent, baseUrl: string): string | null {
  return sequence === null ? null : `${baseUrl}/#/events/${encodeURIComponent(id.toWellFormed())}`;
}

function severityIn(data: OutgoingEvent['data']): Severity | null {
  return SEVERITIES.find((severity) => severity === data['severity']) ?? null;
}

/** The model or probe, else the name or id of what changed. */
function subjectOf({ kind, data }: OutgoingEvent): string | null {
  const family = kind.slice(0, kind.indexOf('.'));
  const version = at(data, 'version');
  const named =
    textAt(data, 'model', 'name') ??
    textAt(data, 'model') ??
    textAt(data, 'series', 'model') ??
    textAt(data, 'probe_id') ??
    textAt(data, 'series', 'probe') ??
    textAt(data, `${family}_id`) ??
    textAt(data, 'integration_id') ??
    textAt(data, 'key_id');
  return named ?? (family === 'policy' && typeof version === 'number' ? `version ${version}` : null);
}

/**
 * `svc:<organization>:<subject>:<family>`. The two sides of a state share a family; inferences are told apart by the category of what was
 * found, drift by its signal and group. Tests have conditions of their own. Parts are percent-encoded, so that no name can pose as two.
 */
function conditionOf(event: OutgoingEvent, subject: string | null): string {
  const { kind, org_id: orgId, data } = event;
  const [family = kind] = STATES.has(kind) || kind.startsWith('inference.') ? kind.split('.') : [kind];
  const detail = family === 'inference' ? textAt(worstFirst(data)[0], 'category') : family === 'drift' ? seriesOf(data) : null;
  const parts = [isTest(event) ? 'svc-test' : 'svc', orgId, subject ?? '-', family, ...(detail === null ? [] : [detail])];
  return parts.map((part) => encodeURIComponent(part.toWellFormed())).join(':');
}

/** The signal, and where it is told the group: one model may be watched in several. */
function seriesOf(data: OutgoingEvent['data']): string | null {
  const signal = textAt(data, 'signal') ?? textAt(data, 'series', 'signal');
  const group = textAt(data, 'series', 'group');
  return signal === null || group === null ? signal : `${signal} in ${group}`;
}

function inferenceLines(data: OutgoingEvent['data']): readonly string[] {
  const findings = worstFirst(data);
  const counted = at(data, 'findings_total');
  const total = typeof counted === 'number' ? counted : findings.length;
  const message = textAt(data, 'enforcement', 'message');
  const shown = findings.slice(0, FINDINGS_SHOWN);
  const lines = [...(message === null ? [] : [message]), ...shown.map(findingLine)].map((line) => oneLine(line, LINE_CHARS_MAX));
  if (total > shown.length) lines.push(`and ${total - shown.length} more`);
  const visible = lines.filter((line) => line !== '');
  return visible.length === 0 ? ['Nothing was found.'] : visible;
}

function worstFirst(data: OutgoingEvent['data']): readonly unknown[] {
  const findings = Array.isArray(data['findings']) ? (data['findings'] as readonly unknown[]) : [];
  return [...findings].sort((one, other) => rankOf(other) - rankOf(one));
}

function rankOf(finding: unknown): number {
  return SEVERITIES.findIndex((severity) => severity === at(finding, 'severity'));
}

/** Category, type and masked preview: nothing else of a finding comes from the text. */
function findingLine(finding: unknown): string {
  const [severity, category, type, preview] = ['severity', 'category', 'type', 'preview'].map((name) => textAt(finding, name));
  return `${severity ?? ''} ${category ?? 'finding'} · ${type ?? 'unknown'}${preview == null ? '' : ` · ${preview}`}`;
}

function inferenceFacts(data: OutgoingEvent['data']): readonly Fact[] {
  const model = ['provider', 'name', 'version'].map((name) => textAt(data, 'model', name)).filter((part) => part !== null);
  const version = at(data, 'policy', 'version');
  const coverage = textAt(data, 'coverage', 'status');
  return factsOf([
    ['Model', model.length === 0 ? textAt(data, 'model') : model.join(' ')],
    ['Policy', typeof version === 'number' ? `version ${version}` : null],
    ['User', textAt(data, 'subject', 'user')],
    ['Session', textAt(data, 'subject', 'session')],
    ['Agent', textAt(data, 'subject', 'agent')],
    ['External id', textAt(data, 'external_id')],
    ['Coverage', coverage === 'complete' ? null : coverage],
  ]);
}

function driftLines({ data }: OutgoingEvent): readonly string[] {
  const told = textAt(data, 'summary') ?? textAt(data, 'explanation');
  if (told !== null) return [oneLine(told, LINE_CHARS_MAX)];
  const signal = textAt(data, 'signal') ?? textAt(data, 'series', 'signal') ?? 'A signal';
  const [from, to] = [numberAt(data, 'baseline'), numberAt(data, 'current')];
  const since = textAt(data, 'since') ?? textAt(data, 'onset');
  const change = from === null || to === null ? '' : `, baseline ${from}, now ${to}`;
  return [oneLine(`${signal}${change}${since === null ? '' : `, since ${since}`}.`, LINE_CHARS_MAX)];
}

function numberAt(data: OutgoingEvent['data'], name: string): number | null {
  const value = at(data, name, 'value') ?? at(data, name);
  return typeof value === 'number' ? value : null;
}

function changeLine({ actor, data }: OutgoingEvent): string {
  const message = oneLine(textAt(data, 'message') ?? '', LINE_CHARS_MAX);
  if (message !== '') return message;
  if (actor.type === 'system') return 'By the service itself.';
  return oneLine(`By ${wordsOf(actor.type)}${actor.id === null ? '' : ` ${actor.id}`}.`, LINE_CHARS_MAX);
}

// Addresses of receivers are credentials as often as not.
const NOT_SHOWN = /(?:^|_)(?:url|secret|token|key|password|digest|hash)$/;

const TOLD_ELSEWHERE: ReadonlySet<string> = new Set(['severity', 'message', 'test']);

/** The plain members of a change. */
function changeFacts({ data }: OutgoingEvent): readonly Fact[] {
  const plain = Object.entries(data).filter(
    ([name, value]) =>
      !NOT_SHOWN.test(name) && !TOLD_ELSEWHERE.has(name) && ['string', 'number', 'boolean'].includes(typeof value),
  );
  return factsOf(plain.map(([name, value]) => [capitalized(wordsOf(name)), String(value)]));
}

function factsOf(pairs: readonly (readonly [name: string, value: string | null])[]): readonly Fact[] {
  const facts = pairs.map(([name, value]) => [oneLine(name, NAME_CHARS_MAX), oneLine(value ?? '', VALUE_CHARS_MAX)] as const);
  return facts.filter(([name, value]) => name !== '' && value !== '');
}
