// The weights that lie beside the engine. The one place of the engine that reads files, once, when it is loaded.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const MODELS = join(import.meta.dirname, '../models');

/** The bytes of a file of a model, such as `text` and `weights.bin`. `folder`: of another place than the engine's own. */
export function readModelFile(model: string, file: string, folder: string = MODELS): Buffer {
  return readFileSync(join(folder, model, file));
}
