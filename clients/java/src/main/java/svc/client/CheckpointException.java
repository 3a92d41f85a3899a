package svc.client;

/**
 * What the service shows does not fit what it showed before, or what it signed. Keep both: they are
 * evidence.
 */
public final class CheckpointException extends SvcException {
  private static final long serialVersionUID = 1;

  /** The rules. More may come. */
  public static final class Rule {
    /** No key that is trusted has signed. */
    public static final String UNKNOWN_KEY = "unknown_key";

    /** A signature under a trusted key is not of this text. */
    public static final String SIGNATURE_MISMATCH = "signature_mismatch";

    /** What came, or what was remembered, is not in its form. */
    public static final String MALFORMED = "malformed";

    /** The log is shorter than it was. */
    public static final String ROLLBACK = "rollback";

    /** Another root for the same size. */
    public static final String FORK = "fork";

    /** It is not proved that the log goes on from what was seen. */
    public static final String INCONSISTENT = "inconsistent";

    /** The log began anew, without what was seen; or it is another one. */
    public static final String ORIGIN_CHANGED = "origin_changed";

    /** The proof of an event does not lead to the root that was signed. */
    public static final String NOT_INCLUDED = "not_included";

    /** A value that is disclosed is not what the event commits to. */
    public static final String DISCLOSURE_MISMATCH = "disclosure_mismatch";

    private Rule() {}
  }

  private final String rule;

  CheckpointException(String rule, String message) {
    super(message);
    this.rule = rule;
  }

  /** One of {@link Rule}; stable, for programs. */
  public String rule() {
    return rule;
  }
}
