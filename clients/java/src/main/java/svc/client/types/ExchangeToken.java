// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * {@code ExchangeToken} in an answer or request. Made by {@link #builder()}.
 *
 * @param ssoToken An ID token (OpenID Connect) of the organization’s identity provider, at most ten minutes
 *     old. It is good for one exchange.
 */
public record ExchangeToken(
    @JsonProperty("sso_token") String ssoToken) {
  /** Without what is secret. */
  @Override
  public String toString() {
    return "ExchangeToken[ssoToken=***"
        + "]";
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.ssoToken = ssoToken;
    return builder;
  }

  /** Sets members of {@link ExchangeToken}. Not for use by more than one thread. */
  public static final class Builder {
    private String ssoToken;

    private Builder() {}

    /**
     * An ID token (OpenID Connect) of the organization’s identity provider, at most ten minutes old. It is
     * good for one exchange.
     */
    public Builder ssoToken(String value) {
      ssoToken = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ExchangeToken build() {
      return new ExchangeToken(
          Objects.requireNonNull(ssoToken, "ExchangeToken.ssoToken is needed"));
    }
  }
}
