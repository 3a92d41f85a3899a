// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code getUsage} asks for. Made by {@link #builder()}.
 *
 * @param since First day, UTC. Without it the last 30 days. {@code null} where it is absent.
 * @param until Last day, UTC. Without it today. {@code null} where it is absent.
 */
public record OrganizationGetUsageQuery(
    String since,
    String until) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.since = since;
    builder.until = until;
    return builder;
  }

  /** Sets members of {@link OrganizationGetUsageQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private String since;
    private String until;

    private Builder() {}

    /** First day, UTC. Without it the last 30 days. */
    public Builder since(String value) {
      since = value;
      return this;
    }

    /** Last day, UTC. Without it today. */
    public Builder until(String value) {
      until = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public OrganizationGetUsageQuery build() {
      return new OrganizationGetUsageQuery(
          since,
          until);
    }
  }
}
