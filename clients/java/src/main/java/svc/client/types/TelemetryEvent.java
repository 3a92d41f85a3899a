// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import svc.client.OrNull;

/**
 * One inference that a probe has seen. Made by {@link #builder()}.
 *
 * @param id The probe's own name for the event. One that the probe has sent before counts once.
 * @param occurredAt When the inference began, ISO 8601 with an offset or Z.
 * @param model The model that was asked for: {@code gen_ai.request.model}. May be {@code null}.
 * @param modelVersion The model that the provider says has answered: {@code gen_ai.response.model}. May be
 *     {@code null}.
 * @param provider {@code gen_ai.provider.name}. May be {@code null}.
 * @param operation {@code gen_ai.operation.name}. May be {@code null}.
 * @param inputTokens {@code gen_ai.usage.input_tokens}. May be {@code null}.
 * @param outputTokens {@code gen_ai.usage.output_tokens}. May be {@code null}.
 * @param latencyMs From the request to the end of the answer. May be {@code null}.
 * @param timeToFirstTokenMs From the request to the first token of the answer. May be {@code null}.
 * @param finishReason Why the model ended: {@code gen_ai.response.finish_reasons}. May be {@code null}.
 * @param error Why there is no answer: {@code error.type}. May be {@code null}.
 * @param outcome The probe's own decision. Where texts are sent too, the service's counts. May be {@code
 *     null}.
 * @param score The highest score of a finding; 0 without. May be {@code null}.
 * @param findings What the probe found, the worst first. May be {@code null}.
 * @param coverage How much of the texts the probe has read. May be {@code null}.
 * @param policyVersion The policy that decided. May be {@code null}.
 * @param policyDigest Its digest. May be {@code null}.
 * @param input What the model was asked. The service assesses it. A {@code String} or {@code List<Input>}.
 *     May be {@code null}.
 * @param output What it answered. The service assesses it. A {@code String} or {@code List<Output>}. May be
 *     {@code null}.
 * @param context Documents, tool results and memories in the prompt. May be {@code null}.
 * @param toolCalls Calls that the model wants to make. May be {@code null}.
 * @param subject On whose behalf the model works. May be {@code null}.
 * @param attributes Your own pairs, kept with the event. Where texts are assessed they are its metadata,
 *     which rules can ask for. May be {@code null}.
 */
