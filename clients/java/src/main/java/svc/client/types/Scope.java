// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** What a credential may do. A later service may have others. */
public final class Scope {
  /** {@code assess:create}. */
  public static final String ASSESS_CREATE = "assess:create";
  /** {@code events:read}. */
  public static final String EVENTS_READ = "events:read";
  /** {@code policy:read}. */
  public static final String POLICY_READ = "policy:read";
  /** {@code policy:write}. */
  public static final String POLICY_WRITE = "policy:write";
  /** {@code probes:read}. */
  public static final String PROBES_READ = "probes:read";
  /** {@code probes:write}. */
  public static final String PROBES_WRITE = "probes:write";
  /** {@code webhooks:read}. */
  public static final String WEBHOOKS_READ = "webhooks:read";
  /** {@code webhooks:write}. */
  public static final String WEBHOOKS_WRITE = "webhooks:write";
  /** {@code reports:read}. */
  public static final String REPORTS_READ = "reports:read";
  /** {@code admin:*}. */
  public static final String ADMIN_ALL = "admin:*";

  private Scope() {}
}
