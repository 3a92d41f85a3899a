// What a receiver of webhooks does, whatever framework it runs in.

import type { Event } from '../generated/types.ts';
import { verifyWebhook, WebhookVerificationError, type WebhookDelivery } from '../webhooks.ts';

export interface WebhookReceiverOptions {
  /** `whsec_…`; during a rotation both. A function is asked at each delivery. */
  readonly secret: string | readonly string[] | (() => string | readonly string[] | Promise<string | readonly string[]>);
  /**
   * Takes an event. The delivery is answered 200 when it has resolved, and 500 when it throws, so that the service sends it again. The service waits
   * five seconds: store the event or put it on a queue, and work later.
   */
  readonly onEvent: (event: Event) => void | Promise<void>;
  /** Whether the event of this id was taken before: it is then answered 200 and not handed to `onEvent`. Default: never. */
  readonly seen?: (id: string) => boolean | Promise<boolean>;
  /** How far the time of a delivery may be from now. Default: 300. */
  readonly toleranceS?: number;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Of the events of this service; they have at most 64 KiB. */
export const BODY_BYTES_MAX = 1_048_576;

/** Verifies a delivery and has its event taken. `log`: hears of what the developer should. Does not throw. */
export async function receive(
  delivery: WebhookDelivery,
  { secret, onEvent, seen, toleranceS }: WebhookReceiverOptions,
  log: (err: unknown) => void,
): Promise<ReceiverAnswer> {
  try {
    const secrets = typeof secret === 'function' ? await secret() : secret;
    const event = await verifyWebhook(delivery, { secret: secrets, ...(toleranceS === undefined ? {} : { toleranceS }) });
    if ((await seen?.(event.id)) !== true) await onEvent(event);
    return { status: 200, body: { received: event.id } };
  } catch (err) {
    if (!(err instanceof WebhookVerificationError)) {
      log(err);
      return failure(500, 'not_handled', 'The event was not taken. It may be sent again.');
    }
    // A wrong setting here is no fault of the sender's, who shall come again.
    if (err.rule === 'secret_malformed') {
      log(err);
      return failure(500, 'misconfigured', 'The receiver has no secret that it could verify with.');
    }
    return { status: 401, body: { error: { code: 'invalid_signature', rule: err.rule, message: err.message } } };
  }
}

export function tooLarge(): ReceiverAnswer {
  return failure(413, 'payload_too_large', `A delivery has at most ${BODY_BYTES_MAX} bytes.`);
}

export function failure(status: number, code: string, message: string): ReceiverAnswer {
  return { status, body: { error: { code, message } } };
}
