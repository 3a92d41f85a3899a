// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code Recovered} in an answer or request.
 *
 * @param recovered Deliveries that had failed and are sent again.
 */
public record Recovered(
    long recovered) {}
