// What each vendor needs, as the API's schemas have it, and where to find it at the vendor.

import type { Integration } from '@svc/client';

export type VendorKind = Extract<Integration['kind'], 'slack' | 'pagerduty' | 'teams' | 'datadog' | 'splunk'>;

interface Base {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
}
interface TextField extends Base {
  readonly type: 'text';
  readonly isSecret?: boolean;
  readonly isRequired?: boolean;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly charsMax: number;
}
interface ChoiceField extends Base {
  readonly type: 'choice';
  readonly choices: readonly (readonly [value: string, title: string])[];
}
interface TagsField extends Base {
  readonly type: 'tags';
}
interface CheckField extends Base {
  readonly type: 'check';
}
export type Field = TextField | ChoiceField | TagsField | CheckField;

export interface Vendor {
  readonly title: string;
  /** What arrives there. */
  readonly brings: string;
  /** How to get what is asked for. */
  readonly steps: string;
  readonly events: readonly string[];
  readonly fields: readonly Field[];
}

const FAILURES = ['inference.blocked', 'drift.sustained', 'drift.recovered'] as const;
const SITES = [
  'datadoghq.com',
  'us3.datadoghq.com',
  'us5.datadoghq.com',
  'datadoghq.eu',
  'ap1.datadoghq.com',
  'ap2.datadoghq.com',
  'uk1.datadoghq.com',
  'ddog-gov.com',
  'us2.ddog-gov.com',
] as const;

