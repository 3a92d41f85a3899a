// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * {@code PolicyRule} in an answer or request. Made by {@link #builder()}.
 *
 * @param id The rule's name; findings carry it as type and rule_id.
 * @param when CEL over the inference and its findings; what it holds for is a finding.
 * @param outcome What the inference becomes where the rule holds.
 * @param severity Severity of its findings. {@code null} where it is absent.
 * @param category Category of its findings, under policy., brand., usage. or agency. {@code null} where it is
 *     absent.
 * @param message One sentence that stands in findings as their explanation. {@code null} where it is absent.
 */
public record PolicyRule(
    String id,
    String when,
    String outcome,
    String severity,
    String category,
    String message) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.id = id;
    builder.when = when;
    builder.outcome = outcome;
    builder.severity = severity;
    builder.category = category;
    builder.message = message;
    return builder;
  }

  /** Sets members of {@link PolicyRule}. Not for use by more than one thread. */
  public static final class Builder {
    private String id;
    private String when;
    private String outcome;
    private String severity;
    private String category;
    private String message;

    private Builder() {}

    /** The rule's name; findings carry it as type and rule_id. */
    public Builder id(String value) {
      id = value;
      return this;
    }

    /** CEL over the inference and its findings; what it holds for is a finding. */
    public Builder when(String value) {
      when = value;
      return this;
    }

    /** What the inference becomes where the rule holds. */
    public Builder outcome(String value) {
      outcome = value;
      return this;
    }

    /** Severity of its findings. */
    public Builder severity(String value) {
      severity = value;
      return this;
    }

    /** Category of its findings, under policy., brand., usage. or agency. */
    public Builder category(String value) {
      category = value;
      return this;
    }

    /** One sentence that stands in findings as their explanation. */
    public Builder message(String value) {
      message = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PolicyRule build() {
      return new PolicyRule(
          Objects.requireNonNull(id, "PolicyRule.id is needed"),
          Objects.requireNonNull(when, "PolicyRule.when is needed"),
          Objects.requireNonNull(outcome, "PolicyRule.outcome is needed"),
          severity,
          category,
          message);
    }
  }

  /** Values of {@code outcome}. A later service may have others. */
  public static final class Outcome {
    /** {@code flagged}. */
    public static final String FLAGGED = "flagged";
    /** {@code blocked}. */
    public static final String BLOCKED = "blocked";

    private Outcome() {}
  }
}
