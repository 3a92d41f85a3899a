// `svc status`: how the service, the organization and what belongs to it are, as far as the credential may see.

import type { Organization, Usage } from '@svc/client';
import type { Command, Context } from '../command.ts';
import { placed } from '../explain.ts';
import { CommandError, EXIT } from '../faults.ts';
import { toned, type Text } from '../output.ts';
import { ago, count } from '../text.ts';

const PAGE = 100;
/** Where the OpenAPI document says its version. */
const VERSION_BYTES_MAX = 65_536;
const TIMEOUT_MS = 10_000;

const status: Command = {
  words: ['status'],
  summary: 'Show how the service and the organization are',
  description:
    'Health and version of the service; plan, usage and limits; what the key may do; the policy in force; webhooks and integrations that fail, probes that are silent, ' +
    'drift that persists. What the key may not see is said to be so. Exit code 1 while the service is not ready.',
  examples: ['svc status', 'svc status --profile production', 'svc status --json | jq .usage'],
  async run(context) {
    const { output, profile } = context;
    const service = await serviceOf(context);
    let organization: Organization;
    try {
      organization = await context.svc().organization.get({ maxRetries: 1 });
    } catch (err) {
      if (!output.isJson) output.fields(serviceFields(context, service));
      throw err;
    }
    const parts = await partsOf(context);
    const { usage, policy, webhooks, integrations, probes, drift } = parts;
    output.answer(
      {
        service: { base_url: profile.baseUrl, is_ready: service.isReady, version: service.version },
        profile: profile.name,
        organization,
        usage: valueOf(usage),
        policy: valueOf(policy),
        webhooks_failing: valueOf(webhooks),
        integrations_failing: valueOf(integrations),
        probes_offline: valueOf(probes),
        drift_sustained: valueOf(drift),
        not_permitted: Object.entries(parts).flatMap(([name, part]) => ('scope' in part ? [name] : [])),
      },
      () => {
        const { credential, limits } = organization;
        output.fields([
          ...serviceFields(context, service),
          ['Organization', [toned('strong', organization.name), ` (${organization.id})`]],
          [
            'Plan',
            `${organization.plan}: ${grouped(limits.assessments_per_minute)} assessments and ${grouped(limits.requests_per_minute)} requests a minute`,
          ],
          ['Key', `${credential.name} (${credential.mode}, ${credential.id})`],
          ['May', credential.scopes.includes('admin:*') ? 'everything (admin:*)' : credential.scopes.join(', ')],
          ['Usage', shown(usage, usageText)],
          ['Left', shown(usage, leftText)],
          ['Policy', shown(policy, ({ version, updated_at }) => `version ${version}, ${ago(updated_at)}`)],
          ['Webhooks', shown(webhooks, (n) => failing(n, 'failing', 'none is failing'))],
          ['Integrations', shown(integrations, (n) => failing(n, 'failing', 'none is failing'))],
          ['Probes', shown(probes, (n) => failing(n, 'offline', 'none is offline'))],
          ['Drift', shown(drift, (n) => failing(n, 'persisting', 'none persists'))],
        ]);
      },
    );
    return service.isReady ? EXIT.done : EXIT.failed;
  },
};

interface Service {
  readonly isReady: boolean;
  /** `null`: it did not say. */
  readonly version: string | null;
}

function serviceFields({ profile }: Context, { isReady, version }: Service): [string, Text | Text[]][] {
  const state = isReady ? toned('good', 'ready') : toned('bad', 'not ready');
  return [
    ['Service', [profile.baseUrl, '  ', state, ...(version === null ? [] : [`  (svc ${version})`])]],
    ['Profile', profile.name],
  ];
}

/** Needs no credential. */
async function serviceOf({ profile: { baseUrl }, signal }: Context): Promise<Service> {
  const get = (path: string) =>
    fetch(`${baseUrl}${path}`, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]), redirect: 'error' });
  const ready = await get('/readyz').catch(async (err: unknown) => {
    const { ConnectionError } = await import('@svc/client');
    const fault = new ConnectionError('The service was not reached.', { cause: err });
    placed(fault, baseUrl);
    throw fault;
  });
  const answer = await ready.text();
  if (ready.status !== 503 && !answer.startsWith('{"status"')) {
    throw new CommandError(`What answers at ${baseUrl} is not svc. Name the service with --base-url.`, EXIT.unreached);
  }
  return { isReady: ready.ok, version: await get('/openapi.json').then(versionOf, () => null) };
}

/** The document is long; its version comes first. */
async function versionOf({ body }: Response): Promise<string | null> {
  if (body === null) return null;
  let text = '';
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString('latin1');
    const version = /"version":"([^"]{1,40})"/.exec(text)?.[1];
    if (version !== undefined) return version;
    if (text.length > VERSION_BYTES_MAX) break;
  }
  return null;
}

/** What was read, or the scope that it needs. */
type Part<T> = { readonly value: T } | { readonly scope: string };

async function partsOf({ svc }: Context) {
  const client = svc();
  const once = { maxRetries: 1 };
  const failures = (page: { readonly data: readonly { readonly failing_since: string | null }[] }) =>
    page.data.filter(({ failing_since }) => failing_since !== null).length;
  const [usage, policy, webhooks, integrations, probes, drift] = await Promise.all([
    permitted(client.organization.getUsage({}, once)),
    permitted(client.policy.get(once).then(({ version, digest, updated_at }) => ({ version, digest, updated_at }))),
    permitted(client.webhooks.list({ limit: PAGE }, once).then(failures)),
    permitted(client.integrations.list({ limit: PAGE }, once).then(failures)),
    permitted(client.probes.list({ limit: PAGE, status: 'offline' }, once).then(({ data }) => data.length)),
    permitted(client.drift.list({ limit: PAGE, state: 'sustained' }, once).then(({ data }) => data.length)),
  ]);
  return { usage, policy, webhooks, integrations, probes, drift };
}

async function permitted<T>(read: Promise<T>): Promise<Part<T>> {
  try {
    return { value: await read };
  } catch (err) {
    const { ApiError } = await import('@svc/client');
    if (!(err instanceof ApiError && err.status === 403)) throw err;
    return { scope: /scope ([a-z]+:[a-z*]+)/.exec(err.message)?.[1] ?? 'another scope' };
  }
}

function valueOf<T>(part: Part<T>): T | null {
  return 'value' in part ? part.value : null;
}

function shown<T>(part: Part<T>, textOf: (value: T) => Text): Text {
  return 'value' in part ? textOf(part.value) : toned('dim', `not visible to this key (needs ${part.scope})`);
}

function usageText({ total, since }: Usage): string {
  return `${count(total.assessments, 'assessment')} since ${since}: ${grouped(total.flagged)} flagged, ${grouped(total.blocked)} blocked`;
}

function leftText({ now: { assessments, requests } }: Usage): Text {
  const text = `${grouped(assessments.remaining)} assessments, ${grouped(requests.remaining)} requests of this minute`;
  return assessments.remaining === 0 || requests.remaining === 0 ? toned('warn', text) : text;
}

function failing(n: number, what: string, none: string): Text {
  if (n === 0) return none;
  return toned('bad', `${n}${n >= PAGE ? ' or more' : ''} ${what}`);
}

function grouped(n: number): string {
  return n.toLocaleString('en-GB').replaceAll(',', ' ');
}

export const commands: readonly Command[] = [status];
