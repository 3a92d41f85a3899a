// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * What {@code proveConsistency} asks for. Made by {@link #builder()}.
 *
 * @param from Size of the older tree: that of the checkpoint you hold.
 * @param to Size of the newer tree. Absent: that of the latest checkpoint. {@code null} where it is absent.
 */
public record AuditProveConsistencyQuery(
    long from,
    Long to) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.from = from;
    builder.to = to;
    return builder;
  }

  /** Sets members of {@link AuditProveConsistencyQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private Long from;
    private Long to;

    private Builder() {}

    /** Size of the older tree: that of the checkpoint you hold. */
    public Builder from(long value) {
      from = value;
      return this;
    }

    /** Size of the newer tree. Absent: that of the latest checkpoint. */
    public Builder to(long value) {
      to = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public AuditProveConsistencyQuery build() {
      return new AuditProveConsistencyQuery(
          Objects.requireNonNull(from, "AuditProveConsistencyQuery.from is needed"),
          to);
    }
  }
}
