// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code ServiceAccount} in an answer or request.
 *
 * @param createdAt When it was made.
 * @param updatedAt When it was last changed.
 * @param deletedAt When it was deleted. May be {@code null}.
 */
public record ServiceAccount(
    String id,
    String name,
    List<String> permissions,
    @JsonProperty("ip_allowlist") List<String> ipAllowlist,
    String type,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("updated_at") String updatedAt,
    @JsonProperty("deleted_at") @JsonInclude(JsonInclude.Include.ALWAYS) String deletedAt) {
  /** Keeps copies of lists and maps that do not change. */
  public ServiceAccount {
    permissions = Fixed.copyOf(permissions);
    ipAllowlist = Fixed.copyOf(ipAllowlist);
  }
}
