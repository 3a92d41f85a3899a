// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.Heartbeat;
import svc.client.types.HeartbeatAnswer;
import svc.client.types.PolicyBundle;
import svc.client.types.Probe;
import svc.client.types.ProbesListQuery;
import svc.client.types.TelemetryBatch;
import svc.client.types.TelemetryResult;
import svc.client.types.UpdateProbe;

/**
 * What runs beside your models: it decides by your policy, offline too, and reports what it saw. Safe for use
 * by many threads.
 */
public final class ProbesApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public ProbesApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Report inferences that a probe has seen. Answered once what was accepted is committed. An event whose
   * {@code id} the probe has sent before is stored once, so a request without an answer may be sent again as
   * it is. Events with {@code input} or {@code output} are assessed by the service, and cost one assessment
   * each; of the others the probe’s own outcome is taken. The trail gets one {@code telemetry.received} for
   * the batch, and an event for each inference that was flagged or blocked. The body may be packed by gzip.
   * Needs {@code assess:create}.
   */
  public TelemetryResult sendTelemetry(TelemetryBatch body) {
    return sendTelemetry(body, null);
  }

  /**
   * Report inferences that a probe has seen. Answered once what was accepted is committed. An event whose
   * {@code id} the probe has sent before is stored once, so a request without an answer may be sent again as
   * it is. Events with {@code input} or {@code output} are assessed by the service, and cost one assessment
   * each; of the others the probe’s own outcome is taken. The trail gets one {@code telemetry.received} for
   * the batch, and an event for each inference that was flagged or blocked. The body may be packed by gzip.
   * Needs {@code assess:create}. {@code options}: {@code null} for those of the client.
   */
  public TelemetryResult sendTelemetry(TelemetryBatch body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/api/svc/probe/telemetry")
            .body(body),
        TelemetryResult.class, options);
  }

  /**
   * Say that a probe is there, and how it is. A probe that sends none for three intervals is taken for
   * offline. Needs {@code assess:create}.
   */
  public HeartbeatAnswer sendHeartbeat(Heartbeat body) {
    return sendHeartbeat(body, null);
  }

  /**
   * Say that a probe is there, and how it is. A probe that sends none for three intervals is taken for
   * offline. Needs {@code assess:create}. {@code options}: {@code null} for those of the client.
   */
  public HeartbeatAnswer sendHeartbeat(Heartbeat body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/api/svc/probe/heartbeat")
            .body(body),
        HeartbeatAnswer.class, options);
  }

  /**
   * Get the policy in force, signed. For probes that decide by themselves: they keep it on disk, and go on
   * with it where the service cannot be reached. The same bytes from every node until midnight UTC, or until
   * the policy is changed. Needs {@code assess:create policy:read}.
   */
  public PolicyBundle syncPolicy() {
    return syncPolicy(null);
  }

  /**
   * Get the policy in force, signed. For probes that decide by themselves: they keep it on disk, and go on
   * with it where the service cannot be reached. The same bytes from every node until midnight UTC, or until
   * the policy is changed. Needs {@code assess:create policy:read}. {@code options}: {@code null} for those
   * of the client.
   */
  public PolicyBundle syncPolicy(CallOptions options) {
    return transport.json(Call.of("GET", "/api/svc/probe/policy-sync"), PolicyBundle.class, options);
  }

  /**
   * List probes. Of the credential’s mode, those that were registered last first. Needs {@code probes:read}.
   */
  public Pages<Probe> list() {
    return list(null, null);
  }

  /**
   * List probes. Of the credential’s mode, those that were registered last first. Needs {@code probes:read}.
   */
  public Pages<Probe> list(ProbesListQuery query) {
    return list(query, null);
  }

  /**
   * List probes. Of the credential’s mode, those that were registered last first. Needs {@code probes:read}.
   * {@code query}: {@code null} for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<Probe> list(ProbesListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/probes").query(query), Probe.class, options);
  }

  /** Read a probe. Needs {@code probes:read}. */
  public Probe get(String probeId) {
    return get(probeId, null);
  }

  /** Read a probe. Needs {@code probes:read}. {@code options}: {@code null} for those of the client. */
  public Probe get(String probeId, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/probes/" + Call.segment(probeId)), Probe.class, options);
  }

  /** Change a probe’s labels, or how often it is to be heard. Needs {@code probes:write}. */
  public Probe update(String probeId, UpdateProbe body) {
    return update(probeId, body, null);
  }

  /**
   * Change a probe’s labels, or how often it is to be heard. Needs {@code probes:write}. {@code options}:
   * {@code null} for those of the client.
   */
  public Probe update(String probeId, UpdateProbe body, CallOptions options) {
    return transport.json(
        Call.of("PATCH", "/v1/probes/" + Call.segment(probeId))
            .body(body),
        Probe.class, options);
  }

  /**
   * Forget a probe. What it reported stays. It is registered anew when it calls again. Needs {@code
   * probes:write}.
   */
  public Probe delete(String probeId) {
    return delete(probeId, null);
  }

  /**
   * Forget a probe. What it reported stays. It is registered anew when it calls again. Needs {@code
   * probes:write}. {@code options}: {@code null} for those of the client.
   */
  public Probe delete(String probeId, CallOptions options) {
    return transport.json(Call.of("DELETE", "/v1/probes/" + Call.segment(probeId)), Probe.class, options);
  }
}
