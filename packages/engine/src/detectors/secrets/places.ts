// Places that hold a credential by their syntax: URLs with a password, authorization schemes, command line logins, key blocks.

import { isBasicCredentials } from './checksum.ts';
import { RANK } from './match.ts';
import type { Match, Probe } from './match.ts';
import { isPlaceholder, isReference } from './placeholder.ts';
import { judge } from './value.ts';

type Finding = Pick<Match, 'type' | 'score' | 'severity' | 'explanation'> & Partial<Match>;

function place(start: number, end: number, finding: Finding): Match {
  return { start, end, method: 'pattern+context', preview: null, rank: RANK.place, ...finding };
}

const USER_PASSWORD_HOST = /([^\s/?#:@"'`<>]{0,128}):([^\s/"'`<>]{1,256})@(?=[\w[{.-])/y;
const SCHEME_BEFORE = /([a-z][a-z0-9+.-]{1,30}):\/\/$/i;
const DATABASE =
  /^(?:postgres|mysql|mariadb|mongodb|redis|amqp|mssql|sqlserver|oracle|clickhouse|cockroach|cassandra|couchbase|neo4j|bolt|jdbc|kafka|db2|snowflake|valkey)/i;
const PUBLIC_PASSWORD =
  /^(?:pass|passwd|password|pwd|user|username|root|admin|postgres|mysql|guest|test|secret|token|example|mypass(?:word)?|.{1,3})$/i;

/** `scheme://user:password@host`. */
export const probeUrl: Probe = (text, _start, end) => {
  USER_PASSWORD_HOST.lastIndex = end;
  const found = USER_PASSWORD_HOST.exec(text);
  if (found === null) return null;
  const password = found[2]!;
  if (
    PUBLIC_PASSWORD.test(password) ||
    isPlaceholder(password) ||
    isReference(password) ||
    /[{}$%][({A-Za-z]|[()]{2}/.test(password.slice(0, 2))
  )
    return null;
  const scheme = SCHEME_BEFORE.exec(text.slice(Math.max(0, end - 34), end))?.[1] ?? '';
  const isDatabase = DATABASE.test(scheme);
  const at = end + found[1]!.length + 1;
  return place(at, at + password.length, {
    type: isDatabase ? 'database_url_password' : 'url_password',
    score: judge({ text: password, quoted: true }, 'password') >= 0.6 ? 0.9 : 0.7,
    severity: 'high',
    explanation: `The password part of a ${isDatabase ? 'database ' : ''}URL.`,
  });
};

const BEARER_VALUE = /[A-Za-z0-9_~+/=-]{1,512}(?:\.[A-Za-z0-9_~+/=-]{1,512}){0,4}/y;

/** `Bearer x`: in headers, code and documents. */
export const probeBearer: Probe = (text, _start, end) => {
  BEARER_VALUE.lastIndex = end;
  const value = BEARER_VALUE.exec(text)?.[0];
  if (value === undefined) return null;
  const score = judge({ text: value, quoted: false }, 'key');
  if (score < 0.5) return null;
  const explanation = 'Stands after the Bearer scheme and looks drawn by lot.';
  return place(end, end + value.length, { type: 'bearer_token', score: Math.max(score, 0.8), severity: 'high', explanation });
};

const BASE64_VALUE = /[A-Za-z0-9+/]{8,512}={0,2}/y;

/** `Basic x`, where x is the base64 of `user:password`. */
export const probeBasic: Probe = (text, _start, end) => {
  BASE64_VALUE.lastIndex = end;
  const value = BASE64_VALUE.exec(text)?.[0];
  if (value === undefined || value.length % 4 === 1 || !isBasicCredentials(value)) return null;
  const explanation = 'Stands after the Basic scheme and decodes to a user name and a password.';
  return place(end, end + value.length, {
    type: 'basic_auth_header',
    score: 0.9,
    severity: 'high',
    method: 'pattern',
    explanation,
  });
};

const LOGIN = /[ =]{0,2}\\?["']?([^\s:"'$<>{}/\\]{1,64}|\{[^}\s]{1,64}\}"?):\\?["']?([^\s"'$<>\\]{3,128})/y;

/** `curl -u user:password`. */
export const probeLogin: Probe = (text, start, end) => {
  LOGIN.lastIndex = end;
  const found = LOGIN.exec(text);
  if (found === null || !/\b(?:curl|wget|http|https|httpie)\b/.test(text.slice(Math.max(0, start - 256), start))) return null;
  const password = found[2]!;
  if (PUBLIC_PASSWORD.test(password) || judge({ text: password.replace(/^\{(.*)\}$/, '$1'), quoted: true }, 'password') < 0.5)
    return null;
  const last = LOGIN.lastIndex;
  const explanation = 'The password of a login on a command line.';
  return place(last - password.length, last, { type: 'command_line_password', score: 0.8, severity: 'high', explanation });
};
