// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;

/**
 * {@code ConsistencyProof} in an answer or request.
 *
 * @param hashes As RFC 6962 §2.1.2 has them; none where the sizes are equal or {@code from} is 0.
 */
public record ConsistencyProof(
    long from,
    long to,
    List<String> hashes) {
  /** Keeps copies of lists and maps that do not change. */
  public ConsistencyProof {
    hashes = Fixed.copyOf(hashes);
  }
}
