// One attempt: what is sent, and what the answer means. Knows nothing of the queue.

import type { Vault } from '../access/vault.ts';
import { EgressError, type Egress, type EgressResponse } from '../egress/egress.ts';
import { idFromUuidText } from '../ids.ts';
import type { Answer, Judgement, OutgoingEvent } from '../integrations/adapter.ts';
import { adapterOf } from '../integrations/registry.ts';
import { bodyOf } from './body.ts';
import { ATTEMPT_MS_MAX } from './schedule.ts';
import { signatureHeaders, type SigningSecrets } from './signatures.ts';
import type { Claimed, Sendable } from './store.ts';

const ANSWER_BYTES_READ_MAX = 16_384;
const ANSWER_BYTES_KEPT_MAX = 4_096;
const USER_AGENT = 'Svc-Webhooks/1';
// An acknowledging receiver is asked whether it has written down what it took: in all for half of the lease at most.
const ACKNOWLEDGE_POLLS = 4;
const ACKNOWLEDGE_INTERVAL_MS = 1_000;
const ACKNOWLEDGE_MS_MAX = 2_000;

/** How an attempt went, for each of the deliveries it carried. */
export interface Attempt {
  readonly startedAtMs: number;
  readonly latencyMs: number;
  readonly status: number | null;
  /** The first 4 KiB of the answer. */
  readonly answer: string | null;
  readonly judgements: readonly Judgement[];
  /** False: there was no place for the call, which says nothing of the receiver. */
  readonly wasSent: boolean;
}

/** What attempts are made with. */
export interface Sender {
  readonly egress: Egress;
  /** The way to the service's own inboxes, which the guard would not let through. */
  readonly ownEgress: Egress;
  readonly vault: Vault;
  readonly baseUrl: () => string;
  readonly clock: () => number;
}

/** What the secret of an endpoint is sealed for. */
export function secretPurpose(endpointId: string): string {
  return `secret of endpoint ${endpointId}`;
}

/** Sends deliveries of one endpoint: one of a webhook, or as many as an integration takes together. Never throws. */
export async function attempt(sender: Sender, claimed: readonly Sendable[]): Promise<Attempt> {
  const startedAtMs = sender.clock();
  const begun = performance.now();
  try {
    const sent =
      claimed[0]!.endpoint.kind === 'webhook' ? await sendWebhook(sender, claimed[0]!) : await sendToVendor(sender, claimed);
    return { startedAtMs, latencyMs: performance.now() - begun, wasSent: true, ...sent, answer: cut(sent.answer) };
  } catch (err) {
    const error = err instanceof EgressError ? err.message : 'The request could not be made.';
    const judgements = claimed.map(() => ({ outcome: 'retry' as const, error }));
    const wasSent = !(err instanceof EgressError && err.kind === 'busy');
    return { startedAtMs, latencyMs: performance.now() - begun, wasSent, status: null, answer: null, judgements };
  }
}

type Sent = Omit<Attempt, 'startedAtMs' | 'latencyMs' | 'wasSent'>;

async function sendWebhook(sender: Sender, claimed: Sendable): Promise<Sent> {
  const { kind, endpoint } = claimed;
  const body = Buffer.from(bodyOf(deliveredEvent(claimed)));
  const eventId = idFromUuidText('evt', claimed.eventId);
  const timestamp = Math.floor(sender.clock() / 1_000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'x-svc-event': kind,
    'x-svc-delivery': idFromUuidText('dlv', claimed.id),
    'x-svc-attempt': String(claimed.attempt),
    ...signatureHeaders(secretsOf(sender, claimed), eventId, timestamp, body),
  };
  const answer = await call(sender, { url: endpoint.url!, headers, body });
  return { ...shownOf(answer), judgements: [judgeWebhook(answer)] };
}

/** 2xx is success. Everything else, redirects included, is a failure. */
function judgeWebhook({ status }: EgressResponse): Judgement {
  if (status >= 200 && status < 300) return { outcome: 'ok' };
  const hint = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  return { outcome: 'retry', error: `The receiver answered ${status}.${hint}` };
}

