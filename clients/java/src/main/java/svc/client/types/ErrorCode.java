// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** Codes of errors. A later service may have others. */
public final class ErrorCode {
  /** {@code invalid_request}. */
  public static final String INVALID_REQUEST = "invalid_request";
  /** {@code unauthorized}. */
  public static final String UNAUTHORIZED = "unauthorized";
  /** {@code token_expired}. */
  public static final String TOKEN_EXPIRED = "token_expired";
  /** {@code insufficient_permissions}. */
  public static final String INSUFFICIENT_PERMISSIONS = "insufficient_permissions";
  /** {@code ip_not_allowed}. */
  public static final String IP_NOT_ALLOWED = "ip_not_allowed";
  /** {@code not_found}. */
  public static final String NOT_FOUND = "not_found";
  /** {@code method_not_allowed}. */
  public static final String METHOD_NOT_ALLOWED = "method_not_allowed";
  /** {@code not_acceptable}. */
  public static final String NOT_ACCEPTABLE = "not_acceptable";
  /** {@code conflict}. */
  public static final String CONFLICT = "conflict";
  /** {@code precondition_failed}. */
  public static final String PRECONDITION_FAILED = "precondition_failed";
  /** {@code payload_too_large}. */
  public static final String PAYLOAD_TOO_LARGE = "payload_too_large";
  /** {@code unsupported_media_type}. */
  public static final String UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type";
  /** {@code idempotency_mismatch}. */
  public static final String IDEMPOTENCY_MISMATCH = "idempotency_mismatch";
  /** {@code rate_limited}. */
  public static final String RATE_LIMITED = "rate_limited";
  /** {@code internal_error}. */
  public static final String INTERNAL_ERROR = "internal_error";
  /** {@code unavailable}. */
  public static final String UNAVAILABLE = "unavailable";

  private ErrorCode() {}
}
