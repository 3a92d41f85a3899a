// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * {@code SplunkConfig} in an answer or request. Made by {@link #builder()}.
 *
 * @param url The collector’s base: what stands before {@code /services/collector}.
 * @param token A token of the HTTP Event Collector. Kept encrypted and never answered.
 * @param index The index to write to. Absent: the token’s own. {@code null} where it is absent.
 * @param source Absent: {@code svc:} and the organization’s id. {@code null} where it is absent.
 * @param sourcetype Absent: {@code svc:event}. {@code null} where it is absent.
 * @param acknowledge Take an event for delivered only when it is indexed. The token must have indexer
 *     acknowledgement on. {@code null} where it is absent.
 */
public record SplunkConfig(
    String url,
    String token,
    String index,
    String source,
    String sourcetype,
    Boolean acknowledge) {
  /** Without what is secret. */
  @Override
  public String toString() {
    return "SplunkConfig[url=" + url
        + ", token=***"
        + ", index=" + index
        + ", source=" + source
        + ", sourcetype=" + sourcetype
        + ", acknowledge=" + acknowledge
        + "]";
  }

  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.url = url;
    builder.token = token;
    builder.index = index;
    builder.source = source;
    builder.sourcetype = sourcetype;
    builder.acknowledge = acknowledge;
    return builder;
  }

  /** Sets members of {@link SplunkConfig}. Not for use by more than one thread. */
  public static final class Builder {
    private String url;
    private String token;
    private String index;
    private String source;
    private String sourcetype;
    private Boolean acknowledge;

    private Builder() {}

    /** The collector’s base: what stands before {@code /services/collector}. */
    public Builder url(String value) {
      url = value;
      return this;
    }

    /** A token of the HTTP Event Collector. Kept encrypted and never answered. */
    public Builder token(String value) {
      token = value;
      return this;
    }

    /** The index to write to. Absent: the token’s own. */
    public Builder index(String value) {
      index = value;
      return this;
    }

    /** Absent: {@code svc:} and the organization’s id. */
    public Builder source(String value) {
      source = value;
      return this;
    }

    /** Absent: {@code svc:event}. */
    public Builder sourcetype(String value) {
      sourcetype = value;
      return this;
    }

    /**
     * Take an event for delivered only when it is indexed. The token must have indexer acknowledgement on.
     */
    public Builder acknowledge(boolean value) {
      acknowledge = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public SplunkConfig build() {
      return new SplunkConfig(
          Objects.requireNonNull(url, "SplunkConfig.url is needed"),
          Objects.requireNonNull(token, "SplunkConfig.token is needed"),
          index,
          source,
          sourcetype,
          acknowledge);
    }
  }
}
