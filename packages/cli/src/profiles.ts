// Where the service is, and with which credential: from the command line, else the environment, else the file of profiles.

import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, EXIT } from './faults.ts';

export const BASE_URL = 'http://127.0.0.1:8080';
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;

/** What the file keeps of a profile, as it is written. */
export interface SavedProfile {
  readonly base_url: string;
  readonly org_id: string;
  readonly org_name: string;
  readonly api_key: string;
  /** Of the credential. */
  readonly key_id: string;
  readonly mode: string;
}

export interface ProfileFile {
  /** The profile in use when none is named. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, SavedProfile>>;
}

/** Where the service is and by what name the profile goes, without a credential. */
export interface Profile {
  readonly name: string;
  readonly baseUrl: string;
  /** `null`: not known before a sign-in. */
  readonly orgId: string | null;
}

/** A profile with what signs in, or with the reason why nothing does. */
export interface ResolvedProfile extends Profile {
  /** Throws a `CommandError` with the next step where there is no credential. */
  apiKey(): string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The file of profiles: `$XDG_CONFIG_HOME/svc/config.json`, else below `~/.config`. */
export function profilesPath(env: Environment): string {
  const base = env['XDG_CONFIG_HOME'];
  return join(base === undefined || base === '' ? join(env['HOME'] || homedir(), '.config') : base, 'svc', 'config.json');
}

/** Empty where there is no file. Throws a `CommandError` for one that others may read, and for one that is not as it was written. */
export async function readProfiles(path: string): Promise<ProfileFile> {
  let text: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new CommandError(`${path} holds keys and others may read it. Mend that: chmod 600 '${path}'`, EXIT.refused);
    }
    text = await readFile(path, 'utf8');
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return { current: null, profiles: {} };
    if (err instanceof CommandError) throw err;
    throw new CommandError(`${path} cannot be read (${codeOf(err)}).`, EXIT.refused, { cause: err });
  }
  const file = parsed(text);
  if (file === null)
    throw new CommandError(`${path} is not as svc writes it. Mend it, or delete it and sign in again: svc login`, EXIT.refused);
  return file;
}

function parsed(text: string): ProfileFile | null {
  try {
    const { current, profiles } = JSON.parse(text) as Partial<ProfileFile>;
    if (typeof profiles !== 'object' || profiles === null || !(current === null || typeof current === 'string')) return null;
    const isWhole = Object.values(profiles).every(
      (profile) => typeof profile?.base_url === 'string' && typeof profile.api_key === 'string',
    );
    return isWhole ? { current, profiles } : null;
  } catch {
    return null;
  }
}

/** Replaces the file in one step: another `svc` reads the old one or the new one. The folder is for its owner alone, as the file is. */
export async function writeProfiles(path: string, file: ProfileFile): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (err) {
    await rm(draft, { force: true });
    throw new CommandError(`${path} cannot be written (${codeOf(err)}).`, EXIT.failed, { cause: err });
  }
}

/** Whether a profile can have this name. */
export function isProfileName(name: string): boolean {
  return NAME.test(name);
}

/** Without trailing slashes; `null`: it is no http or https address. */
export function parseBaseUrl(text: string): string | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '') return null;
  return url.href.replace(/\/+$/, '');
}

/** What is asked of the command line. */
export interface Asked {
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
}

/**
 * The profile in use. A key from the file goes to the service it was saved for alone: with another address, the key is that of the
 * environment or there is none.
 */
export async function resolveProfile(asked: Asked, env: Environment): Promise<ResolvedProfile> {
  const given = (name: string) => (env[name] === '' ? undefined : env[name]);
  const named = asked.profile ?? given('SVC_PROFILE');
  const address = asked.baseUrl ?? given('SVC_BASE_URL');
  const key = given('SVC_API_KEY');
  const baseUrl = address === undefined ? undefined : parseBaseUrl(address);
  if (baseUrl === null) {
    throw new CommandError(`'${address}' is no address of a service. One looks like ${BASE_URL}.`, EXIT.usage);
  }
  const path = profilesPath(env);
  // With a key and no profile named, the file has no say: a broken one does not stand in the way of a script.
  const isApart = key !== undefined && named === undefined && baseUrl !== undefined;
  const file = isApart ? { current: null, profiles: {} } : await readProfiles(path);
  const name = named ?? file.current ?? 'default';
  const saved = Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined;
  const chosen = baseUrl ?? saved?.base_url ?? BASE_URL;
  return {
    name,
    baseUrl: chosen,
    orgId: key === undefined && saved?.base_url === chosen ? saved.org_id : null,
    apiKey() {
      if (key !== undefined) return key;
      if (saved === undefined) throw new CommandError(notSignedIn(name, named !== undefined, file), EXIT.refused);
      if (saved.base_url === chosen) return saved.api_key;
      throw new CommandError(
        `The key of the profile ${name} is for ${saved.base_url} and is not sent to ${chosen}. Sign in there: svc login --base-url ${chosen} --profile <name>`,
        EXIT.refused,
      );
    },
  };
}

function notSignedIn(name: string, isNamed: boolean, { profiles }: ProfileFile): string {
  const names = Object.keys(profiles);
  if (isNamed && names.length > 0) {
    return `There is no profile '${name}'. There are: ${names.join(', ')}. Make it with svc login --profile ${name}`;
  }
  return names.length > 0
    ? `No profile is in use. Choose one of ${names.join(', ')}: svc profiles use <name>`
    : 'You are not signed in. Sign in with svc login, or set SVC_API_KEY.';
}

function codeOf(err: unknown): string {
  return err instanceof Error && 'code' in err ? String(err.code) : 'unknown fault';
}
