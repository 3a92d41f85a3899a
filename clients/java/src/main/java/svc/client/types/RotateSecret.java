// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code RotateSecret} in an answer or request. Made by {@link #builder()}.
 *
 * @param graceS For how long the old secret signs beside the new one. 0: it ends at once. {@code null} where
 *     it is absent.
 */
public record RotateSecret(
    @JsonProperty("grace_s") Long graceS) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.graceS = graceS;
    return builder;
  }

  /** Sets members of {@link RotateSecret}. Not for use by more than one thread. */
  public static final class Builder {
    private Long graceS;

    private Builder() {}

    /** For how long the old secret signs beside the new one. 0: it ends at once. */
    public Builder graceS(long value) {
      graceS = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public RotateSecret build() {
      return new RotateSecret(
          graceS);
    }
  }
}