export const VENDORS: Readonly<Record<VendorKind, Vendor>> = {
  slack: {
    title: 'Slack',
    brings: 'A message in a channel',
    steps:
      'At api.slack.com/apps: Create New App, from scratch; Incoming Webhooks, on; Add New Webhook to Workspace; choose the channel and copy the URL.',
    events: FAILURES,
    fields: [
      {
        type: 'text',
        name: 'url',
        label: 'Webhook URL',
        hint: 'One URL writes to one channel.',
        isSecret: true,
        isRequired: true,
        placeholder: 'https://hooks.slack.com/services/…',
        charsMax: 2048,
      },
    ],
  },
  pagerduty: {
    title: 'PagerDuty',
    brings: 'An alert, closed when its condition ends',
    steps: 'At PagerDuty: Services, the service, Integrations, Add an integration, Events API V2; copy the Integration Key.',
    events: [...FAILURES, 'probe.offline', 'probe.online', 'webhook.paused', 'webhook.recovered'],
    fields: [
      {
        type: 'text',
        name: 'routing_key',
        label: 'Integration key',
        hint: '32 letters and digits.',
        isSecret: true,
        isRequired: true,
        pattern: '[A-Za-z0-9]{32}',
        charsMax: 32,
      },
      {
        type: 'choice',
        name: 'region',
        label: 'Region',
        hint: 'Where the account is.',
        choices: [
          ['us', 'United States'],
          ['eu', 'Europe'],
        ],
      },
    ],
  },
  teams: {
    title: 'Microsoft Teams',
    brings: 'A card in a channel',
    steps:
      'At the channel: •••, Workflows, the template that posts to a channel when a webhook request is received. Let anyone trigger it, and copy its URL. Give the flow a second owner: it stops when its owner leaves.',
    events: FAILURES,
    fields: [
      {
        type: 'text',
        name: 'url',
        label: 'Workflow URL',
        hint: 'The whole of it, sig=… included.',
        isSecret: true,
        isRequired: true,
        pattern: 'https?://.+',
        placeholder: 'https://prod-00.westeurope.logic.azure.com/workflows/…',
        charsMax: 2048,
      },
    ],
  },
  datadog: {
    title: 'Datadog',
    brings: 'Entries in the event stream, or logs',
    steps: 'At Datadog: Organization Settings, API Keys, New Key. The site is in the address of your dashboard.',
    events: ['*'],
    fields: [
      {
        type: 'text',
        name: 'api_key',
        label: 'API key',
        hint: 'Of the organization; not an application key.',
        isSecret: true,
        isRequired: true,
        pattern: '[A-Za-z0-9_]{32,100}',
        charsMax: 100,
      },
      {
        type: 'choice',
        name: 'site',
        label: 'Site',
        hint: 'As in the address of your dashboard.',
        choices: SITES.map((site) => [site, site]),
      },
      {
        type: 'choice',
        name: 'send',
        label: 'Send as',
        hint: 'Logs carry the whole event and come in batches.',
        choices: [
          ['events', 'Events, one by one'],
          ['logs', 'Logs, in batches'],
        ],
      },
      { type: 'tags', name: 'tags', label: 'Tags', hint: 'Up to 20, with commas between, such as env:production.' },
      {
        type: 'text',
        name: 'service',
        label: 'Service',
        hint: 'What it is shown under; svc when empty.',
        pattern: '[A-Za-z][A-Za-z0-9_.\\-]*',
        charsMax: 100,
      },
    ],
  },
  splunk: {
    title: 'Splunk',
    brings: 'Entries by the HTTP Event Collector',
    steps: 'At Splunk: Settings, Data inputs, HTTP Event Collector, New Token; allow it the index that you name.',
    events: ['*'],
    fields: [
      {
        type: 'text',
        name: 'url',
        label: 'Collector URL',
        hint: 'The base, without /services/collector.',
        isRequired: true,
        pattern: 'https?://[^?#\\s]+',
        placeholder: 'https://http-inputs-acme.splunkcloud.com',
        charsMax: 2000,
      },
      {
        type: 'text',
        name: 'token',
        label: 'Token',
        hint: 'Of the collector.',
        isSecret: true,
        isRequired: true,
        pattern: '[A-Za-z0-9\\-]{1,100}',
        charsMax: 100,
      },
      {
        type: 'text',
        name: 'index',
        label: 'Index',
        hint: 'The token’s own when empty.',
        pattern: '[A-Za-z0-9_:.\\-]+',
        charsMax: 200,
      },
      {
        type: 'text',
        name: 'source',
        label: 'Source',
        hint: 'svc: and the organization’s id when empty.',
        pattern: '[A-Za-z0-9_:.\\-]+',
        charsMax: 200,
      },
      {
        type: 'text',
        name: 'sourcetype',
        label: 'Source type',
        hint: 'svc:event when empty.',
        pattern: '[A-Za-z0-9_:.\\-]+',
        charsMax: 200,
      },
      {
        type: 'check',
        name: 'acknowledge',
        label: 'Wait until events are indexed',
        hint: 'The token must have indexer acknowledgement on.',
      },
    ],
  },
};

export const VENDOR_KINDS = Object.keys(VENDORS) as readonly VendorKind[];

/** What people call it; the kind itself where this page does not know it. */
export function titleOf(kind: string): string {
  return (VENDORS as Readonly<Record<string, Vendor>>)[kind]?.title ?? kind;
}

/** What the form holds: texts as typed, `true` for a box that is ticked. */
export type Values = Readonly<Record<string, string | boolean>>;

/** Of a config that is stored; its secrets are empty. */
export function valuesOf({ fields }: Vendor, config: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, config[field.name])]));
}

function valueOf(field: Field, stored: unknown): string | boolean {
  switch (field.type) {
    case 'text':
      return typeof stored === 'string' ? stored : '';
    case 'choice':
      return typeof stored === 'string' ? stored : field.choices[0]![0];
    case 'tags':
      return Array.isArray(stored) ? stored.join(', ') : '';
    case 'check':
      return stored === true;
  }
}

/** As the API takes it. What is empty is left out, secrets that stay among it. */
export function configOf({ fields }: Vendor, values: Values): Record<string, unknown> {
  const config: Record<string, unknown> = {};
  for (const { type, name } of fields) {
    const value = values[name];
    if (type === 'tags') config[name] = tagsOf(String(value ?? ''));
    else if (typeof value === 'boolean') config[name] = value;
    else if (value !== undefined && value.trim() !== '') config[name] = value.trim();
  }
  return config;
}

function tagsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
