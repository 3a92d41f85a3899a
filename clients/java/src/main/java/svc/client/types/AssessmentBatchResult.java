// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;

/**
 * {@code AssessmentBatchResult} in an answer or request.
 *
 * @param data In the order of the items; each has an {@code assessment} or an {@code error}.
 */
public record AssessmentBatchResult(
    List<Data> data,
    Summary summary) {
  /** Keeps copies of lists and maps that do not change. */
  public AssessmentBatchResult {
    data = Fixed.copyOf(data);
  }

  /**
   * {@code Data} in an answer or request.
   *
   * @param index Of the item, from 0.
   * @param assessment {@code null} where it is absent.
   * @param error {@code null} where it is absent.
   */
  public record Data(
      long index,
      Assessment assessment,
      Error error) {}

  /** {@code Summary} in an answer or request. */
  public record Summary(
      long allowed,
      long flagged,
      long blocked,
      long errors) {}

  /** {@code Error} in an answer or request. */
  public record Error(
      String code,
      String message,
      List<PolicyProblem> details) {
    /** Keeps copies of lists and maps that do not change. */
    public Error {
      details = Fixed.copyOf(details);
    }
  }
}
