package svc.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Clock;
import java.util.Map;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import svc.client.types.Assessment;
import svc.client.types.Event;
import svc.client.types.EventsListQuery;
import svc.client.types.Inference;

@Timeout(20)
class SvcTest {
  private static final Duration LONG = Duration.ofHours(1);

  @Test
  void interruptionEndsARequestAndKeepsTheFlag() throws Exception {
    CountDownLatch isAsked = new CountDownLatch(1);
    try (LocalServer server =
        new LocalServer(
            (exchange, body) -> {
              isAsked.countDown();
              Thread.sleep(LONG.toMillis());
            })) {
      Svc svc = server.client().timeout(LONG).build();
      Interrupted call = Interrupted.begin(() -> svc.health().get());
      assertTrue(isAsked.await(10, TimeUnit.SECONDS));
      call.interrupt();
      call.assertGivenUp();
      assertEquals(1, server.seen.size());
    }
  }

  @Test
  void interruptionEndsAWaitBetweenTriesAndKeepsTheFlag() throws Exception {
    CountDownLatch isAsked = new CountDownLatch(1);
    try (LocalServer server =
        new LocalServer(
            (exchange, body) -> {
              LocalServer.json(exchange, 500, "{}");
              isAsked.countDown();
            })) {
      Svc svc = server.client().retryBackoff(LONG).maxRetryWait(LONG).build();
      Interrupted call = Interrupted.begin(() -> svc.health().get());
      assertTrue(isAsked.await(10, TimeUnit.SECONDS));
      call.interrupt();
      call.assertGivenUp();
      assertEquals(1, server.seen.size());
    }
  }

