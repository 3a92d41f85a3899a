// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** {@code PolicyVersionName} in an answer or request. */
public record PolicyVersionName(
    long version,
    String digest) {}
