// Token formats of chat, mail, telephony and social networks.

import { anchored, token } from '../rule.ts';
import type { Rule } from '../rule.ts';

// https://docs.slack.dev/authentication/tokens
const SLACK_TAIL = String.raw`(?:\d{4,32}-){0,4}(?:[A-Za-z0-9]{1,12}-)?(?=[A-Za-z_-]{0,30}\d)[A-Za-z0-9]{6,64}(?!-[A-Za-z0-9])`;

export const CHAT_RULES: readonly Rule[] = [
  token('slack_bot_token', 'Slack bot token', 'xoxb-', SLACK_TAIL, { entropyMin: 2.8 }),
  token('slack_user_token', 'Slack user token', 'xoxp-', SLACK_TAIL, { entropyMin: 2.8 }),
  ...['xoxa-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxd-', 'xoxc-'].map((prefix) =>
    token('slack_token', 'Slack token', prefix, String.raw`(?:\d-)?(?:${SLACK_TAIL}|[A-Za-z0-9]{8,64}(?!-))`, {
      entropyMin: 2.4,
    }),
  ),
  token('slack_refresh_token', 'Slack refresh token', 'xoxe-', String.raw`(?:\d-[A-Za-z0-9]{100,250}|${SLACK_TAIL})`),
  token('slack_configuration_token', 'Slack configuration token', 'xoxe.xox', String.raw`[bp]-\d-[A-Za-z0-9]{100,250}`),
  token('slack_app_token', 'Slack app token', 'xapp-', String.raw`\d-[A-Z0-9]{8,24}-\d{8,20}-[a-z0-9]{8,80}`),
  anchored(
    'slack_webhook_url',
    'Slack webhook URL',
    String.raw`hooks\.slack\.com\\?/(?:services|workflows|triggers)\\?/([A-Za-z0-9+/\\]{30,90})`,
    {
      anchors: ['hooks.slack.com'],
      entropyMin: 3.3,
    },
  ),
  anchored('discord_webhook_url', 'Discord webhook URL', String.raw`/api/webhooks/\d{16,20}/([A-Za-z0-9_-]{60,80})`, {
    anchors: ['/api/webhooks/'],
  }),
  anchored(
    'discord_bot_token',
    'Discord bot token',
    String.raw`[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])`,
    {
      // The first part is base64 of a number, so its first two letters are one of these.
      anchors: ['mt', 'mz', 'nd', 'nj', 'nt', 'nz', 'od', 'ot'].flatMap((two) =>
        ['a', 'c', 'e', 'g', 'i', 'k', 'm', 'q', 'u', 'y'].map((third) => two + third),
      ),
      entropyMin: 3.5,
      severity: 'critical',
    },
  ),
  anchored(
    'teams_webhook_url',
    'Microsoft Teams webhook URL',
    String.raw`\.webhook\.office\.com/webhookb2/([a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9-]{36}(?:/[A-Za-z0-9_-]{1,80})?)`,
    {
      anchors: ['.webhook.office.com'],
    },
  ),
  anchored('telegram_bot_token', 'Telegram bot token', String.raw`\d{5,16}:A[A-Za-z0-9_-]{34}(?![A-Za-z0-9_-])`, {
    anchors: Array.from('abcdefghijklmnopqrstuvwxyz0123456789-_', (next) => `:a${next}`),
    back: 19,
    entropyMin: 3.5,
  }),
  ...Array.from('0123456789abcdef', (digit) =>
    token('twilio_api_key', 'Twilio API key', 'SK', '[0-9a-fA-F]{32}', { anchors: [`sk${digit}`], entropyMin: 3 }),
  ),
  token('sendgrid_api_key', 'SendGrid API key', 'SG.', String.raw`[A-Za-z0-9_-]{12,32}\.?[A-Za-z0-9_=.-]{30,54}`, {
    entropyMin: 3.6,
  }),
  token('mailgun_api_key', 'Mailgun API key', 'key-', '[a-f0-9]{32}', { entropyMin: 3 }),
  token('mailgun_public_key', 'Mailgun public validation key', 'pubkey-', '[a-f0-9]{32}', {
    entropyMin: 3,
    severity: 'low',
    score: 0.8,
  }),
  anchored('mailchimp_api_key', 'Mailchimp API key', String.raw`[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])`, {
    anchors: ['-us'],
    offset: 32,
    entropyMin: 3,
  }),
  token('mailersend_token', 'MailerSend token', 'mlsn.', '[a-f0-9]{64}'),
  token('brevo_api_key', 'Brevo API key', 'xkeysib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  token('resend_api_key', 'Resend API key', 're_', '[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30}', { score: 0.9, entropyMin: 3.5 }),
  token('facebook_access_token', 'Facebook access token', 'EAA', '[MC][A-Za-z0-9]{100,250}', { anchors: ['eaam', 'eaac'] }),
  anchored(
    'facebook_app_token',
    'Facebook app access token',
    String.raw`\d{15,16}(?:\||%7C)[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9])`,
    {
      anchors: Array.from('0123456789', (digit) => `${digit}|`).concat('%7c'),
      back: 16,
      entropyMin: 3.8,
    },
  ),
  token('twitter_bearer_token', 'X bearer token', 'AAAAAAAAAAAAAAAAAAAAAA', '[A-Za-z0-9%]{70,110}', {
    prefix: '',
    entropyMin: 3.2,
  }),
  token('linkedin_client_secret', 'LinkedIn client secret', 'WPL_AP1.', String.raw`[A-Za-z0-9]{16}\.[A-Za-z0-9+/=]{6,10}`),
  token('dropbox_access_token', 'Dropbox access token', 'sl.', '[A-Za-z0-9_=-]{130,300}', { entropyMin: 3.5 }),
  anchored('mapbox_secret_token', 'Mapbox token', String.raw`[ps]k\.[A-Za-z0-9_-]{60,100}\.[A-Za-z0-9_-]{22}(?![A-Za-z0-9])`, {
    anchors: ['pk.', 'sk.'],
    score: 0.9,
    severity: 'medium',
  }),
];
