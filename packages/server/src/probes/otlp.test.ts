// Promises about spans by OTLP, as the OpenTelemetry SDK's own tracer and exporters send them.

import { diag, DiagLogLevel, SpanStatusCode, type Attributes, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import { OTLP_CONTENT_TYPES, rpcStatus, traceResponse, type OtlpEncoding } from '@svc/telemetry';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { uuidText } from '../ids.ts';
import { setPlan, type NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';

const PATH = '/api/svc/probe/otlp/v1/traces';
const ENCODINGS = ['json', 'protobuf'] as const;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
afterEach(() => diag.disable());

interface Row {
  readonly probe_id: string;
  readonly event_id: string;
  readonly model: string | null;
  readonly outcome: string | null;
  readonly [column: string]: unknown;
}

/** The rows of an organization, in the order of their times. */
async function rowsOf({ uuid }: NewOrganization): Promise<Row[]> {
  const { rows } = await service.services.db.query<Row>(
    'SELECT * FROM telemetry WHERE org_id = $1 ORDER BY occurred_at, event_id',
    [uuidText(uuid)],
  );
  return rows;
}

const eventsOf = async ({ keys }: NewOrganization, query: string) =>
  (await service.request('GET', `/v1/events?${query}`, { key: keys.live })).body.data;
const assessmentsOf = async ({ keys }: NewOrganization) =>
  (await service.request('GET', '/v1/usage', { key: keys.live })).body.total.assessments;

interface Pipeline {
  readonly tracer: Tracer;
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface ExportSettings {
  readonly key: string;
  readonly encoding?: OtlpEncoding;
  readonly gzip?: boolean;
  readonly resource?: Attributes;
  readonly headers?: Readonly<Record<string, string>>;
  readonly batchMax?: number;
}

function exporter({ key, encoding = 'json', gzip = false, headers = {} }: ExportSettings): SpanExporter {
  const Exporter = encoding === 'json' ? JsonExporter : ProtobufExporter;
  return new Exporter({
    url: service.baseUrl + PATH,
    headers: { authorization: `Bearer ${key}`, ...headers },
    compression: (gzip ? 'gzip' : 'none') as never,
  });
}

/** What an application sets up. */
function pipeline(settings: ExportSettings): Pipeline {
  const provider = new TracerProvider({
    resource: resourceFromAttributes(settings.resource ?? { 'service.name': 'shop' }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: exporter(settings), maxExportBatchSize: settings.batchMax ?? 512, maxQueueSize: 5_000 }),
    ],
  });
  return {
    tracer: provider.getTracer('test'),
    flush: () => provider.forceFlush(),
    stop: () => provider.shutdown(),
  };
}

const messages = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

function chat(tracer: Tracer, attributes: Attributes, startTime = Date.now()): void {
  const span = tracer.startSpan('chat gpt-x', {
    startTime,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      ...attributes,
    },
  });
  span.end(startTime + 250);
}

