// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Transport;
import svc.client.types.DeletedInbox;
import svc.client.types.Inbox;
import svc.client.types.InboxList;
import svc.client.types.InboxMessageList;

/** Addresses of the service’s own that take webhooks and show what arrived. Safe for use by many threads. */
public final class InboxesApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public InboxesApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Create an inbox. Use its {@code url} as that of a webhook and see what arrives. Needs {@code
   * webhooks:write}.
   */
  public Inbox create() {
    return create(null);
  }

  /**
   * Create an inbox. Use its {@code url} as that of a webhook and see what arrives. Needs {@code
   * webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public Inbox create(CallOptions options) {
    return transport.json(Call.of("POST", "/v1/inboxes").takesKey(), Inbox.class, options);
  }

  /** List inboxes. Needs {@code webhooks:read}. */
  public InboxList list() {
    return list(null);
  }

  /** List inboxes. Needs {@code webhooks:read}. {@code options}: {@code null} for those of the client. */
  public InboxList list(CallOptions options) {
    return transport.json(Call.of("GET", "/v1/inboxes"), InboxList.class, options);
  }

  /**
   * See what arrived in an inbox. The last 100, newest first. Those of live events need {@code events:read}
   * too. Needs {@code webhooks:read}.
   */
  public InboxMessageList listMessages(String inboxId) {
    return listMessages(inboxId, null);
  }

  /**
   * See what arrived in an inbox. The last 100, newest first. Those of live events need {@code events:read}
   * too. Needs {@code webhooks:read}. {@code options}: {@code null} for those of the client.
   */
  public InboxMessageList listMessages(String inboxId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/inboxes/" + Call.segment(inboxId) + "/messages"),
        InboxMessageList.class, options);
  }

  /** Delete an inbox and what arrived in it. Needs {@code webhooks:write}. */
  public DeletedInbox delete(String inboxId) {
    return delete(inboxId, null);
  }

  /**
   * Delete an inbox and what arrived in it. Needs {@code webhooks:write}. {@code options}: {@code null} for
   * those of the client.
   */
  public DeletedInbox delete(String inboxId, CallOptions options) {
    return transport.json(
        Call.of("DELETE", "/v1/inboxes/" + Call.segment(inboxId)),
        DeletedInbox.class, options);
  }
}
