// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * {@code SlackConfig} in an answer or request. Made by {@link #builder()}.
 *
 * @param url The incoming webhook’s URL. It is a credential: it is kept encrypted and never answered.
 */
public record SlackConfig(
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

  /** Sets members of {@link SlackConfig}. Not for use by more than one thread. */
  public static final class Builder {
    private String url;

    private Builder() {}

    /** The incoming webhook’s URL. It is a credential: it is kept encrypted and never answered. */
    public Builder url(String value) {
      url = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public SlackConfig build() {
      return new SlackConfig(
          Objects.requireNonNull(url, "SlackConfig.url is needed"));
    }
  }
}
