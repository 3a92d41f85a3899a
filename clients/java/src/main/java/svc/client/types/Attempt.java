// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code Attempt} in an answer or request.
 *
 * @param number From 1, without gaps.
 * @param trigger {@code event}, {@code schedule} (a retry), {@code manual}, {@code recover} or {@code probe}
 *     (whether a paused endpoint answers again).
 * @param startedAt When it began.
 * @param latencyMs Until the answer, or the end of the attempt.
 * @param status HTTP status of the answer; null: there was none. May be {@code null}.
 * @param error Why it failed; null: it did not. May be {@code null}.
 * @param answer The first 4 KiB of the answer. May be {@code null}.
 */
public record Attempt(
    long number,
    String trigger,
    @JsonProperty("started_at") String startedAt,
    @JsonProperty("latency_ms") double latencyMs,
    @JsonInclude(JsonInclude.Include.ALWAYS) Long status,
    @JsonInclude(JsonInclude.Include.ALWAYS) String error,
    @JsonInclude(JsonInclude.Include.ALWAYS) String answer) {}
