// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code PolicyShadow} in an answer or request.
 *
 * @param digest Of the candidate.
 * @param sampleRate The share of assessments that it decides too. Which they are follows from their ids
 *     alone.
 * @param expiresAt When it ends by itself; at most 90 days ahead.
 * @param startedAt When it began.
 * @param startedBy The credential that began it.
 */
public record PolicyShadow(
    String digest,
    @JsonProperty("sample_rate") double sampleRate,
    @JsonProperty("expires_at") String expiresAt,
    @JsonProperty("started_at") String startedAt,
    @JsonProperty("started_by") String startedBy,
    PolicyShadowTally tally,
    Policy policy) {}
