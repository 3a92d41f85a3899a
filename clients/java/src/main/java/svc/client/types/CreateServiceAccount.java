// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;

/**
 * {@code CreateServiceAccount} in an answer or request. Made by {@link #builder()}.
 *
 * @param name What the account is for.
 * @param permissions Scopes of the account and of all its keys. Nobody grants what they do not hold.
 * @param ipAllowlist CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere. {@code
 *     null} where it is absent.
 * @param type Of its keys. With {@code admin:*} or {@code policy:write} a live account gets admin keys.
 *     {@code null} where it is absent.
 */
public record CreateServiceAccount(
    String name,
    List<String> permissions,
    @JsonProperty("ip_allowlist") List<String> ipAllowlist,
    String type) {
  /** Keeps copies of lists and maps that do not change. */
  public CreateServiceAccount {
    permissions = Fixed.copyOf(permissions);
    ipAllowlist = Fixed.copyOf(ipAllowlist);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.permissions = permissions;
    builder.ipAllowlist = ipAllowlist;
    builder.type = type;
    return builder;
  }

  /** Sets members of {@link CreateServiceAccount}. Not for use by more than one thread. */
  public static final class Builder {
    private String name;
    private List<String> permissions;
    private List<String> ipAllowlist;
    private String type;

    private Builder() {}

    /** What the account is for. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** Scopes of the account and of all its keys. Nobody grants what they do not hold. */
    public Builder permissions(List<String> value) {
      permissions = value;
      return this;
    }

    /** CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere. */
    public Builder ipAllowlist(List<String> value) {
      ipAllowlist = value;
      return this;
    }

    /** Of its keys. With {@code admin:*} or {@code policy:write} a live account gets admin keys. */
    public Builder type(String value) {
      type = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public CreateServiceAccount build() {
      return new CreateServiceAccount(
          Objects.requireNonNull(name, "CreateServiceAccount.name is needed"),
          Objects.requireNonNull(permissions, "CreateServiceAccount.permissions is needed"),
          ipAllowlist,
          type);
    }
  }
}
