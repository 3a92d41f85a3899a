// The proof of an event: `svc events proof` and `svc audit proof`.

import { readFile } from 'node:fs/promises';
import { CheckpointError, verifyEventProof } from '@svc/client';
import type { Context, Option } from '../command.ts';
import { CommandError, EXIT } from '../faults.ts';
import { toned } from '../output.ts';
import { cut } from '../text.ts';
import { defined } from './shared.ts';

const VERIFIER_KEY = /^[^+\s]+\+[0-9a-f]{8}\+\S+$/;

export const KEY: Option = {
  kind: 'text',
  meaning: 'A verifier key that you hold, or a file of them, one a line. May be repeated',
  placeholder: '<key>',
  isRepeated: true,
};

export const PROOF_OPTIONS = {
  size: { kind: 'integer', meaning: 'Against the checkpoint of this size', placeholder: '<n>' },
  key: KEY,
} as const satisfies Readonly<Record<string, Option>>;

/** Reads a proof and checks it, by the keys that were given, else by those of the service. With `--json` the proof as it came. */
export async function showProof({ svc, positionals, options, output }: Context): Promise<number> {
  const given = await keysOf(options.texts('key'));
  const proof = await svc().audit.proveEvent(positionals['event_id']!, defined({ size: options.integer('size') }));
  if (output.isJson && given.length === 0) {
    output.json(proof);
    return EXIT.done;
  }
  const keys = given.length > 0 ? given : (await svc().audit.listKeys()).keys.map(({ verifier_key }) => verifier_key);
  let fault: CheckpointError | null = null;
  try {
    await verifyEventProof(proof, keys);
  } catch (err) {
    if (!(err instanceof CheckpointError)) throw err;
    fault = err;
  }
  output.answer(proof, () => {
    output.line(fault === null ? toned('good', 'The proof holds.') : toned('bad', `The proof does not hold: ${fault.message}`));
    output.fields([
      ['event', proof.event_id],
      ['leaf', `${proof.leaf_index} of ${proof.tree_size}, ${proof.leaf_hash}`],
      ['root', proof.root],
      ['log', proof.checkpoint.split('\n', 1)[0]!],
      ['erased', proof.erased.length === 0 ? null : proof.erased.join(', ')],
      ['keys', given.length > 0 ? 'those that you gave' : 'those of the service: --key with one that you hold proves more'],
    ]);
    if (fault === null) output.line(toned('dim', `Take it along: svc events proof ${proof.event_id} --json > proof.json`));
  });
  return fault === null ? EXIT.done : EXIT.no;
}

/** Keys as they were given, those of files line by line. Throws a `CommandError` for what is neither. */
export async function keysOf(given: readonly string[]): Promise<string[]> {
  const read = given.map(async (text) => {
    if (VERIFIER_KEY.test(text)) return [text];
    const lines = await readFile(text, 'utf8').catch((err: unknown) => {
      throw new CommandError(`--key '${text}' is no verifier key, and no file that can be read.`, undefined, { cause: err });
    });
    const keys = lines.split(/\s+/).filter((line) => line !== '');
    if (keys.length === 0) throw new CommandError(`${text} has no verifier key in it.`);
    const wrong = keys.find((key) => !VERIFIER_KEY.test(key));
    if (wrong !== undefined)
      throw new CommandError(
        `${text} has '${cut(wrong, 40)}' in it, which is no verifier key. One is <name>+<8 hex digits>+<base64>.`,
      );
    return keys;
  });
  return (await Promise.all(read)).flat();
}
