// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * On whose behalf the model works. Made by {@link #builder()}.
 *
 * @param user The person, by your own pseudonym. {@code null} where it is absent.
 * @param session The conversation. {@code null} where it is absent.
 * @param agent The application or agent. {@code null} where it is absent.
 */
public record Subject(
    String user,
    String session,
    String agent) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.user = user;
    builder.session = session;
    builder.agent = agent;
    return builder;
  }

  /** Sets members of {@link Subject}. Not for use by more than one thread. */
  public static final class Builder {
    private String user;
    private String session;
    private String agent;

    private Builder() {}

    /** The person, by your own pseudonym. */
    public Builder user(String value) {
      user = value;
      return this;
    }

    /** The conversation. */
    public Builder session(String value) {
      session = value;
      return this;
    }

    /** The application or agent. */
    public Builder agent(String value) {
      agent = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public Subject build() {
      return new Subject(
          user,
          session,
          agent);
    }
  }
}
