// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;

/**
 * {@code CustomTerms} in an answer or request. Made by {@link #builder()}.
 *
 * @param id The rule's name; findings carry it as type and rule_id.
 * @param category What it finds, under data., brand., policy. or content.
 * @param severity Severity of its findings. {@code null} where it is absent.
 * @param action What to do about a match. {@code null} where it is absent.
 * @param appliesTo Which texts are read: input and output messages, context items, tool results and
 *     arguments. {@code null} where it is absent.
 * @param description One sentence that stands in findings as their explanation. {@code null} where it is
 *     absent.
 * @param any Whole words or phrases, whatever their case.
 */
public record CustomTerms(
    String id,
    String category,
    String severity,
    String action,
    @JsonProperty("applies_to") List<String> appliesTo,
    String description,
    List<String> any) {
  /** Keeps copies of lists and maps that do not change. */
  public CustomTerms {
    appliesTo = Fixed.copyOf(appliesTo);
    any = Fixed.copyOf(any);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.id = id;
    builder.category = category;
    builder.severity = severity;
    builder.action = action;
    builder.appliesTo = appliesTo;
    builder.description = description;
    builder.any = any;
    return builder;
  }

  /** Sets members of {@link CustomTerms}. Not for use by more than one thread. */
  public static final class Builder {
    private String id;
    private String category;
    private String severity;
    private String action;
    private List<String> appliesTo;
    private String description;
    private List<String> any;

    private Builder() {}

    /** The rule's name; findings carry it as type and rule_id. */
    public Builder id(String value) {
      id = value;
      return this;
    }

    /** What it finds, under data., brand., policy. or content. */
    public Builder category(String value) {
      category = value;
      return this;
    }

    /** Severity of its findings. */
    public Builder severity(String value) {
      severity = value;
      return this;
    }

    /** What to do about a match. */
    public Builder action(String value) {
      action = value;
      return this;
    }

    /** Which texts are read: input and output messages, context items, tool results and arguments. */
    public Builder appliesTo(List<String> value) {
      appliesTo = value;
      return this;
    }

    /** One sentence that stands in findings as their explanation. */
    public Builder description(String value) {
      description = value;
      return this;
    }

    /** Whole words or phrases, whatever their case. */
    public Builder any(List<String> value) {
      any = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public CustomTerms build() {
      return new CustomTerms(
          Objects.requireNonNull(id, "CustomTerms.id is needed"),
          Objects.requireNonNull(category, "CustomTerms.category is needed"),
          severity,
          action,
          appliesTo,
          description,
          Objects.requireNonNull(any, "CustomTerms.any is needed"));
    }
  }
}
