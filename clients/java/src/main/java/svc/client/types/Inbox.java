// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code Inbox} in an answer or request.
 *
 * @param url Takes POST. Whoever knows it may write, so it is a secret.
 * @param createdAt When it was made.
 */
public record Inbox(
    String id,
    String url,
    @JsonProperty("created_at") String createdAt) {}
