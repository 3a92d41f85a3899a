// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * {@code SimulationResult} in an answer or request.
 *
 * @param assessed Assessments that were compared: the sum of the four below.
 * @param unchanged The outcome is the same.
 * @param newlyBlocked The candidate blocks what was not blocked.
 * @param newlyFlagged The candidate flags what was allowed, or what was blocked.
 * @param newlyAllowed The candidate allows what was flagged or blocked.
 * @param byCategory Findings that differ, by category; beyond 200 categories in {@code other}.
 * @param samples Ids of some assessments for each change, to look at.
 * @param answered By what each assessment could be decided from.
 * @param unanswered What could not be known of assessments whose texts are not kept, or of judges, which are
 *     not asked.
 */
public record SimulationResult(
    long assessed,
    long unchanged,
    @JsonProperty("newly_blocked") long newlyBlocked,
    @JsonProperty("newly_flagged") long newlyFlagged,
    @JsonProperty("newly_allowed") long newlyAllowed,
    @JsonProperty("by_category") Map<String, ByCategory> byCategory,
    Samples samples,
    Answered answered,
    List<Unanswered> unanswered) {
  /** Keeps copies of lists and maps that do not change. */
  public SimulationResult {
    byCategory = Fixed.copyOf(byCategory);
    unanswered = Fixed.copyOf(unanswered);
  }

  /**
   * {@code ByCategory} in an answer or request.
   *
   * @param added Findings that only the candidate has.
   * @param removed Findings that it has not.
   */
  public record ByCategory(
      long added,
      long removed) {}

  /**
   * {@code Samples} in an answer or request.
   *
   * @param newlyBlocked Assessments that are newly blocked.
   * @param newlyFlagged Assessments that are newly flagged.
   * @param newlyAllowed Assessments that are newly allowed.
   */
  public record Samples(
      @JsonProperty("newly_blocked") List<String> newlyBlocked,
      @JsonProperty("newly_flagged") List<String> newlyFlagged,
      @JsonProperty("newly_allowed") List<String> newlyAllowed) {
    /** Keeps copies of lists and maps that do not change. */
    public Samples {
      newlyBlocked = Fixed.copyOf(newlyBlocked);
      newlyFlagged = Fixed.copyOf(newlyFlagged);
      newlyAllowed = Fixed.copyOf(newlyAllowed);
    }
  }

  /**
   * {@code Answered} in an answer or request.
   *
   * @param texts Decided anew from the whole text.
   * @param findings Decided from the findings that were kept, and certain.
   * @param partly Compared as far as could be known; {@code unanswered} says what could not.
   */
  public record Answered(
      long texts,
      long findings,
      long partly) {}

  /**
   * {@code Unanswered} in an answer or request.
   *
   * @param question Such as {@code detector_added}; more will come.
   * @param count Assessments whose outcome may be another because of it.
   */
  public record Unanswered(
      String question,
      long count,
      String explanation) {}
}
