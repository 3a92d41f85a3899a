// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code NamedCounts} in an answer or request.
 *
 * @param name null: none was told, or these are the others. May be {@code null}.
 * @param isOthers True: names beyond what is counted by name, together.
 * @param total Of this name.
 * @param flagged Of them.
 * @param blocked Of them.
 */
public record NamedCounts(
    @JsonInclude(JsonInclude.Include.ALWAYS) String name,
    @JsonProperty("is_others") boolean isOthers,
    long total,
    long flagged,
    long blocked) {}
