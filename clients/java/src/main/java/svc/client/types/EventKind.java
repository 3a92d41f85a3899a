// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** Kinds of events. A later service may have others. */
public final class EventKind {
  /** {@code inference.allowed}. */
  public static final String INFERENCE_ALLOWED = "inference.allowed";
  /** {@code inference.flagged}. */
  public static final String INFERENCE_FLAGGED = "inference.flagged";
  /** {@code inference.blocked}. */
  public static final String INFERENCE_BLOCKED = "inference.blocked";
  /** {@code telemetry.received}. */
  public static final String TELEMETRY_RECEIVED = "telemetry.received";
  /** {@code drift.sustained}. */
  public static final String DRIFT_SUSTAINED = "drift.sustained";
  /** {@code drift.recovered}. */
  public static final String DRIFT_RECOVERED = "drift.recovered";
  /** {@code drift.baselined}. */
  public static final String DRIFT_BASELINED = "drift.baselined";
  /** {@code drift.acknowledged}. */
  public static final String DRIFT_ACKNOWLEDGED = "drift.acknowledged";
  /** {@code policy.updated}. */
  public static final String POLICY_UPDATED = "policy.updated";
  /** {@code policy.shadow_started}. */
  public static final String POLICY_SHADOW_STARTED = "policy.shadow_started";
  /** {@code policy.shadow_stopped}. */
  public static final String POLICY_SHADOW_STOPPED = "policy.shadow_stopped";
  /** {@code policy.shadow_promoted}. */
  public static final String POLICY_SHADOW_PROMOTED = "policy.shadow_promoted";
  /** {@code probe.registered}. */
  public static final String PROBE_REGISTERED = "probe.registered";
  /** {@code probe.updated}. */
  public static final String PROBE_UPDATED = "probe.updated";
  /** {@code probe.deleted}. */
  public static final String PROBE_DELETED = "probe.deleted";
  /** {@code probe.online}. */
  public static final String PROBE_ONLINE = "probe.online";
  /** {@code probe.offline}. */
  public static final String PROBE_OFFLINE = "probe.offline";
  /** {@code probe.skewed}. */
  public static final String PROBE_SKEWED = "probe.skewed";
  /** {@code api_key.created}. */
  public static final String API_KEY_CREATED = "api_key.created";
  /** {@code api_key.revoked}. */
  public static final String API_KEY_REVOKED = "api_key.revoked";
  /** {@code service_account.created}. */
  public static final String SERVICE_ACCOUNT_CREATED = "service_account.created";
  /** {@code service_account.updated}. */
  public static final String SERVICE_ACCOUNT_UPDATED = "service_account.updated";
  /** {@code service_account.deleted}. */
  public static final String SERVICE_ACCOUNT_DELETED = "service_account.deleted";
  /** {@code session.started}. */
  public static final String SESSION_STARTED = "session.started";
  /** {@code session.ended}. */
  public static final String SESSION_ENDED = "session.ended";
  /** {@code sso.updated}. */
  public static final String SSO_UPDATED = "sso.updated";
  /** {@code organization.created}. */
  public static final String ORGANIZATION_CREATED = "organization.created";
  /** {@code organization.updated}. */
  public static final String ORGANIZATION_UPDATED = "organization.updated";
  /** {@code webhook.created}. */
  public static final String WEBHOOK_CREATED = "webhook.created";
  /** {@code webhook.updated}. */
  public static final String WEBHOOK_UPDATED = "webhook.updated";
  /** {@code webhook.deleted}. */
  public static final String WEBHOOK_DELETED = "webhook.deleted";
  /** {@code webhook.paused}. */
  public static final String WEBHOOK_PAUSED = "webhook.paused";
  /** {@code webhook.recovered}. */
  public static final String WEBHOOK_RECOVERED = "webhook.recovered";
  /** {@code integration.created}. */
  public static final String INTEGRATION_CREATED = "integration.created";
  /** {@code integration.updated}. */
  public static final String INTEGRATION_UPDATED = "integration.updated";
  /** {@code integration.deleted}. */
  public static final String INTEGRATION_DELETED = "integration.deleted";
  /** {@code judge.created}. */
  public static final String JUDGE_CREATED = "judge.created";
  /** {@code judge.updated}. */
  public static final String JUDGE_UPDATED = "judge.updated";
  /** {@code judge.deleted}. */
  public static final String JUDGE_DELETED = "judge.deleted";
  /** {@code export.created}. */
  public static final String EXPORT_CREATED = "export.created";
  /** {@code audit.redacted}. */
  public static final String AUDIT_REDACTED = "audit.redacted";
  /** {@code audit.pruned}. */
  public static final String AUDIT_PRUNED = "audit.pruned";
  /** {@code audit.key_rotated}. */
  public static final String AUDIT_KEY_ROTATED = "audit.key_rotated";
  /** {@code audit.restored}. */
  public static final String AUDIT_RESTORED = "audit.restored";
  /** {@code *}. */
  public static final String ALL = "*";
  /** {@code webhook.test}. */
  public static final String WEBHOOK_TEST = "webhook.test";

  private EventKind() {}
}
