package svc.client;

/** 401 {@code token_expired}: refresh the session token, or sign in again. */
public final class TokenExpiredException extends ApiException {
  private static final long serialVersionUID = 1;

  TokenExpiredException(Refusal refusal) {
    super(refusal);
  }
}
