// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * Assessments of the organization, by when they were recorded. Made by {@link #builder()}.
 *
 * @param since Recorded at or after. Default: from the beginning. {@code null} where it is absent.
 * @param until Recorded before. Default: now. {@code null} where it is absent.
 * @param limit At most so many, the newest. {@code null} where it is absent.
 */
public record SimulationSample(
    String since,
    String until,
    Long limit) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.since = since;
    builder.until = until;
    builder.limit = limit;
    return builder;
  }

  /** Sets members of {@link SimulationSample}. Not for use by more than one thread. */
  public static final class Builder {
    private String since;
    private String until;
    private Long limit;

    private Builder() {}

    /** Recorded at or after. Default: from the beginning. */
    public Builder since(String value) {
      since = value;
      return this;
    }

    /** Recorded before. Default: now. */
    public Builder until(String value) {
      until = value;
      return this;
    }

    /** At most so many, the newest. */
    public Builder limit(long value) {
      limit = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public SimulationSample build() {
      return new SimulationSample(
          since,
          until,
          limit);
    }
  }
}
