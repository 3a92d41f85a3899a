package svc.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import svc.client.types.CreateWebhook;
import svc.client.types.Event;
import svc.client.types.EventsListQuery;
import svc.client.types.Inference;
import svc.client.types.PatchWebhook;
import svc.client.types.StreamInference;
import svc.client.types.WebhooksListQuery;

/**
 * Driven by clients/conformance: reads one command a line, does it with this library, and answers
 * one result a line.
 */
public final class Testee {
  private static final Map<Class<?>, String> TYPES =
      Map.ofEntries(
          Map.entry(SourceException.class, "source"),
          Map.entry(InvalidRequestException.class, "invalid_request"),
          Map.entry(UnauthorizedException.class, "unauthorized"),
          Map.entry(TokenExpiredException.class, "token_expired"),
          Map.entry(InsufficientPermissionsException.class, "insufficient_permissions"),
          Map.entry(IpNotAllowedException.class, "ip_not_allowed"),
          Map.entry(NotFoundException.class, "not_found"),
          Map.entry(ConflictException.class, "conflict"),
          Map.entry(PreconditionFailedException.class, "precondition_failed"),
          Map.entry(PayloadTooLargeException.class, "payload_too_large"),
          Map.entry(IdempotencyMismatchException.class, "idempotency_mismatch"),
          Map.entry(RateLimitException.class, "rate_limit"),
          Map.entry(ServerException.class, "server"),
          Map.entry(ApiException.class, "api"),
          Map.entry(RequestTimeoutException.class, "timeout"),
          Map.entry(ConnectionException.class, "connection"),
          Map.entry(SvcException.class, "svc"));

  private final Map<String, CheckpointStore> memories = new HashMap<>();

