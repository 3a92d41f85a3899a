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
import { randomBy, sendTraffic } from './test-kit.ts';

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
      covers: 'nothing',
      limit: expect.any(String),
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

const HOUR_MS = 3_600_000;
const thisHour = () => Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

/** A day on which there was this event alone. */
async function insertDay(uuid: Buffer, kind: string, atMs: number): Promise<void> {
  const sheet = new Sheet();
  sheet.see(kind, 1, atMs);
  if (kind.startsWith('inference.')) sheet.markHour(atMs);
  await service.services.db.query(`INSERT INTO report_sheets VALUES ($1, 'day', date_trunc('day', $2::timestamptz, 'UTC'), $3)`, [
    uuidText(uuid),
    new Date(atMs),
    sheet.toText(),
  ]);
}

async function emptyHoursOf(key: string, provision = 'art-12-1'): Promise<number | undefined> {
  const { gaps } = provisionOf(await reportOf(key, 'eu-ai-act'), provision);
  return gaps.find(({ id }: { id: string }) => id === 'hours_without_events')?.count;
}

describe('hours without an inference', () => {
  test('are counted from the first probe until now, and do not go away with the probe', async () => {
    const { uuid, keys } = await service.createOrganization();
    const headers = { 'x-svc-probe-id': 'front-1' };
    await service.request('POST', '/api/svc/probe/heartbeat', { key: keys.live, headers, body: {} });
    expect(await emptyHoursOf(keys.live)).toBeUndefined();
    const began = thisHour();
    await insertDay(uuid, 'probe.registered', began - 50 * HOUR_MS);
    const hours = [50, 51];
    expect(hours).toContain(await emptyHoursOf(keys.live));
    expect(hours).toContain(await emptyHoursOf(keys.live, 'art-26-6'));
    const { status } = await service.request('DELETE', '/v1/probes/front-1', { key: keys.admin });
    expect(status).toBe(200);
    expect(hours).toContain(await emptyHoursOf(keys.live));
  });

  test('are counted between the first and the last inference where there never was a probe', async () => {
    const { uuid, keys } = await service.createOrganization();
    await insertDay(uuid, 'inference.allowed', thisHour() - 50 * HOUR_MS);
    expect(await emptyHoursOf(keys.live)).toBeUndefined();
    await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'Hello' } });
    expect([49, 50]).toContain(await emptyHoursOf(keys.live));
  });
});

test.each(FRAMEWORK_IDS)('one blocked prompt is not what %s asks for', async (framework) => {
  const { keys } = await service.createOrganization();
  await service.request('PUT', '/v1/policy', {
    key: keys.admin,
    body: { detectors: { pii: { entities: { credit_card: 'block' } } }, data: { retention_days: 400 } },
  });
  const { body } = await service.request('POST', '/v1/assessments', {
    key: keys.live,
    body: { input: 'my card is 4111 1111 1111 1111' },
  });
  expect(body.outcome).toBe('blocked');
  const { provisions, summary } = await reportOf(keys.live, framework);
  for (const { id, status, covers, limit } of provisions) {
    expect(status, id).not.toBe('evidenced');
    expect(limit === null, id).toBe(covers === 'whole');
  }
  const inPart = provisions.filter(({ status, covers }: Record<string, string>) => status === 'partial' && covers === 'part');
  expect(summary.partial.of_a_part).toBe(inPart.length);
  expect(summary.evidenced.count).toBe(0);
});

test('findings that nobody was sent and nobody acknowledged are no communication of incidents', async () => {
  const { keys } = await service.createOrganization();
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'my card is 4111 1111 1111 1111' } });
  const before = await reportOf(keys.live, 'nist-ai-rmf');
  expect(provisionOf(before, 'manage-4-3')).toMatchObject({ status: 'none' });
  expect(provisionOf(before, 'govern-4-3')).toMatchObject({ status: 'none' });
  const { body: inbox } = await service.request('POST', '/v1/inboxes', { key: keys.admin });
  await service.request('POST', '/v1/webhooks', { key: keys.admin, body: { url: inbox.url, events: ['*'] } });
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'my card is 4111 1111 1111 1111' } });
  const deliveries = async () => {
    const { evidence, status } = provisionOf(await reportOf(keys.live, 'nist-ai-rmf'), 'manage-4-3');
    return [status, evidence.find(({ id }: { id: string }) => id === 'deliveries')?.count];
  };
  await expect.poll(deliveries).toEqual(['partial', 1]);
});

