// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code AuditKeys} in an answer or request.
 *
 * @param origin The name of the organization’s log: the first line of its checkpoints.
 * @param keys All that ever signed for it, newest first.
 * @param deployment The log over the checkpoints of all organizations of this service.
 */
public record AuditKeys(
    String origin,
    List<Key> keys,
    Deployment deployment) {
  /** Keeps copies of lists and maps that do not change. */
  public AuditKeys {
    keys = Fixed.copyOf(keys);
  }

  /**
   * {@code Key} in an answer or request.
   *
   * @param verifierKey {@code <origin>+<key id>+<base64>}, as c2sp.org/signed-note has it.
   * @param status {@code overlap}: another signs, and this one beside it. {@code retired}: it signs no more;
   *     what it has signed can be checked.
   * @param createdAt When it was made.
   * @param replacedAt Since when another signs. May be {@code null}.
   * @param retiredAt When it stopped, or will stop, to sign. May be {@code null}.
   */
  public record Key(
      @JsonProperty("verifier_key") String verifierKey,
      String status,
      @JsonProperty("created_at") String createdAt,
      @JsonProperty("replaced_at") @JsonInclude(JsonInclude.Include.ALWAYS) String replacedAt,
      @JsonProperty("retired_at") @JsonInclude(JsonInclude.Include.ALWAYS) String retiredAt) {}

  /**
   * {@code Deployment} in an answer or request.
   *
   * @param keys All that ever signed for it, newest first.
   */
  public record Deployment(
      String origin,
      List<Key> keys) {
    /** Keeps copies of lists and maps that do not change. */
    public Deployment {
      keys = Fixed.copyOf(keys);
    }
  }

  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code active}. */
    public static final String ACTIVE = "active";
    /** {@code overlap}. */
    public static final String OVERLAP = "overlap";
    /** {@code retired}. */
    public static final String RETIRED = "retired";

    private Status() {}
  }
}
