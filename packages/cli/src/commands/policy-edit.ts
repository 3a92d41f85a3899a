// `svc policy edit`: the policy in an editor, checked before it is put in force.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as types from '@svc/client';
import { ask, canAsk, confirm } from '../ask.ts';
import type { Context } from '../command.ts';
import { CommandError, EXIT, UsageError } from '../faults.ts';
import { headedYaml, lint, parsePolicy, showChanges, showLint, store, tellSet } from './policy.ts';
import { differenceOf } from './policy-file.ts';

const NAME = 'policy.yaml';

/** Where it does not end well, what was written is kept, and said to be. */
export async function edit(context: Context): Promise<number> {
  const { svc, output } = context;
  const editor = editorOf(context);
  const before = await svc().policy.get();
  const folder = await mkdtemp(join(tmpdir(), 'svc-policy-'));
  const path = join(folder, NAME);
  const text = await headedYaml(before);
  await writeFile(path, text, { mode: 0o600 });
  let isKept = false;
  try {
    const file = await editUntilSound(context, editor, path, text);
    if (file === null) {
      output.answer(before, () => output.line('Nothing was changed.'));
      return EXIT.done;
    }
    isKept = true;
    const changes = differenceOf(before.policy, file.value);
    if (!output.isJson) showChanges(output, changes);
    await confirm(context, 'Put this in force?');
    const after = await store(svc(), output, file, file.value as types.Policy, before.digest);
    isKept = false;
    if (output.isJson) await tellSet(output, before, after);
    else output.line(after.version === before.version ? 'Nothing changes.' : `Version ${after.version} is in force.`);
    return EXIT.done;
  } catch (err) {
    isKept ||= (await readFile(path, 'utf8').catch(() => text)) !== text;
    throw err;
  } finally {
    if (isKept) output.note(`What you wrote is in ${path}.`);
    else await rm(folder, { recursive: true, force: true });
  }
}

/** The file once the service finds nothing wrong with it; `null`: it was left as it was. Throws when the person gives up. */
async function editUntilSound(context: Context, editor: string, path: string, before: string) {
  const { svc, output } = context;
  for (;;) {
    await runEditor(editor, path);
    const text = await readFile(path, 'utf8');
    if (text === before) return null;
    const file = await parsePolicy(NAME, text);
    const result = await lint(svc(), file);
    if (result.valid) {
      if (result.warnings.length > 0 && !output.isJson) showLint(output, file, result);
      return file;
    }
    if (!output.isJson) showLint(output, file, result);
    if (!canAsk(context)) throw new CommandError('The policy is not valid, and nothing was changed.', EXIT.no);
    const answer = await ask(context, 'Edit again? [Y/n] ');
    if (/^n/i.test(answer.trim())) throw new CommandError('Nothing was done.', EXIT.no);
  }
}

function editorOf({ env }: Context): string {
  const editor = [env['VISUAL'], env['EDITOR']].find((value) => value !== undefined && value.trim() !== '');
  if (editor === undefined)
    throw new UsageError(
      'No editor is set. Set EDITOR, as in EDITOR=nano svc policy edit, or use svc policy get and svc policy set.',
    );
  return editor;
}

/** By the shell, since an editor may come with options of its own: `code --wait`. */
function runEditor(editor: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
    child.on('error', (err) =>
      reject(new CommandError(`The editor '${editor}' could not be started.`, undefined, { cause: err })),
    );
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new CommandError(`The editor '${editor}' ended with ${signal ?? `code ${code}`}; nothing was changed.`));
    });
  });
}
