import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { ADAPTERS, adapterOf, batchMaxOf, INTEGRATION_KINDS } from './registry.ts';
import { CONTEXT, eventOf } from './test-kit.ts';

const SECRET = 'https://hooks.slack.com/services/T0/B0/secretsecret';
const KEY = 'secretsecretsecretsecretsecret12';
const CONFIGS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  slack: { url: SECRET },
  pagerduty: { routing_key: KEY, region: 'eu' },
  teams: { url: SECRET },
  datadog: { api_key: KEY, site: 'datadoghq.com', send: 'logs' },
  splunk: { url: 'https://splunk.example.com:8088', token: KEY, acknowledge: true },
};

test('every kind has its adapter, and no other word has one', () => {
  expect(Object.keys(ADAPTERS)).toEqual([...INTEGRATION_KINDS]);
  for (const kind of INTEGRATION_KINDS) expect(adapterOf(kind).kind).toBe(kind);
  for (const kind of ['webhook', 'constructor', '']) expect(() => adapterOf(kind)).toThrow(kind);
});

test('a batch is as large as the vendor takes with this config; a webhook gets one event at a time', () => {
  const { datadog } = CONFIGS;
  expect(batchMaxOf('datadog', datadog!)).toBe(100);
  expect(batchMaxOf('datadog', { ...datadog, send: 'events' })).toBe(1);
  expect(batchMaxOf('splunk', CONFIGS['splunk']!)).toBe(100);
  expect(batchMaxOf('slack', {})).toBe(1);
  expect(batchMaxOf('webhook', null)).toBe(1);
});

test.each(INTEGRATION_KINDS)(
  '%s takes its config, refuses unknown members, and its secrets are members that must be there',
  (kind) => {
    const adapter = ADAPTERS[kind];
    const { config: schema, secrets } = adapter;
    const config = CONFIGS[kind]!;
    const validator = Compile(schema);
    expect(validator.Check(config)).toBe(true);
    expect(adapter.check(config)).toEqual([]);
    expect(adapter.urlsOf(config).every((url) => URL.canParse(url))).toBe(true);
    expect(validator.Check({ ...config, other: 1 })).toBe(false);
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      const { [secret]: value, ...rest } = config;
      expect(validator.Check(rest)).toBe(false);
      expect(JSON.stringify(rest)).not.toContain(value);
    }
    expect(describedMembers(schema)).toEqual(Object.keys((schema as { properties?: object }).properties!));
  },
);

test.each(INTEGRATION_KINDS)('%s makes the same request of the same events', (kind) => {
  const render = () => ADAPTERS[kind].render([eventOf()], CONFIGS[kind]!, CONTEXT);
  expect(render()).toEqual(render());
});

function describedMembers(schema: TSchema): readonly string[] {
  const { properties = {} } = schema as { properties?: Record<string, { description?: string }> };
  return Object.keys(properties).filter((name) => properties[name]!.description !== undefined);
}
