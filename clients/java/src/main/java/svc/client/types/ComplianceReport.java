// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code ComplianceReport} in an answer or request.
 *
 * @param software What made it.
 * @param generatedAt When it was made.
 * @param since The beginning of the period.
 * @param until Its end, exclusive.
 */
public record ComplianceReport(
    Framework framework,
    @JsonProperty("org_id") String orgId,
    @JsonProperty("org_name") String orgName,
    Software software,
    @JsonProperty("generated_at") String generatedAt,
    String since,
    String until,
    @JsonProperty("as_of") AsOf asOf,
    Summary summary,
    List<Provision> provisions) {
  /** Keeps copies of lists and maps that do not change. */
  public ComplianceReport {
    provisions = Fixed.copyOf(provisions);
  }

  /**
   * {@code Framework} in an answer or request.
   *
   * @param version The text that the report goes by.
   * @param url Where the text is.
   * @param about What this report can say about it and what not.
   * @param dates Since when it applies.
   */
  public record Framework(
      String id,
      String title,
      String version,
      String url,
      String about,
      String dates) {}

  /** {@code Software} in an answer or request. */
  public record Software(
      String name,
      String version) {}

  /** {@code Summary} in an answer or request. */
  public record Summary(
      Evidenced evidenced,
      Partial partial,
      None none,
      @JsonProperty("not_recorded_here") NotRecordedHere notRecordedHere) {}

  /**
   * {@code Evidenced} in an answer or request.
   *
   * @param count Provisions with this status.
   * @param ofAPart Of them, those of which only a part can be recorded here.
   */
  public record Evidenced(
      long count,
      @JsonProperty("of_a_part") long ofAPart) {}

  /**
   * {@code Partial} in an answer or request.
   *
   * @param count Provisions with this status.
   * @param ofAPart Of them, those of which only a part can be recorded here.
   */
  public record Partial(
      long count,
      @JsonProperty("of_a_part") long ofAPart) {}

  /**
   * {@code None} in an answer or request.
   *
   * @param count Provisions with this status.
   * @param ofAPart Of them, those of which only a part can be recorded here.
   */
  public record None(
      long count,
      @JsonProperty("of_a_part") long ofAPart) {}

  /**
   * {@code NotRecordedHere} in an answer or request.
   *
   * @param count Provisions with this status.
   * @param ofAPart Of them, those of which only a part can be recorded here.
   */
  public record NotRecordedHere(
      long count,
      @JsonProperty("of_a_part") long ofAPart) {}

  /** Values of {@code id}. A later service may have others. */
  public static final class Id {
    /** {@code eu-ai-act}. */
    public static final String EU_AI_ACT = "eu-ai-act";
    /** {@code nist-ai-rmf}. */
    public static final String NIST_AI_RMF = "nist-ai-rmf";
    /** {@code iso-42001}. */
    public static final String ISO_42001 = "iso-42001";

    private Id() {}
  }
}
