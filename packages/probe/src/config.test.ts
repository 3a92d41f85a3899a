// Settings mean what the guide and the help say.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { helpText, readConfig, SETTINGS } from './config.ts';

const GIVEN = { SVC_URL: 'https://svc.example.com', SVC_API_KEY: 'svc_live_0000000000000000' };
const GUIDE = join(import.meta.dirname, '../../../docs/guide/agent.md');

describe('settings', () => {
  test('have the defaults that the guide lists', async () => {
    const guide = await readFile(GUIDE, 'utf8');
    const listed = [...guide.matchAll(/^\| `(SVC_[A-Z_]+)` +\| ([^|]+?) +\|/gm)].map(([, name, value]) => [name, value]);
    const expected = Object.values(SETTINGS).map((setting) => {
      if (setting.name === 'SVC_PROBE_ID') return [setting.name, 'name of the machine'];
      if (setting.name === 'SVC_PROBE_PROVIDER') return [setting.name, 'host of the server'];
      return [setting.name, setting.default === null ? 'required' : setting.default === '' ? 'unset' : `\`${setting.default}\``];
    });
    expect(listed.sort()).toEqual(expected.sort());
    for (const { name } of Object.values(SETTINGS)) expect(helpText()).toContain(name);
  });

  test('are read, and an empty one counts as unset', () => {
    const config = readConfig({
      ...GIVEN,
      SVC_PROBE_LABELS: 'group=checkout, region = eu-1',
      SVC_PROBE_UPSTREAM: '',
      OTHER: 'x',
      SVC_PORT: '1',
    });
    expect(config).toMatchObject({
      url: 'https://svc.example.com/',
      upstream: null,
      host: '127.0.0.1',
      port: 8181,
      otlpPort: null,
      bufferBytes: 1_073_741_824,
      labels: { group: 'checkout', region: 'eu-1' },
      onNoPolicy: 'default',
      judges: 'on_error',
      unknownRoutes: 'refuse',
    });
    expect(config.probeId).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  });

  test.each([
    ['SVC_URL', 'https://user@svc.example.com'],
    ['SVC_URL', 'svc.example.com'],
    ['SVC_API_KEY', 'with a space in it, and long'],
    ['SVC_PROBE_PORT', '65536'],
    ['SVC_PROBE_PORT', '-1'],
    ['SVC_PROBE_BUFFER_BYTES', '1e9'],
    ['SVC_PROBE_LABELS', 'group'],
    ['SVC_PROBE_LABELS', '=x'],
    ['SVC_PROBE_LABELS', `group=${'g'.repeat(101)}`],
    ['SVC_PROBE_ON_NO_POLICY', 'pass'],
    ['SVC_PROBE_UPSTREAM', 'https://api.openai.com/v1?key=1'],
    ['SVC_PROBE_UNKNOWN', 'x'],
  ])('are refused by name: %s=%s', (name, value) => {
    expect(() => readConfig({ ...GIVEN, [name]: value })).toThrow(name);
  });
});
