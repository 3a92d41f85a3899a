// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * {@code Recover} in an answer or request. Made by {@link #builder()}.
 *
 * @param since Deliveries of events recorded at or after.
 */
public record Recover(
    String since) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.since = since;
    return builder;
  }

  /** Sets members of {@link Recover}. Not for use by more than one thread. */
  public static final class Builder {
    private String since;

    private Builder() {}

    /** Deliveries of events recorded at or after. */
    public Builder since(String value) {
      since = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public Recover build() {
      return new Recover(
          Objects.requireNonNull(since, "Recover.since is needed"));
    }
  }
}
