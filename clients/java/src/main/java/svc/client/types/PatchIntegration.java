// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;

/**
 * {@code PatchIntegration} in an answer or request. Made by {@link #builder()}.
 *
 * @param name What it is for. {@code null} where it is absent.
 * @param events Kinds of events. {@code *}: all but {@code inference.allowed} and {@code telemetry.received},
 *     which come with every inference. {@code null} where it is absent.
 * @param config What the vendor needs. Secret members are kept encrypted and never answered. A {@code
 *     SlackConfig} or {@code PagerDutyConfig} or {@code TeamsConfig} or {@code DatadogConfig} or {@code
 *     SplunkConfig}. {@code null} where it is absent.
 */
public record PatchIntegration(
    String name,
    List<String> events,
    Object config) {
  /** Keeps copies of lists and maps that do not change. */
  public PatchIntegration {
    events = Fixed.copyOf(events);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.name = name;
    builder.events = events;
    builder.config = config;
    return builder;
  }

  /** Sets members of {@link PatchIntegration}. Not for use by more than one thread. */
  public static final class Builder {
    private String name;
    private List<String> events;
    private Object config;

    private Builder() {}

    /** What it is for. */
    public Builder name(String value) {
      name = value;
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

    /** What the vendor needs. Secret members are kept encrypted and never answered. */
    public Builder config(SlackConfig value) {
      config = value;
      return this;
    }

    /** What the vendor needs. Secret members are kept encrypted and never answered. */
    public Builder config(PagerDutyConfig value) {
      config = value;
      return this;
    }

    /** What the vendor needs. Secret members are kept encrypted and never answered. */
    public Builder config(TeamsConfig value) {
      config = value;
      return this;
    }

    /** What the vendor needs. Secret members are kept encrypted and never answered. */
    public Builder config(DatadogConfig value) {
      config = value;
      return this;
    }

    /** What the vendor needs. Secret members are kept encrypted and never answered. */
    public Builder config(SplunkConfig value) {
      config = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public PatchIntegration build() {
      return new PatchIntegration(
          name,
          events,
          config);
    }
  }
}
