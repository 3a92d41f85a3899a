// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code CreatedApiKey} in an answer or request.
 *
 * @param description May be {@code null}.
 * @param serviceAccountId The service account it belongs to, whose permissions it has. May be {@code null}.
 * @param createdAt When it was made.
 * @param expiresAt When it stops working. May be {@code null}.
 * @param lastUsedAt When it was last used; written every few seconds. May be {@code null}.
 * @param revokedAt Since when it is refused. May be {@code null}.
 * @param rotationDue It is older than 90 days and still in use: make another and revoke this one.
 * @param last4 The last four characters of the key, to tell keys apart.
 * @param key The key itself. Only in this answer, and not when it is repeated. {@code null} where it is
 *     absent.
 */
public record CreatedApiKey(
    String id,
    String name,
    String type,
    @JsonInclude(JsonInclude.Include.ALWAYS) String description,
    List<String> permissions,
    @JsonProperty("service_account_id") @JsonInclude(JsonInclude.Include.ALWAYS) String serviceAccountId,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("expires_at") @JsonInclude(JsonInclude.Include.ALWAYS) String expiresAt,
    @JsonProperty("last_used_at") @JsonInclude(JsonInclude.Include.ALWAYS) String lastUsedAt,
    @JsonProperty("revoked_at") @JsonInclude(JsonInclude.Include.ALWAYS) String revokedAt,
    @JsonProperty("rotation_due") boolean rotationDue,
    String last4,
    String key) {
  /** Keeps copies of lists and maps that do not change. */
  public CreatedApiKey {
    permissions = Fixed.copyOf(permissions);
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return "CreatedApiKey[id=" + id
        + ", name=" + name
        + ", type=" + type
        + ", description=" + description
        + ", permissions=" + permissions
        + ", serviceAccountId=" + serviceAccountId
        + ", createdAt=" + createdAt
        + ", expiresAt=" + expiresAt
        + ", lastUsedAt=" + lastUsedAt
        + ", revokedAt=" + revokedAt
        + ", rotationDue=" + rotationDue
        + ", last4=" + last4
        + ", key=***"
        + "]";
  }
}
