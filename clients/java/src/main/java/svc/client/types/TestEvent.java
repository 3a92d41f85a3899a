// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code TestEvent} in an answer or request. Made by {@link #builder()}.
 *
 * @param event Of which kind a sample is sent. {@code null} where it is absent.
 */
public record TestEvent(
    String event) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.event = event;
    return builder;
  }

  /** Sets members of {@link TestEvent}. Not for use by more than one thread. */
  public static final class Builder {
    private String event;

    private Builder() {}

    /** Of which kind a sample is sent. */
    public Builder event(String value) {
      event = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public TestEvent build() {
      return new TestEvent(
          event);
    }
  }
}
