// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code Organization} in an answer or request.
 *
 * @param createdAt When it was made.
 */
public record Organization(
    String id,
    String name,
    String plan,
    Limits limits,
    @JsonProperty("created_at") String createdAt,
    Credential credential) {
  /**
   * {@code Limits} in an answer or request.
   *
   * @param batchSize Items in a batch.
   */
  public record Limits(
      @JsonProperty("assessments_per_minute") long assessmentsPerMinute,
      @JsonProperty("requests_per_minute") long requestsPerMinute,
      @JsonProperty("batch_size") long batchSize) {}

  /** {@code Credential} in an answer or request. */
  public record Credential(
      String type,
      String id,
      String name,
      String mode,
      List<String> scopes) {
    /** Keeps copies of lists and maps that do not change. */
    public Credential {
      scopes = Fixed.copyOf(scopes);
    }
  }

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

  /** Values of {@code type}. A later service may have others. */
  public static final class Type {
    /** {@code api_key}. */
    public static final String API_KEY = "api_key";
    /** {@code service_account}. */
    public static final String SERVICE_ACCOUNT = "service_account";
    /** {@code user}. */
    public static final String USER = "user";

    private Type() {}
  }
}
