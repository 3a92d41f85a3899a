// `svc login`: takes a key, asks the service whose it is, and keeps it in a profile.

import type { Organization } from '@svc/client';
import { readFile } from 'node:fs/promises';
import { ask, askHidden, canAsk } from '../ask.ts';
import type { Command, Context } from '../command.ts';
import { openClient } from '../connection.ts';
import { CommandError, EXIT, UsageError } from '../faults.ts';
import { toned, type Text } from '../output.ts';
import {
  BASE_URL,
  changeProfiles,
  isKey,
  isProfileName,
  parseBaseUrl,
  profilesPath,
  readProfiles,
  type ProfileFile,
  type SavedProfile,
} from '../profiles.ts';
import { readSecret } from './shared.ts';

const KEY_LENGTH_MAX = 8_192;

const login: Command = {
  words: ['login'],
  summary: 'Sign in: keep a key, checked, in a profile',
  description:
    'Asks for the address of the service and for a key, which is not shown while it is typed. A script gives the key on stdin, with --with-key. ' +
    'The first start of a service prints keys; where SVC_BOOTSTRAP_FILE was set it also wrote them to that file, which --from reads.\n\n' +
    'Keys are kept in $XDG_CONFIG_HOME/svc/config.json (~/.config/svc/config.json), which only you may read. A key is sent to the service it ' +
    'was given for, and to no other. SVC_API_KEY, SVC_BASE_URL and SVC_PROFILE in the environment go before what is kept.',
  options: {
    'with-key': { kind: 'flag', meaning: 'Read the key from stdin' },
    from: {
      kind: 'text',
      meaning: 'Take address and key from the file that SVC_BOOTSTRAP_FILE named at the first start',
      placeholder: '<file>',
    },
    type: {
      kind: 'text',
      meaning: 'With --from: which of its keys; admin when not given',
      choices: ['admin', 'live', 'test'],
      placeholder: '<type>',
    },
  },
  examples: [
    'svc login',
    'svc login --base-url https://svc.example.com --profile production',
    'svc login --with-key < key.txt',
    'svc login --from bootstrap.json --type live',
  ],
  async run(context) {
    const { options, output, profile, env } = context;
    if (options.flag('with-key') && options.text('from') !== undefined)
      throw new UsageError('--with-key and --from contradict each other.');
    if (options.text('type') !== undefined && options.text('from') === undefined)
      throw new UsageError('--type goes with --from.');
    if (!isProfileName(profile.name)) {
      throw new UsageError(`A profile cannot be called '${profile.name}'. Use letters, digits, dots, dashes and underscores.`);
    }
    const path = profilesPath(env);
    // What cannot be read is said before anything is asked.
    await readProfiles(path);
    const { baseUrl, key } = await credentialOf(context);
    const organization = await organizationOf(context, baseUrl, key);
    const saved: SavedProfile = {
      base_url: baseUrl,
      org_id: organization.id,
      org_name: organization.name,
      api_key: key,
      key_id: organization.credential.id,
      mode: organization.credential.mode,
    };
    let before: SavedProfile | undefined;
    await changeProfiles(path, (file) => {
      refuseToLoseAKey(context, file, baseUrl, organization);
      before = Object.hasOwn(file.profiles, profile.name) ? file.profiles[profile.name] : undefined;
      return { current: profile.name, profiles: { ...file.profiles, [profile.name]: saved } };
    });
    const { credential } = organization;
    const replaced = before === undefined || before.key_id === credential.id ? null : before;
    output.answer(
      {
        profile: profile.name,
        base_url: baseUrl,
        org_id: organization.id,
        key_id: credential.id,
        mode: credential.mode,
        scopes: credential.scopes,
        replaced_key_id: replaced?.key_id ?? null,
      },
      () => {
        output.line(
          'Signed in to ',
          toned('strong', organization.name),
          ` at ${baseUrl}, with the key '${credential.name}' (${credential.mode}).`,
        );
        for (const line of abilities(organization)) output.line(...line);
        output.line(`Kept as the profile ${profile.name} in ${path}.`);
        if (replaced !== null) {
          output.line(
            toned(
              'warn',
              `It takes the place of ${replaced.key_id} (${replaced.mode}) of ${replaced.org_name}, which is not kept any more.`,
            ),
          );
        }
      },
    );
    if (isInTheClear(baseUrl))
      output.note(toned('warn', `${baseUrl} is not encrypted: whoever is on the way can read the key. Use https.`));
    return EXIT.done;
  },
};

