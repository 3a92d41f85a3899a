// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import svc.client.OrNull;

/**
 * {@code HarmSettings} in an answer or request. Made by {@link #builder()}.
 *
 * @param enabled Whether the detector runs. {@code null} where it is absent.
 * @param appliesTo Which texts are read: input and output messages, context items, tool results and
 *     arguments. {@code null} where it is absent.
 * @param flagAt Findings of a lower score are dropped. {@code null} where it is absent.
 * @param blockAt Score from which findings block; null: never. May be {@code null}.
 * @param action ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
 *     inference is blocked. {@code null} where it is absent.
 * @param categories Actions by kind of harm, in place of {@code action} and {@code block_at}. {@code null}
 *     where it is absent.
 */
public record HarmSettings(
    Boolean enabled,
    @JsonProperty("applies_to") List<String> appliesTo,
    @JsonProperty("flag_at") Double flagAt,
    @JsonProperty("block_at") OrNull<Double> blockAt,
    String action,
    Categories categories) {
  /** Keeps copies of lists and maps that do not change. */
  public HarmSettings {
    appliesTo = Fixed.copyOf(appliesTo);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.enabled = enabled;
    builder.appliesTo = appliesTo;
    builder.flagAt = flagAt;
    builder.blockAt = blockAt;
    builder.action = action;
    builder.categories = categories;
    return builder;
  }

  /** Sets members of {@link HarmSettings}. Not for use by more than one thread. */
  public static final class Builder {
    private Boolean enabled;
    private List<String> appliesTo;
    private Double flagAt;
    private OrNull<Double> blockAt;
    private String action;
    private Categories categories;

    private Builder() {}

    /** Whether the detector runs. */
    public Builder enabled(boolean value) {
      enabled = value;
      return this;
    }

    /** Which texts are read: input and output messages, context items, tool results and arguments. */
    public Builder appliesTo(List<String> value) {
      appliesTo = value;
      return this;
    }

    /** Findings of a lower score are dropped. */
    public Builder flagAt(double value) {
      flagAt = value;
      return this;
    }

    /** Score from which findings block; null: never. */
    public Builder blockAt(double value) {
      blockAt = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code block_at}, which is not the same as leaving it out. */
    public Builder clearBlockAt() {
      blockAt = OrNull.none();
      return this;
    }

    /**
     * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
     * is blocked.
     */
    public Builder action(String value) {
      action = value;
      return this;
    }

    /** Actions by kind of harm, in place of {@code action} and {@code block_at}. */
    public Builder categories(Categories value) {
      categories = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public HarmSettings build() {
      return new HarmSettings(
          enabled,
          appliesTo,
          flagAt,
          blockAt,
          action,
          categories);
    }
  }

  /**
   * {@code Categories} in an answer or request. Made by {@link #builder()}.
   *
   * @param hate ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param harassment ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param violence ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param sexual ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param minors ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
   *     inference is blocked. {@code null} where it is absent.
   * @param selfHarm ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param illicit ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   * @param profanity ignore: no finding. flag: reported. redact: reported and replaced in the answer. block:
   *     the inference is blocked. {@code null} where it is absent.
   */
  public record Categories(
      String hate,
      String harassment,
      String violence,
      String sexual,
      String minors,
      @JsonProperty("self_harm") String selfHarm,
      String illicit,
      String profanity) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.hate = hate;
      builder.harassment = harassment;
      builder.violence = violence;
      builder.sexual = sexual;
      builder.minors = minors;
      builder.selfHarm = selfHarm;
      builder.illicit = illicit;
      builder.profanity = profanity;
      return builder;
    }

    /** Sets members of {@link Categories}. Not for use by more than one thread. */
    public static final class Builder {
      private String hate;
      private String harassment;
      private String violence;
      private String sexual;
      private String minors;
      private String selfHarm;
      private String illicit;
      private String profanity;

      private Builder() {}

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder hate(String value) {
        hate = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder harassment(String value) {
        harassment = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder violence(String value) {
        violence = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder sexual(String value) {
        sexual = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder minors(String value) {
        minors = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder selfHarm(String value) {
        selfHarm = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder illicit(String value) {
        illicit = value;
        return this;
      }

      /**
       * ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference
       * is blocked.
       */
      public Builder profanity(String value) {
        profanity = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Categories build() {
        return new Categories(
            hate,
            harassment,
            violence,
            sexual,
            minors,
            selfHarm,
            illicit,
            profanity);
      }
    }
  }
}