describe.each(ENCODINGS.flatMap((encoding) => [false, true].map((gzip) => ({ encoding, gzip }))))(
  'the SDK, exporting $encoding, gzip $gzip',
  ({ encoding, gzip }) => {
    test('its spans arrive once, with their numbers; texts are assessed, and the trail tells of what was found', async () => {
      const organization = await service.createOrganization();
      const { tracer, stop } = pipeline({ key: organization.keys.live, encoding, gzip });
      const at = Date.now() - 60_000;
      chat(
        tracer,
        {
          'gen_ai.response.model': 'gpt-x-2026-02-14',
          'gen_ai.usage.input_tokens': 812,
          'gen_ai.usage.output_tokens': 120,
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.response.time_to_first_chunk': 0.12,
          'gen_ai.conversation.id': 's-123',
        },
        at,
      );
      chat(tracer, { 'gen_ai.input.messages': messages('user', 'What is the capital of France?') }, at + 1);
      chat(
        tracer,
        { 'gen_ai.output.messages': messages('assistant', 'Write to jane.doe@example.com or pay by 4111 1111 1111 1111.') },
        at + 2,
      );
      tracer.startSpan('GET /', { attributes: { 'http.request.method': 'GET' } }).end();
      const failed = tracer.startSpan('embeddings', { startTime: at + 3, attributes: { 'gen_ai.operation.name': 'embeddings' } });
      failed.setStatus({ code: SpanStatusCode.ERROR });
      failed.end();
      await stop();

      const rows = await rowsOf(organization);
      expect(rows).toHaveLength(4);
      expect(rows[0]).toMatchObject({
        probe_id: 'shop',
        event_id: expect.stringMatching(/^[0-9a-f]{32}-[0-9a-f]{16}$/),
        mode: 'live',
        occurred_at: new Date(at),
        model: 'gpt-x',
        model_version: 'gpt-x-2026-02-14',
        provider: 'openai',
        operation: 'chat',
        latency_ms: 250,
        time_to_first_token_ms: 120,
        finish_reason: 'stop',
        error: null,
        outcome: null,
        subject_session: 's-123',
        attributes: '{"service.name":"shop"}',
      });
      expect([rows[0]!['input_tokens'], rows[0]!['output_tokens']].map(Number)).toEqual([812, 120]);
      expect(rows[1]).toMatchObject({ outcome: 'allowed', categories: null, policy_version: 1 });
      expect(rows[2]!.outcome).not.toBe('allowed');
      expect(rows[2]!['categories']).toContain(' data.pii ');
      expect(rows[3]).toMatchObject({ operation: 'embeddings', error: '_OTHER', outcome: null });

      const [received, registered] = [
        await eventsOf(organization, 'kind=telemetry.received&probe_id=shop'),
        await eventsOf(organization, 'kind=probe.registered'),
      ];
      expect(received).toHaveLength(1);
      expect(received[0].data).toMatchObject({ probe_id: 'shop', accepted: 4, duplicates: 0, rejected: 0 });
      expect(registered).toHaveLength(1);
      const found = await eventsOf(organization, `kind=inference.${String(rows[2]!.outcome)}&probe_id=shop`);
      expect(found).toHaveLength(1);
      expect(found[0].data).toMatchObject({ probe: { id: 'shop', event_id: rows[2]!.event_id }, model: { name: 'gpt-x' } });
      expect(JSON.stringify(found)).not.toContain('jane.doe');
      expect(await assessmentsOf(organization)).toBe(2);
    });
  },
);

