// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import svc.client.OrNull;

/**
 * {@code PolicyJudge} in an answer or request. Made by {@link #builder()}.
 *
 * @param judgeId The judge, as {@code POST /v1/judges} answered it.
 * @param appliesTo Which texts it is sent; no others are. Default: input and output. {@code null} where it is
 *     absent.
 * @param flagAt Opinions of a lower score are dropped. Default: 0.5. {@code null} where it is absent.
 * @param blockAt Score from which its opinion blocks; null, the default: never. May be {@code null}.
 */
public record PolicyJudge(
    @JsonProperty("judge_id") String judgeId,
    @JsonProperty("applies_to") List<String> appliesTo,
    @JsonProperty("flag_at") Double flagAt,
    @JsonProperty("block_at") OrNull<Double> blockAt) {
  /** Keeps copies of lists and maps that do not change. */
  public PolicyJudge {
    appliesTo = Fixed.copyOf(appliesTo);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.judgeId = judgeId;
    builder.appliesTo = appliesTo;
    builder.flagAt = flagAt;
    builder.blockAt = blockAt;
    return builder;
  }

  /** Sets members of {@link PolicyJudge}. Not for use by more than one thread. */
  public static final class Builder {
    private String judgeId;
    private List<String> appliesTo;
    private Double flagAt;
    private OrNull<Double> blockAt;

    private Builder() {}

    /** The judge, as {@code POST /v1/judges} answered it. */
    public Builder judgeId(String value) {
      judgeId = value;
      return this;
    }

    /** Which texts it is sent; no others are. Default: input and output. */
    public Builder appliesTo(List<String> value) {
      appliesTo = value;
      return this;
    }

    /** Opinions of a lower score are dropped. Default: 0.5. */
    public Builder flagAt(double value) {
      flagAt = value;
      return this;
    }

    /** Score from which its opinion blocks; null, the default: never. */
    public Builder blockAt(double value) {
      blockAt = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code block_at}, which is not the same as leaving it out. */
    public Builder clearBlockAt() {
      blockAt = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PolicyJudge build() {
      return new PolicyJudge(
          Objects.requireNonNull(judgeId, "PolicyJudge.judgeId is needed"),
          appliesTo,
          flagAt,
          blockAt);
    }
  }
}
