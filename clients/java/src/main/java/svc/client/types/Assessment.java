// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * {@code Assessment} in an answer or request.
 *
 * @param externalId May be {@code null}.
 * @param createdAt When it was made.
 * @param mode Of the credential. {@code test}: not in the trail, kept 24 hours.
 * @param outcome The worst finding that is not excused decides.
 * @param score The highest score of a finding that is not excused; 0 without.
 * @param severity The highest severity of a finding that is not excused.
 * @param findingsTotal Findings before the list was cut to its bound, excused ones too.
 * @param redacted The texts with findings replaced; null when nothing was. May be {@code null}.
 * @param policy The policy that decided; null where a probe decided and did not say by which.
 * @param shadow May be {@code null}.
 * @param model May be {@code null}.
 * @param subject May be {@code null}.
 * @param eventId The event in the trail, committed before this answer; null in test mode. May be {@code
 *     null}.
 * @param latencyMs Time the decision took, without the commit; 0 where a probe decided.
 * @param probe The probe that reported the inference. Absent: it was assessed over the API. {@code null}
 *     where it is absent.
 * @param probeOutcome What the probe had decided, where the service did too. {@code null} where it is absent.
 */
public record Assessment(
    String id,
    @JsonProperty("external_id") @JsonInclude(JsonInclude.Include.ALWAYS) String externalId,
    @JsonProperty("created_at") String createdAt,
    String mode,
    String outcome,
    Enforcement enforcement,
    double score,
    String severity,
    List<Finding> findings,
    @JsonProperty("findings_total") long findingsTotal,
    @JsonInclude(JsonInclude.Include.ALWAYS) Redacted redacted,
    Coverage coverage,
    Policy policy,
    @JsonInclude(JsonInclude.Include.ALWAYS) PolicyShadowVerdict shadow,
    @JsonInclude(JsonInclude.Include.ALWAYS) Model model,
    @JsonInclude(JsonInclude.Include.ALWAYS) Subject subject,
    Map<String, String> metadata,
    @JsonProperty("event_id") @JsonInclude(JsonInclude.Include.ALWAYS) String eventId,
    @JsonProperty("latency_ms") double latencyMs,
    Probe probe,
    @JsonProperty("probe_outcome") String probeOutcome) {
  /** Keeps copies of lists and maps that do not change. */
  public Assessment {
    findings = Fixed.copyOf(findings);
    metadata = Fixed.copyOf(metadata);
  }

  /**
   * {@code Policy} in an answer or request.
   *
   * @param version May be {@code null}.
   * @param digest May be {@code null}.
   */
  public record Policy(
      @JsonInclude(JsonInclude.Include.ALWAYS) Long version,
      @JsonInclude(JsonInclude.Include.ALWAYS) String digest) {}

  /**
   * {@code Model} in an answer or request.
   *
   * @param provider May be {@code null}.
   * @param name May be {@code null}.
   * @param version May be {@code null}.
   */
  public record Model(
      @JsonInclude(JsonInclude.Include.ALWAYS) String provider,
      @JsonInclude(JsonInclude.Include.ALWAYS) String name,
      @JsonInclude(JsonInclude.Include.ALWAYS) String version) {}

  /**
   * {@code Subject} in an answer or request.
   *
   * @param user May be {@code null}.
   * @param session May be {@code null}.
   * @param agent May be {@code null}.
   */
  public record Subject(
      @JsonInclude(JsonInclude.Include.ALWAYS) String user,
      @JsonInclude(JsonInclude.Include.ALWAYS) String session,
      @JsonInclude(JsonInclude.Include.ALWAYS) String agent) {}

  /**
   * {@code Probe} in an answer or request.
   *
   * @param eventId The probe’s own name for the inference.
   * @param decidedBy {@code service}: the probe sent the texts.
   * @param modelCountedAs The batch that it came with named too many models: its {@code telemetry.received}
   *     counts this one in {@code models_other}. {@code null} where it is absent.
   */
  public record Probe(
      String id,
      @JsonProperty("event_id") String eventId,
      @JsonProperty("decided_by") String decidedBy,
      @JsonProperty("model_counted_as") String modelCountedAs) {}

  /** Values of {@code decidedBy}. A later service may have others. */
  public static final class DecidedBy {
    /** {@code probe}. */
    public static final String PROBE = "probe";
    /** {@code service}. */
    public static final String SERVICE = "service";

    private DecidedBy() {}
  }
}
