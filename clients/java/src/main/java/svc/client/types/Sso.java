// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * {@code Sso} in an answer or request.
 *
 * @param issuer The identity provider, exactly as its tokens name it ({@code iss}). Its discovery document is
 *     read when this is stored.
 * @param clientId The client that stands for this service at the identity provider.
 * @param groupsClaim The claim that lists a user’s groups.
 * @param roles The role of each group. Who is in several has the highest; who is in none is refused, unless
 *     there is a {@code default_role}.
 * @param defaultRole May be {@code null}.
 * @param require Claims that a token must have with exactly this value, or, where the claim is a list, in it.
 * @param hasClientSecret Whether one is stored. It is never answered.
 * @param redirectUri To be registered at the identity provider.
 * @param updatedAt When this was last changed.
 * @param updatedBy By whom.
 */
public record Sso(
    String issuer,
    @JsonProperty("client_id") String clientId,
    @JsonProperty("groups_claim") String groupsClaim,
    Map<String, String> roles,
    @JsonProperty("default_role") @JsonInclude(JsonInclude.Include.ALWAYS) String defaultRole,
    Map<String, Object> require,
    @JsonProperty("has_client_secret") boolean hasClientSecret,
    @JsonProperty("redirect_uri") String redirectUri,
    @JsonProperty("updated_at") String updatedAt,
    @JsonProperty("updated_by") String updatedBy) {
  /** Keeps copies of lists and maps that do not change. */
  public Sso {
    roles = Fixed.copyOf(roles);
    require = Fixed.copyOf(require);
  }

  /** Values of {@code roles}. A later service may have others. */
  public static final class Roles {
    /** {@code viewer}. */
    public static final String VIEWER = "viewer";
    /** {@code operator}. */
    public static final String OPERATOR = "operator";
    /** {@code policy_editor}. */
    public static final String POLICY_EDITOR = "policy_editor";
    /** {@code admin}. */
    public static final String ADMIN = "admin";

    private Roles() {}
  }

  /** Values of {@code defaultRole}. A later service may have others. */
  public static final class DefaultRole {
    /** {@code viewer}. */
    public static final String VIEWER = "viewer";
    /** {@code operator}. */
    public static final String OPERATOR = "operator";
    /** {@code policy_editor}. */
    public static final String POLICY_EDITOR = "policy_editor";
    /** {@code admin}. */
    public static final String ADMIN = "admin";

    private DefaultRole() {}
  }
}
