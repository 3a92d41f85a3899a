// Words of names that promise a credential.

import type { Kind } from './clue.ts';

/** A word of names and what it promises. */
export interface NameWord {
  readonly type: string;
  readonly label: string;
  readonly kind: Kind;
  /** False when the word may follow letters directly, as in `dbpassword`. */
  readonly whole: boolean;
  /** How many characters of the anchor follow the word. */
  readonly trim: number;
}

function word(type: string, label: string, kind: Kind, whole = false): NameWord {
  return { type, label, kind, whole, trim: 0 };
}

// Words as short as `pw` stand inside many others: only with what follows a name are they anchors.
const NAME_ENDS = ['=', ' =', ':', '"', "'", ' :', '>', '\\"'];

function short(literal: string, type: string, label: string, kind: Kind): [string, NameWord][] {
  return NAME_ENDS.map((ending) => [literal + ending, { type, label, kind, whole: true, trim: ending.length }]);
}

/** By anchor, what a name with it promises. */
export const NAME_WORDS: Readonly<Record<string, NameWord>> = {
  password: word('password', 'a password', 'password'),
  passwd: word('password', 'a password', 'password'),
  passwort: word('password', 'a password', 'password'),
  pass_word: word('password', 'a password', 'password'),
  passphrase: word('password', 'a passphrase', 'password'),
  passcode: word('password', 'a passcode', 'password'),
  contraseña: word('password', 'a password', 'password'),
  'mot de passe': word('password', 'a password', 'password'),
  kennwort: word('password', 'a password', 'password', true),
  wachtwoord: word('password', 'a password', 'password', true),
  senha: word('password', 'a password', 'password', true),
  lozinka: word('password', 'a password', 'password', true),
  haslo: word('password', 'a password', 'password', true),
  hasło: word('password', 'a password', 'password', true),
  parola: word('password', 'a password', 'password', true),
  sifre: word('password', 'a password', 'password', true),
  clave: word('password', 'a password', 'password', true),
  пароль: word('password', 'a password', 'password', true),
  密码: word('password', 'a password', 'password'),
  pwd: word('password', 'a password', 'password'),
  pass: word('password', 'a password', 'password', true),
  psw: word('password', 'a password', 'password', true),
  securestring: word('password', 'a password', 'password'),
  ...Object.fromEntries([
    ...short('pw', 'password', 'a password', 'password'),
    ...short('psk', 'password', 'a password', 'password'),
    ...short('pin', 'password', 'a PIN', 'password'),
    ...short('iv', 'nonce', 'an initialization vector', 'salt'),
    ...short('sid', 'session_id', 'a session', 'weak'),
    ...short('pepper', 'salt', 'a salt', 'salt'),
  ]),
  credential: word('credential', 'a credential', 'password'),
  creds: word('credential', 'a credential', 'password', true),
  secret: word('secret', 'a secret', 'key'),
  token: word('token', 'a token', 'key'),
  jwt: word('token', 'a token', 'key', true),
  sessionid: word('session_id', 'a session', 'weak'),
  sessid: word('session_id', 'a session', 'weak'),
  'sig=': { ...word('token', 'a signature', 'weak', true), trim: 1 },
  'appid=': { ...word('api_key', 'a key', 'weak', true), trim: 1 },
  key: word('api_key', 'a key', 'key', true),
  authorization: word('authorization_header', 'an authorization header', 'key', true),
  auth: word('token', 'an authentication value', 'weak', true),
  salt: word('salt', 'a salt', 'salt', true),
  nonce: word('nonce', 'a nonce', 'salt', true),
  seed: word('seed', 'a seed', 'salt', true),
};
