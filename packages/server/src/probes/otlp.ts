// Spans by OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp): any OpenTelemetry SDK or collector is a probe.

import {
  eventOfSpan,
  isInferenceSpan,
  OTLP_CONTENT_TYPES,
  OtlpError,
  rpcStatus,
  spanProblem,
  spansOfJson,
  spansOfProtobuf,
  traceResponse,
  type OtlpEncoding,
  type PartialSuccess,
  type Span,
  type TelemetryEvent,
} from '@svc/telemetry';
import { Type } from 'typebox';
import { AppError } from '../http/errors.ts';
import { toAppError } from '../http/fastify-errors.ts';
import { PROBE_HEADER } from '../http/probe-name.ts';
import { BATCH_BODY_BYTES_MAX, route, SerializedBytes, type Call, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { RejectedEvent } from './read.ts';
import { probeIdOf, receiveTelemetry } from './service.ts';

const OTLP_PATH = /^(?:https?:\/\/[^/]*)?\/api\/svc\/probe\/otlp(?:[/?]|$)/i;

/** A refusal at `url` as OTLP has it: a `google.rpc.Status` in the encoding of the request. `null` where another shape holds. */
export function otlpRefusal(
  url: string,
  contentType: string | undefined,
  { status, message, details }: Pick<AppError, 'status' | 'message' | 'details'>,
): { readonly type: string; readonly body: Buffer } | null {
  if (!OTLP_PATH.test(url)) return null;
  const encoding = /^application\/x-protobuf *(?:;|$)/i.test(contentType ?? '') ? 'protobuf' : 'json';
  // The status has no place for details.
  const places = details.map((each) => (each.pointer === '' ? each.message : `${each.pointer} ${each.message}`));
  return { type: OTLP_CONTENT_TYPES[encoding], body: rpcStatus(encoding, status, [message, ...places].join(' ')) };
}

const TraceRequest = Type.Object(
  { resourceSpans: Type.Optional(Type.Array(Type.Object({}))) },
  {
    title: 'ExportTraceServiceRequest',
    description: 'See https://github.com/open-telemetry/opentelemetry-proto. Members that are not known are ignored.',
  },
);
const TraceResponse = Type.Object(
  {
    partialSuccess: Type.Optional(
      Type.Object({
        rejectedSpans: Type.String({ description: 'How many are refused for good: an integer, as a string.' }),
        errorMessage: Type.String({ description: 'Why, and what to do.' }),
      }),
    ),
  },
  { title: 'ExportTraceServiceResponse', description: '`{}`: all spans were taken.' },
);
const RpcStatus = Type.Object(
  { code: Type.Integer({ description: 'A code of gRPC.' }), message: Type.String() },
  { title: 'RpcStatus', description: 'A `google.rpc.Status`.' },
);

export const otlpRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/svc/probe/otlp/v1/traces',
    operationId: 'exportTraces',
    tag: 'Probes',
    summary: 'Report inferences as OpenTelemetry spans',
    description:
      'OTLP/HTTP, as `application/json` or `application/x-protobuf`, gzip or not; answers and refusals are in the encoding of the request. Spans of the GenAI conventions become telemetry events, others are ignored. An event’s id is made of the ids of trace and span, so a request may be sent again as it is. Where spans could not be taken for want of assessments, the answer is 429 for the whole request: sent again, only those count that were not taken before. The probe is named by `X-Svc-Probe-Id`, else by the resource’s `service.name`, else it is the key.',
    access: 'assess:create',
    limit: 'telemetry',
    bodyBytesMax: BATCH_BODY_BYTES_MAX,
    takesGzip: true,
    takesProtobuf: true,
    body: TraceRequest,
    // Its reader names what is wrong where, in both encodings.
    checkBody: () => [],
    refusal: RpcStatus,
    responses: { 200: { description: 'What was taken is stored.', schema: TraceResponse } },
    handle: (services, call) => exportTraces(services, call),
  }),
];

async function exportTraces(services: Services, call: Call): Promise<SerializedBytes> {
  const encoding: OtlpEncoding = call.body instanceof Uint8Array ? 'protobuf' : 'json';
  const spans = call.body instanceof Uint8Array ? spansOfProtobuf(call.body) : spansOfJson(call.body);
  const received = new Received(call);
  try {
    await received.read(spans);
  } catch (err) {
    if (err instanceof OtlpError) throw new AppError('invalid_request', err.message);
    throw err;
  }
  await received.deliver(services);
  return new SerializedBytes(OTLP_CONTENT_TYPES[encoding], traceResponse(encoding, received.partialSuccess()));
}

// Other requests get their turn at least this often.
const TURN_MS = 5;
// As many as a request of telemetry may hold.
const BATCH_MAX = 500;
/** Services behind one collector that name themselves; each is a probe and a commit of its own. */
const PROBES_MAX = 100;

/** The spans of one request, on their way to become events of probes. */
class Received {
  readonly #call: Call;
  readonly #events = new Map<string, TelemetryEvent[]>();
  /** Why spans were refused for good, and how many. */
  readonly #refusals = new Map<string, number>();
  /** How many are to come again, and after how long. */
  #postponed = 0;
  #waitSeconds = 1;
  #isLimit = false;
  /** Why a probe is none yet. */
  #conflict: string | null = null;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Reads all spans before anything is done about one. Throws `OtlpError` for a body that is none. */
  async read(spans: Iterable<Span>): Promise<void> {
    let turnEndsAt = performance.now() + TURN_MS;
    for (const span of spans) {
      if (isInferenceSpan(span)) this.#add(span);
      if (performance.now() < turnEndsAt) continue;
      await new Promise((resolve) => setImmediate(resolve));
      turnEndsAt = performance.now() + TURN_MS;
    }
  }

