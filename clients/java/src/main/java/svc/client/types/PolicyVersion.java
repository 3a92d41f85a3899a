// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code PolicyVersion} in an answer or request.
 *
 * @param version From 1. A version never changes.
 * @param digest {@code sha256:} and the hex SHA-256 of the document in canonical JSON (RFC 8785).
 * @param updatedAt When it was stored.
 * @param updatedBy The credential that stored it, or {@code system}.
 */
public record PolicyVersion(
    long version,
    String digest,
    @JsonProperty("updated_at") String updatedAt,
    @JsonProperty("updated_by") String updatedBy,
    Policy policy) {}
