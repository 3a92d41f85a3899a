// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Map;
import java.util.Objects;

/**
 * {@code ToolCall} in an answer or request. Made by {@link #builder()}.
 *
 * @param name The tool.
 * @param arguments The call's arguments; every string inside is assessed. At most 32 levels deep. {@code
 *     null} where it is absent.
 */
public record ToolCall(
    String name,
    Map<String, Object> arguments) {
  /** Keeps copies of lists and maps that do not change. */
  public ToolCall {
    arguments = Fixed.copyOf(arguments);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.arguments = arguments;
    return builder;
  }

  /** Sets members of {@link ToolCall}. Not for use by more than one thread. */
  public static final class Builder {
    private String name;
    private Map<String, Object> arguments;

    private Builder() {}

    /** The tool. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** The call's arguments; every string inside is assessed. At most 32 levels deep. */
    public Builder arguments(Map<String, Object> value) {
      arguments = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ToolCall build() {
      return new ToolCall(
          Objects.requireNonNull(name, "ToolCall.name is needed"),
          arguments);
    }
  }
}
