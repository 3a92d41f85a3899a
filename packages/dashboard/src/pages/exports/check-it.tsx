// What to do with a bundle: see that it is whole, and check it away from the service.

import type { Export } from '@svc/client';
import type { ReactNode } from 'react';
import { Code } from '../../ui/code.tsx';
import { Copy } from '../../ui/copy.tsx';
import { count } from './words.ts';

/** Beside the pages, as it lies in the repository. */
const VERIFIER = new URL('../../../../verifier/svc-verify.mjs', import.meta.url);

/** The commands can be run as they stand, one after another, in one folder. */
export function CheckIt({ made }: { readonly made: Export }): ReactNode {
  const { id, download, held_size: heldSize } = made;
  if (download === null) return null;
  const held = heldSize === null ? '' : ' --held held.txt';
  return (
    <section className="card stack" aria-labelledby="check-title">
      <div>
        <h2 id="check-title">Check it</h2>
        <p className="muted">
          Run these in one folder, that of the downloaded <code>{id}.zip</code>. Only step 1 needs this service: for the others
          take the folder to any machine with Node, which need not reach it.
        </p>
      </div>
      <ol className="stack export-steps">
        <li className="stack">
          <h3>1. Bring the key of the log, and the verifier</h3>
          <Code label="Commands that fetch the keys and the verifier" text={fetchText(location.origin)} />
          <p className="muted">
            Once, before you need them. Better than from the service that you check is another way: the key from whom you trust or
            from what you have kept, and the verifier from a checkout of svc (<code>packages/verifier/svc-verify.mjs</code>, one
            file without dependencies).
          </p>
        </li>
        <li className="stack">
          <h3>2. See that the download is whole</h3>
          <Code label="Command that compares the digest" text={`echo "${download.sha256}  ${id}.zip" | sha256sum -c`} />
          <p className="muted">
            On macOS the command is <code>shasum -a 256 -c</code>. If the digest is wrong, delete the file and download it again.
          </p>
        </li>
        <li className="stack">
          <h3>3. Verify</h3>
          {heldSize !== null && (
            <p>
              First copy the checkpoint that you hold, the one of {count(heldSize)} events, into the folder as{' '}
              <code>held.txt</code>.
            </p>
          )}
          <Code label="Command that verifies the bundle" text={`node svc-verify.mjs ${id}.zip --key keys.txt${held}`} />
          <p className="muted">
            It checks the signature of the checkpoint and that every event is in the log in its place, names those that are
            missing, and ends with 0 where all holds
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

/** Where the keys cannot be read no file of them is left behind. */
function fetchText(base: string): string {
  return `# SVC_API_KEY is in the environment: a live or admin key with the scope events:read.
curl -sS -f ${base}/v1/audit/keys -H "Authorization: Bearer $SVC_API_KEY" -o keys.json &&
  jq -er '.keys[].verifier_key' keys.json > keys.txt
curl -sS -f ${VERIFIER.href} -o svc-verify.mjs`;
}
