// Slack: a message by an incoming webhook (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks).

import { Type, type Static } from 'typebox';
import type { Adapter, Answer, Judgement, OutgoingEvent } from '../adapter.ts';
import { describeEvent, linkOf } from '../describe.ts';
import { each, judgeFailure, OK, permanent, retry } from '../judgement.ts';
import { cutBefore, toJson } from '../text.ts';

// Slack takes 150 characters in a header, 3 000 in a section, ten fields of 2 000, and refuses messages of about 13 000 in all. These bounds
// are of texts as they are sent, escapes included, and keep a message below 8 000.
const HEADER_CHARS_MAX = 150;
const TEXT_CHARS_MAX = 2_000;
const FIELD_CHARS_MAX = 250;
const FALLBACK_CHARS_MAX = 600;

const HOSTS: readonly string[] = ['hooks.slack.com', 'hooks.slack-gov.com'];
const HOOK_PATH = /^\/services\/[^/]+\/[^/]+\/[^/]+$/;

/** What Slack says in the body when it refuses, and what is to be done. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['no_service', 'The Slack webhook was removed or turned off: make a new one and put in its URL.'],
  ['no_service_id', 'The Slack webhook’s URL is not complete: copy it again.'],
  ['no_active_hooks', 'The Slack webhook is turned off: turn it on or make a new one.'],
  ['no_team', 'The Slack workspace of the webhook does not exist any more.'],
  ['team_disabled', 'The Slack workspace of the webhook is disabled.'],
  ['invalid_token', 'Slack does not know the webhook’s URL: copy it again or make a new one.'],
  ['channel_not_found', 'The Slack channel of the webhook does not exist any more.'],
  ['channel_is_archived', 'The Slack channel of the webhook is archived.'],
  ['user_not_found', 'The Slack user whom the webhook writes to does not exist any more.'],
  ['action_prohibited', 'An administrator of Slack does not let the webhook post.'],
  ['posting_to_general_channel_denied', 'An administrator of Slack does not let the webhook post in this channel.'],
  ['invalid_payload', 'Slack cannot read the message.'],
  ['invalid_blocks', 'Slack cannot show the message’s blocks.'],
  ['no_text', 'Slack misses the text of the message.'],
]);
const LATER = new Set(['rollup_error', 'rate_limited']);

export const SlackConfig = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_048,
      description: 'The incoming webhook’s URL. It is a credential: it is kept encrypted and never answered.',
      examples: ['https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX'],
    }),
  },
  { additionalProperties: false, title: 'SlackConfig' },
);
export type SlackConfig = Static<typeof SlackConfig>;

export const slack: Adapter<SlackConfig> = {
  kind: 'slack',
  config: SlackConfig,
  secrets: ['url'],
  urlsOf: ({ url }) => [url],
  check({ url }) {
    const parsed = URL.parse(url);
    const isHook =
      parsed?.protocol === 'https:' && HOSTS.includes(parsed.host) && HOOK_PATH.test(parsed.pathname) && parsed.username === '';
    return isHook ? [] : [{ pointer: '/url', message: `is not a URL that begins with https://${HOSTS[0]}/services/` }];
  },
  batchMax: () => 1,
  render: ([event], { url }, { baseUrl }) => ({
    url,
    headers: { 'content-type': 'application/json' },
    body: toJson(messageOf(event!, baseUrl)),
  }),
  judge: (answer, count) => each(count, judge(answer)),
};

function messageOf(event: OutgoingEvent, baseUrl: string): object {
  const { title, text, severity, facts } = describeEvent(event);
  const link = linkOf(event, baseUrl);
  const mark = severity === 'none' ? '' : `[${severity.toUpperCase()}] `;
  const told = escape(text, TEXT_CHARS_MAX);
  const fields = facts.map(([name, value]) => mrkdwn(`*${escape(name, FIELD_CHARS_MAX)}*\n${escape(value, FIELD_CHARS_MAX)}`));
  return {
    text: escape(`${mark}${title}`, FALLBACK_CHARS_MAX),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: escape(title, HEADER_CHARS_MAX), emoji: false } },
      { type: 'section', text: mrkdwn(link === null ? told : `${told}\n<${link}|Open the event>`) },
      ...(fields.length === 0 ? [] : [{ type: 'section', fields }]),
      { type: 'context', elements: [mrkdwn(escape(`${event.id} · ${event.occurred_at}`, FIELD_CHARS_MAX))] },
    ],
  };
}

/** `verbatim`: names of people and channels in it stay text, so that no event can call a whole channel. */
function mrkdwn(text: string): object {
  return { type: 'mrkdwn', text, verbatim: true };
}

/** Text with Slack's three control characters escaped, at most `charsMax` with the escapes. */
function escape(text: string, charsMax: number): string {
  const escaped = text.replace(/[&<>]/g, (character) => ESCAPES[character]!);
  if (escaped.length <= charsMax) return escaped;
  let fitting = 0;
  for (let chars = 1; chars <= charsMax; fitting++) chars += ESCAPES[text[fitting]!]?.length ?? 1;
  return cutBefore(text, fitting - 1).replace(/[&<>]/g, (character) => ESCAPES[character]!);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function judge(answer: Answer): Judgement {
  const said = answer.body.trim();
  if (answer.status === 200 && said === 'ok') return OK;
  const refusal = REFUSALS.get(said);
  if (refusal !== undefined && answer.status < 500) return permanent(refusal);
  if (answer.status === 200) {
    return LATER.has(said)
      ? retry('Slack cannot take messages right now.', answer)
      : permanent('Slack answered with an error instead of “ok”.');
  }
  return judgeFailure('Slack', answer, { 404: REFUSALS.get('no_service')!, 403: REFUSALS.get('invalid_token')! });
}
