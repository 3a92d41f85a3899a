// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * {@code PolicyBundle} in an answer or request.
 *
 * @param version Of the policy.
 * @param digest Of the policy.
 * @param detectorVersions What the service decides with.
 * @param issuedAt When this bundle became what it is: at midnight UTC, or when the policy was stored.
 * @param expiresAt Seven days later. A probe that has no newer one goes on with it, and says that it is
 *     stale.
 */
public record PolicyBundle(
    long version,
    String digest,
    Policy policy,
    @JsonProperty("detector_versions") Map<String, String> detectorVersions,
    @JsonProperty("issued_at") String issuedAt,
    @JsonProperty("expires_at") String expiresAt,
    PolicySignature signature) {
  /** Keeps copies of lists and maps that do not change. */
  public PolicyBundle {
    detectorVersions = Fixed.copyOf(detectorVersions);
  }
}
