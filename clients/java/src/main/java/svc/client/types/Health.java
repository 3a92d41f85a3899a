// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** {@code Health} in an answer or request. */
public record Health(
    String status) {}
