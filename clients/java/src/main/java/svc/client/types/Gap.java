// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * {@code Gap} in an answer or request.
 *
 * @param what What is missing or weak, in a sentence.
 * @param count How many, where it can be counted. May be {@code null}.
 * @param endpoints Where to see it.
 */
public record Gap(
    String id,
    String what,
    @JsonInclude(JsonInclude.Include.ALWAYS) Long count,
    List<String> endpoints) {
  /** Keeps copies of lists and maps that do not change. */
  public Gap {
    endpoints = Fixed.copyOf(endpoints);
  }
}
