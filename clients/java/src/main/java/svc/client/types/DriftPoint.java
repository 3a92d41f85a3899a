// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * {@code DriftPoint} in an answer or request.
 *
 * @param from When the hour begins.
 * @param n Observations.
 * @param value The rate, or the mean; null: it is a mix. May be {@code null}.
 * @param low Lower bound of the 95 % interval of {@code value}. May be {@code null}.
 * @param high Its upper bound. May be {@code null}.
 * @param shares Of a mix: by index of {@code labels}. May be {@code null}.
 */
public record DriftPoint(
    String from,
    long n,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double value,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double low,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double high,
    @JsonInclude(JsonInclude.Include.ALWAYS) List<Double> shares) {
  /** Keeps copies of lists and maps that do not change. */
  public DriftPoint {
    shares = Fixed.copyOf(shares);
  }
}