/** One span as OTLP has it in JSON. */
function jsonSpan(index: number, text: string | null = null, startMs = Date.now()): object {
  const attributes = [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.request.model', value: { stringValue: 'gpt-x' } },
    ...(text === null ? [] : [{ key: 'gen_ai.input.messages', value: { stringValue: messages('user', text) } }]),
  ];
  return {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: (index + 1).toString(16).padStart(16, '0'),
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 100}000000`,
    attributes,
  };
}

const request = (spans: readonly object[], service = 'shop') => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [{ spans }],
    },
  ],
});
const many = (count: number, text: string | null = null) => Array.from({ length: count }, (_, i) => jsonSpan(i, text));

describe('a request', () => {
  test('of more spans than a batch of telemetry holds is stored as a whole', async () => {
    const organization = await service.createOrganization();
    const { key } = { key: organization.keys.live };
    const answer = await service.request('POST', PATH, { key, body: request(many(1_201)) });
    expect(answer).toMatchObject({ status: 200, text: '{}' });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await rowsOf(organization)).toHaveLength(1_201);
    const received = await eventsOf(organization, 'kind=telemetry.received');
    expect(received.map(({ data }: { data: { accepted: number } }) => data.accepted).toSorted()).toEqual([201, 500, 500]);
  });

  test('that comes again changes nothing and costs nothing', async () => {
    const organization = await service.createOrganization();
    const sent = { key: organization.keys.live, body: request(many(20, 'Hello')) };
    for (let i = 0; i < 3; i++) expect((await service.request('POST', PATH, sent)).text).toBe('{}');
    expect(await rowsOf(organization)).toHaveLength(20);
    expect(await eventsOf(organization, 'kind=telemetry.received')).toHaveLength(1);
    expect(await assessmentsOf(organization)).toBe(20);
  });

  test.each([
    ['without spans', {}],
    ['with spans of other kinds only', request([{ ...jsonSpan(0), attributes: [] }])],
    ['with spans of other kinds that are not right', request([{ spanId: 'ff' }])],
  ])('%s is taken, and no probe is made for it', async (_name, body) => {
    const organization = await service.createOrganization();
    expect(await service.request('POST', PATH, { key: organization.keys.live, body })).toMatchObject({ status: 200, text: '{}' });
    expect((await service.request('GET', '/v1/probes', { key: organization.keys.live })).body.data).toEqual([]);
  });

  test('of a test key is stored as a test, and leaves no trail', async () => {
    const organization = await service.createOrganization();
    await service.request('POST', PATH, { key: organization.keys.test, body: request(many(2)) });
    expect((await rowsOf(organization)).map(({ mode }) => mode)).toEqual(['test', 'test']);
    expect(await eventsOf(organization, 'kind=telemetry.received')).toEqual([]);
  });
});

describe('the probe is', () => {
  const probesAfter = async (requests: readonly [body: unknown, headers?: Record<string, string>][]) => {
    const organization = await service.createOrganization();
    for (const [body, headers = {}] of requests)
      expect((await service.request('POST', PATH, { key: organization.keys.live, body, headers })).status).toBe(200);
    return { organization, probes: [...new Set((await rowsOf(organization)).map((row) => row.probe_id))] };
  };
  const resource = (attributes: Record<string, string>, index = 0) => ({
    resourceSpans: [
      {
        resource: { attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })) },
        scopeSpans: [{ spans: [jsonSpan(index)] }],
      },
    ],
  });

  test('whom the header names, whatever the resource says', async () => {
    const { probes } = await probesAfter([[request(many(1)), { 'x-svc-probe-id': 'collector-1' }]]);
    expect(probes).toEqual(['collector-1']);
  });

  test.each([
    ['the service', { 'service.name': 'shop' }, 'shop'],
    ['the service in its namespace', { 'service.name': 'shop', 'service.namespace': 'eu' }, 'eu.shop'],
    ['the service, made to fit', { 'service.name': 'Große Küche/7' }, 'Gro-e-K-che-7'],
    ['the service, cut', { 'service.name': 'x'.repeat(200) }, 'x'.repeat(128)],
    ['not an instance, which is another at each start', { 'service.name': 'shop', 'service.instance.id': '627cc493' }, 'shop'],
  ])('%s', async (_name, attributes, probe) => {
    expect((await probesAfter([[resource(attributes)]])).probes).toEqual([probe]);
  });

  test.each([
    ['names nobody', {}],
    ['says that nobody has named it', { 'service.name': 'unknown_service:node' }],
  ] as [string, Record<string, string>][])('the key where the resource %s', async (_name, attributes) => {
    const { organization, probes } = await probesAfter([[resource(attributes)]]);
    const { body } = await service.request('GET', '/v1/organization', { key: organization.keys.live });
    expect(probes).toEqual([body.credential.id]);
  });

  test('each of the services behind a collector', async () => {
    const both = {
      resourceSpans: [...request([jsonSpan(0)], 'shop').resourceSpans, ...request([jsonSpan(1)], 'bank').resourceSpans],
    };
    expect((await probesAfter([[both]])).probes.toSorted()).toEqual(['bank', 'shop']);
  });

  test('one of a hundred: spans of further services are refused with what to do', async () => {
    const organization = await service.createOrganization();
    const resourceSpans = Array.from({ length: 103 }, (_, i) => request([jsonSpan(i)], `service-${i}`).resourceSpans[0]);
    const { body } = await service.request('POST', PATH, { key: organization.keys.live, body: { resourceSpans } });
    expect(body.partialSuccess).toMatchObject({ rejectedSpans: '3', errorMessage: expect.stringContaining('X-Svc-Probe-Id') });
    expect(await rowsOf(organization)).toHaveLength(100);
  });

  test('refused by the header where that is no name', async () => {
    const { status, body } = await service.request('POST', PATH, {
      body: request(many(1)),
      headers: { 'x-svc-probe-id': 'two words' },
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 3, message: expect.stringContaining('X-Svc-Probe-Id') },
    });
  });
});

describe('spans that are refused for good', () => {
  const bad = [
    jsonSpan(0),
    { ...jsonSpan(1), traceId: '' },
    { ...jsonSpan(2), spanId: 'ffff' },
    jsonSpan(3, null, Date.now() + 48 * 3_600_000),
    jsonSpan(4, null, Date.now() + 48 * 3_600_000),
  ];

  test('are counted with the reasons, and the others are taken', async () => {
    const organization = await service.createOrganization();
    const { status, body } = await service.request('POST', PATH, { key: organization.keys.live, body: request(bad) });
    expect(status).toBe(200);
    expect(body).toEqual({
      partialSuccess: {
        rejectedSpans: '4',
        errorMessage:
          'Rejected spans: /occurred_at must not be more than 24 hours ahead (2); a span has no valid trace id (1); a span has no valid span id (1)',
      },
    });
    expect(await rowsOf(organization)).toHaveLength(1);
  });

  test.each(ENCODINGS)('the SDK reads that in %s, drops them and says so', async (encoding) => {
    const warn = vi.fn();
    diag.setLogger({ warn, error: vi.fn(), info: vi.fn(), debug: vi.fn(), verbose: vi.fn() }, DiagLogLevel.WARN);
    const organization = await service.createOrganization();
    const { tracer, stop } = pipeline({ key: organization.keys.live, encoding });
    chat(tracer, {});
    chat(tracer, {}, Date.now() + 48 * 3_600_000);
    await stop();
    expect(await rowsOf(organization)).toHaveLength(1);
    expect(JSON.stringify(warn.mock.calls)).toMatch(/must not be more than 24 hours ahead/);
  });
});

test('spans of a service that would be a probe too many are to come again, and those of the others are taken', async () => {
  const organization = await service.createOrganization();
  await service.services.db.query(
    `INSERT INTO probes (org_id, mode, id, registered_at, last_seen_at) SELECT $1, 'live', 'p' || i, now(), now() FROM generate_series(1, 1000) i`,
    [uuidText(organization.uuid)],
  );
  const body = { resourceSpans: [...request(many(3), 'new').resourceSpans, ...request([jsonSpan(9)], 'p7').resourceSpans] };
  const answer = await service.request('POST', PATH, { key: organization.keys.live, body });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
  expect(answer.body.message).toMatch(
    /^3 spans wait to be taken, 1 others are stored\. The organization has 1000 probes already\. .* Send the request again in 5 s\.$/,
  );
  expect((await rowsOf(organization)).map((row) => row.probe_id)).toEqual(['p7']);
});

const ping = async () => void (await service.request('GET', '/healthz', { key: null }));

test('a request that is made to be expensive is refused, and others are answered meanwhile', async () => {
  const { live } = service.organization.keys;
  const hostile = fetch(service.baseUrl + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${live}`, 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.from('0a00'.repeat(4_000_000), 'hex')),
  });
  const answered: (number | undefined)[] = [];
  do answered.push(await Promise.race([hostile.then(({ status }) => status), ping()]));
  while (answered.at(-1) === undefined);
  expect(answered.at(-1)).toBe(400);
  // The reader would hold everyone up for as long as it takes, if it did not give way.
  expect(answered.length).toBeGreaterThan(3);
});

