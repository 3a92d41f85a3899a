// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** What an assessment came to. A later service may have others. */
public final class Outcome {
  /** {@code allowed}. */
  public static final String ALLOWED = "allowed";
  /** {@code flagged}. */
  public static final String FLAGGED = "flagged";
  /** {@code blocked}. */
  public static final String BLOCKED = "blocked";

  private Outcome() {}
}
