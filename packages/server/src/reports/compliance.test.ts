// Promises about compliance reports.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVENT_KINDS } from '../events/kinds.ts';
import { uuidText } from '../ids.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { EVIDENCE_IDS, evidenceOf, witnessesOf } from './evidence.ts';
import type { Facts } from './facts.ts';
import { FRAMEWORK_IDS } from './frameworks/framework.ts';
import { FRAMEWORKS } from './frameworks/index.ts';
import { GAP_IDS, gapOf } from './gaps.ts';
import { renderCompliance } from './page.ts';
import { Sheet } from './sheet.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

async function reportOf(key: string, framework: string, query = '') {
  await service.services.audit.catchUp();
  const { status, body } = await service.request('GET', `/v1/reports/compliance?framework=${framework}${query}`, { key });
  expect(status).toBe(200);
  return body;
}

const provisionOf = (report: ReturnType<typeof JSON.parse>, id: string) =>
  report.provisions.find((provision: { id: string }) => provision.id === id);
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

describe('the frameworks', () => {
  test.each([
    [
      'eu-ai-act',
      [
        'art-12-1',
        'art-12-2-a',
        'art-12-2-b',
        'art-12-2-c',
        'art-12-3',
        'art-14',
        'art-19',
        'art-26-2',
        'art-26-5',
        'art-26-6',
        'art-72',
      ],
    ],
    ['nist-ai-rmf', ['govern-1-4', 'govern-4-3', 'measure-2-4', 'measure-3-1', 'manage-4-1', 'manage-4-3']],
    ['iso-42001', ['a-6-2-6', 'a-6-2-8']],
  ] as const)('%s has these provisions, under ids that stay', (id, provisions) => {
    expect(idsOf(FRAMEWORKS[id].provisions)).toEqual(provisions);
  });

  test('name only evidence and gaps that there are, each provision somebody whom it binds, and all that there are are named', () => {
    const provisions = FRAMEWORK_IDS.flatMap((id) => FRAMEWORKS[id].provisions);
    for (const { binds, evidence, gaps, requirement, applies } of provisions) {
      expect(binds.length).toBeGreaterThan(0);
      expect(requirement).toMatch(/\.$/);
      expect(applies).toMatch(/\.$/);
      expect(new Set(evidence).size).toBe(evidence.length);
      expect(new Set(gaps).size).toBe(gaps.length);
    }
    expect(new Set(provisions.flatMap(({ evidence }) => evidence))).toEqual(new Set(EVIDENCE_IDS));
    expect(new Set(provisions.flatMap(({ gaps }) => gaps))).toEqual(new Set(GAP_IDS));
  });

  test('say of the AI Act that it does not ask for tamper evidence, and that its dates are to be checked', () => {
    expect(FRAMEWORKS['eu-ai-act'].about).toContain('no clause on tamper evidence');
    expect(FRAMEWORKS['eu-ai-act'].dates).toContain('Check the Official Journal');
  });
});

test('what is not recorded here is said not to be, whatever there is', async () => {
  const report = await reportOf(service.organization.keys.live, 'eu-ai-act');
  for (const id of ['art-12-3', 'art-14', 'art-26-2']) {
    expect(provisionOf(report, id)).toMatchObject({
      status: 'not_recorded_here',
      evidence: [],
      gaps: [],
      note: expect.any(String),
    });
  }
});

test('evidence is counted, placed in the log, and covered by a checkpoint that is there', async () => {
  const { keys } = await service.createOrganization();
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'Hello' } });
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'my card is 4111 1111 1111 1111' } });
  const report = await reportOf(keys.live, 'eu-ai-act');
  const inferences = provisionOf(report, 'art-12-1').evidence.find(({ id }: { id: string }) => id === 'inferences');
  expect(inferences).toMatchObject({
    count: 2,
    last_sequence: report.as_of.tree_size,
    checkpoint_size: report.as_of.checkpoint.size,
  });
  const { status, text } = await service.request('GET', `/v1/audit/checkpoint?size=${inferences.checkpoint_size}`, {
    key: keys.live,
  });
  expect(status).toBe(200);
  expect(text).toBe(report.as_of.checkpoint.note);
  expect(idsOf(provisionOf(report, 'art-12-2-a').evidence)).toContain('findings');
});

