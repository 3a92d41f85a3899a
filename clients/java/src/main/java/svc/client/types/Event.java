// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * {@code Event} in an answer or request.
 *
 * @param sequence Gap-free in the organization, from 1, in the order of the commits.
 * @param kind One of inference.allowed, inference.flagged, inference.blocked, telemetry.received,
 *     drift.sustained, drift.recovered, drift.baselined, drift.acknowledged, policy.updated,
 *     policy.shadow_started, policy.shadow_stopped, policy.shadow_promoted, probe.registered, probe.updated,
 *     probe.deleted, probe.online, probe.offline, probe.skewed, api_key.created, api_key.revoked,
 *     service_account.created, service_account.updated, service_account.deleted, session.started,
 *     session.ended, sso.updated, organization.created, organization.updated, webhook.created,
 *     webhook.updated, webhook.deleted, webhook.paused, webhook.recovered, integration.created,
 *     integration.updated, integration.deleted, judge.created, judge.updated, judge.deleted, export.created,
 *     audit.redacted, audit.pruned, audit.key_rotated, audit.restored; more will come.
 * @param mode Events of the trail are {@code live}.
 * @param occurredAt When it happened.
 * @param recordedAt When it was committed.
 * @param data What happened, by kind. For {@code inference.*} the assessment without {@code redacted}.
 * @param leafHash The hash of its leaf in the log of the organization, in base64; null until the log has it,
 *     which takes a second at most. May be {@code null}.
 * @param erased What was erased of it ({@code subject}, {@code data}, …). Absent: nothing was. {@code null}
 *     where it is absent.
 */
public record Event(
    String id,
    long sequence,
    String kind,
    String mode,
    @JsonProperty("occurred_at") String occurredAt,
    @JsonProperty("recorded_at") String recordedAt,
    @JsonProperty("org_id") String orgId,
    Actor actor,
    Map<String, Object> data,
    @JsonProperty("leaf_hash") @JsonInclude(JsonInclude.Include.ALWAYS) String leafHash,
    List<String> erased) {
  /** Keeps copies of lists and maps that do not change. */
  public Event {
    data = Fixed.copyOf(data);
    erased = Fixed.copyOf(erased);
  }

  /**
   * {@code Actor} in an answer or request.
   *
   * @param type {@code api_key}, {@code service_account}, {@code user} or {@code system}.
   * @param id May be {@code null}.
   * @param ip The address the request came from. May be {@code null}.
   */
  public record Actor(
      String type,
      @JsonInclude(JsonInclude.Include.ALWAYS) String id,
      @JsonInclude(JsonInclude.Include.ALWAYS) String ip) {}
}
