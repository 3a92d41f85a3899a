// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What {@code list} asks for. Made by {@link #builder()}.
 *
 * @param outcome Assessments with this outcome. {@code null} where it is absent.
 * @param category With a finding of this category or family: {@code data.pii}, {@code data}. {@code null}
 *     where it is absent.
 * @param model The model’s name. {@code null} where it is absent.
 * @param actor Id of the credential that caused it. {@code null} where it is absent.
 * @param subject User, session or agent of the inference. {@code null} where it is absent.
 * @param externalId The caller’s own id of the inference. {@code null} where it is absent.
 * @param probeId The probe that it is about, or that saw the inference. {@code null} where it is absent.
 * @param since Recorded at or after. The time of the commit, which no caller chooses. {@code null} where it
 *     is absent.
 * @param until Recorded before. {@code null} where it is absent.
 * @param q Part of a kind, category, model, subject, actor or external id. {@code null} where it is absent.
 * @param limit Items in a page. {@code null} where it is absent.
 * @param cursor {@code next_cursor} of the page before. {@code null} where it is absent.
 */
public record AssessmentsListQuery(
    String outcome,
    String category,
    String model,
    String actor,
    String subject,
    @JsonProperty("external_id") String externalId,
    @JsonProperty("probe_id") String probeId,
    String since,
    String until,
    String q,
    Long limit,
    String cursor) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.outcome = outcome;
    builder.category = category;
    builder.model = model;
    builder.actor = actor;
    builder.subject = subject;
    builder.externalId = externalId;
    builder.probeId = probeId;
    builder.since = since;
    builder.until = until;
    builder.q = q;
    builder.limit = limit;
    builder.cursor = cursor;
    return builder;
  }

  /** Sets members of {@link AssessmentsListQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private String outcome;
    private String category;
    private String model;
    private String actor;
    private String subject;
    private String externalId;
    private String probeId;
    private String since;
    private String until;
    private String q;
    private Long limit;
    private String cursor;

    private Builder() {}

    /** Assessments with this outcome. */
    public Builder outcome(String value) {
      outcome = value;
      return this;
    }

    /** With a finding of this category or family: {@code data.pii}, {@code data}. */
    public Builder category(String value) {
      category = value;
      return this;
    }

    /** The model’s name. */
    public Builder model(String value) {
      model = value;
      return this;
    }

    /** Id of the credential that caused it. */
    public Builder actor(String value) {
      actor = value;
      return this;
    }

    /** User, session or agent of the inference. */
    public Builder subject(String value) {
      subject = value;
      return this;
    }

    /** The caller’s own id of the inference. */
    public Builder externalId(String value) {
      externalId = value;
      return this;
    }

    /** The probe that it is about, or that saw the inference. */
    public Builder probeId(String value) {
      probeId = value;
      return this;
    }

    /** Recorded at or after. The time of the commit, which no caller chooses. */
    public Builder since(String value) {
      since = value;
      return this;
    }

    /** Recorded before. */
    public Builder until(String value) {
      until = value;
      return this;
    }

    /** Part of a kind, category, model, subject, actor or external id. */
    public Builder q(String value) {
      q = value;
      return this;
    }

    /** Items in a page. */
    public Builder limit(long value) {
      limit = value;
      return this;
    }

    /** {@code next_cursor} of the page before. */
    public Builder cursor(String value) {
      cursor = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public AssessmentsListQuery build() {
      return new AssessmentsListQuery(
          outcome,
          category,
          model,
          actor,
          subject,
          externalId,
          probeId,
          since,
          until,
          q,
          limit,
          cursor);
    }
  }
}
