// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * {@code Probe} in an answer or request.
 *
 * @param id Its own name.
 * @param status {@code offline}: no heartbeat for three intervals. {@code skewed}: more than two heartbeats
 *     in a row told of an older policy than that in force. {@code stale}: no heartbeat for one and a half
 *     intervals, or the policy it has on disk has expired. A probe that never sends heartbeats is {@code
 *     stale} when it was not seen for three intervals, and {@code offline} only where {@code
 *     expected_interval_s} was set.
 * @param group The label {@code group}, else {@code default}.
 * @param labels What it says itself, and over that what was set here.
 * @param expectedIntervalS Between heartbeats.
 * @param registeredAt When it called for the first time.
 * @param lastSeenAt Its last call, known to some ten seconds.
 * @param lastHeartbeatAt Its last heartbeat; null: it never sent one. May be {@code null}.
 * @param offlineSince Since when the trail says that it is offline. May be {@code null}.
 * @param version May be {@code null}.
 * @param startedAt When it was started. May be {@code null}.
 * @param policyVersion By which it decides. May be {@code null}.
 * @param queue May be {@code null}.
 * @param rates Of its telemetry, on average over the last five minutes.
 */
public record Probe(
    String id,
    String mode,
    String status,
    String group,
    Map<String, String> labels,
    @JsonProperty("expected_interval_s") long expectedIntervalS,
    @JsonProperty("registered_at") String registeredAt,
    @JsonProperty("last_seen_at") String lastSeenAt,
    @JsonProperty("last_heartbeat_at") @JsonInclude(JsonInclude.Include.ALWAYS) String lastHeartbeatAt,
    @JsonProperty("offline_since") @JsonInclude(JsonInclude.Include.ALWAYS) String offlineSince,
    @JsonInclude(JsonInclude.Include.ALWAYS) String version,
    @JsonProperty("started_at") @JsonInclude(JsonInclude.Include.ALWAYS) String startedAt,
    @JsonProperty("policy_version") @JsonInclude(JsonInclude.Include.ALWAYS) Long policyVersion,
    @JsonInclude(JsonInclude.Include.ALWAYS) Queue queue,
    Rates rates) {
  /** Keeps copies of lists and maps that do not change. */
  public Probe {
    labels = Fixed.copyOf(labels);
  }

  /** {@code Queue} in an answer or request. */
  public record Queue(
      long depth,
      long dropped) {}

  /**
   * {@code Rates} in an answer or request.
   *
   * @param acceptedPerMinute Events stored.
   * @param duplicatesPerMinute Events that had been stored before.
   * @param rejectedPerMinute Events refused.
   */
  public record Rates(
      @JsonProperty("accepted_per_minute") double acceptedPerMinute,
      @JsonProperty("duplicates_per_minute") double duplicatesPerMinute,
      @JsonProperty("rejected_per_minute") double rejectedPerMinute) {}

  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code healthy}. */
    public static final String HEALTHY = "healthy";
    /** {@code stale}. */
    public static final String STALE = "stale";
    /** {@code offline}. */
    public static final String OFFLINE = "offline";
    /** {@code skewed}. */
    public static final String SKEWED = "skewed";

    private Status() {}
  }
}
