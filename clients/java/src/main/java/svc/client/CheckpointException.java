package svc.client;

/**
 * What the service shows does not fit what it showed before, or what it signed. Keep both: they are
 * evidence.
 */
public final class CheckpointException extends SvcException {
  private static final long serialVersionUID = 1;

  private final String rule;

  CheckpointException(String rule, String message) {
    super(message);
    this.rule = rule;
  }

  /**
   * Stable, for programs. {@code unknown_key}: no key that is trusted has signed. {@code
   * signature_mismatch}: a signature under a trusted key is not of this text. {@code malformed}:
   * what came, or what was remembered, is not in its form. {@code rollback}: the log is shorter
   * than it was. {@code fork}: another root for the same size. {@code inconsistent}: it is not
   * proved that the log goes on from what was seen. {@code origin_changed}: the log began anew,
   * without what was seen; or it is another one.
   */
  public String rule() {
    return rule;
  }
}
