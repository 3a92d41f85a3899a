// `svc verify-signature`: which rule a delivery breaks, in words.

import type { Command, Context } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { toned, type Output } from '../output.ts';
import { wrap } from '../text.ts';
import { checkSignature, type Delivery, type RuleResult, type SignatureReport } from './signature-check.ts';
import { readInput, readInputBytes, secretFrom, timeOf } from './shared.ts';

const TOLERANCE_S = 300;

export const commands: readonly Command[] = [
  {
    words: ['verify-signature'],
    summary: 'Check the signature of a delivery, and say which rule is broken',
    description:
      'Asks no service: give it what your receiver saw. The body must be the raw bytes. Both families are checked, Standard Webhooks and ' +
      'X-Svc-Signature-256, as far as their headers are there. Where a signature does not match, the usual mistakes are tried. ' +
      'Exit code 3 when the delivery does not verify.\n\n' +
      'Headers come from --header, or from a file: lines as curl prints them, or JSON. A message of an inbox has headers and body, so that no body is needed.',
    positionals: [{ name: 'body_file', isOptional: true }],
    options: {
      secret: {
        kind: 'text',
        meaning: 'The signing secret, where others cannot see the arguments; during a rotation give both',
        placeholder: '<whsec_…>',
        isRepeated: true,
      },
      'secret-file': { kind: 'text', meaning: 'A file with the secret; - is stdin', placeholder: '<file>' },
      header: {
        kind: 'text',
        short: 'H',
        meaning: "A header: 'webhook-id: evt_…'. May be repeated",
        placeholder: '<header>',
        isRepeated: true,
      },
      headers: { kind: 'text', meaning: 'A file of headers', placeholder: '<file>' },
      at: { kind: 'text', meaning: 'When it came, for one that was stored: a time, or 2h', placeholder: '<time>' },
      tolerance: { kind: 'integer', meaning: `How old it may be; ${TOLERANCE_S} when not given`, placeholder: '<seconds>' },
    },
    examples: [
      'svc verify-signature --secret-file secret.txt --headers headers.txt body.json',
      "svc verify-signature --secret-file secret.txt -H 'X-Svc-Signature-256: sha256=…' - < body.json",
      'svc verify-signature --secret-file secret.txt --headers message.json --at 2026-11-22T08:00:00Z',
    ],
    isOffline: true,
    async run(context) {
      const { options, output } = context;
      const report = checkSignature(await deliveryOf(context), {
        secrets: await secretsOf(context),
        nowMs: Date.parse(timeOf(options, 'at') ?? new Date().toISOString()),
        isAsOf: options.text('at') !== undefined,
        toleranceS: options.integer('tolerance') ?? TOLERANCE_S,
      });
      output.answer(report, () => show(output, report));
      return report.verified ? EXIT.done : EXIT.no;
    },
  },
];

async function secretsOf(context: Context): Promise<string[]> {
  const file = context.options.text('secret-file');
  const secrets = [...context.options.texts('secret'), ...(file === undefined ? [] : [await secretFrom(context, file)])];
  if (secrets.length === 0)
    throw new UsageError('--secret-file is missing. It holds what was shown when the webhook was made, whsec_ and more.');
  return secrets;
}

async function deliveryOf(context: Context): Promise<Delivery> {
  const { options, positionals } = context;
  const [path, headersPath] = [positionals['body_file'], options.text('headers')];
  if (path === '-' && headersPath === '-') throw new UsageError('Only one of body and headers can come from stdin.');
  const read = headersPath === undefined ? { headers: {}, body: null } : headersOf(await readInput(context, headersPath));
  const headers = { ...read.headers, ...headersOf(options.texts('header').join('\n')).headers };
  if (Object.keys(headers).length === 0)
    throw new UsageError("Headers are missing. Give --headers with a file, or --header 'name: value'.");
  if (path === undefined && read.body === null)
    throw new UsageError('The body is missing. Give a file with the raw body, or - for stdin.');
  return { headers, body: path === undefined ? Buffer.from(read.body!) : await readInputBytes(context, path) };
}

/** From lines `name: value`, from a JSON object of them, or from one that has it as `headers`, perhaps with a `body`. Names in lower case. */
export function headersOf(text: string): { headers: Record<string, string>; body: string | null } {
  if (text.trimStart().startsWith('{')) {
    const { body, headers = body === undefined ? jsonOf(text) : {} } = jsonOf(text) as { body?: unknown; headers?: unknown };
    const entries = Object.entries(headers as object).map(([name, value]) => [
      name.toLowerCase(),
      String(Array.isArray(value) ? value[0] : value),
    ]);
    return { headers: Object.fromEntries(entries) as Record<string, string>, body: typeof body === 'string' ? body : null };
  }
  // A status line and the < and > of curl -v are passed over.
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^[<>]? ?([\w-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value!] as const];
  });
  return { headers: Object.fromEntries(pairs), body: null };
}

function jsonOf(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch (err) {
    throw new UsageError(`The headers begin like JSON and are none: ${(err as Error).message}`, { cause: err });
  }
}

const MARKS = { holds: toned('good', '✓'), broken: toned('bad', '✗'), not_asked: toned('dim', '·') } as const;

function show(output: Output, { verified, rules, hints }: SignatureReport): void {
  output.line(verified ? toned('good', 'The delivery verifies.') : toned('bad', 'The delivery does not verify.'));
  const width = Math.max(...rules.map(({ what }) => what.length));
  for (const rule of rules)
    output.line(MARKS[rule.result], ` ${rule.what.padEnd(width)}  `, ...detailOf(rule, output.width, width));
  for (const hint of hints) output.line('\n', wrap(hint, output.width).join('\n'));
}

function detailOf({ detail }: RuleResult, width: number, indent: number): string[] {
  return [wrap(detail, Math.max(20, width - indent - 4)).join(`\n${' '.repeat(indent + 4)}`)];
}
