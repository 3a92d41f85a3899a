// `svc judges`: models outside that are asked for their opinion.

import type * as types from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command, Context } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import type { Column, Output } from '../output.ts';
import { ago } from '../text.ts';
import { defined, readInput, readObject, secretFrom } from './shared.ts';

const ID = { name: 'judge_id' } as const;
const KINDS = ['chat', 'gpt_oss_safeguard', 'llama_guard'];

const COLUMNS: readonly Column<types.Judge>[] = [
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'NAME', importance: 9, widthMin: 10, cell: ({ name }) => name },
  { name: 'KIND', importance: 6, cell: ({ kind }) => kind },
  { name: 'MODEL', importance: 8, widthMin: 10, cell: ({ model }) => model },
  { name: 'URL', importance: 5, widthMin: 16, cell: ({ url }) => url },
  { name: 'CHANGED', importance: 3, cell: ({ updated_at }) => ago(updated_at) },
];

export const commands: readonly Command[] = [
  {
    words: ['judges', 'list'],
    summary: 'List judges',
    options: LIST_OPTIONS,
    examples: ['svc judges list'],
    async run({ svc, options, output }) {
      const list = await readList(options, (query) => svc().judges.list(query));
      output.list(list, COLUMNS, 'There are no judges.');
      return EXIT.done;
    },
  },
  {
    words: ['judges', 'get'],
    summary: 'Show a judge, without its key',
    positionals: [ID],
    examples: ['svc judges get jdg_01m7zmgn5ge00bem91bab2qawn'],
    async run({ svc, positionals, output }) {
      const judge = await svc().judges.get(positionals['judge_id']!);
      output.answer(judge, () => show(output, judge));
      return EXIT.done;
    },
  },
  {
    words: ['judges', 'create'],
    summary: 'Make a judge of a model behind an OpenAI-compatible API',
    description: 'It is asked once a policy names it, and sent nothing before.',
    options: {
      file: { kind: 'text', meaning: 'A JSON file with all of it, or with what the options leave out', placeholder: '<file>' },
      name: { kind: 'text', meaning: 'What it is for', placeholder: '<text>' },
      url: { kind: 'text', meaning: 'Base URL of the API; /chat/completions is added', placeholder: '<url>' },
      model: { kind: 'text', meaning: 'The model’s name at that API', placeholder: '<name>' },
      kind: { kind: 'text', meaning: 'How it is asked; chat when not given', placeholder: '<kind>', choices: KINDS },
      'key-file': { kind: 'text', meaning: 'A file with the key of that API; - for stdin', placeholder: '<file>' },
      'instructions-file': { kind: 'text', meaning: 'A file with what it is to judge by', placeholder: '<file>' },
      timeout: { kind: 'integer', meaning: 'Time for one answer', placeholder: '<ms>' },
    },
    examples: [
      'svc judges create --name Second --url https://models.example.com/v1 --model gpt-oss-safeguard-20b --kind gpt_oss_safeguard --key-file key.txt',
      'svc judges create --file judge.json',
    ],
    async run(context) {
      const { svc, output } = context;
      const judge = await svc().judges.create(await bodyOf(context));
      output.answer(judge, () => {
        show(output, judge);
        output.line(`It is asked once a policy names it under judges: judge_id: ${judge.id}`);
      });
      return EXIT.done;
    },
  },
  {
    words: ['judges', 'delete'],
    summary: 'Delete a judge and its key',
    description: 'Refused while the policy in force names it.',
    positionals: [ID],
    options: { yes: YES },
    examples: ['svc judges delete jdg_01m7zmgn5ge00bem91bab2qawn --yes'],
    async run(context) {
      const { svc, positionals, output } = context;
      const id = positionals['judge_id']!;
      await confirm(context, `Delete the judge ${id} and its key?`);
      const judge = await svc().judges.delete(id);
      output.answer(judge, () => output.line(`Deleted ${judge.id}.`));
      return EXIT.done;
    },
  },
];

async function bodyOf(context: Context): Promise<types.CreateJudge> {
  const { options } = context;
  const [path, key, instructions] = [options.text('file'), options.text('key-file'), options.text('instructions-file')];
  const body = {
    ...(path === undefined ? {} : await readObject(context, path)),
    ...defined({
      name: options.text('name'),
      url: options.text('url'),
      model: options.text('model'),
      kind: options.text('kind'),
      api_key: key === undefined ? undefined : await secretFrom(context, key),
      instructions: instructions === undefined ? undefined : await readInput(context, instructions),
      timeout_ms: options.integer('timeout'),
    }),
  } as unknown as types.CreateJudge;
  const missing = (['name', 'url', 'model'] as const).filter((name) => body[name] === undefined);
  if (missing.length > 0)
    throw new UsageError(`Missing: ${missing.map((name) => `--${name}`).join(', ')}. Give options, or --file with a JSON file.`);
  return body;
}

function show(output: Output, judge: types.Judge): void {
  output.fields([
    ['id', judge.id],
    ['name', judge.name],
    ['kind', judge.kind],
    ['url', judge.url],
    ['model', judge.model],
    ['key', judge.has_api_key ? 'stored, never shown' : 'none'],
    ['time-out', `${judge.timeout_ms} ms`],
    ['instructions', judge.instructions],
    ['version', String(judge.version)],
    ['changed', `${judge.updated_at} (${ago(judge.updated_at)})`],
  ]);
}
