// What an integration is to the deliveries: a pure pair, `render` and `judge`, with the rules of its config. An adapter has no clock, no
// randomness and does no I/O, so the same events and config give the same request.

import type { TSchema } from 'typebox';

/** The vendors that can be integrated. */
export const INTEGRATION_KINDS = ['slack', 'pagerduty', 'teams', 'datadog', 'splunk'] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

/** An event as it is delivered: the webhook body, parsed. */
export interface OutgoingEvent {
  readonly id: string;
  /** `null`: the event is not in the trail (test mode, `webhook.test`). */
  readonly sequence: number | null;
  readonly kind: string;
  readonly mode: 'live' | 'test';
  /** ISO 8601 UTC with milliseconds, as `recorded_at` is. */
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly org_id: string;
  readonly actor: { readonly type: string; readonly id: string | null };
  readonly data: Readonly<Record<string, unknown>>;
}

/** What is sent: always a POST. `url`, `headers` and `body` may hold secrets and are never logged. */
export interface OutgoingRequest {
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What the vendor answered. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 16 KiB. */
  readonly body: string;
}

/**
 * What the vendor's answer means for one event. `error`: one sentence for the customer, without secrets and without words of the vendor,
 * which might repeat them. `afterMs`: the vendor's Retry-After.
 */
export type Judgement =
  | { readonly outcome: 'ok' }
  | { readonly outcome: 'retry'; readonly error: string; readonly afterMs?: number }
  | { readonly outcome: 'permanent'; readonly error: string };

/** What is asked after an answer that was not final yet. */
export interface Acknowledgement {
  readonly request: OutgoingRequest;
  /** `pending`: ask again, later. Never `done` for what the vendor does not say is stored. */
  judge(answer: Answer): 'done' | 'pending';
}

/** One vendor. */
export interface Adapter<Config extends object = object> {
  readonly kind: IntegrationKind;
  /** Of the config as customers send it. */
  readonly config: TSchema;
  /** Members of the config that are secrets: kept encrypted, never answered. */
  readonly secrets: readonly string[];
  /** Where requests go: checked by the guard when the integration is stored. Throws nothing. */
  urlsOf(config: Config): readonly string[];
  /** Further rules, which the schema cannot say: where in the config, by JSON Pointer, and what is wrong as the rest of a sentence. */
  check(config: Config): readonly { readonly pointer: string; readonly message: string }[];
  /** Events that one request may carry. Needs no secrets in the config. */
  batchMax(config: Config): number;
  /** The request for 1 to `batchMax` events. `baseUrl`: where the dashboard is, without a slash at the end. */
  render(events: readonly OutgoingEvent[], config: Config, context: { readonly baseUrl: string }): OutgoingRequest;
  /** One judgement for each of the `count` events of the request, in their order. */
  judge(answer: Answer, count: number): readonly Judgement[];
  /** What to ask after an answer judged `ok` that only says that the events were received; `null`: the answer is final. */
  acknowledge?(answer: Answer, config: Config): Acknowledgement | null;
}
