// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;

/**
 * {@code Usage} in an answer or request.
 *
 * @param since First day, UTC.
 * @param until Last day, UTC.
 * @param days Days on which there were any, oldest first.
 */
public record Usage(
    String plan,
    String since,
    String until,
    Total total,
    List<Day> days,
    Now now) {
  /** Keeps copies of lists and maps that do not change. */
  public Usage {
    days = Fixed.copyOf(days);
  }

  /**
   * {@code Total} in an answer or request.
   *
   * @param assessments Assessments in all.
   */
  public record Total(
      long assessments,
      long allowed,
      long flagged,
      long blocked) {}

  /**
   * {@code Day} in an answer or request.
   *
   * @param assessments Assessments in all.
   */
  public record Day(
      String day,
      long assessments,
      long allowed,
      long flagged,
      long blocked) {}

  /** {@code Now} in an answer or request. */
  public record Now(
      BudgetState assessments,
      BudgetState requests) {}

  /** Values of {@code plan}. A later service may have others. */
  public static final class Plan {
    /** {@code starter}. */
    public static final String STARTER = "starter";
    /** {@code growth}. */
    public static final String GROWTH = "growth";
    /** {@code scale}. */
    public static final String SCALE = "scale";
    /** {@code enterprise}. */
    public static final String ENTERPRISE = "enterprise";

    private Plan() {}
  }
}
