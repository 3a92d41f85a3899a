// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a model is asked, before it answers. Made by {@link #builder()}.
 *
 * @param input What the model is asked. A {@code String} or {@code List<Message>}.
 * @param context Documents, tool results and memories in the prompt. {@code null} where it is absent.
 * @param model The model, by name or in parts. A {@code String} or {@code Model}. {@code null} where it is
 *     absent.
 * @param subject {@code null} where it is absent.
 * @param externalId Your own id, to find the assessment by. {@code null} where it is absent.
 * @param deadlineMs Time to decide in. Default: the policy's. {@code null} where it is absent.
 * @param occurredAt When the inference happened, ISO 8601 with an offset or Z. Default: now. {@code null}
 *     where it is absent.
 * @param metadata Your own pairs, kept with the assessment. {@code null} where it is absent.
 */
public record StreamInference(
    Object input,
    List<ContextItem> context,
    Object model,
    Subject subject,
    @JsonProperty("external_id") String externalId,
    @JsonProperty("deadline_ms") Long deadlineMs,
    @JsonProperty("occurred_at") String occurredAt,
    Map<String, String> metadata) {
  /** Keeps copies of lists and maps that do not change. */
  public StreamInference {
    context = Fixed.copyOf(context);
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
    builder.context = context;
    builder.model = model;
    builder.subject = subject;
    builder.externalId = externalId;
    builder.deadlineMs = deadlineMs;
    builder.occurredAt = occurredAt;
    builder.metadata = metadata;
    return builder;
  }

  /** Sets members of {@link StreamInference}. Not for use by more than one thread. */
  public static final class Builder {
    private Object input;
    private List<ContextItem> context;
    private Object model;
    private Subject subject;
    private String externalId;
    private Long deadlineMs;
    private String occurredAt;
    private Map<String, String> metadata;

    private Builder() {}

    /** What the model is asked. */
    public Builder input(String value) {
      input = value;
      return this;
    }

    /** What the model is asked. */
    public Builder input(List<Message> value) {
      input = value;
      return this;
    }

    /** Documents, tool results and memories in the prompt. */
    public Builder context(List<ContextItem> value) {
      context = value;
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
    public StreamInference build() {
      return new StreamInference(
          Objects.requireNonNull(input, "StreamInference.input is needed"),
          context,
          model,
          subject,
          externalId,
          deadlineMs,
          occurredAt,
          metadata);
    }
  }
}
