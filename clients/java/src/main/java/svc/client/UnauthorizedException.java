package svc.client;

/** 401 {@code unauthorized}: no credential, or one that does not hold. */
public final class UnauthorizedException extends ApiException {
  private static final long serialVersionUID = 1;

  UnauthorizedException(Refusal refusal) {
    super(refusal);
  }
}
