// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code BudgetState} in an answer or request.
 *
 * @param limit A minute.
 * @param remaining Left of the present minute.
 * @param resetsAt When all of it is there again.
 */
public record BudgetState(
    long limit,
    long remaining,
    @JsonProperty("resets_at") String resetsAt) {}
