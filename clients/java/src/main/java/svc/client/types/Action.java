// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** What the policy does about a finding. A later service may have others. */
public final class Action {
  /** {@code none}. */
  public static final String NONE = "none";
  /** {@code redact}. */
  public static final String REDACT = "redact";
  /** {@code block}. */
  public static final String BLOCK = "block";
  /** {@code ignore}. */
  public static final String IGNORE = "ignore";
  /** {@code flag}. */
  public static final String FLAG = "flag";

  private Action() {}
}
