// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code Redaction} in an answer or request.
 *
 * @param sequence Of the event.
 * @param fields What was erased: what was asked for, and a kept text that repeats it.
 * @param redactionEventId The event {@code audit.redacted} that tells of it.
 * @param createdAt When it was done.
 */
public record Redaction(
    @JsonProperty("event_id") String eventId,
    long sequence,
    List<String> fields,
    String basis,
    @JsonProperty("redaction_event_id") String redactionEventId,
    @JsonProperty("created_at") String createdAt) {
  /** Keeps copies of lists and maps that do not change. */
  public Redaction {
    fields = Fixed.copyOf(fields);
  }
}
