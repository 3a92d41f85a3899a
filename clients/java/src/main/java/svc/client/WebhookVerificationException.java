package svc.client;

/** Why a delivery is refused. Answer 401. */
public final class WebhookVerificationException extends SvcException {
  private static final long serialVersionUID = 1;

  private final String rule;

  WebhookVerificationException(String rule, String message) {
    super(message);
    this.rule = rule;
  }

  /**
   * Stable, for programs: {@code secret_malformed}, {@code signature_missing}, {@code
   * signature_malformed}, {@code timestamp_malformed}, {@code timestamp_too_old}, {@code
   * timestamp_too_new}, {@code signature_mismatch} or {@code body_malformed}.
   */
  public String rule() {
    return rule;
  }
}
