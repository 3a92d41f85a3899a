// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * {@code Enforcement} in an answer or request.
 *
 * @param action What was done to the inference.
 * @param would In monitor mode, what the policy would have done. May be {@code null}.
 * @param message One sentence for a person; null when nothing was done. May be {@code null}.
 */
public record Enforcement(
    String mode,
    String action,
    @JsonInclude(JsonInclude.Include.ALWAYS) String would,
    @JsonInclude(JsonInclude.Include.ALWAYS) String message) {
  /** Values of {@code mode}. A later service may have others. */
  public static final class Mode {
    /** {@code enforce}. */
    public static final String ENFORCE = "enforce";
    /** {@code monitor}. */
    public static final String MONITOR = "monitor";

    private Mode() {}
  }
}
