// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.CreateServiceAccount;
import svc.client.types.CreateServiceAccountKey;
import svc.client.types.CreatedApiKey;
import svc.client.types.CreatedServiceAccount;
import svc.client.types.PatchServiceAccount;
import svc.client.types.ServiceAccount;
import svc.client.types.ServiceAccountsListQuery;

/** Automated systems: their scopes, their addresses, their keys. Safe for use by many threads. */
public final class ServiceAccountsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public ServiceAccountsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Create a service account, with its first key. Its credential is an API key that has the account’s
   * permissions and may be used from the addresses of its allowlist alone. The key itself is in this answer
   * only. Needs {@code admin:*}.
   */
  public CreatedServiceAccount create(CreateServiceAccount body) {
    return create(body, null);
  }

  /**
   * Create a service account, with its first key. Its credential is an API key that has the account’s
   * permissions and may be used from the addresses of its allowlist alone. The key itself is in this answer
   * only. Needs {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public CreatedServiceAccount create(CreateServiceAccount body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/service-accounts")
            .body(body)
            .takesKey(),
        CreatedServiceAccount.class, options);
  }

  /** List service accounts. Newest first, without deleted ones. Needs {@code admin:*}. */
  public Pages<ServiceAccount> list() {
    return list(null, null);
  }

  /** List service accounts. Newest first, without deleted ones. Needs {@code admin:*}. */
  public Pages<ServiceAccount> list(ServiceAccountsListQuery query) {
    return list(query, null);
  }

  /**
   * List service accounts. Newest first, without deleted ones. Needs {@code admin:*}. {@code query}: {@code
   * null} for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<ServiceAccount> list(ServiceAccountsListQuery query, CallOptions options) {
    return new Pages<>(transport,
        Call.of("GET", "/v1/service-accounts")
            .query(query),
        ServiceAccount.class, options);
  }

  /**
   * Read a service account. Deleted ones too, so that an actor in the trail can always be looked up. Needs
   * {@code admin:*}.
   */
  public ServiceAccount get(String serviceAccountId) {
    return get(serviceAccountId, null);
  }

  /**
   * Read a service account. Deleted ones too, so that an actor in the trail can always be looked up. Needs
   * {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public ServiceAccount get(String serviceAccountId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/service-accounts/" + Call.segment(serviceAccountId)),
        ServiceAccount.class, options);
  }

  /**
   * Change name, permissions or allowlist. All its keys follow, on every node within a second. What is absent
   * stays as it is. Needs {@code admin:*}.
   */
  public ServiceAccount update(String serviceAccountId, PatchServiceAccount body) {
    return update(serviceAccountId, body, null);
  }

  /**
   * Change name, permissions or allowlist. All its keys follow, on every node within a second. What is absent
   * stays as it is. Needs {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public ServiceAccount update(String serviceAccountId, PatchServiceAccount body, CallOptions options) {
    return transport.json(
        Call.of("PATCH", "/v1/service-accounts/" + Call.segment(serviceAccountId))
            .body(body),
        ServiceAccount.class, options);
  }

  /**
   * Delete a service account and revoke its keys. Deleting it again answers the same. Needs {@code admin:*}.
   */
  public ServiceAccount delete(String serviceAccountId) {
    return delete(serviceAccountId, null);
  }

  /**
   * Delete a service account and revoke its keys. Deleting it again answers the same. Needs {@code admin:*}.
   * {@code options}: {@code null} for those of the client.
   */
  public ServiceAccount delete(String serviceAccountId, CallOptions options) {
    return transport.json(
        Call.of("DELETE", "/v1/service-accounts/" + Call.segment(serviceAccountId)),
        ServiceAccount.class, options);
  }

  /**
   * Create another key of a service account. For rotation: deploy it, then revoke the old one with {@code
   * DELETE /v1/api-keys/{key_id}}. Needs {@code admin:*}.
   */
  public CreatedApiKey createKey(String serviceAccountId, CreateServiceAccountKey body) {
    return createKey(serviceAccountId, body, null);
  }

  /**
   * Create another key of a service account. For rotation: deploy it, then revoke the old one with {@code
   * DELETE /v1/api-keys/{key_id}}. Needs {@code admin:*}. {@code options}: {@code null} for those of the
   * client.
   */
  public CreatedApiKey createKey(String serviceAccountId, CreateServiceAccountKey body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/service-accounts/" + Call.segment(serviceAccountId) + "/keys")
            .body(body)
            .takesKey(),
        CreatedApiKey.class, options);
  }
}
