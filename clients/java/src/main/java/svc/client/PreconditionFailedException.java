package svc.client;

/** 412 {@code precondition_failed}: it was changed since it was read. */
public final class PreconditionFailedException extends ApiException {
  private static final long serialVersionUID = 1;

  PreconditionFailedException(Refusal refusal) {
    super(refusal);
  }
}
