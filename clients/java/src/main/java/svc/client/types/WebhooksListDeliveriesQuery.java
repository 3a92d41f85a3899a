// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code listDeliveries} asks for. Made by {@link #builder()}.
 *
 * @param state Deliveries in this state. {@code null} where it is absent.
 * @param kind Of events of this kind. {@code null} where it is absent.
 * @param limit Items in a page. {@code null} where it is absent.
 * @param cursor {@code next_cursor} of the page before. {@code null} where it is absent.
 */
public record WebhooksListDeliveriesQuery(
    String state,
    String kind,
    Long limit,
    String cursor) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.state = state;
    builder.kind = kind;
    builder.limit = limit;
    builder.cursor = cursor;
    return builder;
  }

  /** Sets members of {@link WebhooksListDeliveriesQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private String state;
    private String kind;
    private Long limit;
    private String cursor;

    private Builder() {}

    /** Deliveries in this state. */
    public Builder state(String value) {
      state = value;
      return this;
    }

    /** Of events of this kind. */
    public Builder kind(String value) {
      kind = value;
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
    public WebhooksListDeliveriesQuery build() {
      return new WebhooksListDeliveriesQuery(
          state,
          kind,
          limit,
          cursor);
    }
  }

  /** Values of {@code state}. A later service may have others. */
  public static final class State {
    /** {@code pending}. */
    public static final String PENDING = "pending";
    /** {@code in_flight}. */
    public static final String IN_FLIGHT = "in_flight";
    /** {@code parked}. */
    public static final String PARKED = "parked";
    /** {@code succeeded}. */
    public static final String SUCCEEDED = "succeeded";
    /** {@code failed}. */
    public static final String FAILED = "failed";
    /** {@code cancelled}. */
    public static final String CANCELLED = "cancelled";

    private State() {}
  }
}
