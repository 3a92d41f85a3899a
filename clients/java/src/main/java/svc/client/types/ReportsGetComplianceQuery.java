// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * What {@code getCompliance} asks for. Made by {@link #builder()}.
 *
 * @param framework What the report is about.
 * @param since Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour.
 *     Absent: 30 days before {@code until}. {@code null} where it is absent.
 * @param until Recorded before; the end of its day or hour. Absent: now. {@code null} where it is absent.
 */
public record ReportsGetComplianceQuery(
    String framework,
    String since,
    String until) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.framework = framework;
    builder.since = since;
    builder.until = until;
    return builder;
  }

  /** Sets members of {@link ReportsGetComplianceQuery}. Not for use by more than one thread. */
  public static final class Builder {
    private String framework;
    private String since;
    private String until;

    private Builder() {}

    /** What the report is about. */
    public Builder framework(String value) {
      framework = value;
      return this;
    }

    /**
     * Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30
     * days before {@code until}.
     */
    public Builder since(String value) {
      since = value;
      return this;
    }

    /** Recorded before; the end of its day or hour. Absent: now. */
    public Builder until(String value) {
      until = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ReportsGetComplianceQuery build() {
      return new ReportsGetComplianceQuery(
          Objects.requireNonNull(framework, "ReportsGetComplianceQuery.framework is needed"),
          since,
          until);
    }
  }

  /** Values of {@code framework}. A later service may have others. */
  public static final class Framework {
    /** {@code eu-ai-act}. */
    public static final String EU_AI_ACT = "eu-ai-act";
    /** {@code nist-ai-rmf}. */
    public static final String NIST_AI_RMF = "nist-ai-rmf";
    /** {@code iso-42001}. */
    public static final String ISO_42001 = "iso-42001";

    private Framework() {}
  }
}
