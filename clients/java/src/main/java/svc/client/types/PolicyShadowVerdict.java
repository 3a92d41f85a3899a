// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code PolicyShadowVerdict} in an answer or request.
 *
 * @param policy The candidate.
 * @param outcome May be {@code null}.
 * @param changed Whether that is another outcome than the one in force. May be {@code null}.
 * @param added Findings of the candidate that the policy in force has not, of those that both list.
 * @param removed Findings of the policy in force that the candidate has not, of those that both list.
 * @param judgesNotAsked Judges that only the candidate names, which are not asked.
 * @param error May be {@code null}.
 */
public record PolicyShadowVerdict(
    Policy policy,
    @JsonInclude(JsonInclude.Include.ALWAYS) String outcome,
    @JsonInclude(JsonInclude.Include.ALWAYS) Boolean changed,
    List<Added> added,
    List<Removed> removed,
    @JsonProperty("judges_not_asked") long judgesNotAsked,
    @JsonInclude(JsonInclude.Include.ALWAYS) String error) {
  /** Keeps copies of lists and maps that do not change. */
  public PolicyShadowVerdict {
    added = Fixed.copyOf(added);
    removed = Fixed.copyOf(removed);
  }

  /** {@code Policy} in an answer or request. */
  public record Policy(
      String digest) {}

  /** {@code Added} in an answer or request. */
  public record Added(
      String category,
      String type,
      Location location) {}

  /** {@code Removed} in an answer or request. */
  public record Removed(
      String category,
      String type,
      Location location) {}

  /** Values of {@code error}. A later service may have others. */
  public static final class Error {
    /** {@code timed_out}. */
    public static final String TIMED_OUT = "timed_out";
    /** {@code failed}. */
    public static final String FAILED = "failed";
    /** {@code skipped}. */
    public static final String SKIPPED = "skipped";

    private Error() {}
  }
}
