// `svc policy`: what decides. YAML for people, JSON for programs.

import { setTimeout as wait } from 'node:timers/promises';
import { InvalidRequestError, PreconditionFailedError, type Svc } from '@svc/client';
import type * as types from '@svc/client';
import { YES } from '../ask.ts';
import type { Command, Context, Option, Options } from '../command.ts';
import { CommandError, EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { toned, tonedState, type Column, type Output } from '../output.ts';
import { ago, count, cut } from '../text.ts';
import type { Change, PlacedProblem, PolicyFile } from './policy-file.ts';
import { defined, readInput, timeOf } from './shared.ts';

const ASKED_EVERY_MS = 400;
const SHADOW_FOR = '7d';
const VALUE_SHOWN_MAX = 60;
const VALUE_SHOWN_MIN = 16;

const FILE = { name: 'file' } as const;
const IF_VERSION: Option = { kind: 'integer', meaning: 'Only if this version is still in force', placeholder: '<n>' };
const FORCE: Option = { kind: 'flag', meaning: 'Whatever version is in force by now' };

export const commands: readonly Command[] = [
  {
    words: ['policy', 'get'],
    summary: 'Show the policy in force, or a version of it',
    description:
      'YAML for people. Its first line names the version: svc policy set refuses a file whose version is not in force any more, so that nobody’s change is lost.',
    positionals: [{ name: 'version', isOptional: true }],
    examples: ['svc policy get > policy.yaml', 'svc policy get 3', 'svc policy get --json | jq .policy > policy.json'],
    async run({ svc, positionals, output }) {
      const policy = await versionOf(svc(), positionals['version']);
      if (output.isJson) output.json(policy);
      else output.raw(await headedYaml(policy));
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'set'],
    summary: 'Put a policy in force',
    description:
      'YAML or JSON. Refused with the line of each problem, exit code 3, where it is not valid; and where another version is in force by now than the one that ' +
      'the file’s first line or --if-version names.',
    positionals: [FILE],
    options: { 'if-version': IF_VERSION, force: FORCE },
    examples: ['svc policy set policy.yaml', 'svc policy set policy.json --if-version 3', 'svc policy set - < policy.yaml'],
    run: set,
  },
  {
    words: ['policy', 'lint'],
    summary: 'Check a policy, and show the line of each problem',
    description: 'Exit code 3 where it has errors.',
    positionals: [FILE],
    examples: ['svc policy lint policy.yaml'],
    async run(context) {
      const { output, svc, positionals } = context;
      const file = await readPolicy(context, positionals['file']!);
      const result = await lint(svc(), file);
      output.answer(result, () => showLint(output, file, result));
      return result.valid ? EXIT.done : EXIT.no;
    },
  },
  {
    words: ['policy', 'diff'],
    summary: 'Compare a file with the policy in force, or two versions',
    positionals: [{ ...FILE, isOptional: true }],
    options: {
      from: { kind: 'integer', meaning: 'The version to begin with; of a file, to compare it with', placeholder: '<n>' },
      to: { kind: 'integer', meaning: 'The version to end with; that in force when not given', placeholder: '<n>' },
    },
    examples: ['svc policy diff policy.yaml', 'svc policy diff --from 1 --to 3', 'svc policy diff'],
    async run(context) {
      const { output } = context;
      const changes = await changesOf(context);
      output.answer({ changes }, () => showChanges(output, changes));
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'versions'],
    summary: 'List the versions of the policy',
    options: LIST_OPTIONS,
    examples: ['svc policy versions'],
    async run({ svc, options, output }) {
      const list = await readList(options, (query) => svc().policy.listVersions(query));
      output.list(list, VERSION_COLUMNS, 'There are no versions.');
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'restore'],
    summary: 'Put an earlier version in force again',
    description: 'Its document becomes the next version. Nothing is lost: the one in force stays among the versions.',
    positionals: [{ name: 'version' }],
    options: { 'if-version': IF_VERSION },
    examples: ['svc policy restore 3'],
    async run({ svc, positionals, options, output }) {
      const before = await svc().policy.get();
      requireVersion(before, options.integer('if-version'));
      const after = await svc().policy.restoreVersion(positionals['version']!, ifMatch(before.digest));
      await tellSet(output, before, after);
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'edit'],
    summary: 'Change the policy in your editor',
    description:
      'Opens $VISUAL or $EDITOR with the policy in force as YAML. What you save is checked; errors are shown, and you can edit again. Then the changes are shown, ' +
      'and after a yes they are in force, unless somebody else was faster.',
    options: { yes: YES },
    examples: ['svc policy edit', "EDITOR='code --wait' svc policy edit"],
    run: async (context) => (await import('./policy-edit.ts')).edit(context),
  },
  {
    words: ['policy', 'simulate'],
    summary: 'Show what a policy would have decided about what was assessed before',
    description: 'Changes nothing. What cannot be known, because texts are not kept, is named.',
    positionals: [FILE],
    options: {
      since: { kind: 'text', meaning: 'Assessments recorded at or after: a time, or 24h, 7d', placeholder: '<time>' },
      until: { kind: 'text', meaning: 'Recorded before', placeholder: '<time>' },
      limit: { kind: 'integer', meaning: 'At most so many, the newest; 10 000 when not given', placeholder: '<n>' },
    },
    examples: ['svc policy simulate policy.yaml --since 7d'],
    run: simulate,
  },
  {
    words: ['policy', 'shadow', 'start'],
    summary: 'Run a policy beside the one in force, without consequences',
    positionals: [FILE],
    options: {
      sample: { kind: 'text', meaning: 'The share of assessments that it decides too; all when not given', placeholder: '<10%>' },
      for: { kind: 'text', meaning: `How long, or until when; ${SHADOW_FOR} when not given`, placeholder: '<time>' },
    },
    examples: ['svc policy shadow start policy.yaml', 'svc policy shadow start policy.yaml --sample 10% --for 24h'],
    async run(context) {
      const { svc, options, output, positionals } = context;
      const file = await readPolicy(context, positionals['file']!);
      const policy = await sound(output, file);
      const body = { policy, sample_rate: shareOf(options.text('sample')), expires_at: endOf(options) };
      const shadow = await placed(output, file, '/policy', () => svc().policy.putShadow(body));
      output.answer(shadow, () => showShadow(output, shadow));
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'shadow', 'show'],
    summary: 'Show what the shadow would have changed',
    examples: ['svc policy shadow show'],
    async run({ svc, output }) {
      const shadow = await svc().policy.getShadow();
      output.answer(shadow, () => showShadow(output, shadow));
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'shadow', 'stop'],
    summary: 'End the shadow',
    examples: ['svc policy shadow stop'],
    async run({ svc, output }) {
      const shadow = await svc().policy.deleteShadow();
      output.answer(shadow, () => output.line(`Ended, after ${count(shadow.tally.assessed, 'assessment')}.`));
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'shadow', 'promote'],
    summary: 'Put the shadow’s policy in force',
    description: 'Only if the shadow is still the same when it is put in force; with --candidate only if it is that one.',
    options: {
      'if-version': IF_VERSION,
      candidate: {
        kind: 'text',
        meaning: 'The candidate that is meant, as policy shadow show names it',
        placeholder: '<digest>',
      },
    },
    examples: ['svc policy shadow promote', 'svc policy shadow promote --candidate sha256:…'],
    async run({ svc, options, output }) {
      const [before, shadow] = await Promise.all([svc().policy.get(), svc().policy.getShadow()]);
      requireVersion(before, options.integer('if-version'));
      const digest = options.text('candidate') ?? shadow.digest;
      const after = await svc().policy.promoteShadow({ digest }, ifMatch(before.digest));
      await tellSet(output, before, after);
      return EXIT.done;
    },
  },
  {
    words: ['policy', 'exceptions'],
    summary: 'List the exceptions, with what they have excused',
    options: LIST_OPTIONS,
    examples: ['svc policy exceptions'],
    async run({ svc, options, output }) {
      const list = await readList(options, (query) => svc().policy.listExceptions(query));
      output.list(list, EXCEPTION_COLUMNS, 'The policy has no exceptions.');
      return EXIT.done;
    },
  },
];

const VERSION_COLUMNS: readonly Column<types.PolicyVersionSummary>[] = [
  { name: 'VERSION', importance: 10, isRight: true, cell: ({ version }) => String(version) },
  { name: 'STORED', importance: 8, cell: ({ updated_at }) => ago(updated_at) },
  { name: 'BY', importance: 7, cell: ({ updated_by }) => updated_by },
  { name: 'DIGEST', importance: 5, widthMin: 19, cell: ({ digest }) => digest },
];

const EXCEPTION_COLUMNS: readonly Column<types.PolicyExceptionState>[] = [
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'STATE', importance: 9, cell: ({ state }) => (state === 'expired' ? toned('warn', state) : tonedState(state)) },
  { name: 'HITS', importance: 8, isRight: true, cell: ({ hits }) => String(hits) },
  { name: 'LAST HIT', importance: 5, cell: ({ last_hit_at }) => ago(last_hit_at) },
  { name: 'EXPIRES', importance: 7, cell: ({ expires_at }) => ago(expires_at) },
  { name: 'OWNER', importance: 4, widthMin: 8, cell: ({ owner }) => owner },
  { name: 'REASON', importance: 3, widthMin: 12, cell: ({ reason }) => reason },
];