async function sendToVendor(sender: Sender, claimed: readonly Sendable[]): Promise<Sent> {
  const { endpoint, endpointId } = claimed[0]!;
  const adapter = adapterOf(endpoint.kind);
  const secrets = JSON.parse(sender.vault.open(secretPurpose(endpointId), endpoint.sealedSecret)) as object;
  const config = { ...endpoint.config, ...secrets };
  const events = claimed.map((each) => JSON.parse(bodyOf(deliveredEvent(each))) as OutgoingEvent);
  const response = await call(sender, adapter.render(events, config, { baseUrl: sender.baseUrl() }));
  const answer = answerOf(response);
  const judgements = adapter.judge(answer, claimed.length);
  const shown = withoutSecrets(shownOf(response), secrets);
  const question = adapter.acknowledge?.(answer, config) ?? null;
  if (question === null || !judgements.every(({ outcome }) => outcome === 'ok')) return { ...shown, judgements };
  const isDone = await isAcknowledged(sender, question);
  const late = {
    outcome: 'retry' as const,
    error: 'The receiver took the events but did not acknowledge that they were indexed.',
  };
  return { ...shown, judgements: isDone ? judgements : claimed.map(() => late) };
}

/** A vendor that refuses a key may repeat it: it is not kept in the log of attempts. */
function withoutSecrets<T extends { answer: string | null }>(shown: T, secrets: object): T {
  const values = Object.values(secrets).filter((value): value is string => typeof value === 'string' && value !== '');
  return { ...shown, answer: values.reduce((text, value) => text?.replaceAll(value, '[secret]') ?? null, shown.answer) };
}

async function isAcknowledged(
  sender: Sender,
  question: NonNullable<ReturnType<NonNullable<ReturnType<typeof adapterOf>['acknowledge']>>>,
): Promise<boolean> {
  for (let poll = 0; poll < ACKNOWLEDGE_POLLS; poll++) {
    if (question.judge(answerOf(await call(sender, question.request, ACKNOWLEDGE_MS_MAX))) === 'done') return true;
    await new Promise((resolve) => setTimeout(resolve, ACKNOWLEDGE_INTERVAL_MS));
  }
  return false;
}

/** True for an address of the service's own inboxes, whoever typed it: nothing else of the service can be reached by it. */
export function isOwnInbox(url: string, baseUrl: string): boolean {
  return url.startsWith(`${baseUrl}/inbox/`) && /^[\w-]+$/.test(url.slice(`${baseUrl}/inbox/`.length));
}

async function call(
  sender: Sender,
  request: { url: string; headers: Readonly<Record<string, string>>; body: string | Buffer },
  timeoutMs = ATTEMPT_MS_MAX,
): Promise<EgressResponse> {
  const egress = isOwnInbox(request.url, sender.baseUrl()) ? sender.ownEgress : sender.egress;
  return egress.request({ method: 'POST', ...request, timeoutMs, bodyBytesMax: ANSWER_BYTES_READ_MAX });
}

/** The current secret and, during a rotation's grace, the one before. */
function secretsOf({ vault, clock }: Sender, { endpoint, endpointId }: Claimed): SigningSecrets {
  const { sealedSecret, sealedOldSecret, oldSecretUntilMs } = endpoint;
  const isInGrace = sealedOldSecret !== null && oldSecretUntilMs !== null && oldSecretUntilMs > clock();
  return {
    current: vault.open(secretPurpose(endpointId), sealedSecret),
    old: isInGrace ? vault.open(secretPurpose(endpointId), sealedOldSecret) : null,
  };
}

function deliveredEvent({ orgId, eventId, sequence, kind, mode, event }: Sendable) {
  return {
    id: idFromUuidText('evt', eventId),
    sequence,
    kind,
    mode,
    occurredAtMs: event.occurredAtMs,
    recordedAtMs: event.recordedAtMs,
    orgId: idFromUuidText('org', orgId),
    actor: { type: event.actorType, id: event.actorId },
    data: event.data,
  };
}

function answerOf({ status, headers, body }: EgressResponse): Answer {
  return { status, headers, body: body.toString('utf8') };
}

/** What of an answer is told. PostgreSQL keeps no zero bytes. */
function shownOf({ status, body }: EgressResponse): Pick<Sent, 'status' | 'answer'> {
  return { status, answer: body.toString('utf8').replaceAll('\0', '') };
}

/** The first 4 KiB of a text, without half a character. */
function cut(text: string | null): string | null {
  if (text === null || Buffer.byteLength(text) <= ANSWER_BYTES_KEPT_MAX) return text;
  return new TextDecoder().decode(Buffer.from(text).subarray(0, ANSWER_BYTES_KEPT_MAX), { stream: true });
}
