package svc.client;

/** 400 {@code invalid_request}: {@link #details} names each place. */
public final class InvalidRequestException extends ApiException {
  private static final long serialVersionUID = 1;

  InvalidRequestException(Refusal refusal) {
    super(refusal);
  }
}
