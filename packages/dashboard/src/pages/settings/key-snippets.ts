// What to do with a new key, by type. The key comes from the environment: it does not belong into code.

import type { KeyType } from './scopes.ts';

const ASSESS = (base: string): Readonly<Record<string, string>> => ({
  curl: `export SVC_API_KEY=…   # from your secrets manager
curl -s ${base}/v1/assessments \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"input": "What is the capital of France?"}'`,
  TypeScript: `import { Svc } from '@svc/client';

const svc = new Svc({ apiKey: process.env.SVC_API_KEY ?? '', baseUrl: '${base}' });
const { outcome } = await svc.assess({ input: 'What is the capital of France?' });`,
  Python: `import os

from svc import Svc

client = Svc(api_key=os.environ["SVC_API_KEY"], base_url="${base}")
outcome = client.assess(input="What is the capital of France?").outcome`,
});

const MANAGE = (base: string): Readonly<Record<string, string>> => ({
  curl: `export SVC_ADMIN_KEY=…   # from your secrets manager
curl -s ${base}/v1/organization \\
  -H "Authorization: Bearer $SVC_ADMIN_KEY"`,
  TypeScript: `import { Svc } from '@svc/client';

const svc = new Svc({ apiKey: process.env.SVC_ADMIN_KEY ?? '', baseUrl: '${base}' });
const { credential } = await svc.organization.get();`,
  Python: `import os

from svc import Svc

client = Svc(api_key=os.environ["SVC_ADMIN_KEY"], base_url="${base}")
credential = client.organization.get().credential`,
});

export function snippetsOf(type: KeyType, scopes: readonly string[]): Readonly<Record<string, string>> {
  const mayAssess = type !== 'admin' && scopes.includes('assess:create');
  return (mayAssess ? ASSESS : MANAGE)(location.origin);
}