function versionOf(svc: Svc, version: string | undefined): Promise<types.PolicyVersion> {
  return version === undefined ? svc.policy.get() : svc.policy.getVersion(version);
}

/** `If-Match`: a digest, in quotes. */
function ifMatch(digest: string): { headers: Record<string, string> } {
  return { headers: { 'if-match': `"${digest}"` } };
}

/** The document with a first line that says which version it is of. */
export async function headedYaml({ version, digest, policy }: types.PolicyVersion): Promise<string> {
  const { policyYaml } = await import('./policy-file.ts');
  return `# svc policy, version ${version}, ${digest}\n${policyYaml(policy)}`;
}

/** A policy file, and the version that its first line names. */
interface ReadPolicy extends PolicyFile {
  readonly basis: { readonly version: number; readonly digest: string } | null;
}

async function readPolicy(context: Pick<Context, 'stdin'>, path: string): Promise<ReadPolicy> {
  return parsePolicy(path === '-' ? 'stdin' : path, await readInput(context, path));
}

/** `name`: how people know the text. */
export async function parsePolicy(name: string, text: string): Promise<ReadPolicy> {
  const { readPolicyText } = await import('./policy-file.ts');
  const [, version, digest] = /^# svc policy, version (\d{1,9}), (sha256:[0-9a-f]{64})\s*$/m.exec(text) ?? [];
  return { ...readPolicyText(name, text), basis: digest === undefined ? null : { version: Number(version), digest } };
}