test('an organization that assessed nothing is told so', async () => {
  const { keys } = await service.createOrganization();
  const report = await reportOf(keys.live, 'nist-ai-rmf');
  expect(idsOf(provisionOf(report, 'measure-2-4').gaps)).toContain('no_inferences');
  expect(provisionOf(report, 'measure-2-4').status).not.toBe('evidenced');
});

test('what weakens the evidence is told: monitor mode, what fails open, detectors that are off, retention below six months', async () => {
  const { keys } = await service.createOrganization();
  const policy = {
    mode: 'monitor',
    on_error: { output: 'allow' },
    detectors: { secrets: { enabled: false }, pii: { entities: { credit_card: 'block' } } },
    data: { retention_days: 183 },
  };
  await service.request('PUT', '/v1/policy', { key: keys.admin, body: policy });
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'my card is 4111 1111 1111 1111' } });
  const report = await reportOf(keys.live, 'eu-ai-act');
  const { status, gaps } = provisionOf(report, 'art-26-5');
  expect(status).toBe('partial');
  expect(idsOf(gaps)).toEqual(expect.arrayContaining(['monitor_mode', 'on_error_allow', 'detectors_off']));
  expect(gaps.find(({ id }: { id: string }) => id === 'monitor_mode').what).toContain('1 would have been blocked');
  expect(gaps.find(({ id }: { id: string }) => id === 'detectors_off').what).toContain('secrets');
  const kept = provisionOf(report, 'art-19').gaps;
  expect(idsOf(kept)).toEqual(expect.arrayContaining(['retention_short', 'log_young', 'no_witness']));
});

test('a policy that was in force only before the period is not held against it', async () => {
  const { uuid, keys } = await service.createOrganization();
  await service.request('PUT', '/v1/policy', { key: keys.admin, body: { on_error: { output: 'allow' } } });
  await service.request('PUT', '/v1/policy', { key: keys.admin, body: { on_error: { output: 'block' } } });
  await service.services.db.query(
    `UPDATE policy_versions SET created_at = created_at - interval '60 days' + version * interval '1 day' WHERE org_id = $1`,
    [uuidText(uuid)],
  );
  const { provisions } = await reportOf(keys.live, 'eu-ai-act');
  expect(idsOf(provisions.flatMap(({ gaps }: { gaps: { id: string }[] }) => gaps))).not.toContain('on_error_allow');
  const since = new Date(Date.now() - 70 * 86_400_000).toISOString();
  const before = await reportOf(keys.live, 'eu-ai-act', `&since=${since}`);
  expect(idsOf(provisionOf(before, 'art-26-5').gaps)).toContain('on_error_allow');
});

test('hours in which nothing was recorded are counted from the registration of the first probe until now', async () => {
  const { uuid, keys } = await service.createOrganization();
  await service.request('POST', '/api/svc/probe/heartbeat', {
    key: keys.live,
    headers: { 'x-svc-probe-id': 'front-1' },
    body: {},
  });
  const gapsNow = idsOf(provisionOf(await reportOf(keys.live, 'eu-ai-act'), 'art-12-1').gaps);
  expect(gapsNow).not.toContain('hours_without_events');
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await service.services.db.query('UPDATE probes SET registered_at = $2 WHERE org_id = $1', [
    uuidText(uuid),
    new Date(hour - 50 * 3_600_000),
  ]);
  const { gaps } = provisionOf(await reportOf(keys.live, 'eu-ai-act'), 'art-12-1');
  expect(gaps.find(({ id }: { id: string }) => id === 'hours_without_events').count).toBe(50);
});

