// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code Session} in an answer or request.
 *
 * @param subject The user, as the identity provider names him; null: opened with a key. May be {@code null}.
 * @param name The user’s e-mail address or name, or the key’s name.
 * @param role May be {@code null}.
 * @param keyId The key that opened it. May be {@code null}.
 * @param address From where it was opened.
 * @param signedInAt When it was opened.
 * @param expiresAt When it ends at the latest: twelve hours after the sign-in.
 * @param endedAt When it was ended before that. May be {@code null}.
 */
public record Session(
    String id,
    @JsonInclude(JsonInclude.Include.ALWAYS) String subject,
    String name,
    @JsonInclude(JsonInclude.Include.ALWAYS) String role,
    List<String> scopes,
    @JsonProperty("key_id") @JsonInclude(JsonInclude.Include.ALWAYS) String keyId,
    String address,
    @JsonProperty("signed_in_at") String signedInAt,
    @JsonProperty("expires_at") String expiresAt,
    @JsonProperty("ended_at") @JsonInclude(JsonInclude.Include.ALWAYS) String endedAt) {
  /** Keeps copies of lists and maps that do not change. */
  public Session {
    scopes = Fixed.copyOf(scopes);
  }

  /** Values of {@code role}. A later service may have others. */
  public static final class Role {
    /** {@code viewer}. */
    public static final String VIEWER = "viewer";
    /** {@code operator}. */
    public static final String OPERATOR = "operator";
    /** {@code policy_editor}. */
    public static final String POLICY_EDITOR = "policy_editor";
    /** {@code admin}. */
    public static final String ADMIN = "admin";

    private Role() {}
  }
}
