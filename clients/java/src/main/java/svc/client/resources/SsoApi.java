// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Transport;
import svc.client.types.NoSso;
import svc.client.types.PutSso;
import svc.client.types.Sso;

/** How users sign in by the organization’s identity provider. Safe for use by many threads. */
public final class SsoApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public SsoApi(Transport transport) {
    this.transport = transport;
  }

  /** Read how users sign in. Needs {@code admin:*}. */
  public Sso get() {
    return get(null);
  }

  /**
   * Read how users sign in. Needs {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public Sso get(CallOptions options) {
    return transport.json(Call.of("GET", "/v1/organization/sso"), Sso.class, options);
  }

  /**
   * Set how users sign in. Replaces what was set before. Whatever changes who may sign in, and as what, ends
   * the sessions of all users, who sign in again. The issuer’s discovery document must be readable from here.
   * Needs {@code admin:*}.
   */
  public Sso put(PutSso body) {
    return put(body, null);
  }

  /**
   * Set how users sign in. Replaces what was set before. Whatever changes who may sign in, and as what, ends
   * the sessions of all users, who sign in again. The issuer’s discovery document must be readable from here.
   * Needs {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public Sso put(PutSso body, CallOptions options) {
    return transport.json(Call.of("PUT", "/v1/organization/sso").body(body), Sso.class, options);
  }

  /**
   * End single sign-on. Ends the sessions of all users. Doing it again changes nothing. Needs {@code
   * admin:*}.
   */
  public NoSso delete() {
    return delete(null);
  }

  /**
   * End single sign-on. Ends the sessions of all users. Doing it again changes nothing. Needs {@code
   * admin:*}. {@code options}: {@code null} for those of the client.
   */
  public NoSso delete(CallOptions options) {
    return transport.json(Call.of("DELETE", "/v1/organization/sso"), NoSso.class, options);
  }
}
