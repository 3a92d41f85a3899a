// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code Health} in an answer or request.
 *
 * @param status as its name says.
 */
public record Health(
    String status) {}
