// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code PolicyExceptionState} in an answer or request.
 *
 * @param id Of the exception, as the policy names it.
 * @param expiresAt When it stops excusing.
 * @param state An expired one excuses nothing.
 * @param hits Findings that it has excused, of those that assessments list; those of test keys do not count.
 * @param lastHitAt When it last excused one; null: never. May be {@code null}.
 */
public record PolicyExceptionState(
    String id,
    String reason,
    String owner,
    @JsonProperty("expires_at") String expiresAt,
    String state,
    long hits,
    @JsonProperty("last_hit_at") @JsonInclude(JsonInclude.Include.ALWAYS) String lastHitAt) {
  /** Values of {@code state}. A later service may have others. */
  public static final class State {
    /** {@code active}. */
    public static final String ACTIVE = "active";
    /** {@code expired}. */
    public static final String EXPIRED = "expired";

    private State() {}
  }
}