/** The document of a file that is YAML. Throws after it has shown where it is none. */
async function sound(output: Output, file: PolicyFile): Promise<types.Policy> {
  if (file.value === null) throw refusal(output, file, file.faults);
  return file.value;
}

interface PlacedLint {
  readonly valid: boolean;
  readonly errors: readonly PlacedProblem[];
  readonly warnings: readonly PlacedProblem[];
  readonly digest: string | null;
}

/** What the service says of a file, with lines and columns. */
export async function lint(svc: Svc, file: PolicyFile): Promise<PlacedLint> {
  if (file.value === null) return { valid: false, errors: file.faults, warnings: [], digest: null };
  const { valid, errors, warnings, digest } = await svc.policy.lint(file.value);
  return { valid, errors: errors.map(placeIn(file, '')), warnings: warnings.map(placeIn(file, '')), digest };
}

/** `prefix`: where in the request the document was. */
function placeIn(file: PolicyFile, prefix: string): (problem: { pointer: string; message: string }) => PlacedProblem {
  return ({ pointer, message }) => {
    const inside = pointer.startsWith(prefix) ? pointer.slice(prefix.length) : pointer;
    return { pointer: inside, message, ...file.placeOf(inside) };
  };
}

export function showLint(output: Output, file: PolicyFile, { valid, errors, warnings, digest }: PlacedLint): void {
  for (const problem of errors) output.line(...problemLine(file, problem, 'error'));
  for (const problem of warnings) output.line(...problemLine(file, problem, 'warning'));
  if (valid)
    output.line(
      toned('good', 'Valid'),
      warnings.length === 0 ? '.' : `, with ${count(warnings.length, 'warning')}.`,
      toned('dim', ` ${digest}`),
    );
  else output.line(toned('bad', count(errors.length, 'error')), '.');
}

function problemLine(file: PolicyFile, { line, column, pointer, message }: PlacedProblem, severity: 'error' | 'warning') {
  const place = toned('strong', `${file.name}:${line}:${column}`);
  return [place, '  ', tonedState(severity), `  ${pointer === '' ? '' : `${pointer}: `}${message}`];
}

