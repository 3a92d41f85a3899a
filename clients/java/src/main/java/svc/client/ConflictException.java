package svc.client;

/** 409 {@code conflict}: the state of things does not allow it. */
public final class ConflictException extends ApiException {
  private static final long serialVersionUID = 1;

  ConflictException(Refusal refusal) {
    super(refusal);
  }
}
