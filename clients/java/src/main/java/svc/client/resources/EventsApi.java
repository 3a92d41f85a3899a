// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.Event;
import svc.client.types.EventsListQuery;

/** The audit trail: everything that happened, in one gap-free sequence. Safe for use by many threads. */
public final class EventsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public EventsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * List events, or pull them as they come. Newest first. With {@code after_sequence} it is a feed: events
   * after that one, oldest first, waiting up to {@code wait_s} for the first. Read without filters, the
   * sequence has no gaps, which proves that nothing was missed. Needs {@code events:read}.
   */
  public Pages<Event> list() {
    return list(null, null);
  }

  /**
   * List events, or pull them as they come. Newest first. With {@code after_sequence} it is a feed: events
   * after that one, oldest first, waiting up to {@code wait_s} for the first. Read without filters, the
   * sequence has no gaps, which proves that nothing was missed. Needs {@code events:read}.
   */
  public Pages<Event> list(EventsListQuery query) {
    return list(query, null);
  }

  /**
   * List events, or pull them as they come. Newest first. With {@code after_sequence} it is a feed: events
   * after that one, oldest first, waiting up to {@code wait_s} for the first. Read without filters, the
   * sequence has no gaps, which proves that nothing was missed. Needs {@code events:read}. {@code query}:
   * {@code null} for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<Event> list(EventsListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/events").query(query), Event.class, options);
  }

  /** Read an event. Needs {@code events:read}. */
  public Event get(String eventId) {
    return get(eventId, null);
  }

  /** Read an event. Needs {@code events:read}. {@code options}: {@code null} for those of the client. */
  public Event get(String eventId, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/events/" + Call.segment(eventId)), Event.class, options);
  }
}