/** What the credential may do, in lines. */
export function abilities({ credential: { scopes, mode } }: Organization): Text[][] {
  const may = scopes.includes('admin:*') ? 'everything (admin:*)' : scopes.length === 0 ? 'nothing' : scopes.join(', ');
  return [[`It may: ${may}.`], ...(mode === 'test' ? [['What it assesses is not in the trail, and is kept for 24 hours.']] : [])];
}

interface Credential {
  readonly baseUrl: string;
  readonly key: string;
}

async function credentialOf(context: Context): Promise<Credential> {
  const { options, profile, env, output, stdin, signal } = context;
  const address = options.text('base-url') ?? env['SVC_BASE_URL'];
  const isAddressGiven = address !== undefined && address !== '';
  const from = options.text('from');
  if (from !== undefined) return fromFile(from, options.text('type') ?? 'admin', isAddressGiven ? profile.baseUrl : null);
  if (options.flag('with-key')) {
    return { baseUrl: profile.baseUrl, key: keyOf(await readSecret({ stdin, signal }, '-', 'API key')) };
  }
  if (!canAsk(context))
    throw new UsageError('There is no terminal to ask for the key on. Give it on stdin: svc login --with-key < key.txt');
  const baseUrl = isAddressGiven ? profile.baseUrl : await askForAddress(context);
  output.note('Keys were printed at the first start of the service; more are made with svc keys create.');
  return { baseUrl, key: keyOf(await askHidden(context, 'API key (not shown): ')) };
}

async function askForAddress(context: Context): Promise<string> {
  const suggested = context.profile.baseUrl || BASE_URL;
  for (;;) {
    const typed = (await ask(context, `Address of the service [${suggested}]: `)).trim();
    const baseUrl = typed === '' ? suggested : parseBaseUrl(typed);
    if (baseUrl !== null) return baseUrl;
    context.output.note(`'${typed}' is no address. One looks like ${BASE_URL}.`);
  }
}

async function fromFile(path: string, type: string, address: string | null): Promise<Credential> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? String(err.code) : 'unknown fault';
    throw new CommandError(
      `${path} cannot be read (${code}). The first start writes it where SVC_BOOTSTRAP_FILE says; later starts do not.`,
      EXIT.failed,
      { cause: err },
    );
  }
  const members = membersOf(text);
  const key = members[`${type}_key`];
  const baseUrl = address ?? (typeof members['base_url'] === 'string' ? parseBaseUrl(members['base_url']) : null);
  if (typeof key !== 'string' || baseUrl === null) {
    throw new CommandError(
      `${path} is not a file that the first start of a service has written: it has no ${type}_key and base_url.`,
    );
  }
  return { baseUrl, key: keyOf(key) };
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function keyOf(text: string): string {
  const key = text.trim();
  if (key === '') throw new CommandError('No key was given. Nothing was done.');
  if (!isKey(key) || key.length > KEY_LENGTH_MAX)
    throw new CommandError('That is no key: one is a single word, such as svc_live_…');
  return key;
}

async function organizationOf({ signal }: Context, baseUrl: string, apiKey: string): Promise<Organization> {
  const client = openClient({ baseUrl, orgId: null, apiKey, signal, maxRetries: 1 });
  try {
    return await client.organization.get();
  } catch (err) {
    const { ApiError } = await import('@svc/client');
    if (!(err instanceof ApiError && err.status === 401)) throw err;
    throw new CommandError(
      `${baseUrl} does not take this key. It may be cut off, revoked, expired, or of another service. Nothing was kept.`,
      EXIT.refused,
      {
        cause: err,
      },
    );
  }
}

/** Keys are shown once: one of another organization is not overwritten by the way. */
function refuseToLoseAKey(
  { profile, options, env }: Context,
  { profiles }: ProfileFile,
  baseUrl: string,
  organization: Organization,
): void {
  const saved = Object.hasOwn(profiles, profile.name) ? profiles[profile.name] : undefined;
  const isNamed = (options.text('profile') ?? env['SVC_PROFILE'] ?? '') !== '';
  if (saved === undefined || isNamed || (saved.base_url === baseUrl && saved.org_id === organization.id)) return;
  throw new CommandError(
    `The profile ${profile.name} has a key of ${saved.org_name} at ${saved.base_url}, which would be lost. Name another: svc login --profile <name>`,
  );
}

function isInTheClear(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && hostname !== 'localhost' && hostname !== '[::1]' && !hostname.startsWith('127.');
}

export const commands: readonly Command[] = [login];
