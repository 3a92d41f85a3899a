// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * {@code PolicyLintResult} in an answer or request.
 *
 * @param digest The digest it would have; null where it is not valid. May be {@code null}.
 */
public record PolicyLintResult(
    boolean valid,
    List<PolicyProblem> errors,
    List<PolicyProblem> warnings,
    @JsonInclude(JsonInclude.Include.ALWAYS) String digest) {
  /** Keeps copies of lists and maps that do not change. */
  public PolicyLintResult {
    errors = Fixed.copyOf(errors);
    warnings = Fixed.copyOf(warnings);
  }
}
