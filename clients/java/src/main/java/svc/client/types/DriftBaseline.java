// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * {@code DriftBaseline} in an answer or request.
 *
 * @param sha256 Of all that the baseline says, as {@code drift.baselined} has it.
 * @param n Observations it was learned from.
 * @param from Its first observation.
 * @param to Its last observation.
 * @param value Of a rate the rate, of a mix the share of its most frequent name, of numbers the mean rank
 *     (0.5). May be {@code null}.
 */
public record DriftBaseline(
    String id,
    String sha256,
    long n,
    String from,
    String to,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double value) {}
