// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code CreatedServiceAccount} in an answer or request.
 *
 * @param createdAt When it was made.
 * @param updatedAt When it was last changed.
 * @param deletedAt When it was deleted. May be {@code null}.
 * @param keyId Its first key. May be {@code null}.
 * @param key The key itself. Only in this answer, and not when it is repeated. {@code null} where it is
 *     absent.
 */
public record CreatedServiceAccount(
    String id,
    String name,
    List<String> permissions,
    @JsonProperty("ip_allowlist") List<String> ipAllowlist,
    String type,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("updated_at") String updatedAt,
    @JsonProperty("deleted_at") @JsonInclude(JsonInclude.Include.ALWAYS) String deletedAt,
    @JsonProperty("key_id") @JsonInclude(JsonInclude.Include.ALWAYS) String keyId,
    String key) {
  /** Keeps copies of lists and maps that do not change. */
  public CreatedServiceAccount {
    permissions = Fixed.copyOf(permissions);
    ipAllowlist = Fixed.copyOf(ipAllowlist);
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return "CreatedServiceAccount[id=" + id
        + ", name=" + name
        + ", permissions=" + permissions
        + ", ipAllowlist=" + ipAllowlist
        + ", type=" + type
        + ", createdAt=" + createdAt
        + ", updatedAt=" + updatedAt
        + ", deletedAt=" + deletedAt
        + ", keyId=" + keyId
        + ", key=***"
        + "]";
  }
}
