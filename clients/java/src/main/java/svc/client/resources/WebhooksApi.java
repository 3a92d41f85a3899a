// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.CreateWebhook;
import svc.client.types.Delivery;
import svc.client.types.DeliveryDetail;
import svc.client.types.PatchWebhook;
import svc.client.types.Recover;
import svc.client.types.Recovered;
import svc.client.types.RotateSecret;
import svc.client.types.TestEvent;
import svc.client.types.TestResult;
import svc.client.types.Webhook;
import svc.client.types.WebhookWithSecret;
import svc.client.types.WebhooksListDeliveriesQuery;
import svc.client.types.WebhooksListQuery;

/** Events, pushed to your systems, and what became of each. Safe for use by many threads. */
public final class WebhooksApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public WebhooksApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Create a webhook. The signing secret is in this answer only. A webhook made with a test key hears of test
   * assessments alone. Needs {@code webhooks:write}.
   */
  public WebhookWithSecret create(CreateWebhook body) {
    return create(body, null);
  }

  /**
   * Create a webhook. The signing secret is in this answer only. A webhook made with a test key hears of test
   * assessments alone. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public WebhookWithSecret create(CreateWebhook body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/webhooks")
            .body(body)
            .takesKey(),
        WebhookWithSecret.class, options);
  }

  /** List webhooks. Newest first. Needs {@code webhooks:read}. */
  public Pages<Webhook> list() {
    return list(null, null);
  }

  /** List webhooks. Newest first. Needs {@code webhooks:read}. */
  public Pages<Webhook> list(WebhooksListQuery query) {
    return list(query, null);
  }

  /**
   * List webhooks. Newest first. Needs {@code webhooks:read}. {@code query}: {@code null} for none. {@code
   * options}: {@code null} for those of the client.
   */
  public Pages<Webhook> list(WebhooksListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/webhooks").query(query), Webhook.class, options);
  }

  /** Read a webhook. Needs {@code webhooks:read}. */
  public Webhook get(String webhookId) {
    return get(webhookId, null);
  }

  /** Read a webhook. Needs {@code webhooks:read}. {@code options}: {@code null} for those of the client. */
  public Webhook get(String webhookId, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/webhooks/" + Call.segment(webhookId)), Webhook.class, options);
  }

  /**
   * Change url, events or description. What is absent stays as it is. What is queued goes to the new url.
   * Needs {@code webhooks:write}.
   */
  public Webhook update(String webhookId, PatchWebhook body) {
    return update(webhookId, body, null);
  }

  /**
   * Change url, events or description. What is absent stays as it is. What is queued goes to the new url.
   * Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public Webhook update(String webhookId, PatchWebhook body, CallOptions options) {
    return transport.json(
        Call.of("PATCH", "/v1/webhooks/" + Call.segment(webhookId))
            .body(body),
        Webhook.class, options);
  }

  /** Delete a webhook. Cancels what is queued for it. Needs {@code webhooks:write}. */
  public Webhook delete(String webhookId) {
    return delete(webhookId, null);
  }

  /**
   * Delete a webhook. Cancels what is queued for it. Needs {@code webhooks:write}. {@code options}: {@code
   * null} for those of the client.
   */
  public Webhook delete(String webhookId, CallOptions options) {
    return transport.json(
        Call.of("DELETE", "/v1/webhooks/" + Call.segment(webhookId)),
        Webhook.class, options);
  }

  /**
   * Give a webhook a new signing secret. During the grace {@code X-Svc-Signature-256} is still the old
   * secret’s, the new one’s is in {@code X-Svc-Signature-256-Next}, and {@code webhook-signature} carries
   * both. Needs {@code webhooks:write}.
   */
  public WebhookWithSecret rotateSecret(String webhookId, RotateSecret body) {
    return rotateSecret(webhookId, body, null);
  }

  /**
   * Give a webhook a new signing secret. During the grace {@code X-Svc-Signature-256} is still the old
   * secret’s, the new one’s is in {@code X-Svc-Signature-256-Next}, and {@code webhook-signature} carries
   * both. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public WebhookWithSecret rotateSecret(String webhookId, RotateSecret body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/webhooks/" + Call.segment(webhookId) + "/rotate-secret")
            .body(body)
            .takesKey(),
        WebhookWithSecret.class, options);
  }

  /**
   * End the grace of a rotation. From here on the new secret alone signs. Doing it again changes nothing.
   * Needs {@code webhooks:write}.
   */
  public Webhook finishRotation(String webhookId) {
    return finishRotation(webhookId, null);
  }

  /**
   * End the grace of a rotation. From here on the new secret alone signs. Doing it again changes nothing.
   * Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public Webhook finishRotation(String webhookId, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/webhooks/" + Call.segment(webhookId) + "/rotate-secret/finish")
            .takesKey(),
        Webhook.class, options);
  }

  /** List deliveries. Newest event first. Kept for 30 days. Needs {@code webhooks:read}. */
  public Pages<Delivery> listDeliveries(String webhookId) {
    return listDeliveries(webhookId, null, null);
  }

  /** List deliveries. Newest event first. Kept for 30 days. Needs {@code webhooks:read}. */
  public Pages<Delivery> listDeliveries(String webhookId, WebhooksListDeliveriesQuery query) {
    return listDeliveries(webhookId, query, null);
  }

  /**
   * List deliveries. Newest event first. Kept for 30 days. Needs {@code webhooks:read}. {@code query}: {@code
   * null} for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<Delivery> listDeliveries(
      String webhookId, WebhooksListDeliveriesQuery query, CallOptions options) {
    return new Pages<>(transport,
        Call.of("GET", "/v1/webhooks/" + Call.segment(webhookId) + "/deliveries")
            .query(query),
        Delivery.class, options);
  }

  /** Read a delivery, with its body and its attempts. Needs {@code webhooks:read}. */
  public DeliveryDetail getDelivery(String webhookId, String deliveryId) {
    return getDelivery(webhookId, deliveryId, null);
  }

  /**
   * Read a delivery, with its body and its attempts. Needs {@code webhooks:read}. {@code options}: {@code
   * null} for those of the client.
   */
  public DeliveryDetail getDelivery(String webhookId, String deliveryId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/webhooks/" + Call.segment(webhookId) + "/deliveries/" + Call.segment(deliveryId)),
        DeliveryDetail.class, options);
  }

  /**
   * Send a delivery again, now. One more attempt, whatever came of the others. If it fails, the delivery is
   * what it was before. Needs {@code webhooks:write}.
   */
  public DeliveryDetail retryDelivery(String webhookId, String deliveryId) {
    return retryDelivery(webhookId, deliveryId, null);
  }

  /**
   * Send a delivery again, now. One more attempt, whatever came of the others. If it fails, the delivery is
   * what it was before. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public DeliveryDetail retryDelivery(String webhookId, String deliveryId, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/webhooks/" + Call.segment(webhookId) + "/deliveries/" + Call.segment(deliveryId) + "/retry")
            .takesKey(),
        DeliveryDetail.class, options);
  }

  /**
   * Send again what has failed since a time. Each delivery gets the whole schedule again, with the same event
   * id and the same body. Needs {@code webhooks:write}.
   */
  public Recovered recover(String webhookId, Recover body) {
    return recover(webhookId, body, null);
  }

  /**
   * Send again what has failed since a time. Each delivery gets the whole schedule again, with the same event
   * id and the same body. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the
   * client.
   */
  public Recovered recover(String webhookId, Recover body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/webhooks/" + Call.segment(webhookId) + "/recover")
            .body(body)
            .takesKey(),
        Recovered.class, options);
  }

  /**
   * Send a sample event, once. One real attempt, signed like any other. It is kept nowhere; the answer tells
   * how it went. Needs {@code webhooks:write}.
   */
  public TestResult test(String webhookId, TestEvent body) {
    return test(webhookId, body, null);
  }

  /**
   * Send a sample event, once. One real attempt, signed like any other. It is kept nowhere; the answer tells
   * how it went. Needs {@code webhooks:write}. {@code options}: {@code null} for those of the client.
   */
  public TestResult test(String webhookId, TestEvent body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/webhooks/" + Call.segment(webhookId) + "/test")
            .body(body)
            .takesKey(),
        TestResult.class, options);
  }
}
