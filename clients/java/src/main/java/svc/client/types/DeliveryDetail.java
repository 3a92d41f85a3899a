// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code DeliveryDetail} in an answer or request.
 *
 * @param sequence Of the event in the trail; null: of a test key. May be {@code null}.
 * @param state {@code pending}: due at {@code next_attempt_at}. {@code in_flight}: being sent. {@code
 *     parked}: waits for its paused endpoint. {@code failed}: given up after the last attempt; can be
 *     recovered for 30 days.
 * @param attempts Attempts that were begun.
 * @param nextAttemptAt When it is due. May be {@code null}.
 * @param createdAt When the event was recorded.
 * @param finishedAt When it was delivered or given up. May be {@code null}.
 * @param body The bytes that are signed and sent. Needs {@code events:read}, and the event still being kept.
 *     May be {@code null}.
 * @param attemptLog Attempts that have ended, oldest first; the last 100.
 */
public record DeliveryDetail(
    String id,
    @JsonProperty("event_id") String eventId,
    @JsonInclude(JsonInclude.Include.ALWAYS) Long sequence,
    String kind,
    String state,
    long attempts,
    @JsonProperty("next_attempt_at") @JsonInclude(JsonInclude.Include.ALWAYS) String nextAttemptAt,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("finished_at") @JsonInclude(JsonInclude.Include.ALWAYS) String finishedAt,
    @JsonInclude(JsonInclude.Include.ALWAYS) String body,
    @JsonProperty("attempt_log") List<Attempt> attemptLog) {
  /** Keeps copies of lists and maps that do not change. */
  public DeliveryDetail {
    attemptLog = Fixed.copyOf(attemptLog);
  }

  /** Values of {@code state}. A later service may have others. */
  public static final class State {
    /** {@code pending}. */
    public static final String PENDING = "pending";
    /** {@code in_flight}. */
    public static final String IN_FLIGHT = "in_flight";
    /** {@code parked}. */
    public static final String PARKED = "parked";
    /** {@code succeeded}. */
    public static final String SUCCEEDED = "succeeded";
    /** {@code failed}. */
    public static final String FAILED = "failed";
    /** {@code cancelled}. */
    public static final String CANCELLED = "cancelled";

    private State() {}
  }
}
