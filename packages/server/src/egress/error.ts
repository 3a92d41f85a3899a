// Why a call did not come to an answer, in sentences a tenant may read: they name no address and quote no message of the system, which
// would tell what a name resolves to inside. The log finds that in `cause`.

import { errors } from 'undici';

/** `blocked`: the guard refused the address. `timeout`: the deadline passed before the headers of the answer came. `busy`: nothing was
 * sent, because too many calls were under way. */
type EgressErrorKind = 'blocked' | 'invalid_url' | 'dns' | 'connect' | 'tls' | 'timeout' | 'busy' | 'protocol' | 'aborted';

/** A call that did not come to an answer. The message is a public sentence. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
  readonly kind: EgressErrorKind;

  constructor(kind: EgressErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** What is wrong with the address of a URL, as the rest of a sentence that begins with "The URL". */
export class UrlError extends EgressError {
  readonly fault: string;

  constructor(kind: 'blocked' | 'invalid_url' | 'dns', fault: string, cause?: unknown) {
    super(kind, `The URL ${fault}.`, cause);
    this.fault = fault;
  }
}

/** A name whose addresses may not be called; which they are stays inside. */
export function blockedName(): UrlError {
  return new UrlError('blocked', 'resolves to an address that may not be called');
}

const SELF_SIGNED = 'is self-signed';
const UNKNOWN_ISSUER = 'is not signed by a known authority, or an intermediate certificate is missing';

/** OpenSSL's and Node's codes of the faults an operator of a receiver can mend. */
const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: SELF_SIGNED,
  SELF_SIGNED_CERT_IN_CHAIN: SELF_SIGNED,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name',
};

/** A failure before the first byte could be sent. `isConnected`: TCP stood, so it was TLS. */
export function connectError(err: Error, isConnected: boolean): EgressError {
  if (err instanceof EgressError) return err;
  const code = codeOf(err);
  if (isConnected) {
    const fault = CERTIFICATE_FAULTS[code];
    const message =
      fault === undefined ? 'TLS 1.2 or newer could not be agreed on with the host.' : `The certificate of the host ${fault}.`;
    return new EgressError('tls', message, err);
  }
  return new EgressError(
    'connect',
    code === 'ECONNREFUSED' ? 'The host refused the connection.' : 'The host could not be reached.',
    err,
  );
}

/** A failure on a connection that stood. */
export function exchangeError(err: Error): EgressError {
  if (err instanceof EgressError) return err;
  const code = codeOf(err);
  if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
    return new EgressError('protocol', 'The request has a header that cannot be sent.', err);
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new EgressError('protocol', 'The headers of the answer are too long.', err);
  if (err instanceof errors.HTTPParserError)
    return new EgressError('protocol', 'The host answered with something other than HTTP/1.1.', err);
  return new EgressError('protocol', 'The host closed the connection before it answered.', err);
}

function codeOf(err: Error): string {
  return 'code' in err && typeof err.code === 'string' ? err.code : '';
}
