// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code SummaryReport} in an answer or request.
 *
 * @param since The beginning of what was counted.
 * @param until The end of it, exclusive.
 * @param series Every point, also where there was nothing. Oldest first.
 * @param categories Inferences with findings, by category. One with several counts for each. The most
 *     frequent first; of each hour beyond 200 names together.
 * @param severities Inferences that the trail has an event of, by severity. The most frequent first; of each
 *     hour beyond 200 names together.
 * @param models Inferences by model. {@code flagged} and {@code blocked} of a probe’s are those that have an
 *     event. The most frequent first; of each hour beyond 200 names together.
 * @param probes Inferences that probes reported, by probe. The most frequent first; of each hour beyond 200
 *     names together.
 * @param policies By version of the policy, newest first. null: not told.
 * @param enforcement Of assessments that the service decided and the trail has an event of.
 * @param kinds Events of the trail by kind.
 * @param deliveries What became of deliveries of the period’s events.
 * @param usage What was used of the plan.
 */
public record SummaryReport(
    @JsonProperty("org_id") String orgId,
    String since,
    String until,
    String interval,
    @JsonProperty("as_of") AsOf asOf,
    Totals totals,
    List<Series> series,
    Sources sources,
    List<NamedCounts> categories,
    List<NamedCounts> severities,
    List<NamedCounts> models,
    List<NamedCounts> probes,
    List<Policy> policies,
    Enforcement enforcement,
    @JsonProperty("detector_faults") List<DetectorFault> detectorFaults,
    Telemetry telemetry,
    List<Kind> kinds,
    Drift drift,
    Deliveries deliveries,
    Usage usage) {
  /** Keeps copies of lists and maps that do not change. */
  public SummaryReport {
    series = Fixed.copyOf(series);
    categories = Fixed.copyOf(categories);
    severities = Fixed.copyOf(severities);
    models = Fixed.copyOf(models);
    probes = Fixed.copyOf(probes);
    policies = Fixed.copyOf(policies);
    detectorFaults = Fixed.copyOf(detectorFaults);
    kinds = Fixed.copyOf(kinds);
  }

  /**
   * {@code Totals} in an answer or request.
   *
   * @param events Events of the trail.
   * @param inferences Inferences that were assessed or reported.
   * @param allowed Let through.
   * @param flagged With findings.
   * @param blocked Stopped.
   * @param undecided Reported by probes that decided nothing, and without a text to assess.
   */
  public record Totals(
      long events,
      long inferences,
      long allowed,
      long flagged,
      long blocked,
      long undecided,
      @JsonProperty("latency_ms") LatencyQuantiles latencyMs,
      CoverageCounts coverage) {}

  /**
   * {@code Series} in an answer or request.
   *
   * @param start The first and the last point may be cut by the period.
   * @param end Exclusive.
   * @param events Events of the trail.
   * @param inferences Inferences.
   * @param allowed Let through.
   * @param flagged With findings.
   * @param blocked Stopped.
   * @param undecided Reported by probes that decided nothing, and without a text to assess.
   */
  public record Series(
      String start,
      String end,
      long events,
      long inferences,
      long allowed,
      long flagged,
      long blocked,
      long undecided,
      @JsonProperty("latency_ms") LatencyQuantiles latencyMs,
      CoverageCounts coverage,
      SeriesDrift drift) {}

  /** {@code Sources} in an answer or request. */
  public record Sources(
      Api api,
      Probes probes) {}

  /**
   * {@code Policy} in an answer or request.
   *
   * @param version May be {@code null}.
   * @param inferences Decided under it.
   */
  public record Policy(
      @JsonInclude(JsonInclude.Include.ALWAYS) Long version,
      long inferences) {}

  /**
   * {@code Enforcement} in an answer or request.
   *
   * @param enforce Decided with the policy enforced.
   * @param monitor Decided in monitor mode.
   */
  public record Enforcement(
      long enforce,
      long monitor,
      Suppressed suppressed) {}

  /**
   * {@code DetectorFault} in an answer or request.
   *
   * @param assessments In which it failed or ran out of time.
   */
  public record DetectorFault(
      String detector,
      long assessments) {}

  /**
   * {@code Telemetry} in an answer or request.
   *
   * @param batches {@code telemetry.received}.
   * @param accepted Inferences that were stored.
   * @param duplicates Known already.
   * @param rejected Refused, to be sent again or not.
   */
  public record Telemetry(
      long batches,
      long accepted,
      long duplicates,
      long rejected) {}

  /**
   * {@code Kind} in an answer or request.
   *
   * @param count Events.
   * @param firstAt When the first was recorded.
   * @param lastAt When the last was.
   */
  public record Kind(
      String kind,
      long count,
      @JsonProperty("first_at") String firstAt,
      @JsonProperty("last_at") String lastAt) {}

  /**
   * {@code Drift} in an answer or request.
   *
   * @param opened Drifts that became sure in the period.
   * @param recovered Drifts that recovered in it.
   * @param open Drifts that persist now.
   * @param unacknowledged Of them, those that nobody has acknowledged.
   */
  public record Drift(
      long opened,
      long recovered,
      long open,
      long unacknowledged) {}

  /**
   * {@code Deliveries} in an answer or request.
   *
   * @param succeeded Taken by their receiver.
   * @param failed Given up after the last attempt.
   * @param cancelled Their endpoint was deleted.
   * @param waiting Under way, or parked with a paused endpoint.
   * @param retried Those with more than one attempt.
   * @param isComplete False: there are more, or older ones are not kept any more. The newest 200000 are
   *     counted, of the last 30 days.
   * @param attemptMs How long attempts took, for the newest 10000 deliveries.
   */
  public record Deliveries(
      long succeeded,
      long failed,
      long cancelled,
      long waiting,
      long retried,
      @JsonProperty("is_complete") boolean isComplete,
      @JsonProperty("attempt_ms") AttemptMs attemptMs,
      Endpoints endpoints) {}

  /**
   * {@code Usage} in an answer or request.
   *
   * @param assessments That cost one of the plan: over the API, and texts that probes sent.
   * @param allowed Of them.
   * @param flagged Of them.
   * @param blocked Of them.
   */
  public record Usage(
      long assessments,
      long allowed,
      long flagged,
      long blocked) {}

  /**
   * {@code SeriesDrift} in an answer or request.
   *
   * @param opened {@code drift.sustained}.
   * @param recovered {@code drift.recovered}.
   */
  public record SeriesDrift(
      long opened,
      long recovered) {}

  /**
   * {@code Api} in an answer or request.
   *
   * @param inferences Assessed over the API.
   * @param allowed Let through.
   * @param flagged With findings.
   * @param blocked Stopped.
   * @param undecided Reported by probes that decided nothing, and without a text to assess.
   */
  public record Api(
      long inferences,
      long allowed,
      long flagged,
      long blocked,
      long undecided) {}

  /**
   * {@code Probes} in an answer or request.
   *
   * @param inferences Reported by probes.
   * @param allowed Let through.
   * @param flagged With findings.
   * @param blocked Stopped.
   * @param undecided Reported by probes that decided nothing, and without a text to assess.
   */
  public record Probes(
      long inferences,
      long allowed,
      long flagged,
      long blocked,
      long undecided) {}

  /**
   * {@code Suppressed} in an answer or request.
   *
   * @param redact Would have been redacted.
   * @param block Would have been blocked.
   */
  public record Suppressed(
      long redact,
      long block) {}

  /**
   * {@code AttemptMs} in an answer or request.
   *
   * @param p50 May be {@code null}.
   * @param p95 May be {@code null}.
   */
  public record AttemptMs(
      @JsonInclude(JsonInclude.Include.ALWAYS) Double p50,
      @JsonInclude(JsonInclude.Include.ALWAYS) Double p95) {}

  /**
   * {@code Endpoints} in an answer or request.
   *
   * @param active Now.
   * @param paused Now: without success for a day.
   */
  public record Endpoints(
      long active,
      long paused) {}

  /** Values of {@code interval}. A later service may have others. */
  public static final class Interval {
    /** {@code hour}. */
    public static final String HOUR = "hour";
    /** {@code day}. */
    public static final String DAY = "day";
    /** {@code week}. */
    public static final String WEEK = "week";
    /** {@code month}. */
    public static final String MONTH = "month";

    private Interval() {}
  }
}
