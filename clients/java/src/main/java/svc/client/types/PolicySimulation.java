// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code PolicySimulation} in an answer or request.
 *
 * @param createdAt When it was asked for.
 * @param finishedAt When it succeeded or failed. May be {@code null}.
 * @param policy The candidate.
 * @param error Why it failed. May be {@code null}.
 * @param result May be {@code null}.
 */
public record PolicySimulation(
    String id,
    String state,
    Progress progress,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("finished_at") @JsonInclude(JsonInclude.Include.ALWAYS) String finishedAt,
    Policy policy,
    @JsonInclude(JsonInclude.Include.ALWAYS) String error,
    @JsonInclude(JsonInclude.Include.ALWAYS) SimulationResult result) {
  /**
   * {@code Progress} in an answer or request.
   *
   * @param done Assessments looked at.
   * @param total Assessments to look at; null: not counted yet. May be {@code null}.
   */
  public record Progress(
      long done,
      @JsonInclude(JsonInclude.Include.ALWAYS) Long total) {}

  /** {@code Policy} in an answer or request. */
  public record Policy(
      String digest) {}

  /** Values of {@code state}. A later service may have others. */
  public static final class State {
    /** {@code queued}. */
    public static final String QUEUED = "queued";
    /** {@code running}. */
    public static final String RUNNING = "running";
    /** {@code succeeded}. */
    public static final String SUCCEEDED = "succeeded";
    /** {@code failed}. */
    public static final String FAILED = "failed";

    private State() {}
  }
}
