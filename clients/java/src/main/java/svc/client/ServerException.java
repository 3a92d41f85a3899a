package svc.client;

/** 5xx, after all retries. */
public final class ServerException extends ApiException {
  private static final long serialVersionUID = 1;

  ServerException(Refusal refusal) {
    super(refusal);
  }
}