describe('what cannot be taken now', () => {
  test('is asked for again: all spans come again, and each is assessed and paid for once', async () => {
    const organization = await service.createOrganization('starter');
    const sent = { key: organization.keys.live, body: request([...many(230, 'Hello'), { ...jsonSpan(400), spanId: '' }]) };
    const first = await service.request('POST', PATH, sent);
    expect(first.status).toBe(429);
    expect(Number(first.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(first.body).toEqual({
      code: 8,
      message: expect.stringMatching(/^30 spans wait to be taken, 200 others are stored\. Send/),
    });
    expect(await rowsOf(organization)).toHaveLength(200);
    await setPlan(service.services, organization.uuid, 'growth', null);
    await vi.waitFor(async () => expect((await service.request('POST', PATH, sent)).status).toBe(200), 5_000);
    const last = await service.request('POST', PATH, sent);
    expect(last.body.partialSuccess).toEqual({
      rejectedSpans: '1',
      errorMessage: 'Rejected spans: a span has no valid span id (1)',
    });
    expect(await rowsOf(organization)).toHaveLength(230);
    expect(await assessmentsOf(organization)).toBe(230);
  });

  test('is asked for again where the service has failed at some, and those of other services are stored', async () => {
    const organization = await service.createOrganization();
    const { live } = organization.keys;
    const body = {
      resourceSpans: [...request(many(2), 'one').resourceSpans, ...request([jsonSpan(9, 'Hello')], 'two').resourceSpans],
    };
    vi.spyOn(service.services.probes.touches, 'add').mockImplementationOnce(() => {
      throw new Error('a fault');
    });
    const first = await service.request('POST', PATH, { key: live, body });
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await rowsOf(organization)).map((row) => row.probe_id)).toContain('two');
    // Where it fails at a text alone.
    const again = request([jsonSpan(10, 'Hello. '.repeat(20_000))], 'two');
    vi.spyOn(service.services.longTexts, 'assess').mockRejectedValueOnce(new Error('a fault'));
    expect((await service.request('POST', PATH, { key: live, body: again })).status).toBe(503);
    expect((await service.request('POST', PATH, { key: live, body: again })).body).toEqual({});
  });

  test('spans without texts are taken all the same', async () => {
    const organization = await service.createOrganization('starter');
    const texts = many(250, 'Hello');
    const others = Array.from({ length: 300 }, (_, i) => jsonSpan(1_000 + i));
    const { status } = await service.request('POST', PATH, { key: organization.keys.live, body: request([...texts, ...others]) });
    expect(status).toBe(429);
    expect((await rowsOf(organization)).filter(({ outcome }) => outcome === null)).toHaveLength(300);
  });

  test.each(ENCODINGS)('the SDK, exporting %s, waits and comes again when its probe has called too often', async (encoding) => {
    const organization = await service.createOrganization();
    const { live } = organization.keys;
    const headers = { 'x-svc-probe-id': 'busy' };
    const { tracer, stop } = pipeline({ key: live, encoding, headers });
    chat(tracer, {});
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => service.request('POST', PATH, { key: live, body: {}, headers })),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    await stop();
    expect(await rowsOf(organization)).toHaveLength(1);
  });
});

