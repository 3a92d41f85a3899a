// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code proveEvent} asks for. Made by {@link #builder()}.
 *
 * @param size Against the published checkpoint of this size. Absent: the latest. {@code null} where it is
 *     absent.
 */
public record AuditProveEventQuery(
    Long size) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.size = size;
    return builder;
  }

  /** Sets members of {@link AuditProveEventQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private Long size;

    private Builder() {}

    /** Against the published checkpoint of this size. Absent: the latest. */
    public Builder size(long value) {
      size = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public AuditProveEventQuery build() {
      return new AuditProveEventQuery(
          size);
    }
  }
}
