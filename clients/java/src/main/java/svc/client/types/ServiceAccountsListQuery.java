// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code list} asks for. Made by {@link #builder()}.
 *
 * @param limit Items in a page. {@code null} where it is absent.
 * @param cursor {@code next_cursor} of the page before. {@code null} where it is absent.
 */
public record ServiceAccountsListQuery(
    Long limit,
    String cursor) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.limit = limit;
    builder.cursor = cursor;
    return builder;
  }

  /** Sets members of {@link ServiceAccountsListQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private Long limit;
    private String cursor;

    private Builder() {}

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
    public ServiceAccountsListQuery build() {
      return new ServiceAccountsListQuery(
          limit,
          cursor);
    }
  }
}
