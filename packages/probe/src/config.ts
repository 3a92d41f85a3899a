// The agent's settings. This file alone reads the environment.

import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { BUFFER_BYTES_MIN, PROBE_ID } from './bounds.ts';
import type { Judges } from './decide.ts';
import { StartError } from './errors.ts';
import type { OnNoPolicy } from './policy/holder.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** What the agent was told by its environment. */
export interface Config {
  readonly url: string;
  readonly apiKey: string;
  readonly probeId: string;
  readonly host: string;
  readonly port: number;
  /** `null`: no port of its own for spans. */
  readonly otlpPort: number | null;
  /** `null`: spans alone. */
  readonly upstream: URL | null;
  /** `null`: the host of the model's server. */
  readonly provider: string | null;
  /** Absolute. */
  readonly dataDir: string;
  readonly bufferBytes: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly onNoPolicy: OnNoPolicy;
  readonly judges: Judges;
  readonly unknownRoutes: 'refuse' | 'pass';
  readonly bodyBytesMax: number;
  readonly timeoutS: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** One setting, as the help lists it. */
interface Setting<T> {
  readonly name: string;
  readonly meaning: string;
  /** `null`: it has to be set. Empty: unset is a value of its own. */
  readonly default: string | null;
  /** What a value may be, as the error says it. */
  readonly allowed: string;
  /** Not to be shown in errors. */
  readonly isSecret?: true;
  /** The value, or `undefined` when `text` is not allowed. */
  parse(text: string): T | undefined;
}

function oneOf<const T extends string>(values: readonly T[]): { allowed: string; parse(text: string): T | undefined } {
  return { allowed: `one of ${values.join(', ')}`, parse: (text) => values.find((value) => value === text) };
}

function wholeNumber(min: number, max: number): { allowed: string; parse(text: string): number | undefined } {
  const isWithin = (text: string) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return { allowed: `a whole number from ${min} to ${max}`, parse: (text) => (isWithin(text) ? Number(text) : undefined) };
}

function parseUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '';
  return isPlain ? url : undefined;
}

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$/.test(text) ? text : undefined;
}

/** One fewer than the service takes: the probe may have to say that something is wrong with the policy. */
const LABELS_MAX = 49;
const GROUP_CHARS_MAX = 100;

/** `group=checkout,region=eu-1` */
function parseLabels(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([^=\s][^=]{0,199}?)\s*=\s*(.{0,200}?)\s*$/.exec(pair));
  if (pairs.length > LABELS_MAX || pairs.includes(null)) return undefined;
  const labels = Object.fromEntries(pairs.map((pair) => [pair![1]!, pair![2]!]));
  return (labels['group']?.length ?? 0) > GROUP_CHARS_MAX ? undefined : labels;
}

/** The name of this machine, as far as names of probes may hold it. */
function ownName(): string {
  return (
    hostname()
      .replaceAll(/[^A-Za-z0-9._:-]+/g, '-')
      .slice(0, 128) || 'probe'
  );
}

