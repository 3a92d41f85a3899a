// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import svc.client.OrNull;

/**
 * {@code CreateServiceAccountKey} in an answer or request. Made by {@link #builder()}.
 *
 * @param expiresAt When the key stops working; at most ten years ahead. Absent or null: never. May be {@code
 *     null}.
 */
public record CreateServiceAccountKey(
    @JsonProperty("expires_at") OrNull<String> expiresAt) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.expiresAt = expiresAt;
    return builder;
  }

  /** Sets members of {@link CreateServiceAccountKey}. Not for use by more than one thread. */
  public static final class Builder {
    private OrNull<String> expiresAt;

    private Builder() {}

    /** When the key stops working; at most ten years ahead. Absent or null: never. */
    public Builder expiresAt(String value) {
      expiresAt = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code expires_at}, which is not the same as leaving it out. */
    public Builder clearExpiresAt() {
      expiresAt = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public CreateServiceAccountKey build() {
      return new CreateServiceAccountKey(
          expiresAt);
    }
  }
}
