// The settings. This file alone reads the environment.

import { parseCosigner } from '@svc/trail';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { CidrList, parseCidr } from './addresses/cidr.ts';

export const PLANS = ['starter', 'growth', 'scale', 'enterprise'] as const;
const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** What the service was told by its environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; `null`: derived from host and port. */
  readonly publicUrl: string | null;
  /** Absolute. */
  readonly dataDir: string;
  /** `null`: the embedded database. */
  readonly databaseUrl: string | null;
  /** `null`: limits are counted in memory. */
  readonly valkeyUrl: string | null;
  /** `null`: none. */
  readonly trustedProxies: CidrList | null;
  /** `null`: none. */
  readonly egressAllowCidrs: CidrList | null;
  /** Whether webhooks may be sent to plain http addresses. */
  readonly allowHttpWebhooks: boolean;
  /** `null`: metrics are answered to this machine alone. */
  readonly metricsToken: string | null;
  /** Who cosigns the log of this deployment; `null`: nobody. */
  readonly witnesses: readonly WitnessAddress[] | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** 32 bytes; `null`: a file in the data folder. */
  readonly masterKey: Buffer | null;
  readonly bootstrapPlan: (typeof PLANS)[number];
  /** Absolute; `null`: not written. */
  readonly bootstrapFile: string | null;
}

/** A witness: who it is, and where it is asked. */
export interface WitnessAddress {
  /** `<name>+<key id>+<base64>`, of an Ed25519 cosigner. */
  readonly verifierKey: string;
  /** Without a trailing slash. */
  readonly url: string;
}

// Each is asked every minute.
const WITNESSES_MAX = 16;

/** One setting, as the reference lists it. */
export interface Setting<T> {
  readonly name: string;
  readonly meaning: string;
  readonly default: string;
  readonly example: string;
  /** What a value may be, as the error says it. */
  readonly allowed: string;
  /** The value, or `undefined` when `text` is not allowed. */
  parse(text: string): T | undefined;
}

function oneOf<const T extends string>(values: readonly T[]): { allowed: string; parse(text: string): T | undefined } {
  return { allowed: `one of ${values.join(', ')}`, parse: (text) => values.find((value) => value === text) };
}

function urlOf(text: string, protocols: readonly string[]): URL | undefined {
  const url = URL.parse(text);
  return url !== null && protocols.includes(url.protocol) ? url : undefined;
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/.test(text) ? text : undefined;
}

