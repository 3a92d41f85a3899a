// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * {@code TeamsConfig} in an answer or request. Made by {@link #builder()}.
 *
 * @param url The URL of a Workflows webhook. It is a credential: it is kept encrypted and never answered.
 */
public record TeamsConfig(
    String url) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.url = url;
    return builder;
  }

  /** Sets members of {@link TeamsConfig}. Not for use by more than one thread. */
  public static final class Builder {
    private String url;

    private Builder() {}

    /** The URL of a Workflows webhook. It is a credential: it is kept encrypted and never answered. */
    public Builder url(String value) {
      url = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public TeamsConfig build() {
      return new TeamsConfig(
          Objects.requireNonNull(url, "TeamsConfig.url is needed"));
    }
  }
}