test('each pointer leads to events of the period, together as many as are counted', async () => {
  const { keys } = await service.createOrganization();
  await sendTraffic(service, keys.live, randomBy(21), 12);
  await service.request('PUT', '/v1/policy', { key: keys.admin, body: { mode: 'monitor' } });
  const listed = new Map<string, number>();
  const count = async (endpoint: string) => {
    const known = listed.get(endpoint);
    if (known !== undefined) return known;
    let [total, cursor] = [0, ''];
    do {
      const { status, body } = await service.request('GET', `${endpoint}&limit=100${cursor}`, { key: keys.admin });
      expect(status, endpoint).toBe(200);
      total += body.data.length;
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    listed.set(endpoint, total);
    return total;
  };
  for (const framework of FRAMEWORK_IDS) {
    const { provisions } = await reportOf(keys.live, framework);
    for (const evidence of provisions.flatMap((provision: { evidence: object[] }) => provision.evidence)) {
      if (!evidence.endpoints[0].startsWith('/v1/events?')) continue;
      const counts = await Promise.all(evidence.endpoints.map(count));
      expect(
        counts.reduce((sum, one) => sum + one, 0),
        evidence.id,
      ).toBe(evidence.count);
    }
  }
  expect(listed.size).toBeGreaterThan(4);
});

test('an event that the log covers and that is gone is told of, and the sequence is not said to be whole', async () => {
  const { uuid, keys } = await service.createOrganization();
  for (let i = 0; i < 3; i++) await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: `Hello ${i}` } });
  const logOf = (report: object) => {
    const { evidence, gaps } = provisionOf(report, 'art-19');
    const { what } = evidence.find(({ id }: { id: string }) => id === 'log');
    return { isWhole: what.includes('no gap'), missing: gaps.find(({ id }: { id: string }) => id === 'rows_missing')?.count };
  };
  expect(logOf(await reportOf(keys.live, 'eu-ai-act'))).toEqual({ isWhole: true, missing: undefined });
  await service.services.db.query(
    `DELETE FROM events WHERE org_id = $1 AND kind = 'inference.allowed' AND sequence = (
    SELECT max(sequence) - 1 FROM events WHERE org_id = $1)`,
    [uuidText(uuid)],
  );
  expect(logOf(await reportOf(keys.live, 'eu-ai-act'))).toEqual({ isWhole: false, missing: 1 });
});

test('counted events that were deleted by their age are told to be', async () => {
  const { uuid, keys } = await service.createOrganization();
  for (let i = 0; i < 3; i++) await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: `Hello ${i}` } });
  const {
    as_of: { tree_size: size },
  } = await reportOf(keys.live, 'eu-ai-act');
  const prunedIn = async () =>
    provisionOf(await reportOf(keys.live, 'eu-ai-act'), 'art-12-1').gaps.find(({ id }: { id: string }) => id === 'pruned');
  expect(await prunedIn()).toBeUndefined();
  await service.services.db.query('UPDATE trees SET kept_from = $2 WHERE org_id = $1', [uuidText(uuid), size]);
  expect((await prunedIn()).what).toMatch(/^At least \d+ of these events are deleted; only their hashes remain\.$/);
  await service.services.db.query('UPDATE trees SET kept_from = $2 WHERE org_id = $1', [uuidText(uuid), size + 1]);
  expect(await prunedIn()).toMatchObject({ count: size, what: `${size} of these events are deleted; only their hashes remain.` });
});

test('telemetry that was refused as a whole is no evidence, and is told to be missing', async () => {
  const { keys } = await service.createOrganization();
  await service.request('POST', '/api/svc/probe/telemetry', {
    key: keys.live,
    headers: { 'x-svc-probe-id': 'front-1' },
    body: { events: ['nonsense', 'more of it'] },
  });
  for (const [framework, ids] of [
    ['eu-ai-act', ['art-12-1', 'art-12-2-b', 'art-12-2-c', 'art-19', 'art-26-5', 'art-26-6', 'art-72']],
    ['nist-ai-rmf', ['measure-2-4', 'manage-4-1']],
    ['iso-42001', ['a-6-2-6', 'a-6-2-8']],
  ] as const) {
    const report = await reportOf(keys.live, framework);
    for (const id of ids) {
      const { status, evidence, gaps } = provisionOf(report, id);
      expect(gaps.find((gap: { id: string }) => gap.id === 'telemetry_rejected')?.count, id).toBe(2);
      expect(idsOf(gaps), id).toContain('no_inferences');
      expect(idsOf(evidence), id).not.toContain('telemetry');
      if (!['art-19', 'art-26-6'].includes(id)) expect(status, id).toBe('none');
    }
  }
});

test('checkpoints that were signed before a restore are counted with the others', async () => {
  const { uuid, keys } = await service.createOrganization();
  const checkpoints = async () =>
    provisionOf(await reportOf(keys.live, 'eu-ai-act'), 'art-12-1').evidence.find(
      ({ id }: { id: string }) => id === 'checkpoints',
    ).count;
  const before = await checkpoints();
  await service.services.db.query(
    `INSERT INTO checkpoints SELECT org_id, 0, size, root, note, published_at FROM checkpoints WHERE org_id = $1 LIMIT 1`,
    [uuidText(uuid)],
  );
  expect(await checkpoints()).toBe(before + 1);
});

