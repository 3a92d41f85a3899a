// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import svc.client.OrNull;

/**
 * What is watched for drift, and how sure an alarm has to be. Made by {@link #builder()}.
 *
 * @param enabled Whether anything is watched for drift. {@code null} where it is absent.
 * @param falseAlarmsPerYear The budget: how many false {@code drift.sustained} an organization accepts in a
 *     year, over all its series. {@code null} where it is absent.
 * @param season What repeats and is no drift: the hours of a day, or of a week. Used once two whole periods
 *     were seen; until then alarms need ten times the evidence. Another season makes monitors learn anew.
 *     {@code null} where it is absent.
 * @param signals By signal; those that are left out have the defaults. {@code null} where it is absent.
 * @param autoRebaselineDays After so many days of drift its level becomes the new baseline; null, the
 *     default: only when somebody says so. May be {@code null}.
 */
public record DriftSettings(
    Boolean enabled,
    @JsonProperty("false_alarms_per_year") Double falseAlarmsPerYear,
    String season,
    Signals signals,
    @JsonProperty("auto_rebaseline_days") OrNull<Long> autoRebaselineDays) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.enabled = enabled;
    builder.falseAlarmsPerYear = falseAlarmsPerYear;
    builder.season = season;
    builder.signals = signals;
    builder.autoRebaselineDays = autoRebaselineDays;
    return builder;
  }

  /** Sets members of {@link DriftSettings}. Not for use by more than one thread. */
  public static final class Builder {
    private Boolean enabled;
    private Double falseAlarmsPerYear;
    private String season;
    private Signals signals;
    private OrNull<Long> autoRebaselineDays;

    private Builder() {}

    /** Whether anything is watched for drift. */
    public Builder enabled(boolean value) {
      enabled = value;
      return this;
    }

    /**
     * The budget: how many false {@code drift.sustained} an organization accepts in a year, over all its
     * series.
     */
    public Builder falseAlarmsPerYear(double value) {
      falseAlarmsPerYear = value;
      return this;
    }

    /**
     * What repeats and is no drift: the hours of a day, or of a week. Used once two whole periods were seen;
     * until then alarms need ten times the evidence. Another season makes monitors learn anew.
     */
    public Builder season(String value) {
      season = value;
      return this;
    }

    /** By signal; those that are left out have the defaults. */
    public Builder signals(Signals value) {
      signals = value;
      return this;
    }

    /**
     * After so many days of drift its level becomes the new baseline; null, the default: only when somebody
     * says so.
     */
    public Builder autoRebaselineDays(long value) {
      autoRebaselineDays = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code auto_rebaseline_days}, which is not the same as leaving it out. */
    public Builder clearAutoRebaselineDays() {
      autoRebaselineDays = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public DriftSettings build() {
      return new DriftSettings(
          enabled,
          falseAlarmsPerYear,
          season,
          signals,
          autoRebaselineDays);
    }
  }

  /**
   * {@code Signals} in an answer or request. Made by {@link #builder()}.
   *
   * @param flaggedRate {@code null} where it is absent.
   * @param blockedRate {@code null} where it is absent.
   * @param errorRate {@code null} where it is absent.
   * @param refusalRate {@code null} where it is absent.
   * @param score {@code null} where it is absent.
   * @param latencyMs {@code null} where it is absent.
   * @param timeToFirstTokenMs {@code null} where it is absent.
   * @param inputTokens {@code null} where it is absent.
   * @param outputTokens {@code null} where it is absent.
   * @param categoryMix {@code null} where it is absent.
   * @param finishReasonMix {@code null} where it is absent.
   * @param modelVersionMix {@code null} where it is absent.
   */
  public record Signals(
      @JsonProperty("flagged_rate") DriftSignalSettings flaggedRate,
      @JsonProperty("blocked_rate") DriftSignalSettings blockedRate,
      @JsonProperty("error_rate") DriftSignalSettings errorRate,
      @JsonProperty("refusal_rate") DriftSignalSettings refusalRate,
      DriftSignalSettings score,
      @JsonProperty("latency_ms") DriftSignalSettings latencyMs,
      @JsonProperty("time_to_first_token_ms") DriftSignalSettings timeToFirstTokenMs,
      @JsonProperty("input_tokens") DriftSignalSettings inputTokens,
      @JsonProperty("output_tokens") DriftSignalSettings outputTokens,
      @JsonProperty("category_mix") DriftSignalSettings categoryMix,
      @JsonProperty("finish_reason_mix") DriftSignalSettings finishReasonMix,
      @JsonProperty("model_version_mix") DriftSignalSettings modelVersionMix) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.flaggedRate = flaggedRate;
      builder.blockedRate = blockedRate;
      builder.errorRate = errorRate;
      builder.refusalRate = refusalRate;
      builder.score = score;
      builder.latencyMs = latencyMs;
      builder.timeToFirstTokenMs = timeToFirstTokenMs;
      builder.inputTokens = inputTokens;
      builder.outputTokens = outputTokens;
      builder.categoryMix = categoryMix;
      builder.finishReasonMix = finishReasonMix;
      builder.modelVersionMix = modelVersionMix;
      return builder;
    }

    /** Sets members of {@link Signals}. Not for use by more than one thread. */
    public static final class Builder {
      private DriftSignalSettings flaggedRate;
      private DriftSignalSettings blockedRate;
      private DriftSignalSettings errorRate;
      private DriftSignalSettings refusalRate;
      private DriftSignalSettings score;
      private DriftSignalSettings latencyMs;
      private DriftSignalSettings timeToFirstTokenMs;
      private DriftSignalSettings inputTokens;
      private DriftSignalSettings outputTokens;
      private DriftSignalSettings categoryMix;
      private DriftSignalSettings finishReasonMix;
      private DriftSignalSettings modelVersionMix;

      private Builder() {}

      /** Sets {@code flagged_rate}. */
      public Builder flaggedRate(DriftSignalSettings value) {
        flaggedRate = value;
        return this;
      }

      /** Sets {@code blocked_rate}. */
      public Builder blockedRate(DriftSignalSettings value) {
        blockedRate = value;
        return this;
      }

      /** Sets {@code error_rate}. */
      public Builder errorRate(DriftSignalSettings value) {
        errorRate = value;
        return this;
      }

      /** Sets {@code refusal_rate}. */
      public Builder refusalRate(DriftSignalSettings value) {
        refusalRate = value;
        return this;
      }

      /** Sets {@code score}. */
      public Builder score(DriftSignalSettings value) {
        score = value;
        return this;
      }

      /** Sets {@code latency_ms}. */
      public Builder latencyMs(DriftSignalSettings value) {
        latencyMs = value;
        return this;
      }

      /** Sets {@code time_to_first_token_ms}. */
      public Builder timeToFirstTokenMs(DriftSignalSettings value) {
        timeToFirstTokenMs = value;
        return this;
      }

      /** Sets {@code input_tokens}. */
      public Builder inputTokens(DriftSignalSettings value) {
        inputTokens = value;
        return this;
      }

      /** Sets {@code output_tokens}. */
      public Builder outputTokens(DriftSignalSettings value) {
        outputTokens = value;
        return this;
      }

      /** Sets {@code category_mix}. */
      public Builder categoryMix(DriftSignalSettings value) {
        categoryMix = value;
        return this;
      }

      /** Sets {@code finish_reason_mix}. */
      public Builder finishReasonMix(DriftSignalSettings value) {
        finishReasonMix = value;
        return this;
      }

      /** Sets {@code model_version_mix}. */
      public Builder modelVersionMix(DriftSignalSettings value) {
        modelVersionMix = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Signals build() {
        return new Signals(
            flaggedRate,
            blockedRate,
            errorRate,
            refusalRate,
            score,
            latencyMs,
            timeToFirstTokenMs,
            inputTokens,
            outputTokens,
            categoryMix,
            finishReasonMix,
            modelVersionMix);
      }
    }
  }

  /** Values of {@code season}. A later service may have others. */
  public static final class Season {
    /** {@code none}. */
    public static final String NONE = "none";
    /** {@code day}. */
    public static final String DAY = "day";
    /** {@code week}. */
    public static final String WEEK = "week";

    private Season() {}
  }
}
