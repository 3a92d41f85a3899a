// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import svc.client.OrNull;

/**
 * {@code CreateApiKey} in an answer or request. Made by {@link #builder()}.
 *
 * @param name What the key is for.
 * @param type {@code live} for production, {@code test} for CI and development, {@code admin} for management.
 * @param description Anything worth knowing about it. May be {@code null}.
 * @param expiresAt When it stops working; at most ten years ahead. Absent or null: never. May be {@code
 *     null}.
 * @param permissions Scopes in place of those that its type holds by default. Nobody grants what they do not
 *     hold. {@code null} where it is absent.
 */
public record CreateApiKey(
    String name,
    String type,
    OrNull<String> description,
    @JsonProperty("expires_at") OrNull<String> expiresAt,
    List<String> permissions) {
  /** Keeps copies of lists and maps that do not change. */
  public CreateApiKey {
    permissions = Fixed.copyOf(permissions);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.type = type;
    builder.description = description;
    builder.expiresAt = expiresAt;
    builder.permissions = permissions;
    return builder;
  }

  /** Sets members of {@link CreateApiKey}. Not for use by more than one thread. */
  public static final class Builder {
    private String name;
    private String type;
    private OrNull<String> description;
    private OrNull<String> expiresAt;
    private List<String> permissions;

    private Builder() {}

    /** What the key is for. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** {@code live} for production, {@code test} for CI and development, {@code admin} for management. */
    public Builder type(String value) {
      type = value;
      return this;
    }

    /** Anything worth knowing about it. */
    public Builder description(String value) {
      description = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code description}, which is not the same as leaving it out. */
    public Builder clearDescription() {
      description = OrNull.none();
      return this;
    }

    /** When it stops working; at most ten years ahead. Absent or null: never. */
    public Builder expiresAt(String value) {
      expiresAt = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code expires_at}, which is not the same as leaving it out. */
    public Builder clearExpiresAt() {
      expiresAt = OrNull.none();
      return this;
    }

    /** Scopes in place of those that its type holds by default. Nobody grants what they do not hold. */
    public Builder permissions(List<String> value) {
      permissions = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public CreateApiKey build() {
      return new CreateApiKey(
          Objects.requireNonNull(name, "CreateApiKey.name is needed"),
          Objects.requireNonNull(type, "CreateApiKey.type is needed"),
          description,
          expiresAt,
          permissions);
    }
  }
}
