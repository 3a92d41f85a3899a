// Session tokens: JWTs of one hour (RFC 9068), signed by the service and verified by it.

import { errors, jwtVerify, SignJWT } from 'jose';
import { randomUUID } from 'node:crypto';
import type { Refusal } from '../access/authenticator.ts';
import { ALGORITHM, type SigningKeys } from './signing-keys.ts';

/** Seconds for which a token is good. */
export const TOKEN_SECONDS = 3_600;
const AUDIENCE = 'svc';
const TYPE = 'at+jwt';

/** What a token says, beside who issued it and for whom. Times are Unix seconds. */
interface TokenClaims {
  readonly sub: string;
  readonly org: string;
  /** Separated by spaces. */
  readonly scope: string;
  readonly sid: string;
  readonly auth_time: number;
}

export class SessionTokens {
  readonly #keys: SigningKeys;
  #issuer = '';

  constructor(keys: SigningKeys) {
    this.#keys = keys;
  }

  /** Under what name tokens are issued: the address of the service, which is known once it listens. Verification trusts keys, not names. */
  set issuer(url: string) {
    this.#issuer = url;
  }

  /** A new token, and the Unix milliseconds at which it expires. */
  async issue(claims: TokenClaims, nowMs: number): Promise<{ token: string; expiresAtMs: number }> {
    const { id, key } = this.#keys.signing;
    const iat = Math.floor(nowMs / 1_000);
    const exp = iat + TOKEN_SECONDS;
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: id })
      .setIssuer(this.#issuer)
      .setAudience(AUDIENCE)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .setJti(randomUUID())
      .sign(key);
    return { token, expiresAtMs: exp * 1_000 };
  }

  /** What a token says, or why it is refused: `token_expired` from the very second of its expiry, when all else about it is right. */
  async verify(token: string, nowMs: number): Promise<(TokenClaims & { readonly exp: number }) | Refusal> {
    try {
      const { payload } = await jwtVerify<TokenClaims & { exp: number }>(
        token,
        ({ kid }) => {
          const key = kid === undefined ? null : this.#keys.verifying(kid);
          if (key === null) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: [ALGORITHM],
          typ: TYPE,
          audience: AUDIENCE,
          requiredClaims: ['sub', 'org', 'sid', 'exp'],
          currentDate: new Date(nowMs),
        },
      );
      return payload;
    } catch (err) {
      if (err instanceof errors.JWTExpired) return 'token_expired';
      if (err instanceof errors.JOSEError) return 'unauthorized';
      throw err;
    }
  }
}
