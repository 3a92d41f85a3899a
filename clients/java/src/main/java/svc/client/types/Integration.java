// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * {@code Integration} in an answer or request.
 *
 * @param config Without its secret members.
 * @param secrets Members of the config that are stored and never answered.
 * @param mode {@code test}: of a test key; hears of test assessments alone.
 * @param status Paused after 24 hours without a success: events wait for it and are sent once it answers
 *     again.
 * @param failingSince When it began to fail, if the last attempt did. May be {@code null}.
 * @param lastSuccessAt When it last answered 2xx; up to ten seconds late. May be {@code null}.
 * @param createdAt When it was made.
 * @param updatedAt When it was last changed.
 */
public record Integration(
    String id,
    String kind,
    String name,
    List<String> events,
    Map<String, Object> config,
    List<String> secrets,
    String mode,
    String status,
    @JsonProperty("failing_since") @JsonInclude(JsonInclude.Include.ALWAYS) String failingSince,
    @JsonProperty("last_success_at") @JsonInclude(JsonInclude.Include.ALWAYS) String lastSuccessAt,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("updated_at") String updatedAt) {
  /** Keeps copies of lists and maps that do not change. */
  public Integration {
    events = Fixed.copyOf(events);
    config = Fixed.copyOf(config);
    secrets = Fixed.copyOf(secrets);
  }

  /** Values of {@code kind}. A later service may have others. */
  public static final class Kind {
    /** {@code slack}. */
    public static final String SLACK = "slack";
    /** {@code pagerduty}. */
    public static final String PAGERDUTY = "pagerduty";
    /** {@code teams}. */
    public static final String TEAMS = "teams";
    /** {@code datadog}. */
    public static final String DATADOG = "datadog";
    /** {@code splunk}. */
    public static final String SPLUNK = "splunk";

    private Kind() {}
  }

  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code active}. */
    public static final String ACTIVE = "active";
    /** {@code paused}. */
    public static final String PAUSED = "paused";

    private Status() {}
  }
}