/** Every setting, in the order of the help. */
export const SETTINGS = {
  url: {
    name: 'SVC_URL',
    meaning: 'Where the service is.',
    default: null,
    allowed: 'an http or https URL without user, query or fragment',
    parse: (text) => parseUrl(text)?.href,
  },
  apiKey: {
    name: 'SVC_API_KEY',
    meaning: 'A live or test key, or that of a service account, with assess:create and policy:read.',
    default: null,
    allowed: 'a key such as svc_live_…',
    isSecret: true,
    parse: (text) => (/^[\x21-\x7e]{16,200}$/.test(text) ? text : undefined),
  },
  upstream: {
    name: 'SVC_PROBE_UPSTREAM',
    meaning: 'The model’s server, OpenAI-compatible, with or without /v1. Unset: only spans are taken.',
    default: '',
    allowed: 'an http or https URL without user, query or fragment',
    parse: parseUrl,
  },
  probeId: {
    name: 'SVC_PROBE_ID',
    meaning: 'The probe’s own stable name. Unset: the name of the machine.',
    default: ownName(),
    allowed: '1 to 128 characters of A-Z a-z 0-9 . _ : -',
    parse: (text) => (PROBE_ID.test(text) ? text : undefined),
  },
  host: {
    name: 'SVC_PROBE_HOST',
    meaning: 'Address the probe listens on. 0.0.0.0 or :: for all.',
    default: '127.0.0.1',
    allowed: 'an IP address or a host name',
    parse: parseHost,
  },
  port: {
    name: 'SVC_PROBE_PORT',
    meaning: 'Port the probe listens on. 0: any free one.',
    default: '8181',
    ...wholeNumber(0, 65_535),
  },
  otlpPort: {
    name: 'SVC_PROBE_OTLP_PORT',
    meaning: 'Another port, for OpenTelemetry’s spans alone; theirs is 4318. They are taken at the first one too.',
    default: '',
    ...wholeNumber(0, 65_535),
  },
  dataDir: {
    name: 'SVC_PROBE_DATA_DIR',
    meaning: 'Folder of the policy and of what is not sent yet. For one probe alone.',
    default: './probe-data',
    allowed: 'a path',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
  },
  bufferBytes: {
    name: 'SVC_PROBE_BUFFER_BYTES',
    meaning: 'Most that waits on disk for the service. Beyond it the oldest decisions are dropped, and counted.',
    default: '1073741824',
    ...wholeNumber(BUFFER_BYTES_MIN, 1_000_000_000_000),
  },
  labels: {
    name: 'SVC_PROBE_LABELS',
    meaning: 'Labels, such as group=checkout,region=eu-1. Probes of one group are looked at together for drift.',
    default: '',
    allowed: `name=value, at most ${LABELS_MAX}, separated by commas; a group of at most ${GROUP_CHARS_MAX} characters`,
    parse: parseLabels,
  },
  provider: {
    name: 'SVC_PROBE_PROVIDER',
    meaning: 'Who serves the model, in reports. Unset: the host of the model’s server.',
    default: '',
    allowed: 'at most 100 visible characters',
    parse: (text) => (/^[\x20-\x7e]{1,100}$/.test(text) ? text : undefined),
  },
  onNoPolicy: {
    name: 'SVC_PROBE_ON_NO_POLICY',
    meaning:
      'Until a policy was fetched for the first time: default (the engine’s own policy decides) or block (nothing passes).',
    default: 'default',
    ...oneOf(['default', 'block']),
  },
  judges: {
    name: 'SVC_PROBE_JUDGES',
    meaning:
      'Judges of the policy, whom only the service can ask: on_error (as about one that fails) or skip (not asked, coverage partial).',
    default: 'on_error',
    ...oneOf(['on_error', 'skip']),
  },
  unknownRoutes: {
    name: 'SVC_PROBE_UNKNOWN_ROUTES',
    meaning: 'Requests below /v1 that the probe cannot assess: refuse, or pass (reported with coverage failed).',
    default: 'refuse',
    ...oneOf(['refuse', 'pass']),
  },
  bodyBytesMax: {
    name: 'SVC_PROBE_BODY_BYTES',
    meaning: 'Longest request and answer that are read.',
    default: '33554432',
    ...wholeNumber(65_536, 268_435_456),
  },
  timeoutS: {
    name: 'SVC_PROBE_TIMEOUT_S',
    meaning: 'For the model’s server to begin its answer, and between its pieces.',
    default: '600',
    ...wholeNumber(1, 3_600),
  },
  logLevel: {
    name: 'SVC_PROBE_LOG_LEVEL',
    meaning: 'How much is logged. Nothing of what is said, at any level.',
    default: 'info',
    ...oneOf(LOG_LEVELS),
  },
} satisfies { [K in keyof Config]: Setting<NonNullable<Config[K]>> };

/** Reads the settings. An empty variable counts as unset. Throws a `StartError` for a value that is not allowed, and for one that is likely a typo. */
// oxlint-disable-next-line node/no-process-env -- this is the file that reads it
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const known = new Set<string>(Object.values(SETTINGS).map(({ name }) => name));
  const unknown = Object.keys(env).find((name) => name.startsWith('SVC_PROBE_') && !known.has(name));
  if (unknown !== undefined) throw new StartError(`${unknown} is not a setting of svc-probe. svc-probe --help lists them.`);
  const entries = Object.entries(SETTINGS).map(([key, setting]) => [key, readSetting(setting as Setting<unknown>, env)]);
  const config = Object.fromEntries(entries) as Config & { labels: Config['labels'] | null };
  return { ...config, labels: config.labels ?? {} };
}

function readSetting<T>(setting: Setting<T>, env: Readonly<Record<string, string | undefined>>): T | null {
  const given = env[setting.name];
  const text = given === undefined || given === '' ? setting.default : given;
  if (text === null) throw new StartError(`${setting.name} is not set: ${setting.allowed}. svc-probe --help lists all settings.`);
  if (text === '') return null;
  const value = setting.parse(text);
  if (value !== undefined) return value;
  const shown = setting.isSecret === true ? 'a value that is not shown here because it is secret' : `'${text}'`;
  throw new StartError(`${setting.name} is ${shown}; allowed is ${setting.allowed}.`);
}

/** What `--help` prints. */
export function helpText(): string {
  const lines = Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const value =
      setting.default === null ? 'required' : setting.default === '' ? 'default: unset' : `default: ${setting.default}`;
    return `  ${setting.name}  (${value})\n      ${setting.meaning}`;
  });
  return [
    'svc-probe stands in front of a model: it assesses what goes in and what comes out by the policy of the service, on this machine,',
    'also while the service is away, and reports what it decided. It is set by the environment:',
    '',
    ...lines,
    '',
    'Point an OpenAI client at http://<host>:<port>/v1, and exporters of OpenTelemetry at http://<host>:<port>/otlp.',
    'GET /probe/status tells how it is.',
    '',
  ].join('\n');
}
