// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code TestResult} in an answer or request.
 *
 * @param delivered Whether the receiver took it.
 * @param event The kind that was sent.
 * @param status HTTP status of the answer; null: there was none. May be {@code null}.
 * @param error Why it was not delivered. May be {@code null}.
 * @param answer The first 4 KiB of the answer. May be {@code null}.
 */
public record TestResult(
    boolean delivered,
    String event,
    @JsonInclude(JsonInclude.Include.ALWAYS) Long status,
    @JsonProperty("latency_ms") double latencyMs,
    @JsonInclude(JsonInclude.Include.ALWAYS) String error,
    @JsonInclude(JsonInclude.Include.ALWAYS) String answer) {}
