// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * {@code PagerDutyConfig} in an answer or request. Made by {@link #builder()}.
 *
 * @param routingKey The integration key of an Events API v2 integration. Kept encrypted and never answered.
 * @param region Where the PagerDuty account is. {@code null} where it is absent.
 */
public record PagerDutyConfig(
    @JsonProperty("routing_key") String routingKey,
    String region) {
  /** Without what is secret. */
  @Override
  public String toString() {
    return "PagerDutyConfig[routingKey=***"
        + ", region=" + region
        + "]";
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.routingKey = routingKey;
    builder.region = region;
    return builder;
  }

  /** Sets members of {@link PagerDutyConfig}. Not for use by more than one thread. */
  public static final class Builder {
    private String routingKey;
    private String region;

    private Builder() {}

    /** The integration key of an Events API v2 integration. Kept encrypted and never answered. */
    public Builder routingKey(String value) {
      routingKey = value;
      return this;
    }

    /** Where the PagerDuty account is. */
    public Builder region(String value) {
      region = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PagerDutyConfig build() {
      return new PagerDutyConfig(
          Objects.requireNonNull(routingKey, "PagerDutyConfig.routingKey is needed"),
          region);
    }
  }

  /** Values of {@code region}. A later service may have others. */
  public static final class Region {
    /** {@code us}. */
    public static final String US = "us";
    /** {@code eu}. */
    public static final String EU = "eu";

    private Region() {}
  }
}
