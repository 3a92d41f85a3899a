// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;

/**
 * {@code Message} in an answer or request. Made by {@link #builder()}.
 *
 * @param role Who speaks.
 * @param content What is said: a text, parts, or null where a message holds only tool calls. A {@code String}
 *     or {@code List<ContentPart>}. May be {@code null}.
 */
public record Message(
    String role,
    @JsonInclude(JsonInclude.Include.ALWAYS) Object content) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.role = role;
    builder.content = content;
    return builder;
  }

  /** Sets members of {@link Message}. Not for use by more than one thread. */
  public static final class Builder {
    private String role;
    private Object content;

    private Builder() {}

    /** Who speaks. */
    public Builder role(String value) {
      role = value;
      return this;
    }

    /** What is said: a text, parts, or null where a message holds only tool calls. */
    public Builder content(String value) {
      content = value;
      return this;
    }

    /** What is said: a text, parts, or null where a message holds only tool calls. */
    public Builder content(List<ContentPart> value) {
      content = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public Message build() {
      return new Message(
          Objects.requireNonNull(role, "Message.role is needed"),
          content);
    }
  }

  /** Values of {@code role}. A later service may have others. */
  public static final class Role {
    /** {@code system}. */
    public static final String SYSTEM = "system";
    /** {@code developer}. */
    public static final String DEVELOPER = "developer";
    /** {@code user}. */
    public static final String USER = "user";
    /** {@code assistant}. */
    public static final String ASSISTANT = "assistant";
    /** {@code tool}. */
    public static final String TOOL = "tool";

    private Role() {}
  }
}
