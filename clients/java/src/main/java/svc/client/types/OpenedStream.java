// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code OpenedStream} in an answer or request.
 *
 * @param assessment Of the input. Its event is recorded when the stream ends, so {@code event_id} is null;
 *     where the input is blocked that is at once.
 */
public record OpenedStream(
    String id,
    Assessment assessment) {}
