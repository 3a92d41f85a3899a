// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The members of the request that changed, findings replaced, in the shape they were sent.
 *
 * @param input {@code null} where it is absent.
 * @param output {@code null} where it is absent.
 * @param context {@code null} where it is absent.
 * @param toolCalls {@code null} where it is absent.
 */
public record Redacted(
    Object input,
    Object output,
    Object context,
    @JsonProperty("tool_calls") Object toolCalls) {}