/** Shows the problems on stderr; the error to throw. */
function refusal(output: Output, file: PolicyFile, problems: readonly PlacedProblem[]): CommandError {
  if (!output.isJson) for (const problem of problems) output.note(...problemLine(file, problem, 'error'));
  const first = problems[0]!;
  const where = output.isJson ? ` ${file.name}:${first.line}:${first.column} ${first.message}` : '';
  return new CommandError(`${file.name} is not a valid policy: ${count(problems.length, 'error')}.${where}`, EXIT.no);
}

/** Does `request`; where the service finds the document wrong, says in which lines. `prefix`: where in the request it is. */
async function placed<T>(output: Output, file: PolicyFile, prefix: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (err) {
    if (!(err instanceof InvalidRequestError) || err.details.length === 0) throw err;
    throw refusal(output, file, err.details.map(placeIn(file, prefix)));
  }
}

async function set(context: Context): Promise<number> {
  const { svc, options, output, positionals } = context;
  const file = await readPolicy(context, positionals['file']!);
  const policy = await sound(output, file);
  const before = await svc().policy.get();
  const { differenceOf } = await import('./policy-file.ts');
  // What is in force already may be set again, whatever it was made from.
  const isSame = differenceOf(before.policy, policy).length === 0;
  if (!options.flag('force') && !isSame) requireVersion(before, options.integer('if-version'), file.basis);
  const after = await store(svc(), output, file, policy, options.flag('force') ? null : before.digest);
  await tellSet(output, before, after);
  return EXIT.done;
}

/** Puts the document of `file` in force, over `digest` alone unless that is `null`. */
export async function store(
  svc: Svc,
  output: Output,
  file: PolicyFile,
  policy: types.Policy,
  digest: string | null,
): Promise<types.PolicyVersion> {
  try {
    return await placed(output, file, '', () => svc.policy.put(policy, digest === null ? undefined : ifMatch(digest)));
  } catch (err) {
    if (!(err instanceof PreconditionFailedError)) throw err;
    throw new CommandError(
      'Somebody else changed the policy in this moment. svc policy diff shows how; then set yours again.',
      undefined,
      { cause: err },
    );
  }
}

/** Throws where another version is in force than the caller, or the first line of the file, says. */
function requireVersion(
  inForce: types.PolicyVersion,
  asked: number | undefined,
  basis: { readonly version: number; readonly digest: string } | null = null,
): void {
  const isMet = asked === undefined ? basis === null || basis.digest === inForce.digest : asked === inForce.version;
  if (isMet) return;
  const wanted = asked ?? basis!.version;
  throw new CommandError(
    `Version ${inForce.version} is in force by now (by ${inForce.updated_by}, ${ago(inForce.updated_at)}); this is made from version ${wanted}. ` +
      `svc policy diff --from ${wanted} shows what changed: take it over, then give --if-version ${inForce.version}.`,
  );
}

export async function tellSet(output: Output, before: types.PolicyVersion, after: types.PolicyVersion): Promise<void> {
  if (output.isJson) return output.json(after);
  if (after.version === before.version) return output.line(`Nothing changes: it is version ${after.version}, which is in force.`);
  const { differenceOf } = await import('./policy-file.ts');
  showChanges(output, differenceOf(before.policy, after.policy));
  output.line(toned('good', `Version ${after.version} is in force.`), toned('dim', ` ${after.digest}`));
}

async function changesOf(context: Context): Promise<readonly Change[]> {
  const { svc, options, positionals, output } = context;
  const [path, from, to] = [positionals['file'], options.integer('from'), options.integer('to')];
  if (path === undefined) {
    const { changes } = await svc().policy.diffVersions(defined({ from, to }));
    return changes as readonly Change[];
  }
  if (to !== undefined) throw new UsageError('--to does not go with a file: the file is what it ends with.');
  const policy = await sound(output, await readPolicy(context, path));
  const { differenceOf } = await import('./policy-file.ts');
  return differenceOf((await versionOf(svc(), from?.toString())).policy, policy);
}

const SIGNS = { add: toned('good', '+'), remove: toned('bad', '-'), replace: toned('warn', '~') } as const;

