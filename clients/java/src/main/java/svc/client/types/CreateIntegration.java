// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;
import java.util.Objects;

/**
 * {@code CreateIntegration} in an answer or request. Made by {@link #builder()}.
 *
 * @param kind Where events go.
 * @param name What it is for.
 * @param events Kinds of events. {@code *}: all but {@code inference.allowed} and {@code telemetry.received},
 *     which come with every inference.
 * @param config What the vendor needs. Secret members are kept encrypted and never answered. A {@code
 *     SlackConfig} or {@code PagerDutyConfig} or {@code TeamsConfig} or {@code DatadogConfig} or {@code
 *     SplunkConfig}.
 */
public record CreateIntegration(
    String kind,
    String name,
    List<String> events,
    Object config) {
  /** Keeps copies of lists and maps that do not change. */
  public CreateIntegration {
    events = Fixed.copyOf(events);
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.kind = kind;
    builder.name = name;
    builder.events = events;
    builder.config = config;
    return builder;
  }

  /** Sets members of {@link CreateIntegration}. Not for use by more than one thread. */
  public static final class Builder {
    private String kind;
    private String name;
    private List<String> events;
    private Object config;

    private Builder() {}

    /** Where events go. */
    public Builder kind(String value) {
      kind = value;
      return this;
    }

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
    public CreateIntegration build() {
      return new CreateIntegration(
          Objects.requireNonNull(kind, "CreateIntegration.kind is needed"),
          Objects.requireNonNull(name, "CreateIntegration.name is needed"),
          Objects.requireNonNull(events, "CreateIntegration.events is needed"),
          Objects.requireNonNull(config, "CreateIntegration.config is needed"));
    }
  }

  /** Values of {@code kind}. A later service may have others. */
  public static final class Kind {
    /** {@code slack}. */
    public static final String SLACK = "slack";
    /** {@code pagerduty}. */
    public static final String PAGERDUTY = "pagerduty";
    /** {@code teams}. */
    public static final String TEAMS = "teams";
    /** {@code datadog}. */
    public static final String DATADOG = "datadog";
    /** {@code splunk}. */
    public static final String SPLUNK = "splunk";

    private Kind() {}
  }
}
