// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code Export} in an answer or request.
 *
 * @param since As it was asked for. May be {@code null}.
 * @param until As it was asked for. May be {@code null}.
 * @param kinds As they were asked for; null: all. May be {@code null}.
 * @param heldSize As it was asked for. May be {@code null}.
 * @param events Events that are in it by now.
 * @param treeSize Of the checkpoint that proves it; null: it has not begun. May be {@code null}.
 * @param createdAt When it was asked for.
 * @param createdBy Id of the credential.
 * @param expiresAt Until when it can be downloaded; null: it is not ready. May be {@code null}.
 * @param download May be {@code null}.
 * @param error Why it failed, or expired before its time. May be {@code null}.
 */
public record Export(
    String id,
    String state,
    String format,
    @JsonInclude(JsonInclude.Include.ALWAYS) String since,
    @JsonInclude(JsonInclude.Include.ALWAYS) String until,
    @JsonInclude(JsonInclude.Include.ALWAYS) List<String> kinds,
    @JsonProperty("held_size") @JsonInclude(JsonInclude.Include.ALWAYS) Long heldSize,
    boolean disclosures,
    Progress progress,
    long events,
    @JsonProperty("tree_size") @JsonInclude(JsonInclude.Include.ALWAYS) Long treeSize,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("created_by") String createdBy,
    @JsonProperty("expires_at") @JsonInclude(JsonInclude.Include.ALWAYS) String expiresAt,
    @JsonInclude(JsonInclude.Include.ALWAYS) Download download,
    @JsonInclude(JsonInclude.Include.ALWAYS) String error) {
  /** Keeps copies of lists and maps that do not change. */
  public Export {
    kinds = Fixed.copyOf(kinds);
  }

  /**
   * {@code Progress} in an answer or request.
   *
   * @param done Leaves that are written.
   * @param total Leaves to write; null: it has not begun. May be {@code null}.
   * @param percent 100 once it is ready.
   */
  public record Progress(
      long done,
      @JsonInclude(JsonInclude.Include.ALWAYS) Long total,
      long percent) {}

  /**
   * {@code Download} in an answer or request.
   *
   * @param url Takes the same credential.
   * @param bytes Length of the zip.
   * @param sha256 Of the zip, in hex.
   */
  public record Download(
      String url,
      long bytes,
      String sha256) {}

  /** Values of {@code state}. A later service may have others. */
  public static final class State {
    /** {@code queued}. */
    public static final String QUEUED = "queued";
    /** {@code running}. */
    public static final String RUNNING = "running";
    /** {@code ready}. */
    public static final String READY = "ready";
    /** {@code failed}. */
    public static final String FAILED = "failed";
    /** {@code expired}. */
    public static final String EXPIRED = "expired";

    private State() {}
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