test('a report of a period that is over tells nothing of how things are now', async () => {
  const { uuid, keys } = await service.createOrganization();
  await insertDay(uuid, 'inference.allowed', Date.now() - 10 * 24 * HOUR_MS);
  const until = new Date(thisHour() - 9 * 24 * HOUR_MS).toISOString();
  const { provisions } = await reportOf(keys.live, 'eu-ai-act', `&until=${until}`);
  const evidence = new Set(provisions.flatMap((one: { evidence: { id: string }[] }) => idsOf(one.evidence)));
  const gaps = new Set(provisions.flatMap((one: { gaps: { id: string }[] }) => idsOf(one.gaps)));
  expect([...evidence]).toContain('inferences');
  for (const id of ['kept', 'anchoring']) expect(evidence).not.toContain(id);
  for (const id of ['log_young', 'no_witness', 'drift_unacknowledged', 'probes_silent', 'endpoints_paused'])
    expect(gaps).not.toContain(id);
  expect(gaps).toContain('past_period');
  const { status, body } = await service.request('GET', '/v1/reports/compliance?framework=eu-ai-act&since=2099-01-01T00:00:00Z');
  expect({ status, pointer: body.error.details[0].pointer }).toEqual({ status: 400, pointer: '/query/since' });
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
  eventful.count('telemetry', 'accepted', 'total');
  eventful.count('telemetry', 'rejected', 'total');
  eventful.count('coverage', 'partial', 'flagged');
  eventful.count('faults', 'pii', 'flagged');
  eventful.count('modes', 'monitor', 'flagged');
  const worst: Facts = {
    nowMs,
    period,
    isOfNow: true,
    asOf: { treeSize: 100, keptFrom: 11, checkpoint: null },
    days: [{ startMs: period.sinceMs, sheet: eventful }],
    sum: eventful,
    log: {
      behind: 3,
      missing: 1,
      oldestAtMs: nowMs - 86_400_000,
      checkpoints: { count: 2, firstSize: 1, lastSize: 9 },
      anchoredSize: 9,
      anchoredAtMs: nowMs,
      deploymentNote: 'svc/deployment/1\n5\nAAAA\n\n— svc/deployment/1 AAAA\n',
    },
    policies: [{ version: 1, document }],
    spans: {
      firstInferenceAtMs: period.sinceMs,
      lastInferenceAtMs: nowMs,
      keptInferenceAtMs: nowMs - 86_400_000,
      firstProbeAtMs: period.sinceMs,
      lastProbeDeletedAtMs: null,
    },
    probes: { registered: 2, offline: 1 },
    drifts: { open: 2, unacknowledged: 1 },
    endpoints: { active: 1, paused: 1 },
    deliveredIncidents: 2,
  };
  const empty: Facts = {
    ...worst,
    isOfNow: false,
    asOf: { treeSize: 0, keptFrom: 1, checkpoint: null },
    days: [],
    sum: new Sheet(),
  };

  const young: Facts = { ...worst, asOf: empty.asOf };

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
      missing: 0,
      oldestAtMs: nowMs - 184 * 86_400_000,
      deploymentNote: `${worst.log!.deploymentNote}— witness.example BBBB\n`,
    },
    policies: [{ version: 1, document: {} }],
    spans: {
      ...worst.spans,
      lastInferenceAtMs: period.sinceMs,
      keptInferenceAtMs: nowMs - 184 * 86_400_000,
      firstProbeAtMs: null,
    },
    probes: { registered: 0, offline: 0 },
    drifts: { open: 1, unacknowledged: 0 },
    endpoints: { active: 1, paused: 0 },
    deliveredIncidents: 0,
  };

  test('are found, each of them, where there are any, and lie where they say', async () => {
    const evidence = EVIDENCE_IDS.map((id) => [id, evidenceOf(id, worst)] as const);
    const gaps = GAP_IDS.map((id) => [id, gapOf(id, worst) ?? gapOf(id, empty) ?? gapOf(id, young)] as const);
    for (const [id, found] of [...evidence, ...gaps]) {
      expect(found, id).not.toBeNull();
      expect(found!.what, id).toMatch(/^[A-Z0-9].*\.$/);
      expect(found!.what, id).not.toMatch(/undefined|null|NaN/);
    }
    const places = new Set([...evidence, ...gaps].flatMap(([, found]) => found!.endpoints));
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
    const began = (days: number): Facts => ({
      ...best,
      spans: { ...best.spans, keptInferenceAtMs: nowMs - days * 86_400_000 },
    });
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
    const { body } = await service.request('GET', '/v1/reports/compliance?framework=eu-ai-act');
    for (const told of [body.org_name, `svc ${body.software.version}`, FRAMEWORKS['eu-ai-act'].url])
      expect(page.text).toContain(`${told}<`);
    // Beside the status, in the overview and in the counts.
    expect(page.text.match(/a part is not recorded here/g)!.length).toBeGreaterThan(5);
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
