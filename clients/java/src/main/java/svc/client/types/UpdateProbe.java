// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import svc.client.OrNull;

/**
 * {@code UpdateProbe} in an answer or request. Made by {@link #builder()}.
 *
 * @param labels In place of those that were set before. They stand over what the probe says itself. {@code
 *     null} where it is absent.
 * @param expectedIntervalS How often the probe is to be heard. null: the usual 30 s. May be {@code null}.
 */
public record UpdateProbe(
    Labels labels,
    @JsonProperty("expected_interval_s") OrNull<Long> expectedIntervalS) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.labels = labels;
    builder.expectedIntervalS = expectedIntervalS;
    return builder;
  }

  /** Sets members of {@link UpdateProbe}. Not for use by more than one thread. */
  public static final class Builder {
    private Labels labels;
    private OrNull<Long> expectedIntervalS;

    private Builder() {}

    /** In place of those that were set before. They stand over what the probe says itself. */
    public Builder labels(Labels value) {
      labels = value;
      return this;
    }

    /** How often the probe is to be heard. null: the usual 30 s. */
    public Builder expectedIntervalS(long value) {
      expectedIntervalS = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code expected_interval_s}, which is not the same as leaving it out. */
    public Builder clearExpectedIntervalS() {
      expectedIntervalS = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public UpdateProbe build() {
      return new UpdateProbe(
          labels,
          expectedIntervalS);
    }
  }

  /**
   * {@code Labels} in an answer or request. Made by {@link #builder()}.
   *
   * @param group Probes of one group are looked at together for drift. Without it the group is {@code
   *     default}. {@code null} where it is absent.
   */
  public record Labels(
      String group) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.group = group;
      return builder;
    }

    /** Sets members of {@link Labels}. Not for use by more than one thread. */
    public static final class Builder {
      private String group;

      private Builder() {}

      /** Probes of one group are looked at together for drift. Without it the group is {@code default}. */
      public Builder group(String value) {
        group = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Labels build() {
        return new Labels(
            group);
      }
    }
  }
}
