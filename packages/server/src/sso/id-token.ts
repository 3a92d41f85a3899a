// ID tokens of identity providers: is this one genuine, fresh, and meant for us? (OpenID Connect Core 1.0 §3.1.3.7, RFC 8725)

import { hash } from 'node:crypto';
import { decodeJwt, jwtVerify, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { IssuerError, type Issuers } from './issuer.ts';

// Never `none`, and never HS*: a public key must not serve as a shared secret. `Ed25519` is the newer name of `EdDSA` (RFC 9864).
const ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

// Tokens with hundreds of groups stay below it; providers leave groups out above some hundreds.
const TOKEN_LENGTH_MAX = 16_384;

// How far the clock of a provider may be from ours.
const SKEW_SECONDS = 60;
const AGE_SECONDS_MAX = 600;

// OpenID Connect Core 1.0 §2.
const SUBJECT_LENGTH_MAX = 255;

// Of issuers and client ids.
const NAME_LENGTH_MAX = 2_048;
const AUDIENCES_MAX = 100;

// The last day that a Date can hold.
const TIME_SECONDS_MAX = 8.64e12;

/** What a token must say. `nonce`: when set, the token must have the same one. */
export interface IdTokenRules {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce?: string;
}

/** What a genuine token says. Times are Unix milliseconds. */
export interface IdTokenClaims {
  /** 1–255 characters, none of them a control character. Unique at this issuer only. */
  readonly subject: string;
  readonly issuedAtMs: number;
  /** When the person signed in at the provider; `null` when the token does not say it in a form that can be used. */
  readonly authTimeMs: number | null;
  readonly expiresAtMs: number;
  readonly claims: Readonly<Record<string, unknown>>;
  /** SHA-256 of header.payload: the signature is left out because ECDSA and base64 let another spelling of it verify too. For single use. */
  readonly digest: Buffer;
}

/** A token that is not accepted. `reason` is for the log, never for the client. */
export class IdTokenRefused extends Error {
  override readonly name = 'IdTokenRefused';
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`the ID token is refused: ${reason}`, options);
    this.reason = reason;
  }
}

/** Checks all there is to check of a token but its single use. `nowMs`: Unix milliseconds. Throws `IdTokenRefused`, or `IssuerError`. */
export async function verifyIdToken(
  issuers: Issuers,
  rules: IdTokenRules,
  idToken: string,
  nowMs: number,
): Promise<IdTokenClaims> {
  if (idToken.length > TOKEN_LENGTH_MAX) throw new IdTokenRefused(`longer than ${TOKEN_LENGTH_MAX} characters`);
  const { payload, protectedHeader } = await verifySignatureAndTimes(issuers, rules, idToken, nowMs);
  checkType(protectedHeader, payload);
  checkAuthorizedParty(payload, rules.clientId);
  if (rules.nonce !== undefined && payload['nonce'] !== rules.nonce) throw new IdTokenRefused('another nonce');
  return {
    subject: subjectOf(payload),
    issuedAtMs: issuedAtOf(payload, nowMs / 1_000) * 1_000,
    authTimeMs: authTimeMsOf(payload, nowMs),
    expiresAtMs: expiryOf(payload) * 1_000,
    claims: payload,
    digest: hash('sha256', idToken.slice(0, idToken.lastIndexOf('.')), 'buffer'),
  };
}

/** Issuer and audiences of a token that is not verified yet, to find whose it is; `null` when it is no such JWT. Reads at most 16 KiB. */
export function peekIdToken(idToken: string): { issuer: string; audiences: readonly string[] } | null {
  if (idToken.length > TOKEN_LENGTH_MAX) return null;
  const payload = decode(idToken);
  if (payload === null) return null;
  const { iss: issuer, aud } = payload;
  const audiences = typeof aud === 'string' ? [aud] : aud;
  if (!isName(issuer) || !Array.isArray(audiences)) return null;
  return audiences.length >= 1 && audiences.length <= AUDIENCES_MAX && audiences.every(isName) ? { issuer, audiences } : null;
}

async function verifySignatureAndTimes(issuers: Issuers, { issuer, clientId }: IdTokenRules, idToken: string, nowMs: number) {
  try {
    return await jwtVerify(idToken, issuers.keysOf(issuer), {
      algorithms: ALGORITHMS,
      issuer,
      audience: clientId,
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(nowMs),
    });
  } catch (err) {
    if (err instanceof IssuerError) throw err;
    throw new IdTokenRefused(err instanceof Error ? err.message : 'unknown', { cause: err });
  }
}

/** Other tokens of the same provider, with the same claims, are no ID tokens: access tokens (RFC 9068), logout tokens and events (RFC 8417). */
function checkType({ typ }: JWTHeaderParameters, payload: JWTPayload): void {
  const isPlain = typ === undefined || (typeof typ === 'string' && /^(application\/)?jwt$/i.test(typ));
  if (!isPlain || payload['events'] !== undefined) throw new IdTokenRefused('a token of another type');
}

/** OpenID Connect Core 1.0 §3.1.3.7, rules 4 and 5: a token for several, or one that names its party, was issued to that party alone. */
function checkAuthorizedParty(payload: JWTPayload, clientId: string): void {
  const azp = payload['azp'];
  const isForSeveral = Array.isArray(payload.aud) && payload.aud.length > 1;
  if ((isForSeveral || azp !== undefined) && azp !== clientId) throw new IdTokenRefused('issued to another client (azp)');
}

/** Half characters are refused: stored, different ones would read the same. */
function subjectOf({ sub }: JWTPayload): string {
  if (!isName(sub) || sub.length > SUBJECT_LENGTH_MAX) {
    throw new IdTokenRefused(`sub is not 1–${SUBJECT_LENGTH_MAX} characters without control characters`);
  }
  return sub;
}

function issuedAtOf({ iat }: JWTPayload, nowSeconds: number): number {
  if (typeof iat !== 'number' || nowSeconds - iat > AGE_SECONDS_MAX) throw new IdTokenRefused('issued more than ten minutes ago');
  if (iat - nowSeconds > SKEW_SECONDS) throw new IdTokenRefused('issued in the future');
  return iat;
}

/** That it has not passed is checked before. */
function expiryOf({ exp }: JWTPayload): number {
  if (typeof exp !== 'number' || exp > TIME_SECONDS_MAX) throw new IdTokenRefused('exp is no time');
  return exp;
}

function authTimeMsOf(payload: JWTPayload, nowMs: number): number | null {
  const authTime = payload['auth_time'];
  if (typeof authTime !== 'number') return null;
  return authTime >= 0 && authTime * 1_000 <= nowMs + SKEW_SECONDS * 1_000 ? authTime * 1_000 : null;
}

function decode(idToken: string): JWTPayload | null {
  try {
    return decodeJwt(idToken);
  } catch {
    return null;
  }
}

function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > NAME_LENGTH_MAX) return false;
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}
