// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import java.io.InputStream;
import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.CreateExport;
import svc.client.types.DeletedExport;
import svc.client.types.Export;
import svc.client.types.ExportsListQuery;

/**
 * Evidence of a stretch of the trail, in one file that is checked without the service. Safe for use by many
 * threads.
 */
public final class ExportsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public ExportsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Export a stretch of the trail as an evidence bundle. The bundle is a zip with the events as they are in
   * the log, what they disclose, the signed checkpoint, and the hashes that lead from one to the other:
   * anyone can check it, offline and without trusting this service. It is made beside the requests and kept
   * for 7 days. Needs {@code events:read reports:read}.
   */
  public Export create(CreateExport body) {
    return create(body, null);
  }

  /**
   * Export a stretch of the trail as an evidence bundle. The bundle is a zip with the events as they are in
   * the log, what they disclose, the signed checkpoint, and the hashes that lead from one to the other:
   * anyone can check it, offline and without trusting this service. It is made beside the requests and kept
   * for 7 days. Needs {@code events:read reports:read}. {@code options}: {@code null} for those of the
   * client.
   */
  public Export create(CreateExport body, CallOptions options) {
    return transport.json(Call.of("POST", "/v1/exports").body(body).takesKey(), Export.class, options);
  }

  /** List exports. Needs {@code events:read reports:read}. */
  public Pages<Export> list() {
    return list(null, null);
  }

  /** List exports. Needs {@code events:read reports:read}. */
  public Pages<Export> list(ExportsListQuery query) {
    return list(query, null);
  }

  /**
   * List exports. Needs {@code events:read reports:read}. {@code query}: {@code null} for none. {@code
   * options}: {@code null} for those of the client.
   */
  public Pages<Export> list(ExportsListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/exports").query(query), Export.class, options);
  }

  /**
   * Read how far an export has come, and where it can be downloaded. Needs {@code events:read reports:read}.
   */
  public Export get(String exportId) {
    return get(exportId, null);
  }

  /**
   * Read how far an export has come, and where it can be downloaded. Needs {@code events:read reports:read}.
   * {@code options}: {@code null} for those of the client.
   */
  public Export get(String exportId, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/exports/" + Call.segment(exportId)), Export.class, options);
  }

  /**
   * Delete an export. One that is under way ends. What was exported stays in the trail. Needs {@code
   * events:read reports:read}.
   */
  public DeletedExport delete(String exportId) {
    return delete(exportId, null);
  }

  /**
   * Delete an export. One that is under way ends. What was exported stays in the trail. Needs {@code
   * events:read reports:read}. {@code options}: {@code null} for those of the client.
   */
  public DeletedExport delete(String exportId, CallOptions options) {
    return transport.json(
        Call.of("DELETE", "/v1/exports/" + Call.segment(exportId)),
        DeletedExport.class, options);
  }

  /**
   * Download an evidence bundle. A download that broke off goes on with {@code Range}; {@code If-Range} with
   * the {@code ETag} makes sure that it is the same bundle. An organization may have 8 under way on each
   * node, and a client that takes nothing for a minute is cut off. Needs {@code events:read reports:read}.
   */
  public InputStream download(String exportId) {
    return download(exportId, null);
  }

  /**
   * Download an evidence bundle. A download that broke off goes on with {@code Range}; {@code If-Range} with
   * the {@code ETag} makes sure that it is the same bundle. An organization may have 8 under way on each
   * node, and a client that takes nothing for a minute is cut off. Needs {@code events:read reports:read}.
   * {@code options}: {@code null} for those of the client.
   */
  public InputStream download(String exportId, CallOptions options) {
    return transport.bytes(Call.of("GET", "/v1/exports/" + Call.segment(exportId) + "/bundle"), options);
  }
}
