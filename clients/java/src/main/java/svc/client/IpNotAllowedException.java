package svc.client;

/** 403 {@code ip_not_allowed}: this machine's address is outside the allowlist. */
public final class IpNotAllowedException extends ApiException {
  private static final long serialVersionUID = 1;

  IpNotAllowedException(Refusal refusal) {
    super(refusal);
  }
}
