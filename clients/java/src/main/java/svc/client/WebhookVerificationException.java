package svc.client;

/** Why a delivery is refused. Answer 401. */
public final class WebhookVerificationException extends SvcException {
  private static final long serialVersionUID = 1;

  /** The rules. More may come. */
  public static final class Rule {
    /** The secret given is none. */
    public static final String SECRET_MALFORMED = "secret_malformed";

    /** A header that is needed is not there. */
    public static final String SIGNATURE_MISSING = "signature_missing";

    /** No signature is in a form that is known. */
    public static final String SIGNATURE_MALFORMED = "signature_malformed";

    /** The time is not a Unix time in seconds. */
    public static final String TIMESTAMP_MALFORMED = "timestamp_malformed";

    /** It was sent too long ago: maybe again, by somebody else. */
    public static final String TIMESTAMP_TOO_OLD = "timestamp_too_old";

    /** It comes from the future: a clock is wrong. */
    public static final String TIMESTAMP_TOO_NEW = "timestamp_too_new";

    /** No signature is of this body under this secret. */
    public static final String SIGNATURE_MISMATCH = "signature_mismatch";

    /** The body is signed, but is not the JSON of an event. */
    public static final String BODY_MALFORMED = "body_malformed";

    private Rule() {}
  }

  private final String rule;

  WebhookVerificationException(String rule, String message) {
    super(message);
    this.rule = rule;
  }

  /** One of {@link Rule}; stable, for programs. */
  public String rule() {
    return rule;
  }
}
