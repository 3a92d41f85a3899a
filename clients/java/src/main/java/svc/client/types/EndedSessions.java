// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code EndedSessions} in an answer or request.
 *
 * @param ended Sessions that ended.
 */
public record EndedSessions(
    long ended) {}
