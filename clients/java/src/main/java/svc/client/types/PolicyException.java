// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * {@code PolicyException} in an answer or request. Made by {@link #builder()}.
 *
 * @param id The exception's name; findings that it excuses carry it as exception_id.
 * @param match What it excuses: findings for which all of this holds.
 * @param reason Why it is right to let these pass.
 * @param owner Who answers for it.
 * @param expiresAt When it ends, ISO 8601 with an offset or Z. There are none without an end.
 */
public record PolicyException(
    String id,
    Match match,
    String reason,
    String owner,
    @JsonProperty("expires_at") String expiresAt) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.id = id;
    builder.match = match;
    builder.reason = reason;
    builder.owner = owner;
    builder.expiresAt = expiresAt;
    return builder;
  }

  /** Sets members of {@link PolicyException}. Not for use by more than one thread. */
  public static final class Builder {
    private String id;
    private Match match;
    private String reason;
    private String owner;
    private String expiresAt;

    private Builder() {}

    /** The exception's name; findings that it excuses carry it as exception_id. */
    public Builder id(String value) {
      id = value;
      return this;
    }

    /** What it excuses: findings for which all of this holds. */
    public Builder match(Match value) {
      match = value;
      return this;
    }

    /** Why it is right to let these pass. */
    public Builder reason(String value) {
      reason = value;
      return this;
    }

    /** Who answers for it. */
    public Builder owner(String value) {
      owner = value;
      return this;
    }

    /** When it ends, ISO 8601 with an offset or Z. There are none without an end. */
    public Builder expiresAt(String value) {
      expiresAt = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PolicyException build() {
      return new PolicyException(
          Objects.requireNonNull(id, "PolicyException.id is needed"),
          Objects.requireNonNull(match, "PolicyException.match is needed"),
          Objects.requireNonNull(reason, "PolicyException.reason is needed"),
          Objects.requireNonNull(owner, "PolicyException.owner is needed"),
          Objects.requireNonNull(expiresAt, "PolicyException.expiresAt is needed"));
    }
  }

  /**
   * {@code Match} in an answer or request. Made by {@link #builder()}.
   *
   * @param category A category, or a family for all of its categories. {@code null} where it is absent.
   * @param type The finding's type. {@code null} where it is absent.
   * @param value What was found, the whole of it, whatever its case. * stands for any characters, ? for one.
   *     {@code null} where it is absent.
   * @param detector The detector's id. {@code null} where it is absent.
   * @param ruleId The policy's own rule. {@code null} where it is absent.
   * @param pointer Where in the request, a JSON Pointer with * and ?. {@code null} where it is absent.
   * @param target Which kind of text. {@code null} where it is absent.
   * @param subject On whose behalf the model works; all that is named must be equal. {@code null} where it is
   *     absent.
   */
  public record Match(
      String category,
      String type,
      String value,
      String detector,
      @JsonProperty("rule_id") String ruleId,
      String pointer,
      String target,
      Subject subject) {
    /** Begins one; what is not set is left out. */
    public static Builder builder() {
      return new Builder();
    }

    /** Begins one with the members of this one. */
    public Builder toBuilder() {
      Builder builder = new Builder();
      builder.category = category;
      builder.type = type;
      builder.value = value;
      builder.detector = detector;
      builder.ruleId = ruleId;
      builder.pointer = pointer;
      builder.target = target;
      builder.subject = subject;
      return builder;
    }

    /** Sets members of {@link Match}. Not for use by more than one thread. */
    public static final class Builder {
      private String category;
      private String type;
      private String value;
      private String detector;
      private String ruleId;
      private String pointer;
      private String target;
      private Subject subject;

      private Builder() {}

      /** A category, or a family for all of its categories. */
      public Builder category(String value) {
        category = value;
        return this;
      }

      /** The finding's type. */
      public Builder type(String value) {
        type = value;
        return this;
      }

      /** What was found, the whole of it, whatever its case. * stands for any characters, ? for one. */
      public Builder value(String value) {
        value = value;
        return this;
      }

      /** The detector's id. */
      public Builder detector(String value) {
        detector = value;
        return this;
      }

      /** The policy's own rule. */
      public Builder ruleId(String value) {
        ruleId = value;
        return this;
      }

      /** Where in the request, a JSON Pointer with * and ?. */
      public Builder pointer(String value) {
        pointer = value;
        return this;
      }

      /** Which kind of text. */
      public Builder target(String value) {
        target = value;
        return this;
      }

      /** On whose behalf the model works; all that is named must be equal. */
      public Builder subject(Subject value) {
        subject = value;
        return this;
      }

      /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
      public Match build() {
        return new Match(
            category,
            type,
            value,
            detector,
            ruleId,
            pointer,
            target,
            subject);
      }
    }
  }
}
