// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import svc.client.OrNull;

/**
 * {@code ObfuscationSettings} in an answer or request. Made by {@link #builder()}.
 *
 * @param enabled Whether the detector runs. {@code null} where it is absent.
 * @param appliesTo Which texts are read: input and output messages, context items, tool results and
 *     arguments. {@code null} where it is absent.
 * @param flagAt Findings of a lower score are dropped. {@code null} where it is absent.
 * @param blockAt Score from which findings block; null: never. May be {@code null}.
 * @param action ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the
 *     inference is blocked. {@code null} where it is absent.
 */
public record ObfuscationSettings(
    Boolean enabled,
    @JsonProperty("applies_to") List<String> appliesTo,
    @JsonProperty("flag_at") Double flagAt,
    @JsonProperty("block_at") OrNull<Double> blockAt,
    String action) {
  /** Keeps copies of lists and maps that do not change. */
  public ObfuscationSettings {
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
    return builder;
  }

  /** Sets members of {@link ObfuscationSettings}. Not for use by more than one thread. */
  public static final class Builder {
    private Boolean enabled;
    private List<String> appliesTo;
    private Double flagAt;
    private OrNull<Double> blockAt;
    private String action;

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

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ObfuscationSettings build() {
      return new ObfuscationSettings(
          enabled,
          appliesTo,
          flagAt,
          blockAt,
          action);
    }
  }
}
