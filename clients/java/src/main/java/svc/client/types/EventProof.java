// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code EventProof} in an answer or request.
 *
 * @param leafIndex {@code sequence} less one.
 * @param leafHash What the log holds: SHA-256 of a zero byte and the envelope, in base64.
 * @param leafMatches Whether the envelope has this hash. {@code false}: the event was changed in the database
 *     after it was logged.
 * @param envelope The leaf, byte for byte: canonical JSON (RFC 8785).
 * @param disclosures What the envelope commits to: texts {@code ["salt","name",value]}. The SHA-256 of each,
 *     in base64, is in its {@code private}. Kept texts are never disclosed.
 * @param erased Names of what is committed to and was erased.
 * @param root Of the tree of this size, in base64.
 * @param hashes From the leaf to the root, as RFC 6962 §2.1.1 has them.
 * @param checkpoint The signed note that vouches for size and root.
 */
public record EventProof(
    @JsonProperty("event_id") String eventId,
    long sequence,
    @JsonProperty("leaf_index") long leafIndex,
    @JsonProperty("leaf_hash") String leafHash,
    @JsonProperty("leaf_matches") boolean leafMatches,
    String envelope,
    List<String> disclosures,
    List<String> erased,
    @JsonProperty("tree_size") long treeSize,
    String root,
    List<String> hashes,
    String checkpoint) {
  /** Keeps copies of lists and maps that do not change. */
  public EventProof {
    disclosures = Fixed.copyOf(disclosures);
    erased = Fixed.copyOf(erased);
    hashes = Fixed.copyOf(hashes);
  }
}
