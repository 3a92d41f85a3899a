// Writes the files that are made from the code: the OpenAPI document, the reference pages, the client libraries, and what the dashboard's editor
// of policies knows. With --check it writes nothing and fails when one of them differs.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROUTES } from '../packages/server/src/app.ts';
import { SETTINGS, SETTINGS_OF_THE_COMMAND } from '../packages/server/src/config.ts';
import { ERRORS } from '../packages/server/src/http/errors.ts';
import { openApiDocument } from '../packages/server/src/http/openapi.ts';
import { VERSION } from '../packages/server/src/version.ts';
import { clientFiles } from './clients/files.ts';
import { policyReference } from './policy-reference.ts';

const root = join(import.meta.dirname, '..');
const NOTICE = '<!-- Made by `npm run generate`; do not edit. -->';

function configPage(): string {
  const rows = Object.values(SETTINGS).map(
    (setting) =>
      `| \`${setting.name}\` | ${setting.meaning} | ${setting.default === '' ? '—' : `\`${setting.default}\``} | ${setting.allowed} | ${setting.example.startsWith('`') ? setting.example : `\`${setting.example}\``} |`,
  );
  return `${NOTICE}

# Settings

All settings are environment variables, and all are optional. An empty variable counts as unset. A value that is not allowed, or an unknown
variable that starts with \`SVC_\`, stops the start with a sentence that names it.

| setting | meaning | default | allowed | example |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

${SETTINGS_OF_THE_COMMAND.map((name) => `\`${name}\``).join(', ')} are read by [the command \`svc\`](../guide/cli.md); the service passes over them.
`;
}

function errorsPage(): string {
  const rows = Object.entries(ERRORS).map(([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`);
  return `${NOTICE}

# Errors

Every failure answers with this body, whatever the operation:

\`\`\`json
{
  "error": {
    "code": "invalid_request",
    "message": "The request is not valid.",
    "request_id": "req_01jd4t4ve9e0fs7m4c1ywz3qkd",
    "details": [{ "pointer": "/type", "message": "must be one of: live, test, admin" }]
  }
}
\`\`\`

\`code\` is stable: decide by it, not by \`message\`. \`request_id\` is also in the header \`X-Svc-Request-Id\` and in the service's log.

| status | code | when |
| --- | --- | --- |
${rows.join('\n')}
`;
}

const document = openApiDocument(ROUTES, VERSION);

const files: Readonly<Record<string, string>> = {
  'api/openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'docs/reference/config.md': configPage(),
  'docs/reference/errors.md': errorsPage(),
  'packages/dashboard/src/pages/policy/editor/reference.json': policyReference(),
  ...clientFiles(document),
};

const isCheck = process.argv.includes('--check');
const stale = Object.entries(files).filter(([path, content]) => {
  const target = join(root, path);
  if (readIfPresent(target) === content) return false;
  if (!isCheck) {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return true;
});
for (const [path] of stale) console.log(`${isCheck ? 'out of date' : 'written'}: ${relative(root, join(root, path))}`);
if (isCheck && stale.length > 0) {
  console.error('Run `npm run generate` and commit the result.');
  process.exitCode = 1;
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
