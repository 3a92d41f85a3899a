// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;

/**
 * {@code DatadogConfig} in an answer or request. Made by {@link #builder()}.
 *
 * @param apiKey An API key of the Datadog organization. Kept encrypted and never answered.
 * @param site The Datadog site, as in the address of its dashboard.
 * @param send {@code events}: one by one into the event stream. {@code logs}: in batches, whole.
 * @param tags Added to those of the service. {@code null} where it is absent.
 * @param service The service that it is shown under. {@code null} where it is absent.
 */
public record DatadogConfig(
    @JsonProperty("api_key") String apiKey,
    String site,
    String send,
    List<String> tags,
    String service) {
  /** Keeps copies of lists and maps that do not change. */
  public DatadogConfig {
    tags = Fixed.copyOf(tags);
  }

  /** Without what is secret. */
  @Override
  public String toString() {
    return "DatadogConfig[apiKey=***"
        + ", site=" + site
        + ", send=" + send
        + ", tags=" + tags
        + ", service=" + service
        + "]";
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.apiKey = apiKey;
    builder.site = site;
    builder.send = send;
    builder.tags = tags;
    builder.service = service;
    return builder;
  }

  /** Sets members of {@link DatadogConfig}. Not for use by more than one thread. */
  public static final class Builder {
    private String apiKey;
    private String site;
    private String send;
    private List<String> tags;
    private String service;

    private Builder() {}

    /** An API key of the Datadog organization. Kept encrypted and never answered. */
    public Builder apiKey(String value) {
      apiKey = value;
      return this;
    }

    /** The Datadog site, as in the address of its dashboard. */
    public Builder site(String value) {
      site = value;
      return this;
    }

    /** {@code events}: one by one into the event stream. {@code logs}: in batches, whole. */
    public Builder send(String value) {
      send = value;
      return this;
    }

    /** Added to those of the service. */
    public Builder tags(List<String> value) {
      tags = value;
      return this;
    }

    /** The service that it is shown under. */
    public Builder service(String value) {
      service = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public DatadogConfig build() {
      return new DatadogConfig(
          Objects.requireNonNull(apiKey, "DatadogConfig.apiKey is needed"),
          Objects.requireNonNull(site, "DatadogConfig.site is needed"),
          Objects.requireNonNull(send, "DatadogConfig.send is needed"),
          tags,
          service);
    }
  }

  /** Values of {@code site}. A later service may have others. */
  public static final class Site {
    /** {@code datadoghq.com}. */
    public static final String DATADOGHQ_COM = "datadoghq.com";
    /** {@code us3.datadoghq.com}. */
    public static final String US3_DATADOGHQ_COM = "us3.datadoghq.com";
    /** {@code us5.datadoghq.com}. */
    public static final String US5_DATADOGHQ_COM = "us5.datadoghq.com";
    /** {@code datadoghq.eu}. */
    public static final String DATADOGHQ_EU = "datadoghq.eu";
    /** {@code ap1.datadoghq.com}. */
    public static final String AP1_DATADOGHQ_COM = "ap1.datadoghq.com";
    /** {@code ap2.datadoghq.com}. */
    public static final String AP2_DATADOGHQ_COM = "ap2.datadoghq.com";
    /** {@code uk1.datadoghq.com}. */
    public static final String UK1_DATADOGHQ_COM = "uk1.datadoghq.com";
    /** {@code ddog-gov.com}. */
    public static final String DDOG_GOV_COM = "ddog-gov.com";
    /** {@code us2.ddog-gov.com}. */
    public static final String US2_DDOG_GOV_COM = "us2.ddog-gov.com";

    private Site() {}
  }

  /** Values of {@code send}. A later service may have others. */
  public static final class Send {
    /** {@code events}. */
    public static final String EVENTS = "events";
    /** {@code logs}. */
    public static final String LOGS = "logs";

    private Send() {}
  }
}
