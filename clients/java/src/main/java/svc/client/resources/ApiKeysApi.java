// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.ApiKey;
import svc.client.types.ApiKeysListQuery;
import svc.client.types.CreateApiKey;
import svc.client.types.CreatedApiKey;

/** Credentials, their scopes and their end. Safe for use by many threads. */
public final class ApiKeysApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public ApiKeysApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Create an API key. The key itself is in this answer only. Without {@code permissions} it holds what its
   * type holds. Needs {@code admin:*}.
   */
  public CreatedApiKey create(CreateApiKey body) {
    return create(body, null);
  }

  /**
   * Create an API key. The key itself is in this answer only. Without {@code permissions} it holds what its
   * type holds. Needs {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public CreatedApiKey create(CreateApiKey body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/api-keys")
            .body(body)
            .takesKey(),
        CreatedApiKey.class, options);
  }

  /** List API keys. Newest first, revoked ones included. Needs {@code admin:*}. */
  public Pages<ApiKey> list() {
    return list(null, null);
  }

  /** List API keys. Newest first, revoked ones included. Needs {@code admin:*}. */
  public Pages<ApiKey> list(ApiKeysListQuery query) {
    return list(query, null);
  }

  /**
   * List API keys. Newest first, revoked ones included. Needs {@code admin:*}. {@code query}: {@code null}
   * for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<ApiKey> list(ApiKeysListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/api-keys").query(query), ApiKey.class, options);
  }

  /** Read an API key. Needs {@code admin:*}. */
  public ApiKey get(String keyId) {
    return get(keyId, null);
  }

  /** Read an API key. Needs {@code admin:*}. {@code options}: {@code null} for those of the client. */
  public ApiKey get(String keyId, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/api-keys/" + Call.segment(keyId)), ApiKey.class, options);
  }

  /**
   * Revoke an API key. It is refused from this answer on. Revoking it again answers the same. Needs {@code
   * admin:*}.
   */
  public ApiKey revoke(String keyId) {
    return revoke(keyId, null);
  }

  /**
   * Revoke an API key. It is refused from this answer on. Revoking it again answers the same. Needs {@code
   * admin:*}. {@code options}: {@code null} for those of the client.
   */
  public ApiKey revoke(String keyId, CallOptions options) {
    return transport.json(Call.of("DELETE", "/v1/api-keys/" + Call.segment(keyId)), ApiKey.class, options);
  }
}
