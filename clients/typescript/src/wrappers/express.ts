// Webhooks received by an Express application.

import type { WebhookDelivery } from '../webhooks.ts';
import { BODY_BYTES_MAX, failure, receive, tooLarge, type ReceiverAnswer, type WebhookReceiverOptions } from './receiver.ts';

export interface SvcWebhookOptions extends WebhookReceiverOptions {
  /** Hears what `onEvent` and `seen` throw, and what is set up wrongly. Default: `console.error`. */
  readonly log?: (err: unknown) => void;
}

/** As much of a request of Express, or of Node, as is needed. */
export interface ReceivedRequest extends AsyncIterable<unknown> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly readableDidRead?: boolean;
  readonly body?: unknown;
}

/** The same of a response. */
export interface AnsweredResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

/**
 * A handler for `app.post('/webhooks', svcWebhook({ secret, onEvent }))`. It reads the raw body by itself, or takes that of `express.raw()` or
 * `express.text()`; put it before `express.json()`. Answers 200, 401 where the signature does not hold, 413, or 500.
 */
export function svcWebhook({ log: given = logError, ...options }: SvcWebhookOptions) {
  // Whatever becomes of the log, the request is answered.
  const log = (err: unknown): void => {
    try {
      given(err);
    } catch (fault) {
      logError(err);
      logError(fault);
    }
  };
  return (req: ReceivedRequest, res: AnsweredResponse): void => {
    answer(req, res).catch(logError);
  };

  async function answer(req: ReceivedRequest, res: AnsweredResponse): Promise<void> {
    const body = await rawBody(req);
    const hasBody = typeof body === 'string' || body instanceof Uint8Array;
    const delivery = { body: hasBody ? body : '', headers: req.headers };
    const { status, body: told } = hasBody ? await receive(delivery, options, log) : explained(body, log);
    res.statusCode = status;
    res.setHeader('content-type', 'application/json');
    // What is left of a body that is too long is not read.
    if (status === 413) res.setHeader('connection', 'close');
    res.end(JSON.stringify(told));
  }
}

/** Why there is no raw body. */
interface Missing {
  readonly why: 'parsed' | 'too_large' | 'broken_off';
}

async function rawBody(req: ReceivedRequest): Promise<WebhookDelivery['body'] | Missing> {
  const { body } = req;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (req.readableDidRead === true) return { why: 'parsed' };
  if (Number(req.headers['content-length']) > BODY_BYTES_MAX) return { why: 'too_large' };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of req) {
      const piece = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array);
      bytes += piece.length;
      if (bytes > BODY_BYTES_MAX) return { why: 'too_large' };
      chunks.push(piece);
    }
  } catch {
    return { why: 'broken_off' };
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

const PARSED =
  'svcWebhook needs the raw body of the request, and a parser has read it before. Put the route before app.use(express.json()), or give it a parser of its own: app.post(path, express.raw({ type: "*/*" }), svcWebhook(…)).';

function explained({ why }: Missing, log: (err: unknown) => void): ReceiverAnswer {
  if (why === 'too_large') return tooLarge();
  if (why === 'broken_off') return failure(400, 'invalid_request', 'The body broke off.');
  log(new Error(PARSED));
  return failure(500, 'misconfigured', 'The receiver parses the body before its signature is checked.');
}

function logError(err: unknown): void {
  console.error(err);
}
