// The generated files of all client libraries.

import { goFiles } from './go.ts';
import { javaFiles } from './java.ts';
import { readApi } from './model.ts';
import { pythonFiles } from './python.ts';
import { typescriptFiles } from './typescript.ts';

/** By their path from the project's root. `document`: the OpenAPI document. */
export function clientFiles(document: object): Record<string, string> {
  const api = readApi(document);
  return {
    ...under('clients/typescript/src/generated', typescriptFiles(api)),
    ...under('clients/go', goFiles(api)),
    ...under('clients/python/src/svc/_generated', pythonFiles(api)),
    ...under('clients/java/src/main/java/svc/client', javaFiles(api)),
  };
}

function under(folder: string, files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
}
