// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code SessionToken} in an answer or request.
 *
 * @param token The session token (JWT). Send it as {@code Authorization: Bearer}.
 * @param expiresAt When the token expires: an hour after its issue.
 */
public record SessionToken(
    String token,
    @JsonProperty("expires_at") String expiresAt) {
  /** Without what is secret. */
  @Override
  public String toString() {
    return "SessionToken[token=***"
        + ", expiresAt=" + expiresAt
        + "]";
  }
}
