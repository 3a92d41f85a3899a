// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** {@code DeletedExport} in an answer or request. */
public record DeletedExport(
    boolean deleted) {}
