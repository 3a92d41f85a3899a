// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * {@code PolicyShadowTally} in an answer or request.
 *
 * @param assessed Assessments that were compared: the sum of the four below.
 * @param unchanged The outcome is the same.
 * @param newlyBlocked The candidate blocks what was not blocked.
 * @param newlyFlagged The candidate flags what was allowed, or what was blocked.
 * @param newlyAllowed The candidate allows what was flagged or blocked.
 * @param byCategory Findings that differ, by category; beyond 200 categories in {@code other}.
 * @param samples Ids of some assessments for each change, to look at.
 * @param errors Sampled, and not decided by the candidate: it ran out of time or failed.
 * @param skipped Sampled, and not decided by the candidate because the node was busy.
 * @param judgesNotAsked Compared without the opinion of a judge that the candidate names and the policy in
 *     force does not ask.
 * @param since When counting began.
 */
public record PolicyShadowTally(
    long assessed,
    long unchanged,
    @JsonProperty("newly_blocked") long newlyBlocked,
    @JsonProperty("newly_flagged") long newlyFlagged,
    @JsonProperty("newly_allowed") long newlyAllowed,
    @JsonProperty("by_category") Map<String, ByCategory> byCategory,
    Samples samples,
    long errors,
    long skipped,
    @JsonProperty("judges_not_asked") long judgesNotAsked,
    String since) {
  /** Keeps copies of lists and maps that do not change. */
  public PolicyShadowTally {
    byCategory = Fixed.copyOf(byCategory);
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
}
