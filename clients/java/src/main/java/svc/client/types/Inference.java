// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import svc.client.OrNull;

/**
 * One exchange with a model, or the part of it known so far. Made by {@link #builder()}.
 *
 * @param input What the model is asked. At least one of {@code input}, {@code output} is needed. A {@code
 *     String} or {@code List<Message>}. {@code null} where it is absent.
 * @param output What the model answered. A {@code String} or {@code List<Message>}. May be {@code null}.
 * @param context Documents, tool results and memories in the prompt. {@code null} where it is absent.
 * @param toolCalls Calls that the model wants to make. {@code null} where it is absent.
 * @param model The model, by name or in parts. A {@code String} or {@code Model}. {@code null} where it is
 *     absent.
 * @param subject {@code null} where it is absent.
 * @param externalId Your own id, to find the assessment by. {@code null} where it is absent.
 * @param deadlineMs Time to decide in. Default: the policy's. {@code null} where it is absent.
 * @param occurredAt When the inference happened, ISO 8601 with an offset or Z. Default: now. {@code null}
 *     where it is absent.
 * @param metadata Your own pairs, kept with the assessment. {@code null} where it is absent.
 */
public record Inference(
    Object input,
    OrNull<Object> output,
    List<ContextItem> context,
    @JsonProperty("tool_calls") List<ToolCall> toolCalls,
    Object model,
    Subject subject,
    @JsonProperty("external_id") String externalId,
    @JsonProperty("deadline_ms") Long deadlineMs,
    @JsonProperty("occurred_at") String occurredAt,
    Map<String, String> metadata) {
  /** Keeps copies of lists and maps that do not change. */
  public Inference {
    context = Fixed.copyOf(context);
    toolCalls = Fixed.copyOf(toolCalls);
    metadata = Fixed.copyOf(metadata);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.input = input;
    builder.output = output;
    builder.context = context;
    builder.toolCalls = toolCalls;
    builder.model = model;
    builder.subject = subject;
    builder.externalId = externalId;
    builder.deadlineMs = deadlineMs;
    builder.occurredAt = occurredAt;
    builder.metadata = metadata;
    return builder;
  }

  /** Sets members of {@link Inference}. Not for use by more than one thread. */
  public static final class Builder {
    private Object input;
    private OrNull<Object> output;
    private List<ContextItem> context;
    private List<ToolCall> toolCalls;
    private Object model;
    private Subject subject;
    private String externalId;
    private Long deadlineMs;
    private String occurredAt;
    private Map<String, String> metadata;

    private Builder() {}

    /** What the model is asked. At least one of {@code input}, {@code output} is needed. */
    public Builder input(String value) {
      input = value;
      return this;
    }

    /** What the model is asked. At least one of {@code input}, {@code output} is needed. */
    public Builder input(List<Message> value) {
      input = value;
      return this;
    }

    /** What the model answered. */
    public Builder output(String value) {
      output = OrNull.of(value);
      return this;
    }

    /** What the model answered. */
    public Builder output(List<Message> value) {
      output = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code output}, which is not the same as leaving it out. */
    public Builder clearOutput() {
      output = OrNull.none();
      return this;
    }

    /** Documents, tool results and memories in the prompt. */
    public Builder context(List<ContextItem> value) {
      context = value;
      return this;
    }

    /** Calls that the model wants to make. */
    public Builder toolCalls(List<ToolCall> value) {
      toolCalls = value;
      return this;
    }

    /** The model, by name or in parts. */
    public Builder model(String value) {
      model = value;
      return this;
    }

    /** The model, by name or in parts. */
    public Builder model(Model value) {
      model = value;
      return this;
    }

    /** Sets {@code subject}. */
    public Builder subject(Subject value) {
      subject = value;
      return this;
    }

    /** Your own id, to find the assessment by. */
    public Builder externalId(String value) {
      externalId = value;
      return this;
    }

    /** Time to decide in. Default: the policy's. */
    public Builder deadlineMs(long value) {
      deadlineMs = value;
      return this;
    }

    /** When the inference happened, ISO 8601 with an offset or Z. Default: now. */
    public Builder occurredAt(String value) {
      occurredAt = value;
      return this;
    }

    /** Your own pairs, kept with the assessment. */
    public Builder metadata(Map<String, String> value) {
      metadata = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public Inference build() {
      return new Inference(
          input,
          output,
          context,
          toolCalls,
          model,
          subject,
          externalId,
          deadlineMs,
          occurredAt,
          metadata);
    }
  }
}
