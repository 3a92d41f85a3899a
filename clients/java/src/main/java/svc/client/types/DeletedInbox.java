// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** {@code DeletedInbox} in an answer or request. */
public record DeletedInbox(
    boolean deleted) {}
