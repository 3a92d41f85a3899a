// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code PromotePolicyShadow} in an answer or request. Made by {@link #builder()}.
 *
 * @param digest Of the candidate that is meant. Where another one runs by now, nothing is promoted: 412.
 *     {@code null} where it is absent.
 */
public record PromotePolicyShadow(
    String digest) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.digest = digest;
    return builder;
  }

  /** Sets members of {@link PromotePolicyShadow}. Not for use by more than one thread. */
  public static final class Builder {
    private String digest;

    private Builder() {}

    /** Of the candidate that is meant. Where another one runs by now, nothing is promoted: 412. */
    public Builder digest(String value) {
      digest = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PromotePolicyShadow build() {
      return new PromotePolicyShadow(
          digest);
    }
  }
}
