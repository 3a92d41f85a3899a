// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What an organization decides about findings. Made by {@link #builder()}.
 *
 * @param mode monitor: report, but redact and block nothing. {@code null} where it is absent.
 * @param onError What follows when a detector fails or runs out of time, on texts going to the model and
 *     coming from it. {@code null} where it is absent.
 * @param deadlineMs Time for one assessment. {@code null} where it is absent.
 * @param stream Of an answer that is assessed while it is written: whether text waits for what can only be
 *     decided at its end. release: it does not, and what is found then comes too late for it. {@code null}
 *     where it is absent.
 * @param detectors {@code null} where it is absent.
 * @param rules Conditions over the inference and its findings, decided after all else. {@code null} where it
 *     is absent.
 * @param custom The organization's own rules. {@code null} where it is absent.
 * @param exceptions Findings that count for nothing, until a date. Of several that match, the first is named.
 *     {@code null} where it is absent.
 * @param judges Models outside that are asked for their opinion. They add findings, and take none away.
 *     {@code null} where it is absent.
 * @param drift {@code null} where it is absent.
 * @param data {@code null} where it is absent.
 */
public record Policy(
    String mode,
    @JsonProperty("on_error") OnError onError,
    @JsonProperty("deadline_ms") Long deadlineMs,
    String stream,
    Detectors detectors,
    List<PolicyRule> rules,
    Custom custom,
    List<PolicyException> exceptions,
    List<PolicyJudge> judges,
    DriftSettings drift,
    Data data) {
  /** Keeps copies of lists and maps that do not change. */
  public Policy {
    rules = Fixed.copyOf(rules);
    exceptions = Fixed.copyOf(exceptions);
    judges = Fixed.copyOf(judges);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.mode = mode;
    builder.onError = onError;
    builder.deadlineMs = deadlineMs;
    builder.stream = stream;
    builder.detectors = detectors;
    builder.rules = rules;
    builder.custom = custom;
    builder.exceptions = exceptions;
    builder.judges = judges;
    builder.drift = drift;
    builder.data = data;
    return builder;
  }

  /** Sets members of {@link Policy}. Not for use by more than one thread. */
  public static final class Builder {
    private String mode;
    private OnError onError;
    private Long deadlineMs;
    private String stream;
    private Detectors detectors;
    private List<PolicyRule> rules;
    private Custom custom;
    private List<PolicyException> exceptions;
    private List<PolicyJudge> judges;
    private DriftSettings drift;
    private Data data;

    private Builder() {}

    /** monitor: report, but redact and block nothing. */
    public Builder mode(String value) {
      mode = value;
      return this;
    }

    /**
     * What follows when a detector fails or runs out of time, on texts going to the model and coming from it.
     */
    public Builder onError(OnError value) {
      onError = value;
      return this;
    }

    /** Time for one assessment. */
    public Builder deadlineMs(long value) {
      deadlineMs = value;
      return this;
    }

    /**
     * Of an answer that is assessed while it is written: whether text waits for what can only be decided at
     * its end. release: it does not, and what is found then comes too late for it.
     */
    public Builder stream(String value) {
      stream = value;
      return this;
    }

    /** Sets {@code detectors}. */
    public Builder detectors(Detectors value) {
      detectors = value;
      return this;
    }

    /** Conditions over the inference and its findings, decided after all else. */
    public Builder rules(List<PolicyRule> value) {
      rules = value;
      return this;
    }

    /** The organization's own rules. */
    public Builder custom(Custom value) {
      custom = value;
      return this;
    }

    /** Findings that count for nothing, until a date. Of several that match, the first is named. */
    public Builder exceptions(List<PolicyException> value) {
      exceptions = value;
      return this;
    }

    /** Models outside that are asked for their opinion. They add findings, and take none away. */
    public Builder judges(List<PolicyJudge> value) {
      judges = value;
      return this;
    }

    /** Sets {@code drift}. */
    public Builder drift(DriftSettings value) {
      drift = value;
      return this;
    }

    /** Sets {@code data}. */
    public Builder data(Data value) {
      data = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public Policy build() {
      return new Policy(
          mode,
          onError,
          deadlineMs,
          stream,
          detectors,
          rules,
          custom,
          exceptions,
          judges,
          drift,
          data);
    }
  }

  /**
   * {@code OnError} in an answer or request. Made by {@link #builder()}.
   *
   * @param input allow: only the coverage tells. flag, block: a finding system.coverage. {@code null} where
   *     it is absent.
   * @param output allow: only the coverage tells. flag, block: a finding system.coverage. {@code null} where
   *     it is absent.
   */
  public record OnError(
      String input,
      String output) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.input = input;
      builder.output = output;
      return builder;
    }

    /** Sets members of {@link OnError}. Not for use by more than one thread. */
    public static final class Builder {
      private String input;
      private String output;

      private Builder() {}

      /** allow: only the coverage tells. flag, block: a finding system.coverage. */
      public Builder input(String value) {
        input = value;
        return this;
      }

      /** allow: only the coverage tells. flag, block: a finding system.coverage. */
      public Builder output(String value) {
        output = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public OnError build() {
        return new OnError(
            input,
            output);
      }
    }
  }

  /**
   * {@code Detectors} in an answer or request. Made by {@link #builder()}.
   *
   * @param promptInjection {@code null} where it is absent.
   * @param protectedPrompt {@code null} where it is absent.
   * @param obfuscation {@code null} where it is absent.
   * @param secrets {@code null} where it is absent.
   * @param pii {@code null} where it is absent.
   * @param harm {@code null} where it is absent.
   * @param groundedness {@code null} where it is absent.
   * @param refusal {@code null} where it is absent.
   * @param unsafeCode {@code null} where it is absent.
   * @param links {@code null} where it is absent.
   * @param size {@code null} where it is absent.
   */
  public record Detectors(
      @JsonProperty("prompt_injection") PromptInjectionSettings promptInjection,
      @JsonProperty("protected_prompt") ProtectedPromptSettings protectedPrompt,
      ObfuscationSettings obfuscation,
      SecretsSettings secrets,
      PiiSettings pii,
      HarmSettings harm,
      GroundednessSettings groundedness,
      RefusalSettings refusal,
      @JsonProperty("unsafe_code") UnsafeCodeSettings unsafeCode,
      LinksSettings links,
      SizeSettings size) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.promptInjection = promptInjection;
      builder.protectedPrompt = protectedPrompt;
      builder.obfuscation = obfuscation;
      builder.secrets = secrets;
      builder.pii = pii;
      builder.harm = harm;
      builder.groundedness = groundedness;
      builder.refusal = refusal;
      builder.unsafeCode = unsafeCode;
      builder.links = links;
      builder.size = size;
      return builder;
    }

    /** Sets members of {@link Detectors}. Not for use by more than one thread. */
    public static final class Builder {
      private PromptInjectionSettings promptInjection;
      private ProtectedPromptSettings protectedPrompt;
      private ObfuscationSettings obfuscation;
      private SecretsSettings secrets;
      private PiiSettings pii;
      private HarmSettings harm;
      private GroundednessSettings groundedness;
      private RefusalSettings refusal;
      private UnsafeCodeSettings unsafeCode;
      private LinksSettings links;
      private SizeSettings size;

      private Builder() {}

      /** Sets {@code prompt_injection}. */
      public Builder promptInjection(PromptInjectionSettings value) {
        promptInjection = value;
        return this;
      }

      /** Sets {@code protected_prompt}. */
      public Builder protectedPrompt(ProtectedPromptSettings value) {
        protectedPrompt = value;
        return this;
      }

      /** Sets {@code obfuscation}. */
      public Builder obfuscation(ObfuscationSettings value) {
        obfuscation = value;
        return this;
      }

      /** Sets {@code secrets}. */
      public Builder secrets(SecretsSettings value) {
        secrets = value;
        return this;
      }

      /** Sets {@code pii}. */
      public Builder pii(PiiSettings value) {
        pii = value;
        return this;
      }

      /** Sets {@code harm}. */
      public Builder harm(HarmSettings value) {
        harm = value;
        return this;
      }

      /** Sets {@code groundedness}. */
      public Builder groundedness(GroundednessSettings value) {
        groundedness = value;
        return this;
      }

      /** Sets {@code refusal}. */
      public Builder refusal(RefusalSettings value) {
        refusal = value;
        return this;
      }

      /** Sets {@code unsafe_code}. */
      public Builder unsafeCode(UnsafeCodeSettings value) {
        unsafeCode = value;
        return this;
      }

      /** Sets {@code links}. */
      public Builder links(LinksSettings value) {
        links = value;
        return this;
      }

      /** Sets {@code size}. */
      public Builder size(SizeSettings value) {
        size = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Detectors build() {
        return new Detectors(
            promptInjection,
            protectedPrompt,
            obfuscation,
            secrets,
            pii,
            harm,
            groundedness,
            refusal,
            unsafeCode,
            links,
            size);
      }
    }
  }

  /**
   * {@code Custom} in an answer or request. Made by {@link #builder()}.
   *
   * @param patterns {@code null} where it is absent.
   * @param terms {@code null} where it is absent.
   */
  public record Custom(
      List<CustomPattern> patterns,
      List<CustomTerms> terms) {
    /** Keeps copies of lists and maps that do not change. */
    public Custom {
      patterns = Fixed.copyOf(patterns);
      terms = Fixed.copyOf(terms);
    }

    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.patterns = patterns;
      builder.terms = terms;
      return builder;
    }

    /** Sets members of {@link Custom}. Not for use by more than one thread. */
    public static final class Builder {
      private List<CustomPattern> patterns;
      private List<CustomTerms> terms;

      private Builder() {}

      /** Sets {@code patterns}. */
      public Builder patterns(List<CustomPattern> value) {
        patterns = value;
        return this;
      }

      /** Sets {@code terms}. */
      public Builder terms(List<CustomTerms> value) {
        terms = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Custom build() {
        return new Custom(
            patterns,
            terms);
      }
    }
  }

  /**
   * {@code Data} in an answer or request. Made by {@link #builder()}.
   *
   * @param store What is kept. metadata: findings without the texts. full: the texts too, encrypted. {@code
   *     null} where it is absent.
   * @param retentionDays How long. {@code null} where it is absent.
   */
  public record Data(
      String store,
      @JsonProperty("retention_days") Long retentionDays) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.store = store;
      builder.retentionDays = retentionDays;
      return builder;
    }

    /** Sets members of {@link Data}. Not for use by more than one thread. */
    public static final class Builder {
      private String store;
      private Long retentionDays;

      private Builder() {}

      /** What is kept. metadata: findings without the texts. full: the texts too, encrypted. */
      public Builder store(String value) {
        store = value;
        return this;
      }

      /** How long. */
      public Builder retentionDays(long value) {
        retentionDays = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Data build() {
        return new Data(
            store,
            retentionDays);
      }
    }
  }

  /** Values of {@code mode}. A later service may have others. */
  public static final class Mode {
    /** {@code enforce}. */
    public static final String ENFORCE = "enforce";
    /** {@code monitor}. */
    public static final String MONITOR = "monitor";

    private Mode() {}
  }

  /** Values of {@code stream}. A later service may have others. */
  public static final class Stream {
    /** {@code hold}. */
    public static final String HOLD = "hold";
    /** {@code release}. */
    public static final String RELEASE = "release";

    private Stream() {}
  }

  /** Values of {@code input}. A later service may have others. */
  public static final class Input {
    /** {@code allow}. */
    public static final String ALLOW = "allow";
    /** {@code flag}. */
    public static final String FLAG = "flag";
    /** {@code block}. */
    public static final String BLOCK = "block";

    private Input() {}
  }

  /** Values of {@code output}. A later service may have others. */
  public static final class Output {
    /** {@code allow}. */
    public static final String ALLOW = "allow";
    /** {@code flag}. */
    public static final String FLAG = "flag";
    /** {@code block}. */
    public static final String BLOCK = "block";

    private Output() {}
  }

  /** Values of {@code store}. A later service may have others. */
  public static final class Store {
    /** {@code metadata}. */
    public static final String METADATA = "metadata";
    /** {@code full}. */
    public static final String FULL = "full";

    private Store() {}
  }
}
