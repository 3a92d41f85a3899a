// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** Who found it, and how; {@code probe}: a probe says so. */
public record FindingDetector(
    String id,
    String version,
    String method) {
  /** Values of {@code method}. A later service may have others. */
  public static final class Method {
    /** {@code pattern}. */
    public static final String PATTERN = "pattern";
    /** {@code pattern+checksum}. */
    public static final String PATTERN_CHECKSUM = "pattern+checksum";
    /** {@code pattern+entropy}. */
    public static final String PATTERN_ENTROPY = "pattern+entropy";
    /** {@code pattern+context}. */
    public static final String PATTERN_CONTEXT = "pattern+context";
    /** {@code heuristic}. */
    public static final String HEURISTIC = "heuristic";
    /** {@code lexicon}. */
    public static final String LEXICON = "lexicon";
    /** {@code classifier}. */
    public static final String CLASSIFIER = "classifier";
    /** {@code judge}. */
    public static final String JUDGE = "judge";
    /** {@code rule}. */
    public static final String RULE = "rule";
    /** {@code limit}. */
    public static final String LIMIT = "limit";
    /** {@code probe}. */
    public static final String PROBE = "probe";

    private Method() {}
  }
}
