package svc.client;

/** The service did not answer in the time of one try, after all retries. */
public final class RequestTimeoutException extends ConnectionException {
  private static final long serialVersionUID = 1;

  RequestTimeoutException(String message, Throwable cause) {
    super(message, cause);
  }
}
