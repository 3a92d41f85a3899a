// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code PolicyProblem} in an answer or request.
 *
 * @param pointer JSON Pointer into the document.
 */
public record PolicyProblem(
    String pointer,
    String message) {}