describe('evidence and gaps', () => {
  const nowMs = Date.parse('2026-06-30T12:00:00Z');
  const period = {
    sinceMs: Date.parse('2026-06-01T00:00:00Z'),
    untilMs: Date.parse('2026-07-01T00:00:00Z'),
    unit: 'day',
  } as const;
  const document = {
    detectors: { secrets: { enabled: false } },
    on_error: { input: 'allow' },
    data: { retention_days: 183 },
  } as const;

  /** All that can be there, and all that can be wrong with it. */
  const eventful = new Sheet();
  for (const [i, kind] of EVENT_KINDS.entries()) eventful.see(kind, i + 1, period.sinceMs);
  eventful.count('sources', 'probe', 'total');
  eventful.count('telemetry', 'rejected', 'total');
  eventful.count('coverage', 'partial', 'flagged');
  eventful.count('faults', 'pii', 'flagged');
  eventful.count('modes', 'monitor', 'flagged');
  const worst: Facts = {
    nowMs,
    period,
    asOf: { treeSize: 100, keptFrom: 11, checkpoint: null },
    days: [{ startMs: period.sinceMs, sheet: eventful }],
    sum: eventful,
    log: {
      behind: 3,
      oldestAtMs: nowMs - 86_400_000,
      checkpoints: { count: 2, firstSize: 1, lastSize: 9 },
      anchoredSize: 9,
      anchoredAtMs: nowMs,
      deploymentNote: 'svc/deployment/1\n5\nAAAA\n\n— svc/deployment/1 AAAA\n',
    },
    policies: [{ version: 1, document }],
    probes: { registered: 2, offline: 1, firstAtMs: period.sinceMs },
    drifts: { open: 2, unacknowledged: 1 },
    endpoints: { active: 1, paused: 1 },
  };
  const empty: Facts = { ...worst, asOf: { treeSize: 0, keptFrom: 1, checkpoint: null }, days: [], sum: new Sheet() };

  const calm = new Sheet();
  calm.see('inference.allowed', 1, period.sinceMs);
  calm.count('sources', 'api', 'allowed');
  calm.count('coverage', 'complete', 'allowed');
  calm.count('modes', 'enforce', 'allowed');
  const best: Facts = {
    ...worst,
    asOf: { treeSize: 1, keptFrom: 1, checkpoint: null },
    days: [],
    sum: calm,
    log: {
      ...worst.log!,
      behind: 0,
      oldestAtMs: nowMs - 184 * 86_400_000,
      deploymentNote: `${worst.log!.deploymentNote}— witness.example BBBB\n`,
    },
    policies: [{ version: 1, document: {} }],
    probes: { registered: 0, offline: 0, firstAtMs: null },
    drifts: { open: 1, unacknowledged: 0 },
    endpoints: { active: 1, paused: 0 },
  };

  test('are found, each of them, where there are any, and lie where they say', async () => {
    const evidence = EVIDENCE_IDS.map((id) => [id, evidenceOf(id, worst)] as const);
    const gaps = GAP_IDS.map((id) => [id, gapOf(id, worst) ?? gapOf(id, empty)] as const);
    for (const [id, found] of [...evidence, ...gaps]) {
      expect(found, id).not.toBeNull();
      expect(found!.what, id).toMatch(/^[A-Z0-9].*\.$/);
      expect(found!.what, id).not.toMatch(/undefined|null|NaN/);
    }
    const places = new Set([...evidence, ...gaps].flatMap(([, found]) => found!.endpoint ?? []));
    for (const place of places) {
      const { status, body } = await service.request('GET', place, { key: service.organization.keys.admin });
      // The deployment's log begins with its first entry, and a candidate policy may not be there.
      const isThere = status === 200 || (status === 404 && ['/v1/audit/deployment', '/v1/policy/shadow'].includes(place));
      expect(isThere, `${place}: ${status} ${JSON.stringify(body?.error)}`).toBe(true);
    }
  });

  test('are not found where there are none', () => {
    for (const id of GAP_IDS) expect(gapOf(id, best), id).toBeNull();
    for (const id of EVIDENCE_IDS.filter(
      (one) => !['inferences', 'log', 'kept', 'policies', 'checkpoints', 'anchoring'].includes(one),
    )) {
      expect(evidenceOf(id, best), id).toBeNull();
    }
  });

  test('six months are 184 days at the longest: one day less is too few', () => {
    const policies = (days: number) => ({ ...best, policies: [{ version: 1, document: { data: { retention_days: days } } }] });
    expect(gapOf('retention_short', policies(183))?.what).toContain('183');
    expect(gapOf('retention_short', policies(184))).toBeNull();
    const began = (days: number): Facts => ({ ...best, log: { ...best.log!, oldestAtMs: nowMs - days * 86_400_000 } });
    expect(gapOf('log_young', began(183))?.what).toContain('183 days ago');
    expect(gapOf('log_young', began(184))).toBeNull();
    const pruned = (days: number): Facts => ({ ...began(days), asOf: { ...best.asOf, treeSize: 100, keptFrom: 5 } });
    expect([gapOf('log_young', pruned(3)), gapOf('kept_short', pruned(184))]).toEqual([null, null]);
    expect(gapOf('kept_short', pruned(3))).toMatchObject({ count: 4 });
  });
});

