// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code list} asks for. Made by {@link #builder()}.
 *
 * @param status Probes that are so now. {@code null} where it is absent.
 * @param group Probes of this group. {@code null} where it is absent.
 * @param limit Items in a page. {@code null} where it is absent.
 * @param cursor {@code next_cursor} of the page before. {@code null} where it is absent.
 */
public record ProbesListQuery(
    String status,
    String group,
    Long limit,
    String cursor) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.status = status;
    builder.group = group;
    builder.limit = limit;
    builder.cursor = cursor;
    return builder;
  }

  /** Sets members of {@link ProbesListQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private String status;
    private String group;
    private Long limit;
    private String cursor;

    private Builder() {}

    /** Probes that are so now. */
    public Builder status(String value) {
      status = value;
      return this;
    }

    /** Probes of this group. */
    public Builder group(String value) {
      group = value;
      return this;
    }

    /** Items in a page. */
    public Builder limit(long value) {
      limit = value;
      return this;
    }

    /** {@code next_cursor} of the page before. */
    public Builder cursor(String value) {
      cursor = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ProbesListQuery build() {
      return new ProbesListQuery(
          status,
          group,
          limit,
          cursor);
    }
  }

  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code healthy}. */
    public static final String HEALTHY = "healthy";
    /** {@code stale}. */
    public static final String STALE = "stale";
    /** {@code offline}. */
    public static final String OFFLINE = "offline";
    /** {@code skewed}. */
    public static final String SKEWED = "skewed";

    private Status() {}
  }
}
