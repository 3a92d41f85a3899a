package svc.client;

import com.fasterxml.jackson.databind.JavaType;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** One request and its repetitions. For resources; {@link Svc#request} is for everybody. */
public final class Transport {
  /** What a 429 that does not say how long means. */
  private static final Duration RETRY_AFTER_MISSING = Duration.ofSeconds(60);

  /** More than the service ever waits. */
  private static final long WAIT_S_MAX = 3_600;

  private static final int ANSWER_BYTES_MAX = 64 << 20;
  private static final int ERROR_BYTES_MAX = 1 << 20;

  private final Svc.Builder config;
  private final HttpClient http;

  Transport(Svc.Builder config) {
    this.config = config;
    this.http = config.httpClient != null ? config.httpClient : HttpClient.newHttpClient();
  }

  /** The answer as JSON of a class. */
  public <T> T json(Call call, Class<T> type, CallOptions options) {
    return json(call, Json.MAPPER.constructType(type), options);
  }

  <T> T json(Call call, JavaType type, CallOptions options) {
    Answer answer = send(call, "application/json", false, options);
    try {
      return Json.read(answer.body(), type);
    } catch (IOException err) {
      String what =
          "The answer to "
              + call
              + ", status "
              + answer.status()
              + ", is not the JSON that was asked for.";
      throw new SvcException(what + " Is baseUrl right?", err);
    }
  }

  /** The answer as text. */
  public String text(Call call, CallOptions options) {
    return new String(
        send(call, "text/plain, */*;q=0.1", false, options).body(), StandardCharsets.UTF_8);
  }

  /**
   * The answer as it comes; close it. Reading has no time-out, is not repeated, and throws an
   * IOException.
   */
  public InputStream bytes(Call call, CallOptions options) {
    return send(call, "*/*", true, options).stream();
  }

  /** Of the answer only that it came. */
  public void none(Call call, CallOptions options) {
    send(call, "*/*", false, options);
  }

  /** An answer of success. Throws what the last try came to. */
  private Answer send(Call call, String accept, boolean isStreamed, CallOptions given) {
    CallOptions options = given == null ? CallOptions.NONE : given;
    byte[] body = call.body == null ? null : Json.write(call.body);
    HttpRequest.Builder request = requestOf(call, accept, options);
    Duration timeout =
        (options.timeout() == null ? config.timeout : options.timeout()).plus(waitOf(call));
    int retries = options.maxRetries() == null ? config.maxRetries : options.maxRetries();
    boolean hasKey = request.build().headers().firstValue("idempotency-key").isPresent();
    // What may have been done must not be done twice: without a key a POST is repeated only where
    // it was refused.
    boolean isRepeatable = !call.method.equals("POST") || hasKey;
    // An earlier try may still be at work on the other side, and hold the key.
    boolean wasLost = false;
    for (int tried = 0; ; tried++) {
      SvcException failure;
      try {
        Answer answer =
            sendOnce(
                call, request.method(call.method, publisherOf(body)).build(), isStreamed, timeout);
        if (answer.isSuccess()) return answer;
        failure = ApiException.of(answer, Instant.now(), config.apiKey);
      } catch (ConnectionException err) {
        failure = err;
      }
      boolean isInFlight = wasLost && hasKey && failure instanceof ConflictException;
      Duration wait = tried < retries ? waitAfter(failure, tried, isRepeatable, isInFlight) : null;
      if (wait == null) throw failure;
      wasLost |= failure instanceof ConnectionException;
      sleep(wait);
    }
  }

  /** How long the service may wait for something to answer: that is not yet silence. */
  private static Duration waitOf(Call call) {
    return call.query.get("wait_s") instanceof Number wait && wait.longValue() > 0
        ? Duration.ofSeconds(Math.min(wait.longValue(), WAIT_S_MAX))
        : Duration.ZERO;
  }

  private HttpRequest.Builder requestOf(Call call, String accept, CallOptions options) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(config.baseUrl + call.target()))
              .version(HttpClient.Version.HTTP_1_1)
              .method(call.method, BodyPublishers.noBody())
              .setHeader("Authorization", "Bearer " + config.apiKey)
              .setHeader("Accept", accept)
              .setHeader("User-Agent", "svc-java/" + Svc.VERSION);
      if (config.orgId != null) request.setHeader("X-Svc-Org-Id", config.orgId);
      if (call.body != null) request.setHeader("Content-Type", "application/json");
      if (call.takesKey) {
        // One key for all tries.
        String key = options.idempotencyKey();
        request.setHeader("Idempotency-Key", key == null ? UUID.randomUUID().toString() : key);
      }
      options.headers().forEach(request::setHeader);
      return request;
    } catch (IllegalArgumentException err) {
      // Not its message, which may have the header in it.
      throw new SvcException(
          "A header, the path or the method of " + call.method + " cannot be sent.");
    }
  }

  private static BodyPublisher publisherOf(byte[] body) {
    return body == null ? new OnceEmpty() : BodyPublishers.ofByteArray(body);
  }

  private Answer sendOnce(Call call, HttpRequest request, boolean isStreamed, Duration timeout) {
    CompletableFuture<HttpResponse<Object>> answer = http.sendAsync(request, readerOf(isStreamed));
    try {
      // Not the time-out of HttpRequest, which ends with the headers of the answer.
      HttpResponse<Object> res = answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      boolean isOpen = res.body() instanceof InputStream;
      return new Answer(
          res.statusCode(),
          res.headers(),
          isOpen ? new byte[0] : (byte[]) res.body(),
          isOpen ? (InputStream) res.body() : null);
    } catch (TimeoutException err) {
      answer.cancel(true);
      throw new RequestTimeoutException(
          "The service did not answer " + call + " within " + timeout.toMillis() + " ms.", err);
    } catch (InterruptedException err) {
      answer.cancel(true);
      throw InterruptedCallException.of(err);
    } catch (ExecutionException err) {
      if (err.getCause() instanceof TooLongException) {
        throw new SvcException("The answer to " + call + " is too long. Is baseUrl right?", err.getCause());
      }
      if (err.getCause() instanceof HttpTimeoutException) {
        throw new RequestTimeoutException(
            "The service did not answer " + call + " in time.", err.getCause());
      }
      throw new ConnectionException(
          "The service could not be reached, or broke off: " + call + ".", err.getCause());
    }
  }

  /** Failures are read whole, so that they can be told. */
  private static BodyHandler<Object> readerOf(boolean isStreamed) {
    return info -> {
      boolean isSuccess = info.statusCode() / 100 == 2;
      return isStreamed && isSuccess
          ? BodySubscribers.mapping(BodySubscribers.ofInputStream(), Object.class::cast)
          : new Bounded(isSuccess ? ANSWER_BYTES_MAX : ERROR_BYTES_MAX);
    };
  }

  private static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** The body as bytes, as long as there are not more of them. */
  private static final class Bounded implements BodySubscriber<Object> {
    private final BodySubscriber<byte[]> all = BodySubscribers.ofByteArray();
    private final CompletableFuture<Object> body = new CompletableFuture<>();
    private final int bytesMax;
    private long bytes;
    private Flow.Subscription subscription;

    Bounded(int bytesMax) {
      this.bytesMax = bytesMax;
    }

    @Override
    public CompletionStage<Object> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      all.onSubscribe(given);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) bytes += buffer.remaining();
      if (bytes <= bytesMax) {
        all.onNext(buffers);
      } else {
        subscription.cancel();
        onError(new TooLongException());
      }
    }

    @Override
    public void onError(Throwable err) {
      all.onError(err);
      body.completeExceptionally(err);
    }

    @Override
    public void onComplete() {
      all.onComplete();
      all.getBody().thenAccept(body::complete);
    }
  }

  /** How long to wait before the next try; {@code null}: there is to be none. */
  private Duration waitAfter(
      SvcException failure, int tried, boolean isRepeatable, boolean isInFlight) {
    double backoffMs = millisOf(config.retryBackoff) * Math.pow(2, tried);
    double waitMs;
    int status = failure instanceof ApiException refused ? refused.status() : 0;
    boolean isFault = status >= 500 || failure instanceof ConnectionException;
    if (status == 429) {
      Duration said = ((ApiException) failure).retryAfter();
      waitMs = Math.max(millisOf(said == null ? RETRY_AFTER_MISSING : said), backoffMs);
    } else if (isInFlight || isFault && isRepeatable) {
      // Between half and all of it, so that clients that failed together do not come back together.
      waitMs = backoffMs * (0.5 + ThreadLocalRandom.current().nextDouble() / 2);
    } else {
      return null;
    }
    return waitMs <= millisOf(config.maxRetryWait)
        ? Duration.ofNanos(Math.round(waitMs * 1e6))
        : null;
  }

  private void sleep(Duration duration) {
    try {
      config.waiter.sleep(duration);
    } catch (InterruptedException err) {
      throw InterruptedCallException.of(err);
    }
  }

  private static double millisOf(Duration duration) {
    return duration.getSeconds() * 1e3 + duration.getNano() / 1e6;
  }

  /**
   * No body, for one try. {@link HttpClient} sends a GET once more, without a word, when the
   * connection ends before an answer; this keeps it from that, since retries are counted and spaced
   * here. It asks for the length when it writes the headers of a request, and so only once.
   */
  private static final class OnceEmpty implements BodyPublisher {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public long contentLength() {
      if (asked.incrementAndGet() > 1)
        throw new IllegalStateException("The connection ended before an answer.");
      return 0;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
      BodyPublishers.noBody().subscribe(subscriber);
    }
  }
}
