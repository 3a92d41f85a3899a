// Rotation, step by step: a new key, its way to where the old one is, and the end of the old one.

import type { ApiKey, CreatedApiKey } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { LIVE_INTERVAL_MS, queryClient, svc } from '../../api.ts';
import { useOrganization } from '../../session.tsx';
import { useAction } from '../../ui/action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Name } from '../../ui/name.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { ExpiryField, expiresAtOf, NEVER } from './expiry.tsx';
import { KeySecret } from './key-secret.tsx';
import { keyHint } from './key-state.ts';
import { API_KEYS } from './new-key.tsx';
import { Scopes } from './permissions.tsx';
import type { KeyType, Scope } from './scopes.ts';

/** A key that was used this long ago is taken for one that is in use. */
const IN_USE_MS = 5 * 60_000;

type Step = { readonly at: 'make' } | { readonly at: 'keep' | 'revoke'; readonly created: CreatedApiKey };

export function RotateKey({ old, onClose }: { readonly old: ApiKey; readonly onClose: () => void }): ReactNode {
  const [step, setStep] = useState<Step>({ at: 'make' });
  if (step.at === 'make') return <Make old={old} onClose={onClose} onCreated={(created) => setStep({ at: 'keep', created })} />;
  const { created } = step;
  if (step.at === 'keep')
    return (
      <KeySecret
        title="Step 2 of 3: deploy the new key"
        created={created}
        // From here on the secret is gone from memory too.
        onClose={() => setStep({ at: 'revoke', created: { ...created, key: '' } })}
      >
        <p>
          Put it into your secrets manager and deploy it wherever <code>{keyHint(old)}</code> is. The old key keeps working
          meanwhile, so no request fails.
        </p>
      </KeySecret>
    );
  return <RevokeOld old={old} created={created} onClose={onClose} />;
}

interface MakeProps {
  readonly old: ApiKey;
  readonly onCreated: (created: CreatedApiKey) => void;
  readonly onClose: () => void;
}

function Make({ old, onCreated, onClose }: MakeProps): ReactNode {
  const [expiry, setExpiry] = useState(NEVER);
  const make = useAction(async () => {
    onCreated(await createLike(old, expiresAtOf(expiry)));
    await queryClient.invalidateQueries({ queryKey: API_KEYS });
  });
  return (
    <Dialog title="Step 1 of 3: make a new key" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          make.run();
        }}
      >
        <p>It gets the name, the type and the permissions of the old one.</p>
        <dl className="facts">
          <dt>Old key</dt>
          <dd>
            <Name text={old.name} /> <code>{keyHint(old)}</code>
          </dd>
          <dt>Permissions</dt>
          <dd>
            <Scopes scopes={old.permissions} type={old.type} />
          </dd>
          <dt>Last used</dt>
          <dd>
            <Time at={old.last_used_at} />
          </dd>
        </dl>
        <ExpiryField value={expiry} onChange={setExpiry} />
        {make.error !== null && <Problem error={make.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={make.isBusy}>
            Make the new key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Keys of a service account have its permissions, and are made by it. */
function createLike(old: ApiKey, expiresAt: string | null): Promise<CreatedApiKey> {
  if (old.service_account_id !== null) return svc.serviceAccounts.createKey(old.service_account_id, { expires_at: expiresAt });
  return svc.apiKeys.create({
    name: old.name,
    type: old.type as KeyType,
    description: old.description,
    permissions: old.permissions as Scope[],
    expires_at: expiresAt,
  });
}

interface RevokeProps {
  readonly old: ApiKey;
  readonly created: CreatedApiKey;
  readonly onClose: () => void;
}

function RevokeOld({ old, created, onClose }: RevokeProps): ReactNode {
  const { credential } = useOrganization();
  const revoke = useAction(async () => {
    await svc.apiKeys.revoke(old.id);
    await queryClient.invalidateQueries({ queryKey: API_KEYS });
    onClose();
  });
  return (
    <Dialog title="Step 3 of 3: revoke the old key" onClose={onClose}>
      <p>When every client has the new key, the old one falls out of use. These times follow within ten seconds.</p>
      <dl className="facts">
        <dt>Old key</dt>
        <dd>
          <LastUsed apiKey={old} isOld />
        </dd>
        <dt>New key</dt>
        <dd>
          <LastUsed apiKey={created} isOld={false} />
        </dd>
      </dl>
      <p>Once it is revoked, every request with the old key is refused. It cannot be brought back.</p>
      {credential.id === old.id && (
        <p className="notice warn">
          You are signed in with the old key. Revoking it ends this session: sign in with the new one.
        </p>
      )}
      {revoke.error !== null && <Problem error={revoke.error} />}
      <div className="dialog-actions">
        <Button onClick={onClose}>Later</Button>
        <Button kind="danger" isBusy={revoke.isBusy} onClick={() => revoke.run()}>
          Revoke the old key
        </Button>
      </div>
    </Dialog>
  );
}

function LastUsed({ apiKey, isOld }: { readonly apiKey: ApiKey; readonly isOld: boolean }): ReactNode {
  const key = useQuery({
    queryKey: [...API_KEYS, 'one', apiKey.id],
    queryFn: ({ signal }) => svc.apiKeys.get(apiKey.id, { signal }),
    refetchInterval: LIVE_INTERVAL_MS,
  });
  if (key.isPending) return <Skeleton lines={1} />;
  if (key.data === undefined) return <Problem error={key.error} onRetry={() => key.refetch()} />;
  const { last_used_at: at } = key.data;
  const isInUse = at !== null && Date.now() - Date.parse(at) < IN_USE_MS;
  return (
    <span className="row">
      <code>{keyHint(apiKey)}</code> last used: <Time at={at} />
      {isInUse && <Badge tone={isOld ? 'warn' : 'good'}>in use</Badge>}
    </span>
  );
}
