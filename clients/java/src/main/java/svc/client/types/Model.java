// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code Model} in an answer or request. Made by {@link #builder()}.
 *
 * @param provider Who serves the model. {@code null} where it is absent.
 * @param name The model's name. {@code null} where it is absent.
 * @param version The model's version. {@code null} where it is absent.
 */
public record Model(
    String provider,
    String name,
    String version) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.provider = provider;
    builder.name = name;
    builder.version = version;
    return builder;
  }

  /** Sets members of {@link Model}. Not for use by more than one thread. */
  public static final class Builder {
    private String provider;
    private String name;
    private String version;

    private Builder() {}

    /** Who serves the model. */
    public Builder provider(String value) {
      provider = value;
      return this;
    }

    /** The model's name. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** The model's version. */
    public Builder version(String value) {
      version = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public Model build() {
      return new Model(
          provider,
          name,
          version);
    }
  }
}
