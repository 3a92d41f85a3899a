// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import svc.client.OrNull;

/**
 * {@code PatchJudge} in an answer or request. Made by {@link #builder()}.
 *
 * @param name What it is for. {@code null} where it is absent.
 * @param url Base URL of an OpenAI-compatible API; {@code /chat/completions} is added. https to a public
 *     address, or one that the operator allows. {@code null} where it is absent.
 * @param model The model’s name at that API. {@code null} where it is absent.
 * @param apiKey Sent as {@code Authorization: Bearer}. Kept encrypted, never answered, and dropped when the
 *     url changes. May be {@code null}.
 * @param timeoutMs Time for one answer. What is left of the assessment’s deadline may be less. {@code null}
 *     where it is absent.
 * @param kind How it is asked and understood. {@code chat}: any chat model. {@code gpt_oss_safeguard}: a
 *     model that judges by a policy it is given. {@code llama_guard}: one that answers {@code safe} or {@code
 *     unsafe} and hazards, S1–S14. {@code null} where it is absent.
 * @param instructions What it is to judge by, instead of the instructions built in. Not for {@code
 *     llama_guard}, which knows its own rules. May be {@code null}.
 */
public record PatchJudge(
    String name,
    String url,
    String model,
    @JsonProperty("api_key") OrNull<String> apiKey,
    @JsonProperty("timeout_ms") Long timeoutMs,
    String kind,
    OrNull<String> instructions) {
  /** Without what is secret. */
  @Override
  public String toString() {
    return "PatchJudge[name=" + name
        + ", url=" + url
        + ", model=" + model
        + ", apiKey=***"
        + ", timeoutMs=" + timeoutMs
        + ", kind=" + kind
        + ", instructions=" + instructions
        + "]";
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.url = url;
    builder.model = model;
    builder.apiKey = apiKey;
    builder.timeoutMs = timeoutMs;
    builder.kind = kind;
    builder.instructions = instructions;
    return builder;
  }

  /** Sets members of {@link PatchJudge}. Not for use by more than one thread. */
  public static final class Builder {
    private String name;
    private String url;
    private String model;
    private OrNull<String> apiKey;
    private Long timeoutMs;
    private String kind;
    private OrNull<String> instructions;

    private Builder() {}

    /** What it is for. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /**
     * Base URL of an OpenAI-compatible API; {@code /chat/completions} is added. https to a public address, or
     * one that the operator allows.
     */
    public Builder url(String value) {
      url = value;
      return this;
    }

    /** The model’s name at that API. */
    public Builder model(String value) {
      model = value;
      return this;
    }

    /**
     * Sent as {@code Authorization: Bearer}. Kept encrypted, never answered, and dropped when the url
     * changes.
     */
    public Builder apiKey(String value) {
      apiKey = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code api_key}, which is not the same as leaving it out. */
    public Builder clearApiKey() {
      apiKey = OrNull.none();
      return this;
    }

    /** Time for one answer. What is left of the assessment’s deadline may be less. */
    public Builder timeoutMs(long value) {
      timeoutMs = value;
      return this;
    }

    /**
     * How it is asked and understood. {@code chat}: any chat model. {@code gpt_oss_safeguard}: a model that
     * judges by a policy it is given. {@code llama_guard}: one that answers {@code safe} or {@code unsafe}
     * and hazards, S1–S14.
     */
    public Builder kind(String value) {
      kind = value;
      return this;
    }

    /**
     * What it is to judge by, instead of the instructions built in. Not for {@code llama_guard}, which knows
     * its own rules.
     */
    public Builder instructions(String value) {
      instructions = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code instructions}, which is not the same as leaving it out. */
    public Builder clearInstructions() {
      instructions = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PatchJudge build() {
      return new PatchJudge(
          name,
          url,
          model,
          apiKey,
          timeoutMs,
          kind,
          instructions);
    }
  }

  /** Values of {@code kind}. A later service may have others. */
  public static final class Kind {
    /** {@code chat}. */
    public static final String CHAT = "chat";
    /** {@code gpt_oss_safeguard}. */
    public static final String GPT_OSS_SAFEGUARD = "gpt_oss_safeguard";
    /** {@code llama_guard}. */
    public static final String LLAMA_GUARD = "llama_guard";

    private Kind() {}
  }
}
