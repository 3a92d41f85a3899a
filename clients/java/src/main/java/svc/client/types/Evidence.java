// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code Evidence} in an answer or request.
 *
 * @param what What there is, in a sentence.
 * @param count How many.
 * @param firstAt When the first was recorded. May be {@code null}.
 * @param lastAt When the last was. May be {@code null}.
 * @param firstSequence Its event’s; the leaf of the log is one less. May be {@code null}.
 * @param lastSequence Of the last. May be {@code null}.
 * @param checkpointSize The smallest checkpoint that is kept and covers them all; null: none does yet. May be
 *     {@code null}.
 * @param endpoints Where to see it. Of events one for each kind, which together list as many as {@code
 *     count}.
 */
public record Evidence(
    String id,
    String what,
    long count,
    @JsonProperty("first_at") @JsonInclude(JsonInclude.Include.ALWAYS) String firstAt,
    @JsonProperty("last_at") @JsonInclude(JsonInclude.Include.ALWAYS) String lastAt,
    @JsonProperty("first_sequence") @JsonInclude(JsonInclude.Include.ALWAYS) Long firstSequence,
    @JsonProperty("last_sequence") @JsonInclude(JsonInclude.Include.ALWAYS) Long lastSequence,
    @JsonProperty("checkpoint_size") @JsonInclude(JsonInclude.Include.ALWAYS) Long checkpointSize,
    List<String> endpoints) {
  /** Keeps copies of lists and maps that do not change. */
  public Evidence {
    endpoints = Fixed.copyOf(endpoints);
  }
}
