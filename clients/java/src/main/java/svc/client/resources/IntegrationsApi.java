// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.CreateIntegration;
import svc.client.types.Delivery;
import svc.client.types.DeliveryDetail;
import svc.client.types.Integration;
import svc.client.types.IntegrationsListDeliveriesQuery;
import svc.client.types.IntegrationsListQuery;
import svc.client.types.PatchIntegration;
import svc.client.types.Recover;
import svc.client.types.Recovered;
import svc.client.types.TestEvent;
import svc.client.types.TestResult;

/** Events, in the form that chat, incident and monitoring tools take. Safe for use by many threads. */
public final class IntegrationsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public IntegrationsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Create an integration. Sends events to a chat, incident or monitoring tool in the form it takes, by the
   * same deliveries as webhooks. Needs {@code webhooks:write}.
   */
  public Integration create(CreateIntegration body) {
    return create(body, null);
  }

  /**
   * Create an integration. Sends events to a chat, incident or monitoring tool in the form it takes, by the
   * same deliveries as webhooks. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the
   * client.
   */
  public Integration create(CreateIntegration body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/integrations")
            .body(body)
            .takesKey(),
        Integration.class, options);
  }

  /** List integrations. Newest first. Needs {@code webhooks:read}. */
  public Pages<Integration> list() {
    return list(null, null);
  }

  /** List integrations. Newest first. Needs {@code webhooks:read}. */
  public Pages<Integration> list(IntegrationsListQuery query) {
    return list(query, null);
  }

  /**
   * List integrations. Newest first. Needs {@code webhooks:read}. {@code query}: {@code null} for none.
   * {@code options}: {@code null} for those of the client.
   */
  public Pages<Integration> list(IntegrationsListQuery query, CallOptions options) {
    return new Pages<>(transport,
        Call.of("GET", "/v1/integrations")
            .query(query),
        Integration.class, options);
  }

  /** Read an integration. Needs {@code webhooks:read}. */
  public Integration get(String integrationId) {
    return get(integrationId, null);
  }

  /**
   * Read an integration. Needs {@code webhooks:read}. {@code options}: {@code null} for those of the client.
   */
  public Integration get(String integrationId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/integrations/" + Call.segment(integrationId)),
        Integration.class, options);
  }

  /**
   * Change name, events or config. What is absent stays as it is, in the config too; but a config with
   * another address needs its secrets again, which are not sent to a place they were not given for. Needs
   * {@code webhooks:write}.
   */
  public Integration update(String integrationId, PatchIntegration body) {
    return update(integrationId, body, null);
  }

  /**
   * Change name, events or config. What is absent stays as it is, in the config too; but a config with
   * another address needs its secrets again, which are not sent to a place they were not given for. Needs
   * {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public Integration update(String integrationId, PatchIntegration body, CallOptions options) {
    return transport.json(
        Call.of("PATCH", "/v1/integrations/" + Call.segment(integrationId))
            .body(body),
        Integration.class, options);
  }

  /** Delete an integration. Cancels what is queued for it. Needs {@code webhooks:write}. */
  public Integration delete(String integrationId) {
    return delete(integrationId, null);
  }

  /**
   * Delete an integration. Cancels what is queued for it. Needs {@code webhooks:write}. {@code options}:
   * {@code null} for those of the client.
   */
  public Integration delete(String integrationId, CallOptions options) {
    return transport.json(
        Call.of("DELETE", "/v1/integrations/" + Call.segment(integrationId)),
        Integration.class, options);
  }

  /** List deliveries. Newest event first. Kept for 30 days. Needs {@code webhooks:read}. */
  public Pages<Delivery> listDeliveries(String integrationId) {
    return listDeliveries(integrationId, null, null);
  }

  /** List deliveries. Newest event first. Kept for 30 days. Needs {@code webhooks:read}. */
  public Pages<Delivery> listDeliveries(String integrationId, IntegrationsListDeliveriesQuery query) {
    return listDeliveries(integrationId, query, null);
  }

  /**
   * List deliveries. Newest event first. Kept for 30 days. Needs {@code webhooks:read}. {@code query}: {@code
   * null} for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<Delivery> listDeliveries(
      String integrationId, IntegrationsListDeliveriesQuery query, CallOptions options) {
    return new Pages<>(transport,
        Call.of("GET", "/v1/integrations/" + Call.segment(integrationId) + "/deliveries")
            .query(query),
        Delivery.class, options);
  }

  /** Read a delivery, with its body and its attempts. Needs {@code webhooks:read}. */
  public DeliveryDetail getDelivery(String integrationId, String deliveryId) {
    return getDelivery(integrationId, deliveryId, null);
  }

  /**
   * Read a delivery, with its body and its attempts. Needs {@code webhooks:read}. {@code options}: {@code
   * null} for those of the client.
   */
  public DeliveryDetail getDelivery(String integrationId, String deliveryId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/integrations/" + Call.segment(integrationId) + "/deliveries/" + Call.segment(deliveryId)),
        DeliveryDetail.class, options);
  }

  /**
   * Send a delivery again, now. One more attempt, whatever came of the others. If it fails, the delivery is
   * what it was before. Needs {@code webhooks:write}.
   */
  public DeliveryDetail retryDelivery(String integrationId, String deliveryId) {
    return retryDelivery(integrationId, deliveryId, null);
  }

  /**
   * Send a delivery again, now. One more attempt, whatever came of the others. If it fails, the delivery is
   * what it was before. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public DeliveryDetail retryDelivery(String integrationId, String deliveryId, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/integrations/" + Call.segment(integrationId) + "/deliveries/" + Call.segment(deliveryId) + "/retry")
            .takesKey(),
        DeliveryDetail.class, options);
  }

  /**
   * Send again what has failed since a time. Each delivery gets the whole schedule again, with the same event
   * id and the same body. Needs {@code webhooks:write}.
   */
  public Recovered recover(String integrationId, Recover body) {
    return recover(integrationId, body, null);
  }

  /**
   * Send again what has failed since a time. Each delivery gets the whole schedule again, with the same event
   * id and the same body. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the
   * client.
   */
  public Recovered recover(String integrationId, Recover body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/integrations/" + Call.segment(integrationId) + "/recover")
            .body(body)
            .takesKey(),
        Recovered.class, options);
  }

  /**
   * Send a sample event, once. One real attempt, signed like any other. It is kept nowhere; the answer tells
   * how it went. Needs {@code webhooks:write}.
   */
  public TestResult test(String integrationId, TestEvent body) {
    return test(integrationId, body, null);
  }

  /**
   * Send a sample event, once. One real attempt, signed like any other. It is kept nowhere; the answer tells
   * how it went. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public TestResult test(String integrationId, TestEvent body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/integrations/" + Call.segment(integrationId) + "/test")
            .body(body)
            .takesKey(),
        TestResult.class, options);
  }
}
