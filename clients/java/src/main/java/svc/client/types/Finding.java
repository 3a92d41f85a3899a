// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code Finding} in an answer or request.
 *
 * @param id Names the finding within its assessment.
 * @param category What kind of thing was found.
 * @param type What exactly.
 * @param score How sure the detector is.
 * @param severity How bad it would be.
 * @param outcome What the finding alone makes of the inference; allowed: it is excused.
 * @param action What was done; ignore: it is excused.
 * @param ruleId The policy's own rule that matched. May be {@code null}.
 * @param exceptionId The exception of the policy that excused it; it then counts for nothing. May be {@code
 *     null}.
 * @param preview A masked glimpse of what was found. May be {@code null}.
 * @param frameworks Entries of public lists of AI risks.
 * @param explanation One sentence for a person.
 */
public record Finding(
    String id,
    String category,
    String type,
    Location location,
    double score,
    String severity,
    String outcome,
    String action,
    @JsonProperty("rule_id") @JsonInclude(JsonInclude.Include.ALWAYS) String ruleId,
    @JsonProperty("exception_id") @JsonInclude(JsonInclude.Include.ALWAYS) String exceptionId,
    FindingDetector detector,
    @JsonInclude(JsonInclude.Include.ALWAYS) String preview,
    List<String> frameworks,
    String explanation) {
  /** Keeps copies of lists and maps that do not change. */
  public Finding {
    frameworks = Fixed.copyOf(frameworks);
  }
}
