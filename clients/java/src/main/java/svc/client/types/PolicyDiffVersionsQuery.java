// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code diffVersions} asks for. Made by {@link #builder()}.
 *
 * @param from The version to begin with. Default: the one before {@code to}. {@code null} where it is absent.
 * @param to The version to end with. Default: the one in force. {@code null} where it is absent.
 */
public record PolicyDiffVersionsQuery(
    Long from,
    Long to) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.from = from;
    builder.to = to;
    return builder;
  }

  /** Sets members of {@link PolicyDiffVersionsQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private Long from;
    private Long to;

    private Builder() {}

    /** The version to begin with. Default: the one before {@code to}. */
    public Builder from(long value) {
      from = value;
      return this;
    }

    /** The version to end with. Default: the one in force. */
    public Builder to(long value) {
      to = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PolicyDiffVersionsQuery build() {
      return new PolicyDiffVersionsQuery(
          from,
          to);
    }
  }
}
