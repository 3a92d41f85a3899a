// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * {@code InboxMessage} in an answer or request.
 *
 * @param receivedAt When it arrived.
 * @param headers Signatures, and what else tells of the delivery.
 * @param body As it arrived: the bytes that were signed.
 */
public record InboxMessage(
    String id,
    @JsonProperty("received_at") String receivedAt,
    Map<String, String> headers,
    String body) {
  /** Keeps copies of lists and maps that do not change. */
  public InboxMessage {
    headers = Fixed.copyOf(headers);
  }
}
