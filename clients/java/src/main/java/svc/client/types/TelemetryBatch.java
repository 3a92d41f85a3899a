// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;
import java.util.Objects;

/**
 * {@code TelemetryBatch} in an answer or request. Made by {@link #builder()}.
 *
 * @param events One that is not valid is rejected by itself and fails no other.
 */
public record TelemetryBatch(
    List<TelemetryEvent> events) {
  /** Keeps copies of lists and maps that do not change. */
  public TelemetryBatch {
    events = Fixed.copyOf(events);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.events = events;
    return builder;
  }

  /** Sets members of {@link TelemetryBatch}. Not for use by more than one thread. */
  public static final class Builder {
    private List<TelemetryEvent> events;

    private Builder() {}

    /** One that is not valid is rejected by itself and fails no other. */
    public Builder events(List<TelemetryEvent> value) {
      events = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public TelemetryBatch build() {
      return new TelemetryBatch(
          Objects.requireNonNull(events, "TelemetryBatch.events is needed"));
    }
  }
}
