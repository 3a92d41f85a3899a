package svc.client;

/** 404 {@code not_found}: nothing of that name in this organization. */
public final class NotFoundException extends ApiException {
  private static final long serialVersionUID = 1;

  NotFoundException(Refusal refusal) {
    super(refusal);
  }
}
