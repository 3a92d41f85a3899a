// Cookies of the dashboard: a session's id under a MAC, and the token that writes must repeat in a header.

import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { deriveKey } from '../access/master-key.ts';
import { formatId, parseId } from '../ids.ts';

const COOKIES_CHARS_MAX = 8_192;

export class SessionCookies {
  readonly #secret: KeyObject;
  readonly #isPublic: boolean;
  #origin = '';

  /** `isPublic`: the operator has said under which address the service is reached. */
  constructor(master: Buffer, isPublic: boolean) {
    this.#isPublic = isPublic;
    this.#secret = createSecretKey(deriveKey(master, 'session cookie'));
  }

  /** The address of the service, which is known once it listens: where cookies are set, and from where writes by cookie must come. */
  set origin(url: string) {
    this.#origin = new URL(url).origin;
  }

  get origin(): string {
    return this.#origin;
  }

  /** A cookie that only this host can have set, where it is reached by TLS (RFC 6265bis §4.1.3.2). */
  nameOf(purpose: 'session' | 'sign_in'): string {
    return this.#isSecure ? `__Host-svc_${purpose}` : `svc_${purpose}`;
  }

  /** The value of the cookie for `purpose` among those of a request. */
  find(purpose: 'session' | 'sign_in', header: string | undefined): string | undefined {
    if (header === undefined || header.length > COOKIES_CHARS_MAX) return undefined;
    const start = `${this.nameOf(purpose)}=`;
    for (const pair of header.split(';')) {
      const text = pair.trim();
      if (text.startsWith(start)) return text.slice(start.length);
    }
    return undefined;
  }

  /** A Set-Cookie header. Lax: links to the dashboard find one signed in, requests of other sites do not. */
  set(purpose: 'session' | 'sign_in', value: string, maxAgeSeconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    return `${this.nameOf(purpose)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
  }

  /** The value of a session's cookie. */
  seal(orgId: Buffer, sessionId: Buffer): string {
    const text = `${formatId('org', orgId)}.${formatId('ses', sessionId)}`;
    return `${text}.${this.#mac('session', text)}`;
  }

  /** The session that a cookie names; `null` for one that was not made here. */
  open(cookie: string): { orgId: Buffer; sessionId: Buffer } | null {
    const [org = '', ses = '', mac = '', ...rest] = cookie.split('.');
    if (rest.length > 0 || !isSame(mac, this.#mac('session', `${org}.${ses}`))) return null;
    const orgId = parseId('org', org);
    const sessionId = parseId('ses', ses);
    return orgId === null || sessionId === null ? null : { orgId, sessionId };
  }

  /** What writes by cookie repeat in `X-Svc-CSRF`: other sites cannot read it. */
  csrfToken(sessionId: string): string {
    return this.#mac('csrf', sessionId);
  }

  /**
   * True when a write by cookie was made by a page of this service: of its public address or, where none is set, of the host that was asked
   * (`localhost` is as good as `127.0.0.1`). A cookie belongs to one host, so a foreign page cannot make the two equal and have it.
   */
  isOwnWrite(sessionId: string, origin: string | undefined, host: string | undefined, csrfToken: string | undefined): boolean {
    const isOwn = origin === this.#origin || (!this.#isPublic && host !== undefined && origin === `http://${host}`);
    return isOwn && csrfToken !== undefined && isSame(csrfToken, this.csrfToken(sessionId));
  }

  get #isSecure(): boolean {
    return this.#origin.startsWith('https:');
  }

  #mac(purpose: string, text: string): string {
    return createHmac('sha256', this.#secret).update(`${purpose} ${text}`).digest('base64url');
  }
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}
