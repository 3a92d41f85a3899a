// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;
import java.util.Objects;
import svc.client.OrNull;

/**
 * {@code CreateWebhook} in an answer or request. Made by {@link #builder()}.
 *
 * @param url Where events are sent: an https URL that leads to a public address.
 * @param events Kinds of events. {@code *}: all but {@code inference.allowed} and {@code telemetry.received},
 *     which come with every inference.
 * @param description Anything worth knowing about it. May be {@code null}.
 */
public record CreateWebhook(
    String url,
    List<String> events,
    OrNull<String> description) {
  /** Keeps copies of lists and maps that do not change. */
  public CreateWebhook {
    events = Fixed.copyOf(events);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.url = url;
    builder.events = events;
    builder.description = description;
    return builder;
  }

  /** Sets members of {@link CreateWebhook}. Not for use by more than one thread. */
  public static final class Builder {
    private String url;
    private List<String> events;
    private OrNull<String> description;

    private Builder() {}

    /** Where events are sent: an https URL that leads to a public address. */
    public Builder url(String value) {
      url = value;
      return this;
    }

    /**
     * Kinds of events. {@code *}: all but {@code inference.allowed} and {@code telemetry.received}, which
     * come with every inference.
     */
    public Builder events(List<String> value) {
      events = value;
      return this;
    }

    /** Anything worth knowing about it. */
    public Builder description(String value) {
      description = OrNull.of(value);
      return this;
    }

    /** Says {@code null} for {@code description}, which is not the same as leaving it out. */
    public Builder clearDescription() {
      description = OrNull.none();
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public CreateWebhook build() {
      return new CreateWebhook(
          Objects.requireNonNull(url, "CreateWebhook.url is needed"),
          Objects.requireNonNull(events, "CreateWebhook.events is needed"),
          description);
    }
  }
}
