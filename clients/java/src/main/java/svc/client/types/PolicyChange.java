// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/**
 * {@code PolicyChange} in an answer or request.
 *
 * @param path JSON Pointer into the document of {@code to}; of what was removed, into that of {@code from}.
 * @param id Of the entry, where the list is one of entries with ids. {@code null} where it is absent.
 * @param from What stood there. {@code null} where it is absent.
 * @param to What stands there now. {@code null} where it is absent.
 */
public record PolicyChange(
    String op,
    String path,
    String id,
    Object from,
    Object to) {
  /** Values of {@code op}. A later service may have others. */
  public static final class Op {
    /** {@code add}. */
    public static final String ADD = "add";
    /** {@code remove}. */
    public static final String REMOVE = "remove";
    /** {@code replace}. */
    public static final String REPLACE = "replace";

    private Op() {}
  }
}