function parsePublicUrl(text: string): string | undefined {
  const url = urlOf(text, ['http:', 'https:']);
  if (url === undefined || url.search !== '' || url.hash !== '' || url.username !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}

function parseMasterKey(text: string): Buffer | undefined {
  const key = Buffer.from(text, 'base64');
  return key.length === 32 && key.toString('base64') === text ? key : undefined;
}

function parseValkeyUrl(text: string): string | undefined {
  const url = urlOf(text, ['redis:', 'rediss:', 'valkey:', 'valkeys:']);
  return url?.href.replace(/^valkey/, 'redis');
}

function parseCidrList(text: string): CidrList | undefined {
  const cidrs = text.split(',').map((range) => parseCidr(range.trim()));
  const parsed = cidrs.flatMap((cidr) => ('fault' in cidr ? [] : [cidr]));
  return parsed.length === cidrs.length ? new CidrList(parsed) : undefined;
}

/** Its answers are believed where they are not signed too: that it has seen more of the log than there is. */
function parseWitness(text: string): WitnessAddress | undefined {
  const [, verifierKey, address] = /^(.+)@(https?:\/\/[^@]+)$/.exec(text) ?? [];
  if (verifierKey === undefined || parseCosigner(verifierKey) === null) return undefined;
  const url = parsePublicUrl(address!);
  if (url === undefined) return undefined;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ? { verifierKey, url } : undefined;
}

function parseWitnesses(text: string): readonly WitnessAddress[] | undefined {
  const given = text.split(',').map((witness) => parseWitness(witness.trim()));
  const witnesses = given.filter((witness) => witness !== undefined);
  const keys = new Set(witnesses.map(({ verifierKey }) => verifierKey));
  return keys.size === given.length && keys.size <= WITNESSES_MAX ? witnesses : undefined;
}

/** Every setting, in the order of the reference. */
export const SETTINGS = {
  host: {
    name: 'SVC_HOST',
    meaning: 'Address the service listens on. `0.0.0.0` or `::` for all.',
    default: '127.0.0.1',
    example: '0.0.0.0',
    allowed: 'an IP address or a host name',
    parse: parseHost,
  },
  port: {
    name: 'SVC_PORT',
    meaning: 'Port the service listens on.',
    default: '8080',
    example: '9000',
    allowed: 'a whole number from 0 to 65535 (0: any free port)',
    parse: parsePort,
  },
  publicUrl: {
    name: 'SVC_PUBLIC_URL',
    meaning: 'Address under which clients reach the service, when it is not the one it listens on.',
    default: '',
    example: 'https://svc.example.com',
    allowed: 'an http or https URL without user, query or fragment',
    parse: parsePublicUrl,
  },
  dataDir: {
    name: 'SVC_DATA_DIR',
    meaning: 'Folder of the embedded database and of the master key.',
    default: './data',
    example: '/var/lib/svc',
    allowed: 'a path',
    parse: (text: string) => (text.includes('\0') ? undefined : resolve(text)),
  },
  databaseUrl: {
    name: 'SVC_DATABASE_URL',
    meaning: 'A PostgreSQL server (15 or newer) to use instead of the embedded one.',
    default: '',
    example: 'postgres://svc:…@db.example.com/svc',
    allowed: 'a postgres:// or postgresql:// URL',
    parse: (text: string) => urlOf(text, ['postgres:', 'postgresql:'])?.href,
  },
  valkeyUrl: {
    name: 'SVC_VALKEY_URL',
    meaning:
      'A Valkey or Redis server on which several nodes count limits together. Unset: each node counts in its memory and hands out its share.',
    default: '',
    example: 'redis://:…@valkey.example.com:6379',
    allowed: 'a redis://, rediss://, valkey:// or valkeys:// URL',
    parse: parseValkeyUrl,
  },
  trustedProxies: {
    name: 'SVC_TRUSTED_PROXIES',
    meaning:
      'Ranges of proxies in front of the service. From them `X-Forwarded-For` is believed, from right to left past further ones. Unset: the address of the connection counts.',
    default: '',
    example: '10.0.0.0/8,2001:db8::/32',
    allowed: 'CIDR ranges separated by commas',
    parse: parseCidrList,
  },
  egressAllowCidrs: {
    name: 'SVC_EGRESS_ALLOW_CIDRS',
    meaning:
      'Ranges that the service may call although they are private: an identity provider in your network. Plain http is accepted there too.',
    default: '',
    example: '10.1.2.0/24',
    allowed: 'CIDR ranges separated by commas',
    parse: parseCidrList,
  },
  allowHttpWebhooks: {
    name: 'SVC_ALLOW_HTTP_WEBHOOKS',
    meaning: 'Whether webhooks may be sent to plain http addresses, where everyone on the way can read them.',
    default: 'false',
    example: 'true',
    allowed: 'true or false',
    parse: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
  },
  metricsToken: {
    name: 'SVC_METRICS_TOKEN',
    meaning: 'Lets `/metrics` be read from other machines, as `Authorization: Bearer`. Unset: from this machine alone.',
    default: '',
    example: '`openssl rand -hex 32`',
    allowed: 'at least 16 visible ASCII characters',
    parse: (text: string) => (/^[\x21-\x7e]{16,500}$/.test(text) ? text : undefined),
  },
  witnesses: {
    name: 'SVC_WITNESSES',
    meaning:
      'Witnesses (C2SP tlog-witness) that cosign the log of this deployment, each as `<verifier key>@<address>`: see [witnesses](../operations/witnesses.md). Every node of one database needs the same.',
    default: '',
    example: '`witness.example.com/w1+5ab8…+BF…@https://witness.example.com/w1`',
    allowed: `at most ${WITNESSES_MAX} witnesses separated by commas, each the verifier key of an Ed25519 cosigner, an @ and an https URL (http on this machine alone)`,
    parse: parseWitnesses,
  },
  logLevel: {
    name: 'SVC_LOG_LEVEL',
    meaning: 'How much is logged. Requests that are refused are `info`, those that succeed `debug`.',
    default: 'info',
    example: 'warn',
    ...oneOf(LOG_LEVELS),
  },
  masterKey: {
    name: 'SVC_MASTER_KEY',
    meaning:
      'The key from which all others are derived. Unset: made at the first start and kept in `master.key` in the data folder, mode 0600. Every node of one database needs the same.',
    default: '',
    example: '`openssl rand -base64 32`',
    allowed: 'the base64 form of 32 bytes',
    parse: parseMasterKey,
  },
  bootstrapPlan: {
    name: 'SVC_BOOTSTRAP_PLAN',
    meaning: 'Plan of the organization made at the first start.',
    default: 'scale',
    example: 'enterprise',
    ...oneOf(PLANS),
  },
  bootstrapFile: {
    name: 'SVC_BOOTSTRAP_FILE',
    meaning:
      'File, mode 0600, to which the first start also writes `{"org_id", "admin_key", "live_key", "test_key", "base_url"}`.',
    default: '',
    example: '/run/svc/bootstrap.json',
    allowed: 'a path',
    parse: (text: string) => (text.includes('\0') ? undefined : resolve(text)),
  },
} satisfies { [K in keyof Config]: Setting<NonNullable<Config[K]>> };

/** Read by the command `svc`, which may be used in the same environment. */
export const SETTINGS_OF_THE_COMMAND: readonly string[] = ['SVC_PROFILE', 'SVC_BASE_URL', 'SVC_API_KEY'];

const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  SETTINGS.masterKey.name,
  SETTINGS.databaseUrl.name,
  SETTINGS.valkeyUrl.name,
  SETTINGS.metricsToken.name,
]);

