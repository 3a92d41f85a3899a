// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.Objects;
import svc.client.OrNull;

/**
 * {@code PutSso} in an answer or request. Made by {@link #builder()}.
 *
 * @param issuer The identity provider, exactly as its tokens name it ({@code iss}). Its discovery document is
 *     read when this is stored.
 * @param clientId The client that stands for this service at the identity provider.
 * @param clientSecret For a sign-in through this service. Absent: the stored one stays, if issuer and client
 *     do. Null: none. May be {@code null}.
 * @param groupsClaim The claim that lists a user’s groups. {@code null} where it is absent.
 * @param roles The role of each group. Who is in several has the highest; who is in none is refused, unless
 *     there is a {@code default_role}.
 * @param defaultRole May be {@code null}.
 * @param require Claims that a token must have with exactly this value, or, where the claim is a list, in it.
 *     {@code null} where it is absent.
 */
public record PutSso(
    String issuer,
    @JsonProperty("client_id") String clientId,
    @JsonProperty("client_secret") OrNull<String> clientSecret,
    @JsonProperty("groups_claim") String groupsClaim,
    Map<String, String> roles,
    @JsonProperty("default_role") OrNull<String> defaultRole,
    Map<String, Object> require) {
  /** Keeps copies of lists and maps that do not change. */
  public PutSso {
    roles = Fixed.copyOf(roles);
    require = Fixed.copyOf(require);
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return "PutSso[issuer=" + issuer
        + ", clientId=" + clientId
        + ", clientSecret=***"
        + ", groupsClaim=" + groupsClaim
        + ", roles=" + roles
        + ", defaultRole=" + defaultRole
        + ", require=" + require
        + "]";
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.issuer = issuer;
    builder.clientId = clientId;
    builder.clientSecret = clientSecret;
    builder.groupsClaim = groupsClaim;
    builder.roles = roles;
    builder.defaultRole = defaultRole;
    builder.require = require;
    return builder;
  }

  /** Sets members of {@link PutSso}. Not for use by more than one thread. */
  public static final class Builder {
    private String issuer;
    private String clientId;
    private OrNull<String> clientSecret;
    private String groupsClaim;
    private Map<String, String> roles;
    private OrNull<String> defaultRole;
    private Map<String, Object> require;

    private Builder() {}

    /**
     * The identity provider, exactly as its tokens name it ({@code iss}). Its discovery document is read when
     * this is stored.
     */
    public Builder issuer(String value) {
      issuer = value;
      return this;
    }

    /** The client that stands for this service at the identity provider. */
    public Builder clientId(String value) {
      clientId = value;
      return this;
    }

    /**
     * For a sign-in through this service. Absent: the stored one stays, if issuer and client do. Null: none.
     */
    public Builder clientSecret(String value) {
      clientSecret = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code client_secret}, which is not the same as leaving it out. */
    public Builder clearClientSecret() {
      clientSecret = OrNull.none();
      return this;
    }

    /** The claim that lists a user’s groups. */
    public Builder groupsClaim(String value) {
      groupsClaim = value;
      return this;
    }

    /**
     * The role of each group. Who is in several has the highest; who is in none is refused, unless there is a
     * {@code default_role}.
     */
    public Builder roles(Map<String, String> value) {
      roles = value;
      return this;
    }

    /** Sets {@code default_role}. */
    public Builder defaultRole(String value) {
      defaultRole = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code default_role}, which is not the same as leaving it out. */
    public Builder clearDefaultRole() {
      defaultRole = OrNull.none();
      return this;
    }

    /** Claims that a token must have with exactly this value, or, where the claim is a list, in it. */
    public Builder require(Map<String, Object> value) {
      require = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PutSso build() {
      return new PutSso(
          Objects.requireNonNull(issuer, "PutSso.issuer is needed"),
          Objects.requireNonNull(clientId, "PutSso.clientId is needed"),
          clientSecret,
          groupsClaim,
          Objects.requireNonNull(roles, "PutSso.roles is needed"),
          defaultRole,
          require);
    }
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
