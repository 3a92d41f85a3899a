// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code PolicyVersionName} in an answer or request.
 *
 * @param version as its name says.
 * @param digest as its name says.
 */
public record PolicyVersionName(
    long version,
    String digest) {}
