// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The state of the log that the counts are tied to. {@code checkpoint} null: none is signed yet.
 *
 * @param treeSize The counts are of the events up to this sequence: all that the log had when they were read.
 * @param checkpoint May be {@code null}.
 */
public record AsOf(
    @JsonProperty("tree_size") long treeSize,
    @JsonInclude(JsonInclude.Include.ALWAYS) Checkpoint checkpoint) {
  /**
   * {@code Checkpoint} in an answer or request.
   *
   * @param size Its tree’s size.
   * @param publishedAt When it was signed.
   * @param note The signed note, as {@code GET /v1/audit/checkpoint} has it.
   */
  public record Checkpoint(
      long size,
      @JsonProperty("published_at") String publishedAt,
      String note) {}
}
