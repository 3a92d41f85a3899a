// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code DriftMonitor} in an answer or request.
 *
 * @param model {@code unknown}: it was not named; {@code other}: beyond the 200 that are watched apart.
 * @param group Of the probes that report; {@code api}: what is assessed over the API.
 * @param signal One of flagged_rate, blocked_rate, error_rate, refusal_rate, score, latency_ms,
 *     time_to_first_token_ms, input_tokens, output_tokens, category_mix, finish_reason_mix,
 *     model_version_mix; more may come.
 * @param state learning: what is usual is being learned. watching: nothing has changed. suspect: something
 *     may have, and is being confirmed. sustained: it has, and persists.
 * @param enabled False: the policy does not watch it at the moment.
 * @param since When the drift that persists, or is suspected, began; null: there is none. May be {@code
 *     null}.
 * @param learningUntil When a whole season will have been seen, which a baseline needs; null: it has one, or
 *     the policy names no season. May be {@code null}.
 * @param acknowledgedAt When somebody said to care for the drift that persists. May be {@code null}.
 * @param baseline May be {@code null}.
 * @param current The last observations that were looked at together. May be {@code null}.
 * @param evidence Decimal logarithms.
 * @param provisional True while the season is not known yet: alarms need ten times the evidence.
 * @param tolerance Changes up to this count as none.
 * @param observations That were counted.
 * @param late That came too late to be counted.
 * @param lastObservedAt Of the last observation. May be {@code null}.
 * @param createdAt When the first observation was counted.
 * @param updatedAt When it was kept last.
 */
public record DriftMonitor(
    String id,
    String model,
    String group,
    String signal,
    String kind,
    String state,
    boolean enabled,
    @JsonInclude(JsonInclude.Include.ALWAYS) String since,
    @JsonProperty("learning_until") @JsonInclude(JsonInclude.Include.ALWAYS) String learningUntil,
    @JsonProperty("acknowledged_at") @JsonInclude(JsonInclude.Include.ALWAYS) String acknowledgedAt,
    @JsonInclude(JsonInclude.Include.ALWAYS) DriftBaseline baseline,
    @JsonInclude(JsonInclude.Include.ALWAYS) Current current,
    Evidence evidence,
    boolean provisional,
    double tolerance,
    String season,
    long observations,
    long late,
    @JsonProperty("observations_needed") ObservationsNeeded observationsNeeded,
    @JsonProperty("last_observed_at") @JsonInclude(JsonInclude.Include.ALWAYS) String lastObservedAt,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("updated_at") String updatedAt) {
  /**
   * {@code Current} in an answer or request.
   *
   * @param n Observations.
   * @param value As the baseline’s.
   */
  public record Current(
      long n,
      double value) {}

  /**
   * {@code Evidence} in an answer or request.
   *
   * @param log10M How much speaks for a change.
   * @param log10Threshold How much must, for it to be suspected.
   */
  public record Evidence(
      @JsonProperty("log10_m") double log10M,
      @JsonProperty("log10_threshold") double log10Threshold) {}

  /**
   * {@code ObservationsNeeded} in an answer or request.
   *
   * @param baseline Until anything is judged; 0: there is a baseline.
   * @param doubling Of a rate: after a doubling, until it is suspected; null: other kinds, or more than this
   *     baseline can show. May be {@code null}.
   */
  public record ObservationsNeeded(
      long baseline,
      @JsonInclude(JsonInclude.Include.ALWAYS) Long doubling) {}

  /** Values of {@code kind}. A later service may have others. */
  public static final class Kind {
    /** {@code rate}. */
    public static final String RATE = "rate";
    /** {@code numeric}. */
    public static final String NUMERIC = "numeric";
    /** {@code categorical}. */
    public static final String CATEGORICAL = "categorical";

    private Kind() {}
  }

  /** Values of {@code state}. A later service may have others. */
  public static final class State {
    /** {@code learning}. */
    public static final String LEARNING = "learning";
    /** {@code watching}. */
    public static final String WATCHING = "watching";
    /** {@code suspect}. */
    public static final String SUSPECT = "suspect";
    /** {@code sustained}. */
    public static final String SUSTAINED = "sustained";

    private State() {}
  }

  /** Values of {@code season}. A later service may have others. */
  public static final class Season {
    /** {@code none}. */
    public static final String NONE = "none";
    /** {@code day}. */
    public static final String DAY = "day";
    /** {@code week}. */
    public static final String WEEK = "week";

    private Season() {}
  }
}
