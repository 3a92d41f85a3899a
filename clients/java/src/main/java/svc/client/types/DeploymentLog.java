// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code DeploymentLog} in an answer or request.
 *
 * @param origin Of the deployment’s log.
 * @param verifierKeys What its checkpoints are signed with, newest first: those that sign no more, too.
 *     Compare them with what you hold.
 * @param checkpoint Its checkpoint: a signed note, with the cosignatures of witnesses.
 * @param size Leaves in the tree of the checkpoint.
 * @param leaf The newest of your organization’s checkpoints that is in the tree.
 * @param witnesses Whose cosignatures are in the checkpoint.
 */
public record DeploymentLog(
    String origin,
    @JsonProperty("verifier_keys") List<String> verifierKeys,
    String checkpoint,
    long size,
    Leaf leaf,
    List<Witness> witnesses) {
  /** Keeps copies of lists and maps that do not change. */
  public DeploymentLog {
    verifierKeys = Fixed.copyOf(verifierKeys);
    witnesses = Fixed.copyOf(witnesses);
  }

  /**
   * {@code Leaf} in an answer or request.
   *
   * @param index Where it is in the tree, from 0.
   * @param salt 16 bytes, base64.
   * @param checkpoint The checkpoint of your organization’s log. The leaf is SHA-256(salt, these bytes).
   * @param hashes That the leaf is in the tree (RFC 6962), from the leaf up.
   */
  public record Leaf(
      long index,
      String salt,
      String checkpoint,
      List<String> hashes) {
    /** Keeps copies of lists and maps that do not change. */
    public Leaf {
      hashes = Fixed.copyOf(hashes);
    }
  }

  /**
   * {@code Witness} in an answer or request.
   *
   * @param verifierKey As the service was told. Take it from the witness’s operator instead.
   * @param cosignedAt When the witness says it saw the checkpoint.
   */
  public record Witness(
      String name,
      @JsonProperty("verifier_key") String verifierKey,
      @JsonProperty("cosigned_at") String cosignedAt) {}
}
