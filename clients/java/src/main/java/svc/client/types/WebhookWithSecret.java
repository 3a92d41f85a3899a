// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code WebhookWithSecret} in an answer or request.
 *
 * @param description May be {@code null}.
 * @param mode {@code test}: of a test key; hears of test assessments alone.
 * @param status Paused after 24 hours without a success: events wait for it and are sent once it answers
 *     again.
 * @param failingSince When it began to fail, if the last attempt did. May be {@code null}.
 * @param lastSuccessAt When it last answered 2xx; up to ten seconds late. May be {@code null}.
 * @param oldSecretUntil Until when the secret before the last rotation signs too. May be {@code null}.
 * @param createdAt When it was made.
 * @param updatedAt When it was last changed.
 * @param signingSecret Signs deliveries. Only in this answer, and not when it is repeated. {@code null} where
 *     it is absent.
 */
public record WebhookWithSecret(
    @JsonProperty("webhook_id") String webhookId,
    String url,
    List<String> events,
    @JsonInclude(JsonInclude.Include.ALWAYS) String description,
    String mode,
    String status,
    @JsonProperty("failing_since") @JsonInclude(JsonInclude.Include.ALWAYS) String failingSince,
    @JsonProperty("last_success_at") @JsonInclude(JsonInclude.Include.ALWAYS) String lastSuccessAt,
    @JsonProperty("old_secret_until") @JsonInclude(JsonInclude.Include.ALWAYS) String oldSecretUntil,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("updated_at") String updatedAt,
    @JsonProperty("signing_secret") String signingSecret) {
  /** Keeps copies of lists and maps that do not change. */
  public WebhookWithSecret {
    events = Fixed.copyOf(events);
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return "WebhookWithSecret[webhookId=" + webhookId
        + ", url=" + url
        + ", events=" + events
        + ", description=" + description
        + ", mode=" + mode
        + ", status=" + status
        + ", failingSince=" + failingSince
        + ", lastSuccessAt=" + lastSuccessAt
        + ", oldSecretUntil=" + oldSecretUntil
        + ", createdAt=" + createdAt
        + ", updatedAt=" + updatedAt
        + ", signingSecret=***"
        + "]";
  }

  /** Values of {@code status}. A later service may have others. */
  public static final class Status {
    /** {@code active}. */
    public static final String ACTIVE = "active";
    /** {@code paused}. */
    public static final String PAUSED = "paused";

    private Status() {}
  }
}