  @Test
  void aThreadThatIsInterruptedAlreadySendsNothingToWaitFor() {
    try (LocalServer server = new LocalServer((exchange, body) -> Thread.sleep(LONG.toMillis()))) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedCallException.class, () -> server.client().build().health().get());
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void oneClientServesManyThreads() throws Exception {
    try (LocalServer server =
        new LocalServer(
            (exchange, body) -> {
              String id = Json.MAPPER.readTree(body).get("external_id").textValue();
              LocalServer.json(
                  exchange,
                  200,
                  "{\"id\":\"asm\",\"outcome\":\"allowed\",\"external_id\":\"" + id + "\"}");
            })) {
      Svc svc = server.client().build();
      ExecutorService threads = Executors.newFixedThreadPool(16);
      try {
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          Inference inference = Inference.builder().input("Hello").externalId("call-" + i).build();
          answers.add(threads.submit(() -> svc.assess(inference).externalId()));
        }
        for (int i = 0; i < 200; i++) assertEquals("call-" + i, answers.get(i).get());
      } finally {
        threads.shutdownNow();
      }
    }
  }

  @Test
  void timeOutCoversReadingTheAnswer() {
    try (LocalServer server =
        new LocalServer(
            (exchange, body) -> {
              exchange.sendResponseHeaders(200, 100);
              exchange.getResponseBody().write('{');
              exchange.getResponseBody().flush();
              Thread.sleep(LONG.toMillis());
            })) {
      Svc svc = server.client().build();
      CallOptions options =
          CallOptions.builder().timeout(Duration.ofMillis(200)).maxRetries(0).build();
      assertThrows(RequestTimeoutException.class, () -> svc.health().get(options));
    }
  }

  @Test
  void optionsOfACallHoldForThatCall() {
    try (LocalServer server =
        new LocalServer((exchange, body) -> LocalServer.json(exchange, 500, "{}"))) {
      Svc svc = server.client().waiter(duration -> {}).build();
      assertThrows(
          ServerException.class,
          () -> svc.health().get(CallOptions.builder().maxRetries(0).build()));
      assertEquals(1, server.seen.size());
      assertThrows(ServerException.class, () -> svc.health().get());
      assertEquals(5, server.seen.size());
    }
  }

  @Test
  void theKeyIsInNoText() {
    String key = "svc_live_secret";
    Svc.Builder builder = Svc.builder().apiKey(key).baseUrl("http://127.0.0.1:1").maxRetries(0);
    Svc svc = builder.build();
    assertFalse((builder + " " + svc).contains(key));
    SvcException refused = assertThrows(SvcException.class, () -> svc.health().get());
    CallOptions broken = CallOptions.builder().header("X-A", "a\nb").build();
    SvcException unsent = assertThrows(SvcException.class, () -> svc.health().get(broken));
    SvcException unmade =
        assertThrows(SvcException.class, () -> Svc.builder().apiKey(key + "\n").build());
    for (SvcException err : List.of(refused, unsent, unmade)) {
      StringWriter trace = new StringWriter();
      err.printStackTrace(new PrintWriter(trace));
      assertFalse(trace.toString().contains(key), trace.toString());
    }
  }

  @Test
  void optionsThatCannotBeRightAreToldAtOnce() {
    List<Svc.Builder> wrong =
        List.of(
            Svc.builder(),
            Svc.builder().apiKey(""),
            Svc.builder().apiKey("a b"),
            Svc.builder().apiKey("k").baseUrl("ftp://host"),
            Svc.builder().apiKey("k").baseUrl("host:8080"),
            Svc.builder().apiKey("k").baseUrl("http://user@host"),
            Svc.builder().apiKey("k").orgId("org\n"),
            Svc.builder().apiKey("k").maxRetries(-1),
            Svc.builder().apiKey("k").timeout(Duration.ZERO),
            Svc.builder().apiKey("k").retryBackoff(Duration.ofMillis(-1)),
            Svc.builder().apiKey("k").maxRetryWait(null),
            Svc.builder()
                .apiKey("k")
                .httpClient(
                    HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build()));
    for (Svc.Builder builder : wrong) assertThrows(SvcException.class, builder::build);
    assertThrows(SvcException.class, () -> CallOptions.builder().idempotencyKey("a b").build());
    assertThrows(SvcException.class, () -> CallOptions.builder().maxRetries(-1).build());
  }

  @Test
  void aClientThatWasMadeDoesNotChangeWithItsBuilder() {
    try (LocalServer server =
        new LocalServer(
            (exchange, body) -> LocalServer.json(exchange, 200, "{\"status\":\"ok\"}"))) {
      Svc.Builder builder = server.client();
      Svc svc = builder.build();
      builder.baseUrl("http://127.0.0.1:1");
      assertEquals("ok", svc.health().get().status());
    }
  }

  @Test
  void anHttpClientCanBeGiven() {
    AtomicReference<String> thread = new AtomicReference<>();
    HttpClient http =
        HttpClient.newBuilder()
            .executor(
                task ->
                    new Thread(
                            () -> {
                              thread.set(Thread.currentThread().getName());
                              task.run();
                            },
                            "given")
                        .start())
            .build();
    try (LocalServer server =
        new LocalServer(
            (exchange, body) -> LocalServer.json(exchange, 200, "{\"status\":\"ok\"}"))) {
      assertEquals("ok", server.client().httpClient(http).build().health().get().status());
      assertEquals("given", thread.get());
    }
  }

  @Test
  void anErrorSaysInALogWhatIsWrongAndNeverTheKey() {
    String body =
        "{\"error\":{\"code\":\"invalid_request\",\"message\":\"You sent svc_live_test.\","
            + "\"request_id\":\"req_1\",\"details\":[{\"pointer\":\"/input\",\"message\":\"svc_live_test is none\"},"
            + "{\"pointer\":\"\",\"message\":\"send input\"}]}}";
    try (LocalServer server =
        new LocalServer((exchange, sent) -> LocalServer.json(exchange, 400, body))) {
      SvcException err =
          assertThrows(SvcException.class, () -> server.client().build().policy().get());
      assertEquals(
          "svc.client.InvalidRequestException: 400 invalid_request: You sent svc_…. /input svc_… is none send input (req_1)",
          err.toString());
    }
  }

  @Test
  void anAnswerWithoutAnEndIsGivenUpAndNotTriedAgain() {
    byte[] piece = new byte[1 << 20];
    try (LocalServer server =
        new LocalServer(
            (exchange, sent) -> {
              exchange.sendResponseHeaders(200, 0);
              for (int i = 0; i < 400; i++) exchange.getResponseBody().write(piece);
            })) {
      SvcException err =
          assertThrows(SvcException.class, () -> server.client().build().policy().get());
      assertTrue(err.getMessage().contains("too long"), err.getMessage());
      assertEquals(1, server.seen.size());
    }
  }

  @Test
  void theTimeThatTheServiceMayWaitIsNoSilence() {
    try (LocalServer server =
        new LocalServer(
            (exchange, sent) -> {
              TimeUnit.MILLISECONDS.sleep(600);
              LocalServer.json(exchange, 200, "{\"data\":[],\"has_more\":false,\"next_cursor\":null}");
            })) {
      Svc svc = server.client().timeout(Duration.ofMillis(300)).maxRetries(0).build();
      EventsListQuery feed = EventsListQuery.builder().afterSequence(0L).waitS(1L).build();
      assertEquals(List.of(), svc.events().list(feed).firstPage().data());
      assertThrows(RequestTimeoutException.class, () -> svc.events().list().firstPage());
    }
  }

  @Test
  void noKeysAreNotTheTrustOfTheFirstTime() {
    CheckpointStore store = CheckpointStore.inMemory();
    assertThrows(SvcException.class, () -> new CheckpointMemory(store, List.of()));
    assertThrows(SvcException.class, () -> new CheckpointMemory(store, List.of("", " ")));
    assertThrows(
        SvcException.class,
        () ->
            new CheckpointMemory(
                store, List.of("a/org/b+00000000+AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyAh")));
  }

  @Test
  void aDeliveryIsRefusedWhateverItIsCheckedWith() {
    var headers = Map.of("webhook-id", "a", "webhook-timestamp", "1", "webhook-signature", "v1,a");
    Class<WebhookVerificationException> refused = WebhookVerificationException.class;
    assertEquals(
        WebhookVerificationException.Rule.SECRET_MALFORMED,
        assertThrows(
                refused, () -> Webhooks.verify(headers, new byte[0], (List<String>) null))
            .rule());
    assertThrows(refused, () -> Webhooks.verify(null, new byte[0], "whsec_AAAA"));
    assertThrows(
        SvcException.class,
        () ->
            Webhooks.verify(
                headers, new byte[0], List.of("a"), Duration.ofSeconds(-1), Clock.systemUTC()));
  }

  @Test
  void idsThatNameNothingAreNotSent() {
    try (LocalServer server =
        new LocalServer((exchange, body) -> LocalServer.json(exchange, 200, "{}"))) {
      Svc svc = server.client().build();
      for (String id : new String[] {"", ".", "..", null}) {
        assertThrows(SvcException.class, () -> svc.webhooks().delete(id));
      }
      svc.webhooks().delete("a/../b?c");
      assertEquals("/v1/webhooks/a%2F..%2Fb%3Fc", server.seen.get(0).target());
      assertEquals(1, server.seen.size());
    }
  }

  @Test
  void whatNoResourceHasCanBeAsked() {
    try (LocalServer server =
        new LocalServer((exchange, body) -> LocalServer.json(exchange, 200, "{\"answer\":42}"))) {
      Call call = Call.of("POST", "/v1/new").with("q", "a b").body(List.of(1));
      assertEquals(
          42, server.client().build().request(call, JsonNode.class, null).get("answer").intValue());
      assertEquals(
          new LocalServer.Seen("POST", "/v1/new?q=a%20b", "[1]", "svc-java/0.1.0"),
          server.seen.get(0));
    }
  }

  @Test
  void aListIsReadAsFarAsItIsUsed() {
    try (LocalServer server =
        new LocalServer(
            (exchange, body) -> {
              boolean isFirst = exchange.getRequestURI().getQuery() == null;
              String page =
                  isFirst
                      ? "[{\"id\":\"1\"},{\"id\":\"2\"}],\"has_more\":true,\"next_cursor\":\"c\""
                      : "[{\"id\":\"3\"}],\"has_more\":false";
              LocalServer.json(exchange, 200, "{\"data\":" + page + "}");
            })) {
      Pages<Event> events = server.client().build().events().list();
      assertEquals(0, server.seen.size());
      assertEquals("c", events.firstPage().nextCursor());
      assertEquals(List.of("1", "2"), events.stream().map(Event::id).limit(2).toList());
      assertEquals(2, server.seen.size());
      assertEquals(List.of("1", "2", "3"), events.stream().map(Event::id).toList());
      // Each pass begins anew.
      List<String> again = new ArrayList<>();
      for (Event event : events) again.add(event.id());
      assertEquals(List.of("1", "2", "3"), again);
    }
  }

  @Test
  void aListThatLeadsNowhereIsNotGoneOverForEver() {
    String same = "{\"data\":[{\"id\":\"1\"}],\"has_more\":true,\"next_cursor\":\"c\"}";
    try (LocalServer server =
        new LocalServer((exchange, body) -> LocalServer.json(exchange, 200, same))) {
      Pages<Event> events = server.client().build().events().list();
      assertThrows(SvcException.class, () -> events.forEach(event -> {}));
      assertEquals(2, server.seen.size());
    }
    for (String body : List.of("{}", "{\"data\":null}", "[]")) {
      try (LocalServer server =
          new LocalServer((exchange, asked) -> LocalServer.json(exchange, 200, body))) {
        assertThrows(SvcException.class, () -> server.client().build().events().list().firstPage());
      }
    }
  }

  @Test
  void anErrorCanBeSentToAnotherProcess() throws Exception {
    String refusal =
        "{\"error\":{\"code\":\"invalid_request\",\"message\":\"No.\",\"request_id\":\"req_1\",\"details\":[{\"pointer\":\"/a\",\"message\":\"b\"}]}}";
    try (LocalServer server =
        new LocalServer((exchange, body) -> LocalServer.json(exchange, 400, refusal))) {
      ApiException err =
          assertThrows(InvalidRequestException.class, () -> server.client().build().health().get());
      ApiException copy = copyOf(err);
      assertEquals(List.of(new ApiException.Detail("/a", "b")), copy.details());
      assertEquals("req_1", copy.requestId());
      assertNull(copy.retryAfter());
    }
  }

  @Test
  @EnabledIfEnvironmentVariable(
      named = "SVC_TEST_BASE_URL",
      matches = ".+",
      disabledReason = "there is no service")
  void aServiceIsUsedByManyThreads() throws Exception {
    Svc svc =
        Svc.builder()
            .apiKey(System.getenv("SVC_TEST_LIVE_KEY"))
            .baseUrl(System.getenv("SVC_TEST_BASE_URL"))
            .build();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Assessment>> assessments = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Inference inference = Inference.builder().input("Question " + i).model("threads").build();
        assessments.add(threads.submit(() -> svc.assess(inference)));
      }
      Set<String> made = new HashSet<>();
      for (Future<Assessment> assessment : assessments) made.add(assessment.get().eventId());
      Set<String> listed = new HashSet<>();
      EventsListQuery query = EventsListQuery.builder().model("threads").limit(7).build();
      for (Event event : svc.events().list(query)) listed.add(event.id());
      assertEquals(40, made.size());
      assertEquals(made, listed);
    } finally {
      threads.shutdownNow();
    }
  }

  private static ApiException copyOf(ApiException err) throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(err);
    return (ApiException)
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
  }

  /** A call in a thread that will be interrupted. */
  private static final class Interrupted {
    private final AtomicReference<Throwable> thrown = new AtomicReference<>();
    private final AtomicReference<Boolean> flag = new AtomicReference<>();
    private Thread thread;

    static Interrupted begin(Runnable call) {
      Interrupted begun = new Interrupted();
      begun.thread =
          new Thread(
              () -> {
                try {
                  call.run();
                } catch (Throwable err) {
                  begun.thrown.set(err);
                }
                begun.flag.set(Thread.currentThread().isInterrupted());
              });
      begun.thread.start();
      return begun;
    }

    void interrupt() {
      thread.interrupt();
    }

    void assertGivenUp() throws InterruptedException {
      thread.join(10_000);
      assertEquals(InterruptedCallException.class, thrown.get().getClass());
      assertEquals(true, flag.get());
    }
  }
}
