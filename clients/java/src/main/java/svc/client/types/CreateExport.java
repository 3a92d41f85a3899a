// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;

/**
 * {@code CreateExport} in an answer or request. Made by {@link #builder()}.
 *
 * @param format What the bundle has beside the evidence, which is JSON lines. {@code jsonl}: nothing.
 * @param since Recorded at or after. Default: the oldest that is kept. {@code null} where it is absent.
 * @param until Recorded before. Default: all that was committed when it was asked for. {@code null} where it
 *     is absent.
 * @param kinds Only events of these kinds are disclosed and in the view; of the others the bundle has the
 *     public facts, so that it can be checked all the same. {@code null} where it is absent.
 * @param heldSize The size of a checkpoint that you hold: the bundle then has the proof that the log only
 *     grew since. {@code null} where it is absent.
 * @param disclosures False: without what leaves commit to without telling, such as subjects, addresses and
 *     data. {@code null} where it is absent.
 */
public record CreateExport(
    String format,
    String since,
    String until,
    List<String> kinds,
    @JsonProperty("held_size") Long heldSize,
    Boolean disclosures) {
  /** Keeps copies of lists and maps that do not change. */
  public CreateExport {
    kinds = Fixed.copyOf(kinds);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.format = format;
    builder.since = since;
    builder.until = until;
    builder.kinds = kinds;
    builder.heldSize = heldSize;
    builder.disclosures = disclosures;
    return builder;
  }

  /** Sets members of {@link CreateExport}. Not for use by more than one thread. */
  public static final class Builder {
    private String format;
    private String since;
    private String until;
    private List<String> kinds;
    private Long heldSize;
    private Boolean disclosures;

    private Builder() {}

    /** What the bundle has beside the evidence, which is JSON lines. {@code jsonl}: nothing. */
    public Builder format(String value) {
      format = value;
      return this;
    }

    /** Recorded at or after. Default: the oldest that is kept. */
    public Builder since(String value) {
      since = value;
      return this;
    }

    /** Recorded before. Default: all that was committed when it was asked for. */
    public Builder until(String value) {
      until = value;
      return this;
    }

    /**
     * Only events of these kinds are disclosed and in the view; of the others the bundle has the public
     * facts, so that it can be checked all the same.
     */
    public Builder kinds(List<String> value) {
      kinds = value;
      return this;
    }

    /**
     * The size of a checkpoint that you hold: the bundle then has the proof that the log only grew since.
     */
    public Builder heldSize(long value) {
      heldSize = value;
      return this;
    }

    /** False: without what leaves commit to without telling, such as subjects, addresses and data. */
    public Builder disclosures(boolean value) {
      disclosures = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public CreateExport build() {
      return new CreateExport(
          Objects.requireNonNull(format, "CreateExport.format is needed"),
          since,
          until,
          kinds,
          heldSize,
          disclosures);
    }
  }

  /** Values of {@code format}. A later service may have others. */
  public static final class Format {
    /** {@code jsonl}. */
    public static final String JSONL = "jsonl";
    /** {@code csv}. */
    public static final String CSV = "csv";
    /** {@code parquet}. */
    public static final String PARQUET = "parquet";
    /** {@code ocsf}. */
    public static final String OCSF = "ocsf";
    /** {@code cloudevents}. */
    public static final String CLOUDEVENTS = "cloudevents";

    private Format() {}
  }
}
