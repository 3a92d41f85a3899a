// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code DriftNote} in an answer or request. Made by {@link #builder()}.
 *
 * @param note Why; it stands in the trail. {@code null} where it is absent.
 */
public record DriftNote(
    String note) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.note = note;
    return builder;
  }

  /** Sets members of {@link DriftNote}. Not for use by more than one thread. */
  public static final class Builder {
    private String note;

    private Builder() {}

    /** Why; it stands in the trail. */
    public Builder note(String value) {
      note = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public DriftNote build() {
      return new DriftNote(
          note);
    }
  }
}
