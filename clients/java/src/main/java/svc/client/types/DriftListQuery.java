// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * What {@code list} asks for. Made by {@link #builder()}.
 *
 * @param state Monitors in this state. {@code null} where it is absent.
 * @param model Monitors of this model. {@code null} where it is absent.
 * @param group Monitors of this group of probes; {@code api}: of what is assessed over the API. {@code null}
 *     where it is absent.
 * @param signal Monitors of this signal. {@code null} where it is absent.
 * @param limit Items in a page. {@code null} where it is absent.
 * @param cursor {@code next_cursor} of the page before. {@code null} where it is absent.
 */
public record DriftListQuery(
    String state,
    String model,
    String group,
    String signal,
    Long limit,
    String cursor) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.state = state;
    builder.model = model;
    builder.group = group;
    builder.signal = signal;
    builder.limit = limit;
    builder.cursor = cursor;
    return builder;
  }

  /** Sets members of {@link DriftListQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private String state;
    private String model;
    private String group;
    private String signal;
    private Long limit;
    private String cursor;

    private Builder() {}

    /** Monitors in this state. */
    public Builder state(String value) {
      state = value;
      return this;
    }

    /** Monitors of this model. */
    public Builder model(String value) {
      model = value;
      return this;
    }

    /** Monitors of this group of probes; {@code api}: of what is assessed over the API. */
    public Builder group(String value) {
      group = value;
      return this;
    }

    /** Monitors of this signal. */
    public Builder signal(String value) {
      signal = value;
      return this;
    }

    /** Items in a page. */
    public Builder limit(long value) {
      limit = value;
      return this;
    }

    /** {@code next_cursor} of the page before. */
    public Builder cursor(String value) {
      cursor = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public DriftListQuery build() {
      return new DriftListQuery(
          state,
          model,
          group,
          signal,
          limit,
          cursor);
    }
  }

  /** Values of {@code state}. A later service may have others. */
  public static final class State {
    /** {@code learning}. */
    public static final String LEARNING = "learning";
    /** {@code watching}. */
    public static final String WATCHING = "watching";
    /** {@code suspect}. */
    public static final String SUSPECT = "suspect";
    /** {@code sustained}. */
    public static final String SUSTAINED = "sustained";

    private State() {}
  }

  /** Values of {@code signal}. A later service may have others. */
  public static final class Signal {
    /** {@code flagged_rate}. */
    public static final String FLAGGED_RATE = "flagged_rate";
    /** {@code blocked_rate}. */
    public static final String BLOCKED_RATE = "blocked_rate";
    /** {@code error_rate}. */
    public static final String ERROR_RATE = "error_rate";
    /** {@code refusal_rate}. */
    public static final String REFUSAL_RATE = "refusal_rate";
    /** {@code score}. */
    public static final String SCORE = "score";
    /** {@code latency_ms}. */
    public static final String LATENCY_MS = "latency_ms";
    /** {@code time_to_first_token_ms}. */
    public static final String TIME_TO_FIRST_TOKEN_MS = "time_to_first_token_ms";
    /** {@code input_tokens}. */
    public static final String INPUT_TOKENS = "input_tokens";
    /** {@code output_tokens}. */
    public static final String OUTPUT_TOKENS = "output_tokens";
    /** {@code category_mix}. */
    public static final String CATEGORY_MIX = "category_mix";
    /** {@code finish_reason_mix}. */
    public static final String FINISH_REASON_MIX = "finish_reason_mix";
    /** {@code model_version_mix}. */
    public static final String MODEL_VERSION_MIX = "model_version_mix";

    private Signal() {}
  }
}
