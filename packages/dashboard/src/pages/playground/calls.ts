// The call that the page makes, to be made by a program. The key comes from the environment: it does not belong into code.

import type { Inference } from '@svc/client';
import { pythonOf, typeScriptOf } from './literals.ts';

type Snippets = Readonly<Record<'curl' | 'TypeScript' | 'Python', string>>;

/** `POST /v1/assessments`. */
export function assessCalls(inference: Inference, base: string): Snippets {
  return {
    curl: curlOf(`${base}/v1/assessments`, inference),
    TypeScript: `${typeScriptHead(base)}
const assessment = await svc.assess(${typeScriptOf(inference)});
console.log(assessment.outcome, assessment.findings.map(({ category }) => category));
`,
    Python: `${pythonHead(base)}
assessment = client.assess(
${Object.entries(inference)
  .map(([name, value]) => `    ${name}=${pythonOf(value, 1)},\n`)
  .join('')})
print(assessment.outcome, [finding.category for finding in assessment.findings])
`,
  };
}

/** `POST /v1/policy/simulate`, and reading on until it is over. */
export function simulateCalls(inference: Inference, policy: unknown, base: string): Snippets {
  const body = { policy, items: [inference] };
  return {
    curl: `${curlOf(`${base}/v1/policy/simulate`, body)}
# It answers an id. What was found, when it is over:
# curl -s ${base}/v1/policy/simulations/{id} -H "Authorization: Bearer $SVC_API_KEY"
`,
    TypeScript: `import { setTimeout } from 'node:timers/promises';
${typeScriptHead(base)}
let simulation = await svc.policy.simulate(${typeScriptOf(body)});
while (simulation.state === 'queued' || simulation.state === 'running') {
  await setTimeout(500);
  simulation = await svc.policy.getSimulation(simulation.id);
}
console.log(simulation.result);
`,
    Python: `import time
${pythonHead(base)}
simulation = client.policy.simulate(
    policy=${pythonOf(policy, 1)},
    items=${pythonOf([inference], 1)},
)
while simulation.state in ("queued", "running"):
    time.sleep(0.5)
    simulation = client.policy.get_simulation(simulation.id)
print(simulation.result)
`,
  };
}

/** A body between two marks needs no quoting, and may be as long as it is. JSON has no line that is but a mark. */
function curlOf(url: string, body: unknown): string {
  return `# SVC_API_KEY is in the environment, from your secrets manager.
curl -s ${url} \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d @- <<'END'
${JSON.stringify(body, null, 2)}
END
`;
}

const typeScriptHead = (base: string): string => `import { Svc } from '@svc/client';

const svc = new Svc({ apiKey: process.env.SVC_API_KEY ?? '', baseUrl: '${base}' });`;

const pythonHead = (base: string): string => `import os

from svc import Svc

client = Svc(api_key=os.environ["SVC_API_KEY"], base_url="${base}")`;
