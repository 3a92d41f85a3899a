package svc.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is different for one call: {@code CallOptions.builder().maxRetries(0).build()}. To give a
 * call up, interrupt its thread.
 *
 * @param idempotencyKey makes a POST safe to send again also after this process has ended; {@code
 *     null}: a random one for each call. Operations that take none ignore it.
 * @param timeout of one try, until the whole answer is read; {@code null}: the client's.
 * @param maxRetries how often the request is sent again; {@code null}: the client's.
 * @param headers more of them, such as {@code If-Match}.
 */
public record CallOptions(
    String idempotencyKey, Duration timeout, Integer maxRetries, Map<String, String> headers) {
  static final CallOptions NONE = builder().build();

  /** Checks them. Throws a {@link SvcException}. */
  public CallOptions {
    if (idempotencyKey != null && !idempotencyKey.matches("[!-~]{1,255}")) {
      throw new SvcException("idempotencyKey must have 1 to 255 visible ASCII characters.");
    }
    if (timeout != null) Svc.Builder.requirePositive("timeout", timeout);
    if (maxRetries != null && maxRetries < 0)
      throw new SvcException("maxRetries must not be negative.");
    headers = Map.copyOf(headers);
  }

  /** Begins options; what is not set is the client's. */
  public static Builder builder() {
    return new Builder();
  }

  /** Sets options of a call. */
  public static final class Builder {
    private String idempotencyKey;
    private Duration timeout;
    private Integer maxRetries;
    private final Map<String, String> headers = new LinkedHashMap<>();

    private Builder() {}

    /** Makes a POST safe to send again also after this process has ended. */
    public Builder idempotencyKey(String value) {
      idempotencyKey = value;
      return this;
    }

    /** Of one try, until the whole answer is read. */
    public Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    /** How often the request is sent again. */
    public Builder maxRetries(int value) {
      maxRetries = value;
      return this;
    }

    /** One more header. */
    public Builder header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    /** Makes them. Throws a {@link SvcException} for what cannot be right. */
    public CallOptions build() {
      return new CallOptions(idempotencyKey, timeout, maxRetries, headers);
    }
  }
}
