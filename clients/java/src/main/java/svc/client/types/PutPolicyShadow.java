// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * {@code PutPolicyShadow} in an answer or request. Made by {@link #builder()}.
 *
 * @param sampleRate The share of assessments that it decides too. Which they are follows from their ids
 *     alone.
 * @param expiresAt When it ends by itself; at most 90 days ahead.
 */
public record PutPolicyShadow(
    Policy policy,
    @JsonProperty("sample_rate") double sampleRate,
    @JsonProperty("expires_at") String expiresAt) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.policy = policy;
    builder.sampleRate = sampleRate;
    builder.expiresAt = expiresAt;
    return builder;
  }

  /** Sets members of {@link PutPolicyShadow}. Not for use by more than one thread. */
  public static final class Builder {
    private Policy policy;
    private Double sampleRate;
    private String expiresAt;

    private Builder() {}

    /** Sets {@code policy}. */
    public Builder policy(Policy value) {
      policy = value;
      return this;
    }

    /** The share of assessments that it decides too. Which they are follows from their ids alone. */
    public Builder sampleRate(double value) {
      sampleRate = value;
      return this;
    }

    /** When it ends by itself; at most 90 days ahead. */
    public Builder expiresAt(String value) {
      expiresAt = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PutPolicyShadow build() {
      return new PutPolicyShadow(
          Objects.requireNonNull(policy, "PutPolicyShadow.policy is needed"),
          Objects.requireNonNull(sampleRate, "PutPolicyShadow.sampleRate is needed"),
          Objects.requireNonNull(expiresAt, "PutPolicyShadow.expiresAt is needed"));
    }
  }
}