/** A setting that cannot be used. The message says its name, its value and what is allowed. */
export class ConfigError extends Error {}

/**
 * Reads the settings. An empty variable counts as unset.
 * Throws `ConfigError` for a value that is not allowed and for an unknown variable that starts with `SVC_`, which is most likely a typo.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const known = new Set<string>(Object.values(SETTINGS).map((setting) => setting.name));
  for (const name of Object.keys(env)) {
    if (!name.startsWith('SVC_') || known.has(name) || name.startsWith('SVC_TEST_') || isOfKubernetes(name)) continue;
    if (SETTINGS_OF_THE_COMMAND.includes(name)) continue;
    throw new ConfigError(`${name} is not a setting of this service. Its settings are: ${[...known].join(', ')}.`);
  }
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [
    key,
    readSetting(setting as Setting<unknown>, isLinkOfKubernetes(env[setting.name]) ? undefined : env[setting.name]),
  ]);
  return Object.fromEntries(entries) as Config;
}

/** Kubernetes tells every container of a service named `svc` in such variables. */
function isOfKubernetes(name: string): boolean {
  return /^SVC_(SERVICE_(HOST|PORT.*)|PORT_\d+_(TCP|UDP).*)$/.test(name);
}

/** `SVC_PORT` among them: `tcp://10.0.0.1:8080`. */
function isLinkOfKubernetes(value: string | undefined): boolean {
  return value !== undefined && /^(tcp|udp):\/\/[^/]+:\d+$/.test(value);
}

function readSetting<T>(setting: Setting<T>, given: string | undefined): T | null {
  const text = given === undefined || given === '' ? setting.default : given;
  if (text === '') return null;
  const value = setting.parse(text);
  if (value !== undefined) return value;
  const shown = SECRET_SETTINGS.has(setting.name) ? 'a value that is not shown here because it is secret' : `'${text}'`;
  throw new ConfigError(`${setting.name} is ${shown}; allowed is ${setting.allowed}.`);
}
