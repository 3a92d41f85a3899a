// Every error code of the API, once. docs/reference/errors.md is generated from this catalogue.

export const ERRORS = {
  invalid_request: {
    status: 400,
    meaning: 'The request cannot be read or breaks its schema. `details` names each place by JSON Pointer.',
  },
  unauthorized: {
    status: 401,
    meaning:
      'No credential, or one that is malformed, unknown, revoked or expired, or a refused `sso_token`. Which of these is not told.',
  },
  token_expired: { status: 401, meaning: 'The session token has expired. Sign in again.' },
  insufficient_permissions: {
    status: 403,
    meaning: 'The credential lacks the scope that the message names, or `X-Svc-Org-Id` is another organization’s.',
  },
  ip_not_allowed: { status: 403, meaning: 'The request comes from an address outside of the service account’s allowlist.' },
  not_found: { status: 404, meaning: 'There is no such resource in this organization.' },
  method_not_allowed: { status: 405, meaning: 'The path exists, the method does not. `Allow` lists those that do.' },
  not_acceptable: { status: 406, meaning: 'The `Accept` header refuses what this operation answers with.' },
  conflict: {
    status: 409,
    meaning: 'The state of the resource forbids it, or a request with the same idempotency key is still in flight.',
  },
  precondition_failed: {
    status: 412,
    meaning: '`If-Match` names another version than the current one. Read it again, then repeat.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than the operation takes, or holds more items than the plan’s batch size.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json`, or is packed where the operation does not take that.',
  },
  idempotency_mismatch: { status: 422, meaning: 'The `Idempotency-Key` was used with another payload.' },
  rate_limited: { status: 429, meaning: 'A limit is used up. Wait `Retry-After` seconds; `details` names the limit.' },
  internal_error: { status: 500, meaning: 'A fault of the service. It is logged under the request id.' },
  unavailable: { status: 503, meaning: 'The service cannot answer right now. Repeat after `Retry-After` seconds.' },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One place in the request and what is wrong there. `pointer` is a JSON Pointer (RFC 6901) into the body, or `/query/<name>`. */
export interface ErrorDetail {
  readonly pointer: string;
  readonly message: string;
}

/** A refusal with a stable code. `message` is public: one sentence a person can act on, never holding secrets or texts. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Response headers that belong to it, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: readonly ErrorDetail[]; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** `404` in the same words whether the resource never existed or is another organization's. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `No such ${what} in this organization.`);
}

/** `401`, in the same words whatever is wrong with the credential. */
export function unauthorized(): AppError {
  return new AppError(
    'unauthorized',
    'A valid credential is needed: an API key or a session token as Authorization: Bearer, or a sign-in that is accepted.',
    { headers: { 'www-authenticate': 'Bearer' } },
  );
}

/** `401` for a session token of ours whose time is up. */
export function tokenExpired(): AppError {
  return new AppError('token_expired', 'The session token has expired. Sign in again.', {
    headers: { 'www-authenticate': 'Bearer error="invalid_token", error_description="The token expired"' },
  });
}

/** `400` for one place. */
export function invalid(pointer: string, message: string): AppError {
  return new AppError('invalid_request', 'The request is not valid.', { details: [{ pointer, message }] });
}

/** The body that every failure answers with. */
export function errorBody(error: Pick<AppError, 'code' | 'message' | 'details'>, requestId: string) {
  return { error: { code: error.code, message: error.message, request_id: requestId, details: error.details } };
}
