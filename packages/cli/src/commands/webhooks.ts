// `svc webhooks`: who is told of events, and what became of it.

import { setTimeout as wait } from 'node:timers/promises';
import type * as types from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, tonedState, type Column, type Output, type Text } from '../output.ts';
import { ago, count } from '../text.ts';
import { EVENT_KINDS } from './event-kinds.ts';
import { defined, EVENTS_OPTION, required, timeOf } from './shared.ts';

const ID = { name: 'webhook_id' } as const;
const DELIVERY_ID = { name: 'delivery_id' } as const;
const STATES = ['pending', 'in_flight', 'parked', 'succeeded', 'failed', 'cancelled'];
const ATTEMPT_ASKED_EVERY_MS = 250;
const ATTEMPT_WAIT_MS_MAX = 15_000;

type EventName = NonNullable<types.CreateWebhook['events']>[number];

const COLUMNS: readonly Column<types.Webhook>[] = [
  { name: 'ID', importance: 10, cell: ({ webhook_id }) => webhook_id },
  { name: 'STATE', importance: 8, cell: stateOf },
  { name: 'URL', importance: 9, widthMin: 20, cell: ({ url }) => url },
  { name: 'EVENTS', importance: 5, widthMin: 12, cell: ({ events }) => events.join(', ') },
  { name: 'LAST SUCCESS', importance: 4, cell: ({ last_success_at }) => ago(last_success_at) },
];

const DELIVERY_COLUMNS: readonly Column<types.Delivery>[] = [
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'STATE', importance: 9, cell: ({ state }) => tonedState(state) },
  { name: 'KIND', importance: 8, cell: ({ kind }) => kind },
  { name: 'ATTEMPTS', importance: 6, isRight: true, cell: ({ attempts }) => String(attempts) },
  { name: 'CREATED', importance: 5, cell: ({ created_at }) => ago(created_at) },
  { name: 'NEXT', importance: 4, cell: ({ next_attempt_at }) => ago(next_attempt_at) },
];

