package svc.client;

/** Whatever this library throws of its own. Unchecked. */
public class SvcException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SvcException(String message) {
    super(message);
  }

  SvcException(String message, Throwable cause) {
    super(message, cause);
  }
}
