// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import svc.client.OrNull;

/**
 * {@code StreamChunk} in an answer or request. Made by {@link #builder()}.
 *
 * @param seq Counts the chunks, from 0 or 1.
 * @param delta What the model has written since: a text, or {@code choices[0].delta} of a chunk of OpenAI’s
 *     chat completions, of which {@code content} and {@code tool_calls} are read. A {@code String} or {@code
 *     Delta}. {@code null} where it is absent.
 * @param final_ Nothing follows. {@code null} where it is absent.
 */
public record StreamChunk(
    long seq,
    Object delta,
    @JsonProperty("final") Boolean final_) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.seq = seq;
    builder.delta = delta;
    builder.final_ = final_;
    return builder;
  }

  /** Sets members of {@link StreamChunk}. Not for use by more than one thread. */
  public static final class Builder {
    private Long seq;
    private Object delta;
    private Boolean final_;

    private Builder() {}

    /** Counts the chunks, from 0 or 1. */
    public Builder seq(long value) {
      seq = value;
      return this;
    }

    /**
     * What the model has written since: a text, or {@code choices[0].delta} of a chunk of OpenAI’s chat
     * completions, of which {@code content} and {@code tool_calls} are read.
     */
    public Builder delta(String value) {
      delta = value;
      return this;
    }

    /**
     * What the model has written since: a text, or {@code choices[0].delta} of a chunk of OpenAI’s chat
     * completions, of which {@code content} and {@code tool_calls} are read.
     */
    public Builder delta(Delta value) {
      delta = value;
      return this;
    }

    /** Nothing follows. */
    public Builder final_(boolean value) {
      final_ = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public StreamChunk build() {
      return new StreamChunk(
          Objects.requireNonNull(seq, "StreamChunk.seq is needed"),
          delta,
          final_);
    }
  }

  /**
   * {@code Delta} in an answer or request. Made by {@link #builder()}.
   *
   * @param content May be {@code null}.
   * @param toolCalls May be {@code null}.
   */
  public record Delta(
      OrNull<String> content,
      @JsonProperty("tool_calls") OrNull<List<ToolCallDelta>> toolCalls) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.content = content;
      builder.toolCalls = toolCalls;
      return builder;
    }

    /** Sets members of {@link Delta}. Not for use by more than one thread. */
    public static final class Builder {
      private OrNull<String> content;
      private OrNull<List<ToolCallDelta>> toolCalls;

      private Builder() {}

      /** Sets {@code content}. */
      public Builder content(String value) {
        content = OrNull.of(value);
        return this;
      }

      /** Says {@code null} for {@code content}, which is not the same as leaving it out. */
      public Builder clearContent() {
        content = OrNull.none();
        return this;
      }

      /** Sets {@code tool_calls}. */
      public Builder toolCalls(List<ToolCallDelta> value) {
        toolCalls = OrNull.of(value);
        return this;
      }

      /** Says {@code null} for {@code tool_calls}, which is not the same as leaving it out. */
      public Builder clearToolCalls() {
        toolCalls = OrNull.none();
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Delta build() {
        return new Delta(
            content,
            toolCalls);
      }
    }
  }
}
