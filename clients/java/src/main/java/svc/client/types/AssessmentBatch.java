// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;
import java.util.Objects;

/**
 * {@code AssessmentBatch} in an answer or request. Made by {@link #builder()}.
 *
 * @param items Up to the plan’s batch size. One that is not valid is answered with its error and fails no
 *     other.
 */
public record AssessmentBatch(
    List<Inference> items) {
  /** Keeps copies of lists and maps that do not change. */
  public AssessmentBatch {
    items = Fixed.copyOf(items);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.items = items;
    return builder;
  }

  /** Sets members of {@link AssessmentBatch}. Not for use by more than one thread. */
  public static final class Builder {
    private List<Inference> items;

    private Builder() {}

    /** Up to the plan’s batch size. One that is not valid is answered with its error and fails no other. */
    public Builder items(List<Inference> value) {
      items = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public AssessmentBatch build() {
      return new AssessmentBatch(
          Objects.requireNonNull(items, "AssessmentBatch.items is needed"));
    }
  }
}
