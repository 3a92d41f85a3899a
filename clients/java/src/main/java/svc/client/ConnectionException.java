package svc.client;

/** The service was not reached, or broke off, after all retries. The cause has why. */
public class ConnectionException extends SvcException {
  private static final long serialVersionUID = 1;

  ConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