export function showChanges(output: Output, changes: readonly Change[]): void {
  if (changes.length === 0) return output.line('No difference.');
  for (const { op, path, id, from, to } of changes) {
    const name = id === undefined ? path : `${path} (${id})`;
    const what = op === 'add' ? shown(to) : op === 'remove' ? shown(from) : `${shown(from)} → ${shown(to)}`;
    output.line(SIGNS[op], ` ${name}  `, toned('dim', cut(what, Math.max(VALUE_SHOWN_MIN, output.width - name.length - 4))));
  }
}

function shown(value: unknown): string {
  return cut(JSON.stringify(value) ?? '', VALUE_SHOWN_MAX);
}

async function simulate(context: Context): Promise<number> {
  const { svc, options, output, positionals, signal } = context;
  const file = await readPolicy(context, positionals['file']!);
  const policy = await sound(output, file);
  const sample = defined({ since: timeOf(options, 'since'), until: timeOf(options, 'until'), limit: options.integer('limit') });
  let simulation = await placed(output, file, '/policy', () => svc().policy.simulate({ policy, sample }));
  while (simulation.state === 'queued' || simulation.state === 'running') {
    const { done, total } = simulation.progress;
    output.progress(total === null ? 'Waiting for its turn …' : `${done} of ${count(total, 'assessment')} …`);
    await wait(ASKED_EVERY_MS, undefined, { signal });
    simulation = await svc().policy.getSimulation(simulation.id);
  }
  const { result } = simulation;
  if (result === null) throw new CommandError(`The simulation failed: ${simulation.error ?? 'the service does not say why'}.`);
  output.answer(simulation, () => {
    showTally(output, result);
    if (result.unanswered.length > 0) output.line('\nWhat could not be known:');
    for (const { count: n, explanation } of result.unanswered) output.line(`  ${n}  ${explanation}`);
  });
  return EXIT.done;
}

type Tally = Pick<
  types.PolicyShadowTally,
  'assessed' | 'unchanged' | 'newly_blocked' | 'newly_flagged' | 'newly_allowed' | 'by_category' | 'samples'
>;

function showTally(output: Output, tally: Tally): void {
  output.fields([
    ['assessed', String(tally.assessed)],
    ['unchanged', String(tally.unchanged)],
    ['newly blocked', changeOf(tally.newly_blocked, tally.samples.newly_blocked)],
    ['newly flagged', changeOf(tally.newly_flagged, tally.samples.newly_flagged)],
    ['newly allowed', changeOf(tally.newly_allowed, tally.samples.newly_allowed)],
  ]);
  const categories = Object.entries(tally.by_category);
  if (categories.length === 0) return;
  output.line('');
  output.table<(typeof categories)[number]>(
    [
      { name: 'FINDINGS', importance: 3, cell: ([category]) => category },
      { name: 'MORE', importance: 2, isRight: true, cell: ([, { added }]) => String(added) },
      { name: 'FEWER', importance: 1, isRight: true, cell: ([, { removed }]) => String(removed) },
    ],
    categories,
  );
}

function changeOf(n: number, samples: readonly string[]): string {
  return n === 0 ? '0' : `${n}, such as ${samples.slice(0, 2).join(', ')}`;
}

function showShadow(output: Output, shadow: types.PolicyShadow): void {
  const { tally } = shadow;
  output.fields([
    ['candidate', shadow.digest],
    ['share', `${Math.round(shadow.sample_rate * 10_000) / 100} %`],
    ['started', `${ago(shadow.started_at)} by ${shadow.started_by}`],
    ['ends', ago(shadow.expires_at)],
    ['not decided', tally.errors + tally.skipped === 0 ? null : `${tally.errors} failed, ${tally.skipped} skipped`],
  ]);
  output.line('');
  showTally(output, tally);
}

/** `10%` or `0.1`. */
function shareOf(given: string | undefined): number {
  if (given === undefined) return 1;
  const [, number, percent] = /^(\d+(?:\.\d+)?) ?(%?)$/.exec(given) ?? [];
  const share = number === undefined ? Number.NaN : Number(number) / (percent === '%' ? 100 : 1);
  if (!(share > 0 && share <= 1)) throw new UsageError(`--sample '${given}' is no share. Give 10% or 0.1, at most 100%.`);
  return share;
}

function endOf(options: Options): string {
  return timeOf(options, 'for', 1) ?? new Date(Date.now() + 7 * 86_400_000).toISOString();
}
