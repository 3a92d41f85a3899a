// `svc listen`: events of the trail, sent to a program on this machine as a webhook would send them.

import type { Event } from '@svc/client';
import type { Command, Context } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { toned, type Output } from '../output.ts';
import { oneLine } from '../text.ts';
import { EVENT_KINDS, NOT_IN_ALL } from './event-kinds.ts';
import { feed, newestSequence, requireTrail } from './feed.ts';
import { deliveredBody, forward, localUrl, newSecret, type Forwarded } from './forward.ts';
import { base64Of } from './signature-check.ts';
import { required, secretFrom } from './shared.ts';

const SECRET_BYTES_MIN = 16;
const KIND_WIDTH = 22;

export const commands: readonly Command[] = [
  {
    words: ['listen'],
    summary: 'Forward events to a program on this machine, signed as a webhook signs them',
    description:
      'For developing receivers. Reads the trail, which needs events:read alone, so that the service need not reach this machine. Each event is sent ' +
      'once, in order, with both signatures and the body that a webhook would have. A receiver that fails is reported and not tried again. ' +
      'The signing secret is printed at the start. Ctrl-C ends it, with exit code 0.',
    options: {
      'forward-to': {
        kind: 'text',
        short: 'f',
        meaning: 'Where to: 3000, localhost:3000/webhooks or a URL',
        placeholder: '<url>',
      },
      events: {
        kind: 'text',
        short: 'e',
        meaning: "Kinds, with commas between them; '*' when not given: all but inference.allowed and telemetry.received",
        placeholder: '<kinds>',
      },
      'from-sequence': {
        kind: 'integer',
        meaning: 'Begin with this event of the trail, not with the next one',
        placeholder: '<n>',
      },
      'secret-file': {
        kind: 'text',
        meaning: 'Sign with the secret in this file, not with a new one; - is stdin',
        placeholder: '<file>',
      },
      secret: { kind: 'text', meaning: 'The same, where others cannot see the arguments', placeholder: '<whsec_…>' },
      'print-json': { kind: 'flag', meaning: 'Print the body that is sent, a line each' },
    },
    examples: [
      'svc listen --forward-to localhost:3000/webhooks',
      'svc listen -f 3000 --events inference.blocked,drift.sustained --from-sequence 1',
      'svc listen -f 3000 --secret-file secret.txt',
    ],
    run: listen,
  },
];

async function listen(context: Context): Promise<number> {
  const { options, output, signal, svc } = context;
  const url = urlOf(required(options, 'forward-to', 'svc listen --forward-to localhost:3000/webhooks'));
  const kinds = kindsOf(options.text('events'));
  // A kind that came with a newer service is in `*` too.
  const wants = (kind: string) => kinds.includes(kind) || (kinds.includes('*') && !NOT_IN_ALL.includes(kind));
  // The service sends one kind or all of them.
  const kind = kinds.length === 1 && kinds[0] !== '*' ? kinds[0]! : null;
  const secret = await secretOf(context);
  const from = options.integer('from-sequence');
  if (from !== undefined && from < 1) throw new UsageError('--from-sequence begins at 1.');
  const isPrinting = options.flag('print-json');
  await requireTrail(svc());
  const after = from === undefined ? await newestSequence(svc()) : from - 1;
  tellStart(output, { url, secret, after, isPrinting });
  try {
    for await (const events of feed(context, { after, filter: kind === null ? {} : { kind } })) {
      for (const event of events) {
        if (!wants(event.kind)) continue;
        const forwarded = await forward(url, event, secret, signal);
        tell(output, event, forwarded, isPrinting);
      }
    }
  } catch (err) {
    // Ctrl-C is how it ends.
    if (!signal.aborted) throw err;
  }
  return EXIT.done;
}

function urlOf(given: string): string {
  const url = localUrl(given);
  if (url === null) throw new UsageError(`--forward-to '${given}' is no address. Give 3000, localhost:3000/webhooks or a URL.`);
  return url;
}

/** As a webhook has them. */
function kindsOf(given: string | undefined): string[] {
  const kinds = (given ?? '*').split(',').map((kind) => kind.trim());
  const unknown = kinds.find((kind) => kind !== '*' && !(EVENT_KINDS as readonly string[]).includes(kind));
  if (unknown !== undefined) throw new UsageError(`--events has '${unknown}', which is no kind. svc events list shows kinds.`);
  return kinds;
}

async function secretOf(context: Context): Promise<string> {
  const { options } = context;
  const file = options.text('secret-file');
  if (file !== undefined && options.text('secret') !== undefined)
    throw new UsageError('--secret and --secret-file contradict each other.');
  const given = file === undefined ? options.text('secret') : await secretFrom(context, file);
  if (given === undefined) return newSecret();
  const key = given.startsWith('whsec_') ? base64Of(given.slice('whsec_'.length)) : null;
  if (key === null || key.length < SECRET_BYTES_MIN)
    throw new UsageError(
      `The secret must be whsec_ and the base64 of at least ${SECRET_BYTES_MIN} bytes. Without it a new one is made.`,
    );
  return given;
}

function tellStart(
  output: Output,
  {
    url,
    secret,
    after,
    isPrinting,
  }: { readonly url: string; readonly secret: string; readonly after: number; readonly isPrinting: boolean },
): void {
  if (output.isJson) return output.jsonLine({ forward_to: url, signing_secret: secret, after_sequence: after });
  const say = isPrinting ? output.note.bind(output) : output.line.bind(output);
  say('Forwarding events from ', toned('strong', String(after + 1)), ' on to ', toned('strong', url));
  say('Signing secret: ', toned('strong', secret));
  say('Ctrl-C ends it.');
}

function tell(output: Output, event: Event, { status, latencyMs, error }: Forwarded, isPrinting: boolean): void {
  if (output.isJson)
    return output.jsonLine({ event: JSON.parse(deliveredBody(event)) as unknown, status, latency_ms: latencyMs, error });
  if (isPrinting) {
    // Byte for byte as it is sent, but for a terminal.
    if (output.isTerminal) output.jsonLine(JSON.parse(deliveredBody(event)));
    else output.raw(`${deliveredBody(event)}\n`);
    if (error !== null) output.note(`${event.id}: ${error}`);
    return;
  }
  const time = new Date().toTimeString().slice(0, 8);
  const result = toned(error === null ? 'good' : 'bad', status === null ? 'failed' : String(status));
  const why = error === null ? '' : `  ${oneLine(error)}`;
  output.line(toned('dim', time), `  ${event.kind.padEnd(KIND_WIDTH)}  ${event.id}  `, result, `  ${latencyMs} ms`, why);
}
