// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code DetectorRun} in an answer or request.
 *
 * @param status skipped: off by policy, or nothing to read for it.
 */
public record DetectorRun(
    String id,
    String version,
    String status,
    @JsonProperty("latency_ms") double latencyMs) {
  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code ok}. */
    public static final String OK = "ok";
    /** {@code skipped}. */
    public static final String SKIPPED = "skipped";
    /** {@code error}. */
    public static final String ERROR = "error";
    /** {@code timed_out}. */
    public static final String TIMED_OUT = "timed_out";

    private Status() {}
  }
}
