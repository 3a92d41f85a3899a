package svc.client;

/** 413 {@code payload_too_large}. */
public final class PayloadTooLargeException extends ApiException {
  private static final long serialVersionUID = 1;

  PayloadTooLargeException(Refusal refusal) {
    super(refusal);
  }
}
