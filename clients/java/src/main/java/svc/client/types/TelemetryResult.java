// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code TelemetryResult} in an answer or request.
 *
 * @param accepted Events that are stored now and were not before.
 * @param duplicates Events that were stored before, or stand in the body twice.
 * @param rejected Events that are stored nowhere.
 */
public record TelemetryResult(
    long accepted,
    long duplicates,
    List<Rejected> rejected) {
  /** Keeps copies of lists and maps that do not change. */
  public TelemetryResult {
    rejected = Fixed.copyOf(rejected);
  }

  /**
   * {@code Rejected} in an answer or request.
   *
   * @param index Of the event, from 0.
   */
  public record Rejected(
      long index,
      Error error) {}

  /**
   * {@code Error} in an answer or request.
   *
   * @param code {@code rate_limited} and {@code unavailable}: send the same event again. {@code
   *     invalid_request}: do not.
   * @param retryAfterS With {@code rate_limited}: when to send it again. {@code null} where it is absent.
   */
  public record Error(
      String code,
      String message,
      List<PolicyProblem> details,
      @JsonProperty("retry_after_s") Long retryAfterS) {
    /** Keeps copies of lists and maps that do not change. */
    public Error {
      details = Fixed.copyOf(details);
    }
  }
}
