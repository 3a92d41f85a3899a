// Where the service is, and with which credential: from the command line, else the environment, else the file of profiles.

import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CommandError, EXIT } from './faults.ts';

export const BASE_URL = 'http://127.0.0.1:8080';
const NAME = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
/** The lock is held while a small file is read and written: one that is this old was left behind by a process that died. */
const LOCK_MS_MAX = 5_000;
const LOCK_WAITED_MS_MAX = 15_000;
const LOCK_ASKED_EVERY_MS = 20;

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

/**
 * Empty where there is no file. Throws a `CommandError` for one that others may read or put another in place of, and for one that is not as it
 * was written.
 */
export async function readProfiles(path: string): Promise<ProfileFile> {
  let text: string;
  try {
    if (await isOpenTo(dirname(path), 0o022)) {
      throw new CommandError(
        `Others may write to ${dirname(path)}, where keys lie. Mend that: chmod 700 '${dirname(path)}'`,
        EXIT.refused,
      );
    }
    if (await isOpenTo(path, 0o077)) {
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

async function isOpenTo(path: string, others: number): Promise<boolean> {
  const { mode } = await stat(path);
  return process.platform !== 'win32' && (mode & others) !== 0;
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

/**
 * Reads the file, and replaces it by what `change` makes of it, in one step: another `svc` reads the old one or the new one, and one that
 * changes it too waits. The folder is for its owner alone, as the file is. What `change` throws leaves the file as it is.
 */
export async function changeProfiles(path: string, change: (file: ProfileFile) => ProfileFile): Promise<void> {
  const lock = `${path}.lock`;
  const begun = performance.now();
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    while (!(await isLocked(lock))) {
      if (performance.now() - begun > LOCK_WAITED_MS_MAX)
        throw new CommandError(`Another svc holds ${lock}. If none is running, delete it.`);
      await wait(LOCK_ASKED_EVERY_MS);
    }
  } catch (err) {
    if (err instanceof CommandError) throw err;
    throw new CommandError(`${path} cannot be written (${codeOf(err)}).`, EXIT.failed, { cause: err });
  }
  try {
    await writeProfiles(path, change(await readProfiles(path)));
  } finally {
    await rm(lock, { force: true });
  }
}

/** Takes the lock, or says that another has it. A lock that was left behind is taken away. */
async function isLocked(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (err) {
    if (codeOf(err) !== 'EEXIST') throw err;
  }
  const heldMs = await stat(lock).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
  if (heldMs > LOCK_MS_MAX) await rm(lock, { force: true });
  return false;
}

async function writeProfiles(path: string, file: ProfileFile): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
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
      if (key !== undefined) {
        if (!isKey(key)) {
          throw new CommandError(
            'SVC_API_KEY has a blank, a line break or another character that no key has. Set it to the key alone.',
            EXIT.refused,
          );
        }
        return key;
      }
      if (saved === undefined) throw notSignedIn(name, named !== undefined, file);
      if (!isKey(saved.api_key))
        throw new CommandError(`What is kept as the key of the profile ${name} is none. Sign in again: svc login`, EXIT.refused);
      if (saved.base_url === chosen) return saved.api_key;
      throw new CommandError(
        `The key of the profile ${name} is for ${saved.base_url} and is not sent to ${chosen}. Sign in there: svc login --base-url ${chosen} --profile <name>`,
        EXIT.refused,
      );
    },
  };
}

function notSignedIn(name: string, isNamed: boolean, file: ProfileFile): CommandError {
  const names = Object.keys(file.profiles);
  if (isNamed) return noProfile(name, file);
  const message =
    names.length > 0
      ? `No profile is in use. Choose one of ${names.join(', ')}: svc profiles use <name>`
      : 'You are not signed in. Sign in with svc login, or set SVC_API_KEY.';
  return new CommandError(message, EXIT.refused);
}

/** The error of a profile that was named and is not there. */
export function noProfile(name: string, { profiles }: ProfileFile): CommandError {
  const names = Object.keys(profiles);
  const known = names.length === 0 ? '' : ` There are: ${names.join(', ')}.`;
  return new CommandError(`There is no profile '${name}'.${known} Make it with svc login --profile ${name}`, EXIT.notFound);
}

/** Whether it can be sent as a key. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function codeOf(err: unknown): string {
  return err instanceof Error && 'code' in err ? String(err.code) : 'unknown fault';
}
