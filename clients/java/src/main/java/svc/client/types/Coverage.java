// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What was read, and by whom.
 *
 * @param status failed: nothing could be read.
 * @param charsTotal UTF-16 units of all texts.
 * @param charsScanned Those of the texts that every detector concerned has read.
 */
public record Coverage(
    String status,
    @JsonProperty("chars_total") long charsTotal,
    @JsonProperty("chars_scanned") long charsScanned,
    List<DetectorRun> detectors) {
  /** Keeps copies of lists and maps that do not change. */
  public Coverage {
    detectors = Fixed.copyOf(detectors);
  }

  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code complete}. */
    public static final String COMPLETE = "complete";
    /** {@code partial}. */
    public static final String PARTIAL = "partial";
    /** {@code failed}. */
    public static final String FAILED = "failed";

    private Status() {}
  }
}
