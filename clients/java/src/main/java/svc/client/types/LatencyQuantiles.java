// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Milliseconds that assessments took, each quantile within 5 %.
 *
 * @param count Assessments that it is of: those that the service decided and the trail has an event of.
 * @param p50 May be {@code null}.
 * @param p90 May be {@code null}.
 * @param p95 May be {@code null}.
 * @param p99 May be {@code null}.
 */
public record LatencyQuantiles(
    long count,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double p50,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double p90,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double p95,
    @JsonInclude(JsonInclude.Include.ALWAYS) Double p99) {}
