// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** What a credential is for. A later service may have others. */
public final class Mode {
  /** {@code live}. */
  public static final String LIVE = "live";
  /** {@code test}. */
  public static final String TEST = "test";
  /** {@code admin}. */
  public static final String ADMIN = "admin";

  private Mode() {}
}