describe('the page', () => {
  test.each([
    ['by Accept', '', { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }],
    ['by format', '&format=html', {}],
  ])('is one that may do nothing but show itself, asked for %s', async (_how, query, headers) => {
    await service.services.audit.catchUp();
    const page = await service.request('GET', `/v1/reports/compliance?framework=eu-ai-act${query}`, { headers });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('vary')).toContain('Accept');
    expect(page.text).not.toMatch(/<script|<img|<link|\son\w+=|javascript:|url\(|@import/i);
    for (const { id } of FRAMEWORKS['eu-ai-act'].provisions) expect(page.text).toContain(`<section class="provision" id="${id}"`);
    expect(page.text).toContain(`href="#checkpoint"`);
  });

  test('is JSON when that is asked for', async () => {
    const answer = await service.request('GET', '/v1/reports/compliance?framework=eu-ai-act&format=json', {
      headers: { accept: 'text/html' },
    });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('shows hostile names as the text that they are', async () => {
    const report = await reportOf(service.organization.keys.live, 'eu-ai-act');
    const hostile = `"'><script>alert(1)</script>\0<img src=x onerror=alert(1)>\ud800`;
    const deep = (value: unknown): unknown =>
      typeof value === 'string'
        ? value.replace(/^(?!\d{4}-).*$/s, (text) =>
            ['evidenced', 'partial', 'none', 'not_recorded_here'].includes(text) ? text : hostile,
          )
        : Array.isArray(value)
          ? value.map(deep)
          : typeof value === 'object' && value !== null
            ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, deep(member)]))
            : value;
    const page = renderCompliance(deep(report) as Parameters<typeof renderCompliance>[0], hostile);
    expect(page).not.toMatch(/<script|<img|\0/);
    expect(page.isWellFormed()).toBe(true);
    expect(page).toContain('&lt;script&gt;');
    // No attribute ends before its quote.
    expect(page).not.toMatch(/="[^"]*[<>][^"]*"/);
  });

  test('refuses a framework that it does not know at the place', async () => {
    const { status, body } = await service.request('GET', '/v1/reports/compliance?framework=sox');
    expect({ status, pointer: body.error.details[0].pointer }).toEqual({ status: 400, pointer: '/query/framework' });
  });
});

test('witnesses are those who signed beside the log itself', () => {
  const note =
    'svc.example/deployment/1\n5\nAAAA\n\n— svc.example/deployment/1 AAAA\n— witness.example BBBB\n— witness.example CCCC\n';
  expect(witnessesOf(note)).toEqual(['witness.example']);
  expect(witnessesOf(null)).toEqual([]);
});
