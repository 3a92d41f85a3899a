// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code DriftSignalSettings} in an answer or request. Made by {@link #builder()}.
 *
 * @param enabled Whether it is watched. {@code null} where it is absent.
 * @param tolerance Changes up to this count as none: of numbers in standard deviations (default 0.05), of
 *     rates and shares relative to the baseline (default 0.1). {@code null} where it is absent.
 */
public record DriftSignalSettings(
    Boolean enabled,
    Double tolerance) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.enabled = enabled;
    builder.tolerance = tolerance;
    return builder;
  }

  /** Sets members of {@link DriftSignalSettings}. Not for use by more than one thread. */
  public static final class Builder {
    private Boolean enabled;
    private Double tolerance;

    private Builder() {}

    /** Whether it is watched. */
    public Builder enabled(boolean value) {
      enabled = value;
      return this;
    }

    /**
     * Changes up to this count as none: of numbers in standard deviations (default 0.05), of rates and shares
     * relative to the baseline (default 0.1).
     */
    public Builder tolerance(double value) {
      tolerance = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public DriftSignalSettings build() {
      return new DriftSignalSettings(
          enabled,
          tolerance);
    }
  }
}
