// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** How bad a finding is. A later service may have others. */
public final class Severity {
  /** {@code none}. */
  public static final String NONE = "none";
  /** {@code low}. */
  public static final String LOW = "low";
  /** {@code medium}. */
  public static final String MEDIUM = "medium";
  /** {@code high}. */
  public static final String HIGH = "high";
  /** {@code critical}. */
  public static final String CRITICAL = "critical";

  private Severity() {}
}
