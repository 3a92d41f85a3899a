// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import java.io.InputStream;
import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Transport;
import svc.client.types.AuditGetCheckpointQuery;
import svc.client.types.AuditKeys;
import svc.client.types.AuditProveConsistencyQuery;
import svc.client.types.AuditProveEventQuery;
import svc.client.types.ConsistencyProof;
import svc.client.types.DeploymentLog;
import svc.client.types.EventProof;
import svc.client.types.NewRedaction;
import svc.client.types.Redaction;

/**
 * The transparency log over the trail: checkpoints, proofs and tiles that anybody can check, and what is
 * erased of events. Safe for use by many threads.
 */
public final class AuditApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public AuditApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Read a checkpoint. A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the organization’s
   * log. Keep the last one you have seen, and ask for the proof that the next one grew out of it. Of those
   * older than an hour the last of each hour is kept. Needs {@code events:read}.
   */
  public String getCheckpoint() {
    return getCheckpoint(null, null);
  }

  /**
   * Read a checkpoint. A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the organization’s
   * log. Keep the last one you have seen, and ask for the proof that the next one grew out of it. Of those
   * older than an hour the last of each hour is kept. Needs {@code events:read}.
   */
  public String getCheckpoint(AuditGetCheckpointQuery query) {
    return getCheckpoint(query, null);
  }

  /**
   * Read a checkpoint. A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the organization’s
   * log. Keep the last one you have seen, and ask for the proof that the next one grew out of it. Of those
   * older than an hour the last of each hour is kept. Needs {@code events:read}. {@code query}: {@code null}
   * for none. {@code options}: {@code null} for those of the client.
   */
  public String getCheckpoint(AuditGetCheckpointQuery query, CallOptions options) {
    return transport.text(Call.of("GET", "/v1/audit/checkpoint").query(query), options);
  }

  /**
   * Prove that the log only grew. The proof that the tree of {@code to} leaves begins with that of {@code
   * from} leaves: that nothing before was changed or removed. Needs {@code events:read}.
   */
  public ConsistencyProof proveConsistency(AuditProveConsistencyQuery query) {
    return proveConsistency(query, null);
  }

  /**
   * Prove that the log only grew. The proof that the tree of {@code to} leaves begins with that of {@code
   * from} leaves: that nothing before was changed or removed. Needs {@code events:read}. {@code query}:
   * {@code null} for none. {@code options}: {@code null} for those of the client.
   */
  public ConsistencyProof proveConsistency(AuditProveConsistencyQuery query, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/audit/consistency")
            .query(query),
        ConsistencyProof.class, options);
  }

  /**
   * Read a tile of the log. As c2sp.org/tlog-tiles has them: 256 hashes of 32 bytes, or with {@code .p/<W>}
   * the first W of them; under {@code entries/} the leaves themselves, each after its length in two bytes,
   * for as long as the events are kept. An organization reads one bundle of entries at a time, else it is
   * told {@code unavailable}. Needs {@code events:read}.
   */
  public InputStream getTile(String tilePath) {
    return getTile(tilePath, null);
  }

  /**
   * Read a tile of the log. As c2sp.org/tlog-tiles has them: 256 hashes of 32 bytes, or with {@code .p/<W>}
   * the first W of them; under {@code entries/} the leaves themselves, each after its length in two bytes,
   * for as long as the events are kept. An organization reads one bundle of entries at a time, else it is
   * told {@code unavailable}. Needs {@code events:read}. {@code options}: {@code null} for those of the
   * client.
   */
  public InputStream getTile(String tilePath, CallOptions options) {
    return transport.bytes(Call.of("GET", "/v1/audit/tile/" + Call.rest(tilePath)), options);
  }

  /**
   * List the keys that sign checkpoints. Who checks checkpoints keeps these keys himself, from before he has
   * to trust them; see the guide. Needs {@code events:read}.
   */
  public AuditKeys listKeys() {
    return listKeys(null);
  }

  /**
   * List the keys that sign checkpoints. Who checks checkpoints keeps these keys himself, from before he has
   * to trust them; see the guide. Needs {@code events:read}. {@code options}: {@code null} for those of the
   * client.
   */
  public AuditKeys listKeys(CallOptions options) {
    return transport.json(Call.of("GET", "/v1/audit/keys"), AuditKeys.class, options);
  }

  /**
   * Prove that an event is in the log. A kilobyte that anybody can check without this service. As {@code
   * text/plain} it is a proof file (c2sp.org/tlog-proof). Waits for the log, which is a second behind the
   * trail at most. Needs {@code events:read}.
   */
  public EventProof proveEvent(String eventId) {
    return proveEvent(eventId, null, null);
  }

  /**
   * Prove that an event is in the log. A kilobyte that anybody can check without this service. As {@code
   * text/plain} it is a proof file (c2sp.org/tlog-proof). Waits for the log, which is a second behind the
   * trail at most. Needs {@code events:read}.
   */
  public EventProof proveEvent(String eventId, AuditProveEventQuery query) {
    return proveEvent(eventId, query, null);
  }

  /**
   * Prove that an event is in the log. A kilobyte that anybody can check without this service. As {@code
   * text/plain} it is a proof file (c2sp.org/tlog-proof). Waits for the log, which is a second behind the
   * trail at most. Needs {@code events:read}. {@code query}: {@code null} for none. {@code options}: {@code
   * null} for those of the client.
   */
  public EventProof proveEvent(String eventId, AuditProveEventQuery query, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/events/" + Call.segment(eventId) + "/proof")
            .query(query),
        EventProof.class, options);
  }

  /**
   * Erase values of an event. For good: the values and their salts are deleted, the event’s leaf and every
   * proof stay as they are. What was delivered or exported before is out of reach; deliveries that are still
   * under way go on without the values. The trail keeps who did it and why, as {@code audit.redacted}. Needs
   * {@code admin:*}.
   */
  public Redaction redactEvent(NewRedaction body) {
    return redactEvent(body, null);
  }

  /**
   * Erase values of an event. For good: the values and their salts are deleted, the event’s leaf and every
   * proof stay as they are. What was delivered or exported before is out of reach; deliveries that are still
   * under way go on without the values. The trail keeps who did it and why, as {@code audit.redacted}. Needs
   * {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public Redaction redactEvent(NewRedaction body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/audit/redactions")
            .body(body)
            .takesKey(),
        Redaction.class, options);
  }

  /**
   * Read the deployment’s log, with a proof that it holds your checkpoint. Every minute the newest checkpoint
   * of each organization becomes a leaf of one log over all of them, whose own checkpoints witnesses cosign.
   * A salt hides organizations from each other. 404 until the first checkpoint of the organization is in it.
   * Needs {@code events:read}.
   */
  public DeploymentLog getDeploymentLog() {
    return getDeploymentLog(null);
  }

  /**
   * Read the deployment’s log, with a proof that it holds your checkpoint. Every minute the newest checkpoint
   * of each organization becomes a leaf of one log over all of them, whose own checkpoints witnesses cosign.
   * A salt hides organizations from each other. 404 until the first checkpoint of the organization is in it.
   * Needs {@code events:read}. {@code options}: {@code null} for those of the client.
   */
  public DeploymentLog getDeploymentLog(CallOptions options) {
    return transport.json(Call.of("GET", "/v1/audit/deployment"), DeploymentLog.class, options);
  }
}
