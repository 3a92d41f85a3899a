package svc.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import svc.client.types.Assessment;
import svc.client.types.Inference;
import svc.client.types.StreamInference;

/**
 * The service, for one credential: {@code Svc.builder().apiKey("svc_live_…").build()}. Safe for use
 * by many threads; keep one. It holds nothing that must be closed.
 *
 * <p>Calls wait, and throw a {@link SvcException} when they fail. Interrupting the thread ends a
 * call, also while it waits to try again, with an {@link InterruptedCallException} and the
 * interrupt flag set.
 */
public final class Svc extends Resources {
  /** Of this library. */
  public static final String VERSION = "0.1.0";

  private final Transport transport;
  private final String baseUrl;

  private Svc(Transport transport, String baseUrl) {
    super(transport);
    this.transport = transport;
    this.baseUrl = baseUrl;
  }

  /** Begins a client. {@link Builder#apiKey} is needed. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Decides about an inference, as {@code assessments().create}. Returns for every outcome; throws
   * for a request that failed.
   */
  public Assessment assess(Inference inference) {
    return assess(inference, null);
  }

  /** As {@link #assess(Inference)}, with options of the call. */
  public Assessment assess(Inference inference, CallOptions options) {
    return assessments().create(inference, options);
  }

  /**
   * Releases what a model writes as it turns out to be safe. {@code source}: pieces of text; it is
   * left alone where the input is blocked. Close what you get, and the source is closed if it is
   * {@link AutoCloseable}.
   */
  public GuardedStream guardStream(Iterable<String> source, StreamInference inference) {
    requireGiven(source, inference);
    return new GuardedStream(streams(), source, source::iterator, inference);
  }

  /** As {@link #guardStream(Iterable, StreamInference)}. */
  public GuardedStream guardStream(Iterator<String> source, StreamInference inference) {
    requireGiven(source, inference);
    return new GuardedStream(streams(), source, () -> source, inference);
  }

  /** As {@link #guardStream(Iterable, StreamInference)}. */
  public GuardedStream guardStream(Stream<String> source, StreamInference inference) {
    requireGiven(source, inference);
    return new GuardedStream(streams(), source, source::iterator, inference);
  }

  private static void requireGiven(Object source, StreamInference inference) {
    if (source == null || inference == null)
      throw new SvcException("A guarded stream needs a source and an inference.");
  }

  /**
   * Makes a request that no resource has, with the same retries, and reads the answer as this
   * class.
   */
  public <T> T request(Call call, Class<T> answer, CallOptions options) {
    return transport.json(call, answer, options);
  }

  @Override
  public String toString() {
    return "Svc[" + baseUrl + "]";
  }

  /** Options of a client. */
  public static final class Builder {
    private static final String DEFAULT_BASE_URL = "http://127.0.0.1:8080";

    String apiKey;
    String orgId;
    String baseUrl;
    int maxRetries = 3;
    Duration retryBackoff = Duration.ofSeconds(1);
    Duration maxRetryWait = Duration.ofSeconds(120);
    Duration timeout = Duration.ofSeconds(30);
    HttpClient httpClient;
    Waiter waiter = duration -> TimeUnit.NANOSECONDS.sleep(duration.toNanos());

    private Builder() {}

    private Builder(Builder other) {
      apiKey = other.apiKey;
      orgId = other.orgId;
      baseUrl = other.baseUrl;
      maxRetries = other.maxRetries;
      retryBackoff = other.retryBackoff;
      maxRetryWait = other.maxRetryWait;
      timeout = other.timeout;
      httpClient = other.httpClient;
      waiter = other.waiter;
    }

    /** {@code svc_live_…}, or a session token. */
    public Builder apiKey(String value) {
      apiKey = value;
      return this;
    }

    /** {@code org_…}; sent so that a credential of another organization is refused. */
    public Builder orgId(String value) {
      orgId = value;
      return this;
    }

    /**
     * Where the service is. Default, and what {@code null} stands for: {@code
     * http://127.0.0.1:8080}.
     */
    public Builder baseUrl(String value) {
      baseUrl = value;
      return this;
    }

    /** How often a request is sent again. Default: 3. */
    public Builder maxRetries(int value) {
      maxRetries = value;
      return this;
    }

    /** The first wait between two tries; the next ones are twice as long each. Default: 1 s. */
    public Builder retryBackoff(Duration value) {
      retryBackoff = value;
      return this;
    }

    /** Who would have to wait longer is told at once. Default: 120 s. */
    public Builder maxRetryWait(Duration value) {
      maxRetryWait = value;
      return this;
    }

    /** For one try, until the whole answer is read. Default: 30 s. */
    public Builder timeout(Duration value) {
      timeout = value;
      return this;
    }

    /**
     * Your own, for a proxy or certificates. It must not follow redirects. Default: one of this
     * client.
     */
    public Builder httpClient(HttpClient value) {
      httpClient = value;
      return this;
    }

    /** How retries wait; for tests. */
    public Builder waiter(Waiter value) {
      waiter = value;
      return this;
    }

    /** Makes the client. Throws a {@link SvcException} for options that cannot be right. */
    public Svc build() {
      Builder checked = new Builder(this);
      // The messages do not have the key in them.
      if (apiKey == null || apiKey.isEmpty()) throw new SvcException("apiKey is missing.");
      if (!isPrintable(apiKey)) throw new SvcException("apiKey has characters that no key has.");
      if (orgId != null && !isPrintable(orgId))
        throw new SvcException("orgId has characters that no id has.");
      checked.baseUrl = withoutSlashes(baseUrl == null ? DEFAULT_BASE_URL : baseUrl);
      if (maxRetries < 0) throw new SvcException("maxRetries must not be negative.");
      requireTime("retryBackoff", retryBackoff);
      requireTime("maxRetryWait", maxRetryWait);
      requirePositive("timeout", timeout);
      if (waiter == null) throw new SvcException("waiter is missing.");
      if (httpClient != null && httpClient.followRedirects() != HttpClient.Redirect.NEVER) {
        throw new SvcException(
            "httpClient must not follow redirects: they could take the key elsewhere.");
      }
      return new Svc(new Transport(checked), checked.baseUrl);
    }

    @Override
    public String toString() {
      return "Svc.Builder";
    }

    static void requirePositive(String name, Duration duration) {
      requireTime(name, duration);
      if (duration.isZero()) throw new SvcException(name + " must be a time above zero.");
    }

    private static void requireTime(String name, Duration duration) {
      if (duration == null || duration.isNegative())
        throw new SvcException(name + " must not be negative.");
      // Some 292 years: what nanoseconds hold.
      if (duration.getSeconds() > Long.MAX_VALUE / 1_000_000_000L - 1)
        throw new SvcException(name + " is too long.");
    }

    private static boolean isPrintable(String text) {
      return text.chars().allMatch(unit -> unit > 0x20 && unit < 0x7f);
    }

    private static String withoutSlashes(String url) {
      String bare = url.replaceAll("/+$", "");
      try {
        URI uri = new URI(bare);
        boolean isHttp =
            "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        if (isHttp && uri.getHost() != null && uri.getRawUserInfo() == null
            && uri.getRawQuery() == null && uri.getRawFragment() == null)
          return bare;
      } catch (URISyntaxException err) {
        // Told below.
      }
      throw new SvcException(
          "baseUrl must be an address that begins with http:// or https://, without user, query or fragment.");
    }
  }
}