describe.each(ENCODINGS)('a refusal of %s is a google.rpc.Status in it', (encoding) => {
  const type = OTLP_CONTENT_TYPES[encoding];
  const send = async (options: {
    path?: string;
    method?: string;
    key?: string | null;
    body?: string | Uint8Array<ArrayBuffer>;
    type?: string;
    headers?: Record<string, string>;
  }) => {
    const { path = PATH, method = 'POST', key = service.organization.keys.live } = options;
    const res = await fetch(service.baseUrl + path, {
      method,
      headers: {
        'content-type': options.type ?? type,
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...options.headers,
      },
      ...(method === 'GET' ? {} : { body: options.body ?? (encoding === 'json' ? '{}' : '') }),
    });
    return { status: res.status, headers: res.headers, body: Buffer.from(await res.arrayBuffer()) };
  };

  test.each<[string, number, string, Parameters<typeof send>[0]]>([
    ['no credential', 401, 'A valid credential is needed', { key: null }],
    ['metrics, which are not taken', 404, 'There is no POST operation at this path', { path: '/api/svc/probe/otlp/v1/metrics' }],
    ['logs, which are not taken', 404, 'There is no POST operation at this path', { path: '/api/svc/probe/otlp/v1/logs' }],
    ['a path that cannot be decoded', 400, 'The path cannot be decoded', { path: '/api/svc/probe/otlp/%zz' }],
    ['another method', 405, 'This path takes POST', { method: 'GET' }],
    ['a body that is none', 400, 'The body is not', { body: 'nonsense' }],
    [
      'a body that is not what it should be',
      400,
      'not a valid ExportTraceServiceRequest',
      { body: encoding === 'json' ? '[]' : Buffer.from('0a05', 'hex') },
    ],
    ['a body that is too long', 413, 'larger than this operation takes', { body: Buffer.alloc(8 * 1_048_576 + 1, 0x20) }],
    [
      'a body that unpacks to too much',
      413,
      'unpacks to more',
      { body: gzipSync(Buffer.alloc(8 * 1_048_576 + 1, 0x20)), headers: { 'content-encoding': 'gzip' } },
    ],
    ['a body that is no gzip', 400, 'not valid gzip', { body: 'x', headers: { 'content-encoding': 'gzip' } }],
    ['a packing that is not known', 415, 'or packed by gzip', { headers: { 'content-encoding': 'br' } }],
  ])('%s', async (_name, status, sentence, options) => {
    const answer = await send(options);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('x-svc-request-id')).toMatch(/^req_/);
    const { code, message } = statusOf(encoding, answer.body);
    expect(message).toContain(sentence);
    expect(answer.body).toEqual(rpcStatus(encoding, status, message));
    expect(code).toBe({ 400: 3, 401: 16, 404: 5, 405: 12, 413: 8, 415: 3 }[status]);
  });

  test('a scope that is missing', async () => {
    const { keys } = service.organization;
    const { body: key } = await service.request('POST', '/v1/api-keys', {
      key: keys.admin,
      body: { name: 'reader', type: 'live', permissions: ['events:read'] },
    });
    const answer = await send({ key: key.key });
    expect(answer.status).toBe(403);
    expect(statusOf(encoding, answer.body)).toMatchObject({ code: 7, message: expect.stringContaining('assess:create') });
    expect(answer.headers.get('content-type')).toBe(type);
  });

  test('a limit that is used up', async () => {
    const { keys } = await service.createOrganization();
    const answers = await Promise.all(Array.from({ length: 130 }, () => send({ key: keys.live })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(refused[0]!.headers.get('x-svc-ratelimit-limit')).toBe('100');
    expect(refused[0]!.headers.get('content-type')).toBe(type);
    expect(statusOf(encoding, refused[0]!.body)).toMatchObject({ code: 8, message: expect.stringContaining('Repeat in') });
  });

  test('an empty request is a request', async () => {
    const answer = await send({});
    expect(answer).toMatchObject({ status: 200, body: traceResponse(encoding, null) });
    expect(answer.headers.get('content-type')).toBe(type);
  });
});

/** A status, read byte by byte: the field 1 as a small number, the field 2 as a text that ends with the body. */
function statusOf(encoding: OtlpEncoding, body: Buffer): { code: number; message: string } {
  if (encoding === 'json') return JSON.parse(body.toString('utf8'));
  expect([body[0], body[2]]).toEqual([0x08, 0x12]);
  const lengthBytes = body[3]! < 0x80 ? 1 : 2;
  const length = lengthBytes === 1 ? body[3]! : (body[3]! & 0x7f) | (body[4]! << 7);
  const message = body.subarray(3 + lengthBytes);
  expect(message).toHaveLength(length);
  return { code: body[1]!, message: message.toString('utf8') };
}

test('a body of another type is refused with those that are taken', async () => {
  const { status, body } = await service.request('POST', PATH, { body: 'x', headers: { 'content-type': 'text/plain' } });
  expect({ status, body }).toEqual({
    status: 415,
    body: { code: 3, message: 'Send the body as application/json or application/x-protobuf.' },
  });
});
