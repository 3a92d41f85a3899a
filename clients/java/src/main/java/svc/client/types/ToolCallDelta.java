// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;
import svc.client.OrNull;

/**
 * {@code ToolCallDelta} in an answer or request. Made by {@link #builder()}.
 *
 * @param index Of the call, from 0. A call is complete when the next one begins.
 * @param function {@code null} where it is absent.
 */
public record ToolCallDelta(
    long index,
    Function function) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.index = index;
    builder.function = function;
    return builder;
  }

  /** Sets members of {@link ToolCallDelta}. Not for use by more than one thread. */
  public static final class Builder {
    private Long index;
    private Function function;

    private Builder() {}

    /** Of the call, from 0. A call is complete when the next one begins. */
    public Builder index(long value) {
      index = value;
      return this;
    }

    /** Sets {@code function}. */
    public Builder function(Function value) {
      function = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ToolCallDelta build() {
      return new ToolCallDelta(
          Objects.requireNonNull(index, "ToolCallDelta.index is needed"),
          function);
    }
  }

  /**
   * {@code Function} in an answer or request. Made by {@link #builder()}.
   *
   * @param name May be {@code null}.
   * @param arguments The next piece of the arguments’ JSON. May be {@code null}.
   */
  public record Function(
      OrNull<String> name,
      OrNull<String> arguments) {
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

    /** Sets members of {@link Function}. Not for use by more than one thread. */
    public static final class Builder {
      private OrNull<String> name;
      private OrNull<String> arguments;

      private Builder() {}

      /** Sets {@code name}. */
      public Builder name(String value) {
        name = OrNull.of(value);
        return this;
      }

      /** Says {@code null} for {@code name}, which is not the same as leaving it out. */
      public Builder clearName() {
        name = OrNull.none();
        return this;
      }

      /** The next piece of the arguments’ JSON. */
      public Builder arguments(String value) {
        arguments = OrNull.of(value);
        return this;
      }

      /** Says {@code null} for {@code arguments}, which is not the same as leaving it out. */
      public Builder clearArguments() {
        arguments = OrNull.none();
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Function build() {
        return new Function(
            name,
            arguments);
      }
    }
  }
}
