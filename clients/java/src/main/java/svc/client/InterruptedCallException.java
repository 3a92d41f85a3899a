package svc.client;

/** The thread was interrupted while it waited. Its interrupt flag is set. */
public final class InterruptedCallException extends SvcException {
  private static final long serialVersionUID = 1;

  InterruptedCallException(InterruptedException cause) {
    super("The call was given up: its thread was interrupted.", cause);
  }

  /** The exception to throw, with the flag set again. */
  static InterruptedCallException of(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new InterruptedCallException(cause);
  }
}
