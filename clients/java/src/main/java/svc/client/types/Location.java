// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code Location} in an answer or request.
 *
 * @param pointer JSON Pointer of the text in the request.
 * @param start Offset in UTF-16 units.
 * @param end Offset in UTF-16 units, exclusive.
 */
public record Location(
    String pointer,
    long start,
    long end) {}
