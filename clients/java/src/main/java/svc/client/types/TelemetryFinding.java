// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;
import svc.client.OrNull;

/**
 * What the probe found. Never the text it stands in. Made by {@link #builder()}.
 *
 * @param category What kind of thing was found.
 * @param type What exactly.
 * @param score How sure the detector is.
 * @param severity How bad it would be. May be {@code null}.
 * @param action What was done about it. May be {@code null}.
 * @param outcome What the finding alone makes of the inference. May be {@code null}.
 */
public record TelemetryFinding(
    String category,
    String type,
    double score,
    OrNull<String> severity,
    OrNull<String> action,
    OrNull<String> outcome) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.category = category;
    builder.type = type;
    builder.score = score;
    builder.severity = severity;
    builder.action = action;
    builder.outcome = outcome;
    return builder;
  }

  /** Sets members of {@link TelemetryFinding}. Not for use by more than one thread. */
  public static final class Builder {
    private String category;
    private String type;
    private Double score;
    private OrNull<String> severity;
    private OrNull<String> action;
    private OrNull<String> outcome;

    private Builder() {}

    /** What kind of thing was found. */
    public Builder category(String value) {
      category = value;
      return this;
    }

    /** What exactly. */
    public Builder type(String value) {
      type = value;
      return this;
    }

    /** How sure the detector is. */
    public Builder score(double value) {
      score = value;
      return this;
    }

    /** How bad it would be. */
    public Builder severity(String value) {
      severity = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code severity}, which is not the same as leaving it out. */
    public Builder clearSeverity() {
      severity = OrNull.none();
      return this;
    }

    /** What was done about it. */
    public Builder action(String value) {
      action = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code action}, which is not the same as leaving it out. */
    public Builder clearAction() {
      action = OrNull.none();
      return this;
    }

    /** What the finding alone makes of the inference. */
    public Builder outcome(String value) {
      outcome = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code outcome}, which is not the same as leaving it out. */
    public Builder clearOutcome() {
      outcome = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public TelemetryFinding build() {
      return new TelemetryFinding(
          Objects.requireNonNull(category, "TelemetryFinding.category is needed"),
          Objects.requireNonNull(type, "TelemetryFinding.type is needed"),
          Objects.requireNonNull(score, "TelemetryFinding.score is needed"),
          severity,
          action,
          outcome);
    }
  }
}