  #add(span: Span): void {
    const problem = spanProblem(span);
    if (problem !== null) return this.#refuse(problem);
    const probeId = this.#probeIdOf(span);
    const events = this.#events.get(probeId);
    if (events !== undefined) events.push(eventOfSpan(span));
    else if (this.#events.size < PROBES_MAX) this.#events.set(probeId, [eventOfSpan(span)]);
    else
      this.#refuse(`a request may hold spans of ${PROBES_MAX} services; name the collector by the header X-Svc-Probe-Id instead`);
  }

  #refuse(reason: string, count = 1): void {
    this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + count);
  }

  /** The header names one probe for all; without it each service is one. */
  #probeIdOf({ resource }: Span): string {
    if (this.#call.header(PROBE_HEADER) !== undefined) return probeIdOf(this.#call);
    return probeNameOf(resource) ?? probeIdOf(this.#call);
  }

  /** Hands the events on. Throws `unavailable` when they could not be recorded, and `rate_limited` when some are to come again. */
  async deliver(services: Services): Promise<void> {
    let taken = 0;
    for (const [probeId, events] of this.#events)
      for (let from = 0; from < events.length; from += BATCH_MAX)
        taken += await this.#deliverBatch(services, probeId, events.slice(from, from + BATCH_MAX));
    if (this.#postponed > 0) throw this.#sendAgain(taken);
  }

  /** How many are stored now, or were before. */
  async #deliverBatch(services: Services, probeId: string, events: readonly TelemetryEvent[]): Promise<number> {
    try {
      const { accepted, duplicates, rejected } = await receiveTelemetry(services, this.#call, probeId, events);
      for (const { error } of rejected) {
        if (isPostponed(error)) this.#postpone(error);
        else this.#refuse(reasonOf(error));
      }
      return accepted + duplicates;
    } catch (err) {
      const error = toAppError(err);
      if (!isOfOneProbe(error)) throw err;
      // The others of the request are none the worse for it.
      if (error.status >= 500) services.log.error({ err: error.cause ?? err, request_id: this.#call.requestId }, error.code);
      const wait = Number(error.headers['retry-after'] ?? 1);
      this.#postpone({ code: error.code, message: error.message, retry_after_s: wait }, events.length);
      return 0;
    }
  }

  #postpone({ code, message, retry_after_s: waitSeconds }: Postponed, count = 1): void {
    this.#postponed += count;
    this.#isLimit ||= code === 'rate_limited';
    this.#waitSeconds = Math.max(this.#waitSeconds, waitSeconds ?? 1);
    if (code === 'conflict') this.#conflict = message;
  }

  /**
   * OTLP has no way to ask for some spans again. The exporter repeats the whole request, of which those that are stored are duplicates that cost
   * nothing; each repetition gets further, and the one that leaves none to wait for tells which were refused for good.
   */
  #sendAgain(taken: number): AppError {
    const reason = this.#conflict === null ? '' : ` ${this.#conflict}`;
    return new AppError(
      this.#isLimit ? 'rate_limited' : 'unavailable',
      `${this.#postponed} spans wait to be taken, ${taken} others are stored.${reason} Send the request again in ${this.#waitSeconds} s.`,
      { headers: { 'retry-after': String(this.#waitSeconds) } },
    );
  }

  /** Spans that are refused for good; `null` for none. */
  partialSuccess(): PartialSuccess | null {
    const refusals = [...this.#refusals].toSorted(([, a], [, b]) => b - a);
    const rejectedSpans = refusals.reduce((sum, [, count]) => sum + count, 0);
    if (rejectedSpans === 0) return null;
    const reasons = refusals.slice(0, REASONS_MAX).map(([reason, count]) => `${reason} (${count})`);
    return { rejectedSpans, errorMessage: `Rejected spans: ${reasons.join('; ')}` };
  }
}

const REASONS_MAX = 5;

type Postponed = Pick<RejectedEvent['error'], 'code' | 'message' | 'retry_after_s'>;

/** What has failed may not fail again; the exporter would drop it for good. */
function isPostponed({ code }: Postponed): boolean {
  return code === 'rate_limited' || code === 'unavailable' || code === 'internal_error';
}

/** A probe too many, for now or until somebody makes room, and a fault that another probe's events may not meet. */
function isOfOneProbe({ code }: AppError): boolean {
  return code === 'conflict' || code === 'rate_limited' || code === 'internal_error';
}

function reasonOf({ message, details }: RejectedEvent['error']): string {
  const [first] = details;
  return first === undefined ? message : `${first.pointer} ${first.message}`.trim();
}

const PROBE_NAME_CHARS_MAX = 128;

/**
 * The name of the service that a resource is, made to fit; `null` for none. Not `service.instance.id`, which many make anew at each start: a
 * probe's name is to stay, and each new one would be another probe.
 */
function probeNameOf(resource: Span['resource']): string | null {
  const name = resource.get('service.name');
  const namespace = resource.get('service.namespace');
  // What an SDK says of a service that nobody has named.
  if (typeof name !== 'string' || name === '' || name.startsWith('unknown_service')) return null;
  const full = typeof namespace === 'string' && namespace !== '' ? `${namespace}.${name}` : name;
  return full.slice(0, PROBE_NAME_CHARS_MAX).replaceAll(/[^A-Za-z0-9._:-]/g, '-');
}
