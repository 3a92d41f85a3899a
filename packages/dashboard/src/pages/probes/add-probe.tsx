// How a probe is started: the commands of the guide, with this service's address. Keys come from the environment.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../session.tsx';
import { Button } from '../../ui/button.tsx';
import { Code, Snippets } from '../../ui/code.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export function AddProbeDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Add a probe" isWide onClose={onClose}>
      <AddProbe />
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

export function AddProbe(): ReactNode {
  const isAdmin = useMay('admin:*');
  return (
    <ol className="stack">
      <li className="stack">
        <h3>1. Have a key</h3>
        <p>
          {isAdmin ? <Link href="/settings/keys">Make a live key</Link> : 'Ask for a live key'} with the scopes{' '}
          <code>assess:create</code> and <code>policy:read</code>, and put it into the environment as <code>SVC_API_KEY</code>.
        </p>
      </li>
      <li className="stack">
        <h3>2. Start it, in the folder of the repository</h3>
        <Snippets label="Start a probe" snippets={snippetsOf(location.origin)} />
      </li>
      <li className="stack">
        <h3>3. Send something through it</h3>
        <p>
          It is listed here after its first call. Give each a name of its own (<code>SVC_PROBE_ID</code>) that is the same after a
          restart, and one group (<code>SVC_PROBE_LABELS</code>) to those that are looked at together for drift.
        </p>
        <Code label="Ask a model through the probe" text={QUESTION} />
      </li>
    </ol>
  );
}

const KEY_COMMENT = '# SVC_API_KEY is in the environment: the key of step 1.';
const QUESTION = `curl -s http://127.0.0.1:8181/v1/chat/completions \\
  -H "Authorization: Bearer $OPENAI_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "gpt-5-mini", "messages": [{"role": "user", "content": "What is my login?"}]}'`;

/** Each can be pasted as it stands: the key of step 1 is in the environment, and what is for elsewhere is a comment. */
function snippetsOf(base: string): Readonly<Record<string, string>> {
  const common = `${KEY_COMMENT}
SVC_URL=${base} SVC_PROBE_ID=front-1 SVC_PROBE_LABELS=group=checkout \\`;
  return {
    'In front of a model': `${common}
  SVC_PROBE_UPSTREAM=https://api.openai.com npm run probe

# Then point OpenAI clients at http://127.0.0.1:8181/v1`,
    OpenTelemetry: `${common}
  npm run probe

# Then, in the environment of the application that exports its traces:
# OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:8181/otlp`,
    'A program of your own': `${KEY_COMMENT}
curl -sS -f ${base}/api/svc/probe/heartbeat \\
  -H "Authorization: Bearer $SVC_API_KEY" \\
  -H 'X-Svc-Probe-Id: front-1' \\
  -H 'Content-Type: application/json' \\
  -d '{"version": "1.0.0", "labels": {"group": "checkout"}}'`,
  };
}
