// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;

/**
 * {@code Provision} in an answer or request.
 *
 * @param binds Whom it binds.
 * @param requirement A paraphrase; the text itself is what counts.
 * @param applies To what it applies.
 * @param status evidenced: there is evidence, no gap was found, and all that is asked for can be recorded
 *     here. partial: evidence with gaps, or of a part. none: the evidence that it takes was not found in the
 *     period. not_recorded_here: this service records nothing of it. It is no legal judgement.
 * @param covers How much of what it asks for can be recorded here. Of a part the status is {@code partial} at
 *     best.
 * @param limit What is not recorded here; null: covers the whole. May be {@code null}.
 * @param note May be {@code null}.
 */
public record Provision(
    String id,
    String reference,
    String title,
    List<String> binds,
    String requirement,
    String applies,
    String status,
    String covers,
    @JsonInclude(JsonInclude.Include.ALWAYS) String limit,
    List<Evidence> evidence,
    List<Gap> gaps,
    @JsonInclude(JsonInclude.Include.ALWAYS) String note) {
  /** Keeps copies of lists and maps that do not change. */
  public Provision {
    binds = Fixed.copyOf(binds);
    evidence = Fixed.copyOf(evidence);
    gaps = Fixed.copyOf(gaps);
  }

  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code evidenced}. */
    public static final String EVIDENCED = "evidenced";
    /** {@code partial}. */
    public static final String PARTIAL = "partial";
    /** {@code none}. */
    public static final String NONE = "none";
    /** {@code not_recorded_here}. */
    public static final String NOT_RECORDED_HERE = "not_recorded_here";

    private Status() {}
  }

  /** Values of {@code covers}. A later service may have others. */
  public static final class Covers {
    /** {@code whole}. */
    public static final String WHOLE = "whole";
    /** {@code part}. */
    public static final String PART = "part";
    /** {@code nothing}. */
    public static final String NOTHING = "nothing";

    private Covers() {}
  }
}
