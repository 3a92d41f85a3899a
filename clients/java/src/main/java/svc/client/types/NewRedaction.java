// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;

/**
 * {@code NewRedaction} in an answer or request. Made by {@link #builder()}.
 *
 * @param eventId The event’s id, {@code evt_…}.
 * @param fields Of every event {@code actor.id} (of a user) and {@code actor.ip}; of {@code inference.*} also
 *     {@code subject}, {@code external_id}, {@code metadata}, {@code previews} and {@code text}; of keys,
 *     accounts, sessions, sign-in, webhooks, integrations, judges, probes and the organization also {@code
 *     data}. Where the text is kept, {@code subject}, {@code external_id}, {@code metadata} and {@code
 *     previews} take {@code text} along.
 * @param basis Why: the request or the law. It stays in the trail, so it names nobody.
 */
public record NewRedaction(
    @JsonProperty("event_id") String eventId,
    List<String> fields,
    String basis) {
  /** Keeps copies of lists and maps that do not change. */
  public NewRedaction {
    fields = Fixed.copyOf(fields);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.eventId = eventId;
    builder.fields = fields;
    builder.basis = basis;
    return builder;
  }

  /** Sets members of {@link NewRedaction}. Not for use by more than one thread. */
  public static final class Builder {
    private String eventId;
    private List<String> fields;
    private String basis;

    private Builder() {}

    /** The event’s id, {@code evt_…}. */
    public Builder eventId(String value) {
      eventId = value;
      return this;
    }

    /**
     * Of every event {@code actor.id} (of a user) and {@code actor.ip}; of {@code inference.*} also {@code
     * subject}, {@code external_id}, {@code metadata}, {@code previews} and {@code text}; of keys, accounts,
     * sessions, sign-in, webhooks, integrations, judges, probes and the organization also {@code data}. Where
     * the text is kept, {@code subject}, {@code external_id}, {@code metadata} and {@code previews} take
     * {@code text} along.
     */
    public Builder fields(List<String> value) {
      fields = value;
      return this;
    }

    /** Why: the request or the law. It stays in the trail, so it names nobody. */
    public Builder basis(String value) {
      basis = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public NewRedaction build() {
      return new NewRedaction(
          Objects.requireNonNull(eventId, "NewRedaction.eventId is needed"),
          Objects.requireNonNull(fields, "NewRedaction.fields is needed"),
          Objects.requireNonNull(basis, "NewRedaction.basis is needed"));
    }
  }
}