export const commands: readonly Command[] = [
  {
    words: ['webhooks', 'list'],
    summary: 'List webhooks',
    options: LIST_OPTIONS,
    examples: ['svc webhooks list'],
    async run({ svc, options, output }) {
      const list = await readList(options, (query) => svc().webhooks.list(query));
      output.list(list, COLUMNS, 'There are no webhooks. svc webhooks create makes one.');
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'get'],
    summary: 'Show a webhook',
    positionals: [ID],
    examples: ['svc webhooks get wh_01m7zmgn5ge00bem91bab2qawn'],
    async run({ svc, positionals, output }) {
      const webhook = await svc().webhooks.get(positionals['webhook_id']!);
      output.answer(webhook, () => show(output, webhook));
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'create'],
    summary: 'Make a webhook; its signing secret is shown this once',
    options: {
      url: { kind: 'text', meaning: 'Where events are sent: https, to a public address', placeholder: '<url>' },
      event: EVENTS_OPTION,
      description: { kind: 'text', meaning: 'Anything worth knowing about it', placeholder: '<text>' },
    },
    examples: [
      'svc webhooks create --url https://example.com/webhooks --event inference.blocked',
      "svc webhooks create --url https://example.com/webhooks --event '*' --description 'Security team'",
    ],
    async run({ svc, options, output }) {
      const url = required(options, 'url', 'svc webhooks create --url https://example.com/webhooks --event inference.blocked');
      const events = options.texts('event') as EventName[];
      if (events.length === 0) throw new UsageError("--event is missing. Give a kind, such as inference.blocked, or '*'.");
      const webhook = await svc().webhooks.create({ url, events, ...defined({ description: options.text('description') }) });
      output.answer(webhook, () => {
        show(output, webhook);
        showSecret(output, webhook);
      });
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'update'],
    summary: 'Change url, events or description of a webhook',
    description: 'What is not given stays as it is. With --event the kinds that are given take the place of those before.',
    positionals: [ID],
    options: {
      url: { kind: 'text', meaning: 'Where events are sent from now on', placeholder: '<url>' },
      event: EVENTS_OPTION,
      description: { kind: 'text', meaning: "Anything worth knowing about it; '' takes it away", placeholder: '<text>' },
    },
    examples: ['svc webhooks update wh_01m7zmgn5ge00bem91bab2qawn --event inference.blocked --event drift.sustained'],
    async run({ svc, positionals, options, output }) {
      const events = options.texts('event') as EventName[];
      const description = options.text('description');
      const body = defined({
        url: options.text('url'),
        events: events.length === 0 ? undefined : events,
        description: description === '' ? null : description,
      });
      if (Object.keys(body).length === 0)
        throw new UsageError('There is nothing to change. Give --url, --event or --description.');
      const webhook = await svc().webhooks.update(positionals['webhook_id']!, body);
      output.answer(webhook, () => show(output, webhook));
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'delete'],
    summary: 'Delete a webhook and cancel what is queued for it',
    positionals: [ID],
    options: { yes: YES },
    examples: ['svc webhooks delete wh_01m7zmgn5ge00bem91bab2qawn --yes'],
    async run(context) {
      const { svc, positionals, output } = context;
      const id = positionals['webhook_id']!;
      if (!context.options.flag('yes')) {
        const { url } = await svc().webhooks.get(id);
        await confirm(context, `Delete the webhook to ${url}? What is queued for it is cancelled.`);
      }
      const webhook = await svc().webhooks.delete(id);
      output.answer(webhook, () => output.line(`Deleted ${webhook.webhook_id}.`));
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'test'],
    summary: 'Send a sample event now, and show how the receiver answered',
    description: 'One real attempt, signed like any other. Exit code 3 when the receiver did not take it.',
    positionals: [ID],
    options: {
      event: {
        kind: 'text',
        meaning: 'The kind of the sample',
        placeholder: '<kind>',
        choices: ['webhook.test', ...EVENT_KINDS],
      },
    },
    examples: ['svc webhooks test wh_01m7zmgn5ge00bem91bab2qawn --event inference.blocked'],
    async run({ svc, positionals, options, output }) {
      const event = options.text('event') as NonNullable<types.TestEvent['event']> | undefined;
      output.progress('Waiting for the receiver …');
      const result = await svc().webhooks.test(positionals['webhook_id']!, defined({ event }));
      output.answer(result, () => showTest(output, result));
      return result.delivered ? EXIT.done : EXIT.no;
    },
  },
  {
    words: ['webhooks', 'deliveries'],
    summary: 'List what was sent, or is to be sent, to a webhook',
    positionals: [ID],
    options: {
      state: { kind: 'text', meaning: 'Deliveries in this state', placeholder: '<state>', choices: STATES },
      kind: { kind: 'text', meaning: 'Of events of this kind', placeholder: '<kind>', choices: EVENT_KINDS },
      ...LIST_OPTIONS,
    },
    examples: ['svc webhooks deliveries wh_01m7zmgn5ge00bem91bab2qawn --state failed'],
    async run({ svc, positionals, options, output }) {
      const filter = defined({ state: options.text('state'), kind: options.text('kind') }) as types.WebhooksListDeliveriesQuery;
      const list = await readList(options, (query) =>
        svc().webhooks.listDeliveries(positionals['webhook_id']!, { ...filter, ...query }),
      );
      output.list(list, DELIVERY_COLUMNS, 'There are no such deliveries.');
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'delivery'],
    summary: 'Show a delivery: its body, and each attempt with the answer',
    positionals: [ID, DELIVERY_ID],
    examples: ['svc webhooks delivery wh_01m7zmgn5ge00bem91bab2qawn dlv_01m7zmgn63e00a65fn7434dvpb'],
    async run({ svc, positionals, output }) {
      const delivery = await svc().webhooks.getDelivery(positionals['webhook_id']!, positionals['delivery_id']!);
      output.answer(delivery, () => showDelivery(output, delivery));
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'retry'],
    summary: 'Send a delivery again, now, and show how the receiver answered',
    description: 'One more attempt, whatever came of the others. Exit code 3 when the receiver did not take it.',
    positionals: [ID, DELIVERY_ID],
    examples: ['svc webhooks retry wh_01m7zmgn5ge00bem91bab2qawn dlv_01m7zmgn63e00a65fn7434dvpb'],
    run: retry,
  },
  {
    words: ['webhooks', 'recover'],
    summary: 'Send again what has failed since a time',
    positionals: [ID],
    options: { since: { kind: 'text', meaning: 'Of events recorded at or after: a time, or 24h, 7d', placeholder: '<time>' } },
    examples: ['svc webhooks recover wh_01m7zmgn5ge00bem91bab2qawn --since 24h'],
    async run({ svc, positionals, options, output }) {
      required(options, 'since', 'svc webhooks recover wh_… --since 24h');
      const result = await svc().webhooks.recover(positionals['webhook_id']!, { since: timeOf(options, 'since')! });
      const { recovered } = result;
      output.answer(result, () =>
        output.line(
          recovered === 0 ? 'Nothing had failed.' : `${count(recovered, 'delivery', 'deliveries')} will be sent again.`,
        ),
      );
      return EXIT.done;
    },
  },
  {
    words: ['webhooks', 'rotate'],
    summary: 'Give a webhook a new signing secret',
    description:
      'During the grace webhook-signature carries both secrets’ signatures, X-Svc-Signature-256 the old one’s and X-Svc-Signature-256-Next the new one’s. ' +
      'Give the new secret to the receiver, then end the grace with --finish.',
    positionals: [ID],
    options: {
      grace: {
        kind: 'integer',
        meaning: 'For how long the old secret signs too; a day when not given',
        placeholder: '<seconds>',
      },
      finish: { kind: 'flag', meaning: 'End the grace: from now on the new secret alone signs' },
    },
    examples: ['svc webhooks rotate wh_01m7zmgn5ge00bem91bab2qawn', 'svc webhooks rotate wh_01m7zmgn5ge00bem91bab2qawn --finish'],
    async run({ svc, positionals, options, output }) {
      const id = positionals['webhook_id']!;
      const grace = options.integer('grace');
      if (options.flag('finish')) {
        if (grace !== undefined) throw new UsageError('--finish ends the grace: --grace does not go with it.');
        const webhook = await svc().webhooks.finishRotation(id);
        output.answer(webhook, () => output.line('The new secret alone signs from now on.'));
        return EXIT.done;
      }
      const webhook = await svc().webhooks.rotateSecret(id, defined({ grace_s: grace }));
      output.answer(webhook, () => {
        showSecret(output, webhook);
        if (webhook.old_secret_until !== null)
          output.line(
            `The old secret signs too until ${webhook.old_secret_until} (${ago(webhook.old_secret_until)}). End that early with --finish.`,
          );
      });
      return EXIT.done;
    },
  },
];

