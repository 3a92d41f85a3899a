// What can go wrong, as classes: `catch (err) { if (err instanceof RateLimitError) … }`.

/** Whatever this library throws of its own. */
export class SvcError extends Error {
  override readonly name: string = 'SvcError';
}

/** One place in a request that is wrong. */
export interface ErrorDetail {
  /** JSON Pointer: `/events/0`; of a query, `/query/limit`. */
  readonly pointer: string;
  readonly message: string;
}

/** What the service said when it refused. */
interface Refusal {
  readonly status: number;
  /** Stable, for programs: `invalid_request`. */
  readonly code: string;
  readonly message: string;
  /** To name when you ask for help; `null` when an answer came from something in between. */
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  /** Seconds; `null`: it did not say. */
  readonly retryAfter: number | null;
}

/** The service refused the request, or failed. */
export class ApiError extends SvcError {
  override readonly name: string = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  /** Seconds after which the same request may succeed; `null`: the service did not say. */
  readonly retryAfter: number | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.requestId = refusal.requestId;
    this.details = refusal.details;
    this.retryAfter = refusal.retryAfter;
  }

  /** All that the service said: `NotFoundError: There is no such event. (404 not_found, request req_…)`, and a line for each detail. */
  override toString(): string {
    const request = this.requestId === null ? '' : `, request ${this.requestId}`;
    const details = this.details.map(({ pointer, message }) => `\n  ${pointer === '' ? '' : `${pointer}: `}${message}`);
    return `${this.name}: ${this.message} (${this.status} ${this.code}${request})${details.join('')}`;
  }
}

/** 400 `invalid_request`: `details` names each place. */
export class InvalidRequestError extends ApiError {
  override readonly name = 'InvalidRequestError';
}
/** 401 `unauthorized`: no credential, or one that does not hold. */
export class UnauthorizedError extends ApiError {
  override readonly name = 'UnauthorizedError';
}
/** 401 `token_expired`: refresh the session token, or sign in again. */
export class TokenExpiredError extends ApiError {
  override readonly name = 'TokenExpiredError';
}
/** 403 `insufficient_permissions`: the message names the scope. */
export class InsufficientPermissionsError extends ApiError {
  override readonly name = 'InsufficientPermissionsError';
}
/** 403 `ip_not_allowed`: this machine's address is outside the allowlist. */
export class IpNotAllowedError extends ApiError {
  override readonly name = 'IpNotAllowedError';
}
/** 404 `not_found`: nothing of that name in this organization. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409 `conflict`: the state of things does not allow it. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 412 `precondition_failed`: it was changed since it was read. */
export class PreconditionFailedError extends ApiError {
  override readonly name = 'PreconditionFailedError';
}
/** 413 `payload_too_large`. */
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError';
}
/** 422 `idempotency_mismatch`: the key was used with another body. */
export class IdempotencyMismatchError extends ApiError {
  override readonly name = 'IdempotencyMismatchError';
}
/** 429 `rate_limited`, after all retries, or with a wait that is longer than `maxRetryWaitMs`: `retryAfter` says how long. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 5xx, after all retries. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

/** The service was not reached, or broke off, after all retries. `cause` has why. */
export class ConnectionError extends SvcError {
  override readonly name: string = 'ConnectionError';
}
/** It did not answer within `timeoutMs`, after all retries. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

const BY_CODE: ReadonlyMap<string, new (refusal: Refusal) => ApiError> = new Map<string, new (refusal: Refusal) => ApiError>([
  ['invalid_request', InvalidRequestError],
  ['unauthorized', UnauthorizedError],
  ['token_expired', TokenExpiredError],
  ['insufficient_permissions', InsufficientPermissionsError],
  ['ip_not_allowed', IpNotAllowedError],
  ['not_found', NotFoundError],
  ['conflict', ConflictError],
  ['precondition_failed', PreconditionFailedError],
  ['payload_too_large', PayloadTooLargeError],
  ['idempotency_mismatch', IdempotencyMismatchError],
  ['rate_limited', RateLimitError],
]);

/** The error of an answer. `body`: as it was read, JSON or not. */
export function apiErrorOf(status: number, headers: Headers, body: string): ApiError {
  const error = errorMembers(body);
  const code = textOf(error['code']) ?? 'unknown';
  const refusal: Refusal = {
    status,
    code,
    message: textOf(error['message']) ?? `The service answered with status ${status}.`,
    requestId: textOf(error['request_id']) ?? headers.get('x-svc-request-id'),
    details: Array.isArray(error['details']) ? error['details'].filter(isDetail) : [],
    retryAfter: retryAfterOf(headers),
  };
  const known = BY_CODE.get(code) ?? (status === 429 ? RateLimitError : status >= 500 ? ServerError : ApiError);
  return new known(refusal);
}

/** `Retry-After` in seconds, also where a date was given (RFC 9110 §10.2.3); `null`: there is none that can be read. */
function retryAfterOf(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const ms = httpDateMs(value);
  return ms === null ? null : Math.max(0, Math.ceil((ms - Date.now()) / 1_000));
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is still written (RFC 9110 §5.6.7). `Date.parse` would take `1.5` for a date, too. */
function httpDateMs(value: string): number | null {
  const match = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/.exec(value);
  const month = MONTHS.indexOf(match?.[2] ?? '');
  if (match === null || month < 0) return null;
  const [, day, , year, hour, minute, second] = match.map(Number);
  return Date.UTC(year!, month, day, hour, minute, second);
}

function errorMembers(body: string): Readonly<Record<string, unknown>> {
  try {
    const { error } = JSON.parse(body) as { error?: unknown };
    return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isDetail(detail: unknown): detail is ErrorDetail {
  if (typeof detail !== 'object' || detail === null) return false;
  const { pointer, message } = detail as Partial<Record<keyof ErrorDetail, unknown>>;
  return typeof pointer === 'string' && typeof message === 'string';
}
