// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.DriftListQuery;
import svc.client.types.DriftMonitor;
import svc.client.types.DriftMonitorDetail;
import svc.client.types.DriftNote;

/** What changed in how your models behave, and how sure that is. Safe for use by many threads. */
public final class DriftApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public DriftApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * List what is watched for drift. Each monitor watches one signal of one model in one group of probes.
   * Newest first. What test keys do is not watched: they see none. Needs {@code probes:read}.
   */
  public Pages<DriftMonitor> list() {
    return list(null, null);
  }

  /**
   * List what is watched for drift. Each monitor watches one signal of one model in one group of probes.
   * Newest first. What test keys do is not watched: they see none. Needs {@code probes:read}.
   */
  public Pages<DriftMonitor> list(DriftListQuery query) {
    return list(query, null);
  }

  /**
   * List what is watched for drift. Each monitor watches one signal of one model in one group of probes.
   * Newest first. What test keys do is not watched: they see none. Needs {@code probes:read}. {@code query}:
   * {@code null} for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<DriftMonitor> list(DriftListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/drift").query(query), DriftMonitor.class, options);
  }

  /** Read a monitor, what it found, and its hours for a chart. Needs {@code probes:read}. */
  public DriftMonitorDetail get(String monitorId) {
    return get(monitorId, null);
  }

  /**
   * Read a monitor, what it found, and its hours for a chart. Needs {@code probes:read}. {@code options}:
   * {@code null} for those of the client.
   */
  public DriftMonitorDetail get(String monitorId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/drift/" + Call.segment(monitorId)),
        DriftMonitorDetail.class, options);
  }

  /**
   * Take the level of now for the usual one. Gives up the baseline. The new one is learned from what was
   * observed since the drift began, as far as it is known, and from what comes. A drift that persists ends
   * with it. The trail keeps who did it, and the digests of both baselines. Needs {@code probes:write}.
   */
  public DriftMonitor rebaseline(String monitorId, DriftNote body) {
    return rebaseline(monitorId, body, null);
  }

  /**
   * Take the level of now for the usual one. Gives up the baseline. The new one is learned from what was
   * observed since the drift began, as far as it is known, and from what comes. A drift that persists ends
   * with it. The trail keeps who did it, and the digests of both baselines. Needs {@code probes:write}.
   * {@code options}: {@code null} for those of the client.
   */
  public DriftMonitor rebaseline(String monitorId, DriftNote body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/drift/" + Call.segment(monitorId) + "/rebaseline")
            .body(body)
            .takesKey(),
        DriftMonitor.class, options);
  }

  /**
   * Say that somebody takes care of a drift. Of the drift that persists, once; otherwise a 409. Nothing else
   * changes: it recovers, or is rebaselined, by itself. Needs {@code probes:write}.
   */
  public DriftMonitor acknowledge(String monitorId, DriftNote body) {
    return acknowledge(monitorId, body, null);
  }

  /**
   * Say that somebody takes care of a drift. Of the drift that persists, once; otherwise a 409. Nothing else
   * changes: it recovers, or is rebaselined, by itself. Needs {@code probes:write}. {@code options}: {@code
   * null} for those of the client.
   */
  public DriftMonitor acknowledge(String monitorId, DriftNote body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/drift/" + Call.segment(monitorId) + "/acknowledge")
            .body(body)
            .takesKey(),
        DriftMonitor.class, options);
  }
}
