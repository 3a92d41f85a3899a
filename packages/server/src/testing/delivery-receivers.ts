// The receivers of the delivery drill: they write down what arrives, and the log is what the history is checked against.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { parseId, uuidText, type IdPrefix } from '../ids.ts';

// A kill shall find attempts that were received and not yet answered.
const ANSWER_MS_MAX = 40;

/** A request as it was received. Ids are PostgreSQL's text form; an empty one was no id. */
export interface Reception {
  /** From the path. */
  readonly endpointId: string;
  /** From `webhook-id`. */
  readonly eventId: string;
  /** From `x-svc-delivery`. */
  readonly deliveryId: string;
  /** From `x-svc-attempt`. */
  readonly attempt: number;
  /** SHA-256, base64. */
  readonly bodyHash: string;
  /** Both signatures hold, and the body names the event that `webhook-id` names. */
  readonly isGenuine: boolean;
}

/** What was received by all receivers together. An endpoint's path is its id. */
export class ReceptionLog {
  readonly entries: Reception[] = [];
  /** The signing secrets by endpoint. */
  readonly secrets = new Map<string, string>();

  readonly add = (req: IncomingMessage, body: Buffer): void => {
    const header = (name: string) => String(req.headers[name] ?? '');
    const endpointId = (req.url ?? '/').slice(1);
    this.entries.push({
      endpointId,
      eventId: uuidOf('evt', header('webhook-id')),
      deliveryId: uuidOf('dlv', header('x-svc-delivery')),
      attempt: Number(header('x-svc-attempt')),
      bodyHash: createHash('sha256').update(body).digest('base64'),
      isGenuine: isGenuine(this.secrets.get(endpointId) ?? '', req, body),
    });
  };
}

function uuidOf(prefix: IdPrefix, id: string): string {
  const uuid = parseId(prefix, id);
  return uuid === null ? '' : uuidText(uuid);
}

function isGenuine(secret: string, { headers }: IncomingMessage, body: Buffer): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(String(headers['x-svc-signature-256']));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  try {
    const event = new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as { id: string };
    return event.id === headers['webhook-id'];
  } catch {
    return false;
  }
}

/** A receiver that answers 200, some milliseconds later. */
export interface HealthyReceiver {
  readonly url: string;
  /** How many requests are waiting for `release`. */
  readonly held: number;
  /** Answers nothing until `release`. */
  hold(): void;
  release(): void;
  close(): Promise<void>;
}

/** Starts one on a free port of 127.0.0.1. */
export async function startHealthyReceiver(log: ReceptionLog): Promise<HealthyReceiver> {
  let isHeld = false;
  const held: ServerResponse[] = [];
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', () => undefined); // its sender was killed
    req.on('end', () => {
      log.add(req, Buffer.concat(chunks));
      if (isHeld) held.push(res);
      else setTimeout(() => res.end('ok'), Math.random() * ANSWER_MS_MAX);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get held() {
      return held.length;
    },
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const res of held.splice(0)) res.end('ok');
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
