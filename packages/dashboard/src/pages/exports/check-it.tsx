// What to do with a bundle: see that it is whole, and check it away from the service.

import type { Export } from '@svc/client';
import type { ReactNode } from 'react';
import { Code } from '../../ui/code.tsx';
import { Copy } from '../../ui/copy.tsx';

export function CheckIt({ made }: { readonly made: Export }): ReactNode {
  const { id, download, held_size: heldSize } = made;
  if (download === null) return null;
  const held = heldSize === null ? '' : ' --held held.txt';
  return (
    <section className="card stack" aria-labelledby="check-title">
      <div>
        <h2 id="check-title">Check it</h2>
        <p className="muted">Beside the file, on a machine that need not reach this service.</p>
      </div>
      <ol className="stack export-steps">
        <li className="stack">
          <h3>1. See that the download is whole</h3>
          <Code label="Command that compares the digest" text={`echo "${download.sha256}  ${id}.zip" | sha256sum -c`} />
          <p className="muted">
            On macOS the command is <code>shasum -a 256 -c</code>. If the digest is wrong, delete the file and download it again.
          </p>
        </li>
        <li className="stack">
          <h3>2. Bring the key of the log</h3>
          <Code
            label="Command that fetches the verifier keys"
            text={`curl -s ${location.origin}/v1/audit/keys -H "Authorization: Bearer $LIVE_KEY" | jq -r '.keys[].verifier_key' > keys.txt`}
          />
          <p className="muted">
            Once, before you need it, and better by another way than from the service that you check: from whom you trust, or from
            what you have kept.
          </p>
        </li>
        <li className="stack">
          <h3>3. Verify</h3>
          <Code
            label="Command that verifies the bundle"
            text={`node packages/verifier/svc-verify.mjs ${id}.zip --key keys.txt${held}`}
          />
          <p className="muted">
            From a checkout of svc; or copy this one file, which has no dependencies, to any machine with Node. It checks the
            signature of the checkpoint and that every event is in the log in its place, names those that are missing, and ends
            with 0 where all holds
            {heldSize === null
              ? '. Keep the checkpoint of the bundle: the next export can then prove that the log only grew.'
              : '; and, with held.txt, that the log goes on from the checkpoint that you hold.'}
          </p>
        </li>
      </ol>
      <div className="row">
        <span className="muted">The name of the file</span> <code>{id}.zip</code> <Copy text={`${id}.zip`} />
      </div>
    </section>
  );
}
