// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** {@code NoSso} in an answer or request. */
public record NoSso(
    boolean enabled) {}
