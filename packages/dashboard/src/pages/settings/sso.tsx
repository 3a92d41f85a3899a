// Single sign-on: how people sign in at the organization's own identity provider.

import { NotFoundError, type Sso } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useOrganization } from '../../session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { AdminPage } from './page.tsx';
import { SsoForm } from './sso-form.tsx';

const SSO = ['sso'];
/** Read again: whose own session ended by it learns that from the answer. */
const refresh = () => queryClient.invalidateQueries({ queryKey: SSO });

export function SingleSignOn(): ReactNode {
  return (
    <AdminPage
      title="Single sign-on"
      about="People sign in at your identity provider by OpenID Connect, instead of sharing keys. Their groups there give them a role here."
    >
      <Settings />
    </AdminPage>
  );
}

function Settings(): ReactNode {
  const settings = useQuery({ queryKey: SSO, queryFn: readSso, refetchOnWindowFocus: false });
  if (settings.isPending) return <Skeleton lines={8} />;
  if (settings.data === undefined) return <Problem error={settings.error} onRetry={() => settings.refetch()} />;
  const { sso } = settings.data;
  return (
    <>
      {sso === null ? (
        <p className="notice">
          <strong>None is set up.</strong> Whoever uses these pages signs in with an admin key.
        </p>
      ) : (
        <InForce sso={sso} />
      )}
      <section className="card stack form">
        <h2>{sso === null ? 'Set it up' : 'Settings'}</h2>
        <Steps sso={sso} />
        {/* What was saved is what one goes on from. */}
        <SsoForm
          key={sso?.updated_at ?? 'new'}
          sso={sso}
          save={async (body) => {
            await svc.sso.put(body);
            await refresh();
          }}
        />
      </section>
    </>
  );
}

/** `null`: none is set up. */
async function readSso(): Promise<{ sso: Sso | null }> {
  try {
    return { sso: await svc.sso.get() };
  } catch (err) {
    if (err instanceof NotFoundError) return { sso: null };
    throw err;
  }
}

function InForce({ sso }: { readonly sso: Sso }): ReactNode {
  const { id, credential } = useOrganization();
  const [isDeleting, setDeleting] = useState(false);
  const trial = `/v1/auth/sso/start?${new URLSearchParams({ organization: id, return_to: '/settings/sso' })}`;
  return (
    <section className="card stack form">
      <h2>In force</h2>
      <dl className="facts">
        <dt>Provider</dt>
        <dd>
          <Badge tone="good">set up</Badge> <code>{sso.issuer}</code>
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time at={sso.updated_at} /> by <code>{sso.updated_by}</code>
        </dd>
      </dl>
      <h3>Test it</h3>
      <p>
        Sign in through the provider. In this browser that takes the place of your present session, with the role that your groups
        give you. To keep this session, open the address in a private window.
      </p>
      <div className="row">
        <a className="button" href={trial}>
          Sign in through the provider
        </a>
        <Copy text={location.origin + trial} label="Copy the address" />
        <span className="grow" />
        <Button kind="danger" onClick={() => setDeleting(true)}>
          Delete single sign-on
        </Button>
      </div>
      {isDeleting && (
        <Confirm
          title="Delete single sign-on"
          deed="Delete single sign-on"
          effect={
            <div className="stack">
              <p>
                The sessions of all users end now, and nobody can sign in through the provider. The stored client secret is
                deleted. From then on only admin keys sign in here: make sure that you have one.
              </p>
              {credential.type === 'user' && (
                <p className="notice warn">You signed in through the provider yourself: this ends your own session.</p>
              )}
            </div>
          }
          run={async () => {
            await svc.sso.delete();
            await refresh();
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </section>
  );
}

/** What the provider has to know, and what it has to say. */
function Steps({ sso }: { readonly sso: Sso | null }): ReactNode {
  const uri = sso?.redirect_uri ?? `${location.origin}/v1/auth/sso/callback`;
  return (
    <>
      <p>
        Register a web application at the provider, with the authorization code flow and PKCE, and this redirect URI. Then fill in
        what the provider gives you.
      </p>
      <div className="field">
        <span>Redirect URI</span>
        <div className="row">
          <code>{uri}</code>
          <Copy text={uri} />
        </div>
        {sso === null && (
          <small>
            By the address that you see these pages under. If the service is to be reached under another one, set{' '}
            <code>SVC_PUBLIC_URL</code> first.
          </small>
        )}
      </div>
      <details>
        <summary>Okta, Entra ID, Google, Keycloak: which issuer, which claim</summary>
        <dl className="facts">
          <dt>Okta</dt>
          <dd>
            Issuer <code>https://example.okta.com</code>; groups claim <code>groups</code>, by a groups claim of the application.
          </dd>
          <dt>Entra ID</dt>
          <dd>
            Issuer <code>https://login.microsoftonline.com/TENANT-ID/v2.0</code>; groups claim <code>roles</code> for app roles.
          </dd>
          <dt>Google</dt>
          <dd>
            Issuer <code>https://accounts.google.com</code>; it has no groups: take <code>email</code> as the groups claim, and
            require <code>hd</code> to be your domain.
          </dd>
          <dt>Keycloak</dt>
          <dd>
            Issuer <code>https://id.example.com/realms/REALM</code>; groups claim <code>groups</code>, by a mapper.
          </dd>
        </dl>
      </details>
    </>
  );
}
