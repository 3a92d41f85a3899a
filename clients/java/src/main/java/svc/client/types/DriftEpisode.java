// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code DriftEpisode} in an answer or request.
 *
 * @param eventId The {@code drift.sustained} event, which tells all about it.
 * @param summary One sentence.
 * @param feature What changed most clearly.
 * @param label Of a mix: the name whose share changed. May be {@code null}.
 * @param onset When it began.
 * @param sustainedAt When it was sure.
 * @param endedAt When it ended; null: it persists. May be {@code null}.
 * @param resolution May be {@code null}.
 * @param coincidesWith What else happened when it began.
 * @param acknowledgedAt When somebody said to care for it. May be {@code null}.
 * @param acknowledgedBy May be {@code null}.
 * @param note May be {@code null}.
 */
public record DriftEpisode(
    @JsonProperty("event_id") String eventId,
    String summary,
    String severity,
    String direction,
    String feature,
    @JsonInclude(JsonInclude.Include.ALWAYS) String label,
    String onset,
    @JsonProperty("sustained_at") String sustainedAt,
    @JsonProperty("ended_at") @JsonInclude(JsonInclude.Include.ALWAYS) String endedAt,
    @JsonInclude(JsonInclude.Include.ALWAYS) String resolution,
    @JsonProperty("coincides_with") List<String> coincidesWith,
    @JsonProperty("acknowledged_at") @JsonInclude(JsonInclude.Include.ALWAYS) String acknowledgedAt,
    @JsonProperty("acknowledged_by") @JsonInclude(JsonInclude.Include.ALWAYS) String acknowledgedBy,
    @JsonInclude(JsonInclude.Include.ALWAYS) String note) {
  /** Keeps copies of lists and maps that do not change. */
  public DriftEpisode {
    coincidesWith = Fixed.copyOf(coincidesWith);
  }

  /** Values of {@code direction}. A later service may have others. */
  public static final class Direction {
    /** {@code up}. */
    public static final String UP = "up";
    /** {@code down}. */
    public static final String DOWN = "down";

    private Direction() {}
  }

  /** Values of {@code resolution}. A later service may have others. */
  public static final class Resolution {
    /** {@code recovered}. */
    public static final String RECOVERED = "recovered";
    /** {@code rebaselined}. */
    public static final String REBASELINED = "rebaselined";
    /** {@code disabled}. */
    public static final String DISABLED = "disabled";
    /** {@code superseded}. */
    public static final String SUPERSEDED = "superseded";

    private Resolution() {}
  }
}
