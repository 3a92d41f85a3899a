// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code StreamChunkResult} in an answer or request.
 *
 * @param released Text that is safe to show now, with what the policy redacts replaced.
 * @param toolCalls Complete calls that are safe to make now.
 * @param heldChars UTF-16 units that have come and are not released.
 * @param findings Those that are certain since this chunk. At most 200.
 * @param outcome Of all that is certain so far. blocked: nothing more will be released; send the last chunk.
 * @param assessment Of the whole inference; null before the last chunk. May be {@code null}.
 */
public record StreamChunkResult(
    long seq,
    String released,
    @JsonProperty("tool_calls") List<ToolCall> toolCalls,
    @JsonProperty("held_chars") long heldChars,
    List<Finding> findings,
    String outcome,
    @JsonInclude(JsonInclude.Include.ALWAYS) Assessment assessment) {
  /** Keeps copies of lists and maps that do not change. */
  public StreamChunkResult {
    toolCalls = Fixed.copyOf(toolCalls);
    findings = Fixed.copyOf(findings);
  }

  /**
   * {@code ToolCall} in an answer or request.
   *
   * @param arguments An object; the text as it was written where that is no JSON object.
   */
  public record ToolCall(
      long index,
      String name,
      Object arguments) {}
}
