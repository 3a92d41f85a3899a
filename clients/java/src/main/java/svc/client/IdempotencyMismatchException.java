package svc.client;

/** 422 {@code idempotency_mismatch}: the key was used with another body. */
public final class IdempotencyMismatchException extends ApiException {
  private static final long serialVersionUID = 1;

  IdempotencyMismatchException(Refusal refusal) {
    super(refusal);
  }
}