public record TelemetryEvent(
    String id,
    @JsonProperty("occurred_at") String occurredAt,
    OrNull<String> model,
    @JsonProperty("model_version") OrNull<String> modelVersion,
    OrNull<String> provider,
    OrNull<String> operation,
    @JsonProperty("input_tokens") OrNull<Long> inputTokens,
    @JsonProperty("output_tokens") OrNull<Long> outputTokens,
    @JsonProperty("latency_ms") OrNull<Double> latencyMs,
    @JsonProperty("time_to_first_token_ms") OrNull<Double> timeToFirstTokenMs,
    @JsonProperty("finish_reason") OrNull<String> finishReason,
    OrNull<String> error,
    OrNull<String> outcome,
    OrNull<Double> score,
    OrNull<List<TelemetryFinding>> findings,
    OrNull<String> coverage,
    @JsonProperty("policy_version") OrNull<Long> policyVersion,
    @JsonProperty("policy_digest") OrNull<String> policyDigest,
    OrNull<Object> input,
    OrNull<Object> output,
    OrNull<List<ContextItem>> context,
    @JsonProperty("tool_calls") OrNull<List<ToolCall>> toolCalls,
    OrNull<Subject> subject,
    OrNull<Map<String, Object>> attributes) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.id = id;
    builder.occurredAt = occurredAt;
    builder.model = model;
    builder.modelVersion = modelVersion;
    builder.provider = provider;
    builder.operation = operation;
    builder.inputTokens = inputTokens;
    builder.outputTokens = outputTokens;
    builder.latencyMs = latencyMs;
    builder.timeToFirstTokenMs = timeToFirstTokenMs;
    builder.finishReason = finishReason;
    builder.error = error;
    builder.outcome = outcome;
    builder.score = score;
    builder.findings = findings;
    builder.coverage = coverage;
    builder.policyVersion = policyVersion;
    builder.policyDigest = policyDigest;
    builder.input = input;
    builder.output = output;
    builder.context = context;
    builder.toolCalls = toolCalls;
    builder.subject = subject;
    builder.attributes = attributes;
    return builder;
  }

  /** Sets members of {@link TelemetryEvent}. Not for use by more than one thread. */
  public static final class Builder {
    private String id;
    private String occurredAt;
    private OrNull<String> model;
    private OrNull<String> modelVersion;
    private OrNull<String> provider;
    private OrNull<String> operation;
    private OrNull<Long> inputTokens;
    private OrNull<Long> outputTokens;
    private OrNull<Double> latencyMs;
    private OrNull<Double> timeToFirstTokenMs;
    private OrNull<String> finishReason;
    private OrNull<String> error;
    private OrNull<String> outcome;
    private OrNull<Double> score;
    private OrNull<List<TelemetryFinding>> findings;
    private OrNull<String> coverage;
    private OrNull<Long> policyVersion;
    private OrNull<String> policyDigest;
    private OrNull<Object> input;
    private OrNull<Object> output;
    private OrNull<List<ContextItem>> context;
    private OrNull<List<ToolCall>> toolCalls;
    private OrNull<Subject> subject;
    private OrNull<Map<String, Object>> attributes;

    private Builder() {}

    /** The probe's own name for the event. One that the probe has sent before counts once. */
    public Builder id(String value) {
      id = value;
      return this;
    }

    /** When the inference began, ISO 8601 with an offset or Z. */
    public Builder occurredAt(String value) {
      occurredAt = value;
      return this;
    }

    /** The model that was asked for: {@code gen_ai.request.model}. */
    public Builder model(String value) {
      model = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code model}, which is not the same as leaving it out. */
    public Builder clearModel() {
      model = OrNull.none();
      return this;
    }

    /** The model that the provider says has answered: {@code gen_ai.response.model}. */
    public Builder modelVersion(String value) {
      modelVersion = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code model_version}, which is not the same as leaving it out. */
    public Builder clearModelVersion() {
      modelVersion = OrNull.none();
      return this;
    }

    /** {@code gen_ai.provider.name}. */
    public Builder provider(String value) {
      provider = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code provider}, which is not the same as leaving it out. */
    public Builder clearProvider() {
      provider = OrNull.none();
      return this;
    }

    /** {@code gen_ai.operation.name}. */
    public Builder operation(String value) {
      operation = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code operation}, which is not the same as leaving it out. */
    public Builder clearOperation() {
      operation = OrNull.none();
      return this;
    }

    /** {@code gen_ai.usage.input_tokens}. */
    public Builder inputTokens(long value) {
      inputTokens = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code input_tokens}, which is not the same as leaving it out. */
    public Builder clearInputTokens() {
      inputTokens = OrNull.none();
      return this;
    }

    /** {@code gen_ai.usage.output_tokens}. */
    public Builder outputTokens(long value) {
      outputTokens = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code output_tokens}, which is not the same as leaving it out. */
    public Builder clearOutputTokens() {
      outputTokens = OrNull.none();
      return this;
    }

    /** From the request to the end of the answer. */
    public Builder latencyMs(double value) {
      latencyMs = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code latency_ms}, which is not the same as leaving it out. */
    public Builder clearLatencyMs() {
      latencyMs = OrNull.none();
      return this;
    }

    /** From the request to the first token of the answer. */
    public Builder timeToFirstTokenMs(double value) {
      timeToFirstTokenMs = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code time_to_first_token_ms}, which is not the same as leaving it out. */
    public Builder clearTimeToFirstTokenMs() {
      timeToFirstTokenMs = OrNull.none();
      return this;
    }

    /** Why the model ended: {@code gen_ai.response.finish_reasons}. */
    public Builder finishReason(String value) {
      finishReason = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code finish_reason}, which is not the same as leaving it out. */
    public Builder clearFinishReason() {
      finishReason = OrNull.none();
      return this;
    }

    /** Why there is no answer: {@code error.type}. */
    public Builder error(String value) {
      error = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code error}, which is not the same as leaving it out. */
    public Builder clearError() {
      error = OrNull.none();
      return this;
    }

    /** The probe's own decision. Where texts are sent too, the service's counts. */
    public Builder outcome(String value) {
      outcome = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code outcome}, which is not the same as leaving it out. */
    public Builder clearOutcome() {
      outcome = OrNull.none();
      return this;
    }

    /** The highest score of a finding; 0 without. */
    public Builder score(double value) {
      score = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code score}, which is not the same as leaving it out. */
    public Builder clearScore() {
      score = OrNull.none();
      return this;
    }

    /** What the probe found, the worst first. */
    public Builder findings(List<TelemetryFinding> value) {
      findings = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code findings}, which is not the same as leaving it out. */
    public Builder clearFindings() {
      findings = OrNull.none();
      return this;
    }

    /** How much of the texts the probe has read. */
    public Builder coverage(String value) {
      coverage = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code coverage}, which is not the same as leaving it out. */
    public Builder clearCoverage() {
      coverage = OrNull.none();
      return this;
    }

    /** The policy that decided. */
    public Builder policyVersion(long value) {
      policyVersion = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code policy_version}, which is not the same as leaving it out. */
    public Builder clearPolicyVersion() {
      policyVersion = OrNull.none();
      return this;
    }

    /** Its digest. */
    public Builder policyDigest(String value) {
      policyDigest = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code policy_digest}, which is not the same as leaving it out. */
    public Builder clearPolicyDigest() {
      policyDigest = OrNull.none();
      return this;
    }

    /** What the model was asked. The service assesses it. */
    public Builder input(String value) {
      input = OrNull.of(value);
      return this;
    }

    /** What the model was asked. The service assesses it. */
    public Builder input(List<Input> value) {
      input = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code input}, which is not the same as leaving it out. */
    public Builder clearInput() {
      input = OrNull.none();
      return this;
    }

    /** What it answered. The service assesses it. */
    public Builder output(String value) {
      output = OrNull.of(value);
      return this;
    }

    /** What it answered. The service assesses it. */
    public Builder output(List<Output> value) {
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
      context = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code context}, which is not the same as leaving it out. */
    public Builder clearContext() {
      context = OrNull.none();
      return this;
    }

    /** Calls that the model wants to make. */
    public Builder toolCalls(List<ToolCall> value) {
      toolCalls = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code tool_calls}, which is not the same as leaving it out. */
    public Builder clearToolCalls() {
      toolCalls = OrNull.none();
      return this;
    }

    /** On whose behalf the model works. */
    public Builder subject(Subject value) {
      subject = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code subject}, which is not the same as leaving it out. */
    public Builder clearSubject() {
      subject = OrNull.none();
      return this;
    }

    /**
     * Your own pairs, kept with the event. Where texts are assessed they are its metadata, which rules can
     * ask for.
     */
    public Builder attributes(Map<String, Object> value) {
      attributes = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code attributes}, which is not the same as leaving it out. */
    public Builder clearAttributes() {
      attributes = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public TelemetryEvent build() {
      return new TelemetryEvent(
          Objects.requireNonNull(id, "TelemetryEvent.id is needed"),
          Objects.requireNonNull(occurredAt, "TelemetryEvent.occurredAt is needed"),
          model,
          modelVersion,
          provider,
          operation,
          inputTokens,
          outputTokens,
          latencyMs,
          timeToFirstTokenMs,
          finishReason,
          error,
          outcome,
          score,
          findings,
          coverage,
          policyVersion,
          policyDigest,
          input,
          output,
          context,
          toolCalls,
          subject,
          attributes);
    }
  }

  /**
   * {@code Input} in an answer or request. Made by {@link #builder()}.
   *
   * @param role Who speaks.
   * @param content What is said: a text, parts, or null where a message holds only tool calls. A {@code
   *     String} or {@code List<ContentPart>}. May be {@code null}.
   */
  public record Input(
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

    /** Sets members of {@link Input}. Not for use by more than one thread. */
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
      public Input build() {
        return new Input(
            Objects.requireNonNull(role, "Input.role is needed"),
            content);
      }
    }
  }

  /**
   * {@code Output} in an answer or request. Made by {@link #builder()}.
   *
   * @param role Who speaks.
   * @param content What is said: a text, parts, or null where a message holds only tool calls. A {@code
   *     String} or {@code List<ContentPart>}. May be {@code null}.
   */
  public record Output(
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

    /** Sets members of {@link Output}. Not for use by more than one thread. */
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
      public Output build() {
        return new Output(
            Objects.requireNonNull(role, "Output.role is needed"),
            content);
      }
    }
  }

  /**
   * {@code Subject} in an answer or request. Made by {@link #builder()}.
   *
   * @param user The person, by your own pseudonym. May be {@code null}.
   * @param session The conversation. May be {@code null}.
   * @param agent The application or agent. May be {@code null}.
   */
  public record Subject(
      OrNull<String> user,
      OrNull<String> session,
      OrNull<String> agent) {
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
      private OrNull<String> user;
      private OrNull<String> session;
      private OrNull<String> agent;

      private Builder() {}

      /** The person, by your own pseudonym. */
      public Builder user(String value) {
        user = OrNull.of(value);
        return this;
      }

      /** Says {@code null} for {@code user}, which is not the same as leaving it out. */
      public Builder clearUser() {
        user = OrNull.none();
        return this;
      }

      /** The conversation. */
      public Builder session(String value) {
        session = OrNull.of(value);
        return this;
      }

      /** Says {@code null} for {@code session}, which is not the same as leaving it out. */
      public Builder clearSession() {
        session = OrNull.none();
        return this;
      }

      /** The application or agent. */
      public Builder agent(String value) {
        agent = OrNull.of(value);
        return this;
      }

      /** Says {@code null} for {@code agent}, which is not the same as leaving it out. */
      public Builder clearAgent() {
        agent = OrNull.none();
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

  /** Values of {@code coverage}. A later service may have others. */
  public static final class Coverage {
    /** {@code complete}. */
    public static final String COMPLETE = "complete";
    /** {@code partial}. */
    public static final String PARTIAL = "partial";
    /** {@code failed}. */
    public static final String FAILED = "failed";

    private Coverage() {}
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