async function retry({ svc, positionals, output, signal }: Context): Promise<number> {
  const [id, deliveryId] = [positionals['webhook_id']!, positionals['delivery_id']!];
  const { webhooks } = svc();
  const before = lastAttempt(await webhooks.getDelivery(id, deliveryId));
  let delivery = await webhooks.retryDelivery(id, deliveryId);
  const untilMs = performance.now() + ATTEMPT_WAIT_MS_MAX;
  while (lastAttempt(delivery) <= before && performance.now() < untilMs) {
    output.progress('Waiting for the receiver …');
    await wait(ATTEMPT_ASKED_EVERY_MS, undefined, { signal });
    delivery = await webhooks.getDelivery(id, deliveryId);
  }
  const attempt = lastAttempt(delivery) > before ? delivery.attempt_log.at(-1)! : null;
  output.answer(delivery, () => {
    if (attempt === null) output.line('The attempt has not ended yet. svc webhooks delivery shows it when it has.');
    else showAttempt(output, attempt);
  });
  return attempt !== null && attempt.error === null ? EXIT.done : attempt === null ? EXIT.done : EXIT.no;
}

function lastAttempt({ attempt_log }: types.DeliveryDetail): number {
  return attempt_log.at(-1)?.number ?? 0;
}

function stateOf({ status, failing_since }: types.Webhook): Text {
  if (status === 'active' && failing_since !== null) return toned('warn', 'failing');
  return tonedState(status);
}

function show(output: Output, webhook: types.Webhook): void {
  output.fields([
    ['id', webhook.webhook_id],
    ['url', webhook.url],
    ['events', webhook.events.join(', ')],
    ['description', webhook.description],
    ['mode', webhook.mode],
    ['state', stateOf(webhook)],
    ['failing since', webhook.failing_since === null ? null : `${webhook.failing_since} (${ago(webhook.failing_since)})`],
    ['last success', webhook.last_success_at === null ? 'never' : `${webhook.last_success_at} (${ago(webhook.last_success_at)})`],
    ['old secret until', webhook.old_secret_until],
    ['created', webhook.created_at],
  ]);
}

function showSecret(output: Output, { signing_secret }: types.WebhookWithSecret): void {
  if (signing_secret === undefined) return;
  output.fields([['signing secret', toned('strong', signing_secret)]]);
  output.line('The secret is shown only this once. Keep it where the receiver can read it.');
}

/** How a sample went; integrations have the same. */
export function showTest(output: Output, result: types.TestResult): void {
  output.fields([
    ['delivered', result.delivered ? toned('good', 'yes') : toned('bad', 'no')],
    ['event', result.event],
    ['status', result.status === null ? 'none' : String(result.status)],
    ['time', `${Math.round(result.latency_ms)} ms`],
    ['error', result.error],
    ['answer', result.answer === '' ? null : result.answer],
  ]);
}

function showDelivery(output: Output, delivery: types.DeliveryDetail): void {
  output.fields([
    ['id', delivery.id],
    ['event', `${delivery.event_id} (${delivery.kind})`],
    ['state', tonedState(delivery.state)],
    ['created', `${delivery.created_at} (${ago(delivery.created_at)})`],
    ['next attempt', delivery.next_attempt_at === null ? null : `${delivery.next_attempt_at} (${ago(delivery.next_attempt_at)})`],
    ['finished', delivery.finished_at],
    ['body', delivery.body ?? 'not shown: it needs the scope events:read, and the event still being kept'],
  ]);
  for (const attempt of delivery.attempt_log) {
    output.line('');
    showAttempt(output, attempt);
  }
}

function showAttempt(output: Output, attempt: types.Attempt): void {
  output.fields([
    ['attempt', `${attempt.number} (${attempt.trigger}), ${attempt.started_at}`],
    [
      'status',
      attempt.status === null ? toned('bad', 'none') : toned(attempt.error === null ? 'good' : 'bad', String(attempt.status)),
    ],
    ['time', `${Math.round(attempt.latency_ms)} ms`],
    ['error', attempt.error],
    ['answer', attempt.answer === '' ? null : attempt.answer],
  ]);
}
