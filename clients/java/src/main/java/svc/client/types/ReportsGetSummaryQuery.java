// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code getSummary} asks for. Made by {@link #builder()}.
 *
 * @param since Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour.
 *     Absent: 30 days before {@code until}. {@code null} where it is absent.
 * @param until Recorded before; the end of its day or hour. Absent: now. {@code null} where it is absent.
 * @param interval Of the points of the series, at most 1000. Hours reach back 100 days; weeks begin on
 *     Monday. Absent: by the length. {@code null} where it is absent.
 */
public record ReportsGetSummaryQuery(
    String since,
    String until,
    String interval) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.since = since;
    builder.until = until;
    builder.interval = interval;
    return builder;
  }

  /** Sets members of {@link ReportsGetSummaryQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private String since;
    private String until;
    private String interval;

    private Builder() {}

    /**
     * Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30
     * days before {@code until}.
     */
    public Builder since(String value) {
      since = value;
      return this;
    }

    /** Recorded before; the end of its day or hour. Absent: now. */
    public Builder until(String value) {
      until = value;
      return this;
    }

    /**
     * Of the points of the series, at most 1000. Hours reach back 100 days; weeks begin on Monday. Absent: by
     * the length.
     */
    public Builder interval(String value) {
      interval = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ReportsGetSummaryQuery build() {
      return new ReportsGetSummaryQuery(
          since,
          until,
          interval);
    }
  }

  /** Values of {@code interval}. A later service may have others. */
  public static final class Interval {
    /** {@code hour}. */
    public static final String HOUR = "hour";
    /** {@code day}. */
    public static final String DAY = "day";
    /** {@code week}. */
    public static final String WEEK = "week";
    /** {@code month}. */
    public static final String MONTH = "month";

    private Interval() {}
  }
}
