// Cuts texts into tokens for training, by the engine's own tokeniser, so that there is only one.
// Reads a JSON array of strings a line on standard input; writes per line the number of its tokens and then, as 32-bit words,
// `id | case << 16` of each. With --offsets also start and end of each.

import { createReadStream, createWriteStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tokenise, vocabularyOf } from '../../packages/engine/src/language/tokens.ts';

const [vocabularyFile, from, to] = process.argv.slice(2);
const vocabulary = vocabularyOf(new Uint32Array(readFileSync(vocabularyFile!).buffer.slice(0)));
const out = createWriteStream(to!);
for await (const line of createInterface({ input: createReadStream(from!), crlfDelay: Infinity })) {
  const tokens = tokenise(JSON.parse(line) as string, vocabulary);
  const words = new Uint32Array(1 + tokens.length * 3);
  words[0] = tokens.length;
  for (let i = 0; i < tokens.length; i++) words[1 + i] = tokens.ids[i]! | (tokens.cases[i]! << 16);
  words.set(tokens.starts, 1 + tokens.length);
  words.set(tokens.ends, 1 + tokens.length * 2);
  out.write(Buffer.from(words.buffer));
}
out.end();
