// Microsoft Teams: an adaptive card by a Workflows webhook ("When a Teams webhook request is received").

import type { Severity } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Adapter, Answer, Judgement, OutgoingEvent } from '../adapter.ts';
import { describeEvent, linkOf } from '../describe.ts';
import { bodyOf, each, judgeFailure, OK, permanent, retry } from '../judgement.ts';
import { cut, toJson } from '../text.ts';

// Teams takes 28 KB, and counts two bytes for each UTF-16 unit: a card of all bounds together stays below 14 000 units.
const TEXT_CHARS_MAX = 2_000;

const COLORS: Readonly<Record<Severity, 'Attention' | 'Warning' | 'Default'>> = {
  critical: 'Attention',
  high: 'Attention',
  medium: 'Warning',
  low: 'Default',
  none: 'Default',
};

export const TeamsConfig = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      pattern: '^https?://',
      description: 'The URL of a Workflows webhook. It is a credential: it is kept encrypted and never answered.',
      examples: ['https://prod-00.westeurope.logic.azure.com/workflows/0123/triggers/manual/paths/invoke?sig=XXXX'],
    }),
  },
  { additionalProperties: false, title: 'TeamsConfig' },
);
export type TeamsConfig = Static<typeof TeamsConfig>;

export const teams: Adapter<TeamsConfig> = {
  kind: 'teams',
  config: TeamsConfig,
  secrets: ['url'],
  urlsOf: ({ url }) => [url],
  check: () => [],
  batchMax: () => 1,
  render: ([event], { url }, { baseUrl }) => ({
    url,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: toJson(messageOf(event!, baseUrl)),
  }),
  judge: (answer, count) => each(count, judge(answer)),
};

function messageOf(event: OutgoingEvent, baseUrl: string): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.2', // what Teams shows on every platform
    msteams: { width: 'full' },
    ...cardOf(event, baseUrl),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function cardOf(event: OutgoingEvent, baseUrl: string): object {
  const { title, text, severity, facts, resolves } = describeEvent(event);
  const link = linkOf(event, baseUrl);
  const shown = [...facts, ['Event', event.id] as const, ['Time', event.occurred_at] as const];
  return {
    body: [
      {
        type: 'TextBlock',
        text: plain(title),
        weight: 'Bolder',
        size: 'Medium',
        wrap: true,
        style: 'heading',
        color: resolves ? 'Good' : COLORS[severity],
      },
      // A single line end is a space in Markdown.
      { type: 'TextBlock', text: plain(cut(text, TEXT_CHARS_MAX)).replaceAll('\n', '\n\n'), wrap: true },
      { type: 'FactSet', facts: shown.map(([name, value]) => ({ title: plain(name), value: plain(value) })) },
    ],
    ...(link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open the event', url: link }] }),
  };
}

/** Without Markdown's links, which would show another address than they lead to. */
function plain(text: string): string {
  return text.replaceAll('](', '] (');
}

const OWNER =
  'its owner may have left or lost access to the team. Have an owner repair the flow, or make a new one and put in its URL.';
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The Teams flow refuses the card: check that it begins with “When a Teams webhook request is received” and is turned on.',
  401: 'The Teams flow does not accept the URL: let anyone trigger the flow, and copy the URL again.',
  403: `The Teams flow may not post: ${OWNER}`,
  404: `The Teams flow does not exist or is turned off: ${OWNER}`,
  410: `The Teams flow does not exist any more: ${OWNER}`,
  413: 'The card is too large for Teams.',
};

/** A 200 may hide the failure of what is behind it: «Microsoft Teams endpoint returned HTTP error 429». */
function judge(answer: Answer): Judgement {
  const hidden = /HTTP error (\d{3})/i.exec(answer.body)?.[1];
  const isTaken = answer.status === 200 || answer.status === 202;
  if (isTaken && hidden !== undefined) return judgeFailure('Teams', { ...answer, status: Number(hidden) }, REFUSALS);
  if (isTaken && /delivery failed/i.test(answer.body)) return retry('Teams answered that it could not deliver the card.', answer);
  if (isTaken) return OK;
  const { error } = bodyOf(answer);
  const isOff = typeof error === 'object' && error !== null && 'code' in error && error.code === 'WorkflowTriggerIsNotEnabled';
  return isOff ? permanent('The Teams flow is turned off: turn it on.') : judgeFailure('Teams', answer, REFUSALS);
}