  /** Until the end of input. */
  public static void main(String[] args) throws IOException {
    Testee testee = new Testee();
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      JsonNode command = Json.MAPPER.readTree(line);
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("id", command.get("id"));
      try {
        result.putAll(testee.answer(command));
      } catch (Exception | Error err) {
        var trace = new StringWriter();
        err.printStackTrace(new PrintWriter(trace));
        result.put("crash", trace.toString());
      }
      // A tree, because there null is written.
      out.println(new String(Json.write(Json.MAPPER.valueToTree(result)), StandardCharsets.UTF_8));
    }
  }

  private Map<String, Object> answer(JsonNode command) throws Exception {
    return switch (command.get("do").textValue()) {
      case "verify_webhook" -> verified(() -> verifyWebhook(command));
      case "verify_signature_256" ->
          verified(
              () ->
                  Webhooks.verifySignature256(
                      headersOf(command), bodyOf(command), secretsOf(command)));
      case "call" -> withClient(command, svc -> mapOf("value", called(svc, command)));
      case "list" -> withClient(command, svc -> mapOf("ids", idsOf(svc, command)));
      case "guard_stream" -> withClient(command, svc -> guarded(svc, command));
      case "checkpoint" -> withClient(command, svc -> checked(svc, command));
      case "scenario" -> mapOf("facts", Scenario.run(command));
      default -> throw new IllegalArgumentException("There is no command " + command.get("do"));
    };
  }

  private static Event verifyWebhook(JsonNode command) {
    double tolerance = command.path("tolerance_s").asDouble(Webhooks.TOLERANCE.toSeconds());
    Instant now = Instant.ofEpochMilli((long) (command.get("now_s").asDouble() * 1_000));
    return Webhooks.verify(
        headersOf(command),
        bodyOf(command),
        secretsOf(command),
        Duration.ofMillis((long) (tolerance * 1_000)),
        Clock.fixed(now, ZoneOffset.UTC));
  }

  private static Map<String, Object> verified(Supplier<Event> verify) {
    try {
      return mapOf("event_id", verify.get().id());
    } catch (WebhookVerificationException err) {
      return mapOf("rule", err.rule());
    }
  }

  private static Map<String, Object> headersOf(JsonNode command) {
    Map<String, Object> headers = new LinkedHashMap<>();
    for (var entry : command.get("headers").properties())
      headers.put(entry.getKey(), entry.getValue().textValue());
    return headers;
  }

  private static byte[] bodyOf(JsonNode command) {
    return command.get("body").textValue().getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> secretsOf(JsonNode command) {
    return textsOf(command.get("secrets"));
  }

  private static List<String> textsOf(JsonNode nodes) {
    List<String> texts = new ArrayList<>();
    nodes.forEach(node -> texts.add(node.textValue()));
    return texts;
  }

  /** What is done with a client. */
  private interface Act {
    Map<String, Object> with(Svc svc) throws Exception;
  }

  private static Map<String, Object> withClient(JsonNode command, Act act) throws Exception {
    List<Double> waits = new ArrayList<>();
    Map<String, Object> result = new LinkedHashMap<>();
    try {
      Svc.Builder options = optionsOf(command.get("client"));
      if (!command.path("wait").asText("recorded").equals("real")) {
        options.waiter(duration -> waits.add(duration.toNanos() / 1e6));
      }
      result.putAll(act.with(options.build()));
    } catch (SvcException err) {
      result.put("error", errorOf(err));
    }
    result.put("waits_ms", waits);
    return result;
  }

  private static Svc.Builder optionsOf(JsonNode client) {
    Svc.Builder options = Svc.builder().apiKey(client.path("api_key").asText("svc_live_test"));
    if (client.hasNonNull("base_url")) options.baseUrl(client.get("base_url").textValue());
    if (client.hasNonNull("org_id")) options.orgId(client.get("org_id").textValue());
    if (client.hasNonNull("max_retries")) options.maxRetries(client.get("max_retries").intValue());
    if (client.hasNonNull("retry_backoff_ms"))
      options.retryBackoff(durationOf(client.get("retry_backoff_ms")));
    if (client.hasNonNull("max_retry_wait_ms"))
      options.maxRetryWait(durationOf(client.get("max_retry_wait_ms")));
    if (client.hasNonNull("timeout_ms")) options.timeout(durationOf(client.get("timeout_ms")));
    return options;
  }

  private static Duration durationOf(JsonNode ms) {
    return Duration.ofNanos(Math.round(ms.doubleValue() * 1e6));
  }

  private static Object called(Svc svc, JsonNode command) throws IOException {
    JsonNode given = command.path("arguments");
    JsonNode key = command.path("idempotency_key");
    CallOptions options =
        key.isTextual() ? CallOptions.builder().idempotencyKey(key.textValue()).build() : null;
    return switch (command.get("method").textValue()) {
      case "assess" -> svc.assess(as(given, Inference.class), options);
      case "get_event" -> svc.events().get(given.get("event_id").textValue());
      case "create_webhook" -> svc.webhooks().create(as(given, CreateWebhook.class), options);
      case "delete_webhook" -> svc.webhooks().delete(given.get("webhook_id").textValue());
      case "update_webhook" -> {
        ObjectNode body = given.deepCopy();
        String id = body.remove("webhook_id").textValue();
        yield svc.webhooks().update(id, as(body, PatchWebhook.class));
      }
      case "end_token" -> svc.sessions().endToken();
      case "refresh_token" -> svc.sessions().refreshToken();
      case "get_checkpoint" -> svc.audit().getCheckpoint();
      case "get_tile" -> {
        try (InputStream tile = svc.audit().getTile(given.get("tile_path").textValue())) {
          yield Base64.getEncoder().encodeToString(tile.readAllBytes());
        }
      }
      default -> throw new IllegalArgumentException("There is no method " + command.get("method"));
    };
  }

  private static List<String> idsOf(Svc svc, JsonNode command) {
    JsonNode query =
        command.path("query").isMissingNode()
            ? Json.MAPPER.createObjectNode()
            : command.get("query");
    Iterable<String> ids =
        command.get("list").textValue().equals("events")
            ? () ->
                svc.events().list(as(query, EventsListQuery.class)).stream()
                    .map(Event::id)
                    .iterator()
            : () ->
                svc.webhooks().list(as(query, WebhooksListQuery.class)).stream()
                    .map(webhook -> webhook.webhookId())
                    .iterator();
    int take = command.path("take").asInt(Integer.MAX_VALUE);
    List<String> taken = new ArrayList<>();
    if (take == 0) return taken;
    for (String id : ids) {
      taken.add(id);
      if (taken.size() >= take) break;
    }
    return taken;
  }

  private static Map<String, Object> guarded(Svc svc, JsonNode command) {
    Source source = new Source(command.get("source"));
    StringBuilder released = new StringBuilder();
    Map<String, Object> result = new LinkedHashMap<>();
    try (GuardedStream stream =
        svc.guardStream(source, as(command.get("inference"), StreamInference.class))) {
      try {
        for (String text : stream) released.append(text);
      } catch (SvcException | SourceException err) {
        result.put("error", errorOf(err));
      }
      result.put("released", released.toString());
      result.put("outcome", stream.outcome());
      result.put("assessment_id", stream.assessment() == null ? null : stream.assessment().id());
    }
    result.put("source_read", source.read);
    result.put("source_closed", source.isClosed);
    return result;
  }

  /**
   * Pieces of text, and a fault where the command wants one. Over when it is read to its end,
   * failed or closed.
   */
  private static final class Source implements Iterable<String>, AutoCloseable {
    private final JsonNode items;
    private volatile int read;
    private volatile boolean isClosed;

    Source(JsonNode items) {
      this.items = items;
    }

    @Override
    public Iterator<String> iterator() {
      return new Iterator<>() {
        @Override
        public boolean hasNext() {
          if (read >= items.size()) isClosed = true;
          return !isClosed;
        }

        @Override
        public String next() {
          JsonNode item = items.get(read++);
          if (item.has("text")) return item.get("text").textValue();
          isClosed = true;
          throw new SourceException(item.get("error").asText());
        }
      };
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  /** The source of a guarded stream failed, as the command wanted. */
  private static final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SourceException(String message) {
      super(message);
    }
  }

  private Map<String, Object> checked(Svc svc, JsonNode command) throws IOException {
    CheckpointStore store =
        memories.computeIfAbsent(
            command.get("memory").textValue(), name -> CheckpointStore.inMemory());
    if (command.has("stored")) store.save(command.get("stored").textValue());
    List<String> keys = command.path("keys").isArray() ? textsOf(command.get("keys")) : null;
    Map<String, Object> result = new LinkedHashMap<>();
    try {
      Checkpoint checkpoint = new CheckpointMemory(store, keys).check(svc);
      result.put("size", checkpoint.size());
      result.put("root", checkpoint.root());
      result.put("first", checkpoint.isFirst());
    } catch (CheckpointException err) {
      result.put("rule", err.rule());
    }
    result.put("stored", store.load());
    return result;
  }

  private static ObjectNode errorOf(RuntimeException err) {
    ObjectNode error = Json.MAPPER.createObjectNode();
    Class<?> kind = err.getClass();
    while (!TYPES.containsKey(kind)) kind = kind.getSuperclass();
    error.put("type", TYPES.get(kind)).put("message", err.getMessage());
    ArrayNode details = error.putArray("details");
    if (err instanceof ApiException refused) {
      error
          .put("status", refused.status())
          .put("code", refused.code())
          .put("request_id", refused.requestId());
      error.put(
          "retry_after", refused.retryAfter() == null ? null : refused.retryAfter().toSeconds());
      for (ApiException.Detail detail : refused.details()) details.addPOJO(detail);
    } else {
      for (String name : List.of("status", "code", "request_id", "retry_after"))
        error.putNull(name);
    }
    return error;
  }

  private static <T> T as(JsonNode json, Class<T> type) {
    return Json.MAPPER.convertValue(json, type);
  }

  private static Map<String, Object> mapOf(String name, Object value) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put(name, value);
    return map;
  }
}
