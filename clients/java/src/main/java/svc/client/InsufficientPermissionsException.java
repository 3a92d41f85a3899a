package svc.client;

/** 403 {@code insufficient_permissions}: the message names the scope. */
public final class InsufficientPermissionsException extends ApiException {
  private static final long serialVersionUID = 1;

  InsufficientPermissionsException(Refusal refusal) {
    super(refusal);
  }
}
