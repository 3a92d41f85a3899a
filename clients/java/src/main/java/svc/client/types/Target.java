// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

/** Parts of an inference. A later service may have others. */
public final class Target {
  /** {@code input}. */
  public static final String INPUT = "input";
  /** {@code output}. */
  public static final String OUTPUT = "output";
  /** {@code context}. */
  public static final String CONTEXT = "context";
  /** {@code tool}. */
  public static final String TOOL = "tool";

  private Target() {}
}
