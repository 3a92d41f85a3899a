// Spans of OpenTelemetry about inferences: their texts are assessed here, and what goes on to the service is the decision.

import {
  eventOfSpan,
  isInferenceSpan,
  OTLP_CONTENT_TYPES,
  OtlpError,
  rpcStatus,
  spanProblem,
  spansOf,
  traceResponse,
  type OtlpEncoding,
  type TelemetryEvent,
} from '@svc/telemetry';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { BusyError } from '../errors.ts';
import type { Probe } from '../probe.ts';
import type { Account } from './budget.ts';
import { readRequestBody } from './body.ts';
import { busyRefusal, Refusal } from './refusal.ts';

/** After decompression: as much as the service takes. */
const BODY_BYTES_MAX = 8 * 1_048_576;
/** Between two events others get their turn after this long. */
const TURN_MS = 5;

/** Whether a path is that of an OTLP exporter: at a port of its own, below a base that was given to the SDK, or beside the models. */
export function isTracesPath(path: string): boolean {
  return path === '/v1/traces' || path === '/otlp/v1/traces';
}

/** Takes a request of an exporter: `ExportTraceServiceRequest` in, its response out, in the encoding it came in. */
export async function takeSpans(probe: Probe, req: IncomingMessage, res: ServerResponse, { add }: Account): Promise<void> {
  const encoding = encodingOf(req);
  const type = OTLP_CONTENT_TYPES[encoding ?? 'json'];
  try {
    if (req.method !== 'POST') throw new Refusal(405, 'Spans are sent by POST.', { code: 'method_not_allowed' });
    if (encoding === null)
      throw new Refusal(415, 'Spans come as application/x-protobuf or application/json.', { code: 'unsupported_media_type' });
    const events = eventsIn(encoding, await readRequestBody(req, { bytesMax: BODY_BYTES_MAX, takesGzip: true, account: add }));
    await reportAll(probe, events.taken);
    const partial = events.refused === 0 ? null : { rejectedSpans: events.refused, errorMessage: events.reason };
    res.writeHead(200, { 'content-type': type }).end(traceResponse(encoding, partial));
  } catch (thrown) {
    // Exporters send again what is answered 503, and events that are kept already count once.
    const err = thrown instanceof BusyError ? busyRefusal(thrown) : thrown;
    const [status, message] = errorOf(err);
    const headers = err instanceof Refusal ? err.headers : {};
    res.writeHead(status, { 'content-type': type, ...headers }).end(rpcStatus(encoding ?? 'json', status, message));
  }
}

function encodingOf({ headers }: IncomingMessage): OtlpEncoding | null {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return (Object.keys(OTLP_CONTENT_TYPES) as OtlpEncoding[]).find((encoding) => OTLP_CONTENT_TYPES[encoding] === type) ?? null;
}

/** All are read before any is taken. Those that tell of no inference are passed over. */
function eventsIn(encoding: OtlpEncoding, body: Buffer): { taken: TelemetryEvent[]; refused: number; reason: string } {
  const taken: TelemetryEvent[] = [];
  let refused = 0;
  let reason = '';
  for (const span of spansOf(encoding, body)) {
    if (!isInferenceSpan(span)) continue;
    const problem = spanProblem(span);
    if (problem === null) taken.push(eventOfSpan(span));
    else {
      refused++;
      reason = problem;
    }
  }
  return { taken, refused, reason };
}

async function reportAll(probe: Probe, events: readonly TelemetryEvent[]): Promise<void> {
  let turnAt = performance.now() + TURN_MS;
  for (const event of events) {
    await probe.report(event);
    if (performance.now() < turnAt) continue;
    await turn();
    turnAt = performance.now() + TURN_MS;
  }
}

function errorOf(err: unknown): [status: number, message: string] {
  if (err instanceof Refusal) return [err.status, err.message];
  if (err instanceof OtlpError) return [400, err.message];
  return [500, 'The probe has failed.'];
}
