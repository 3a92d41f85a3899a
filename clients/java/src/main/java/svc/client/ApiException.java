package svc.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The service refused the request, or failed. The classes below this one are the codes that it may
 * have.
 */
public class ApiException extends SvcException {
  private static final long serialVersionUID = 1;

  /** Ten thousand years: what is longer is no time to wait, and does not fit everywhere. */
  private static final long RETRY_AFTER_S_MAX = 315_576_000_000L;

  private static final Pattern HTTP_DATE =
      Pattern.compile(
          "[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT");

  private static final Map<String, Function<Refusal, ApiException>> BY_CODE =
      Map.ofEntries(
          Map.entry("invalid_request", InvalidRequestException::new),
          Map.entry("unauthorized", UnauthorizedException::new),
          Map.entry("token_expired", TokenExpiredException::new),
          Map.entry("insufficient_permissions", InsufficientPermissionsException::new),
          Map.entry("ip_not_allowed", IpNotAllowedException::new),
          Map.entry("not_found", NotFoundException::new),
          Map.entry("conflict", ConflictException::new),
          Map.entry("precondition_failed", PreconditionFailedException::new),
          Map.entry("payload_too_large", PayloadTooLargeException::new),
          Map.entry("idempotency_mismatch", IdempotencyMismatchException::new),
          Map.entry("rate_limited", RateLimitException::new));

  private final Refusal refusal;

  ApiException(Refusal refusal) {
    super(refusal.message());
    this.refusal = refusal;
  }

  /** Of HTTP. */
  public int status() {
    return refusal.status();
  }

  /**
   * Stable, for programs: {@code invalid_request}; {@code unknown} when the answer came from
   * something in between.
   */
  public String code() {
    return refusal.code();
  }

  /** To name when you ask for help; {@code null} when the answer came from something in between. */
  public String requestId() {
    return refusal.requestId();
  }

  /** Each place in the request that is wrong. */
  public List<Detail> details() {
    return refusal.details();
  }

  /** After which time the same request may succeed; {@code null}: the service did not say. */
  public Duration retryAfter() {
    return refusal.retryAfter();
  }

  /** With all that helps whoever reads it in a log. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(getClass().getName());
    text.append(": ").append(status()).append(' ').append(code()).append(": ").append(getMessage());
    for (Detail detail : details()) {
      text.append(' ').append(detail.pointer());
      text.append(detail.pointer().isEmpty() ? "" : " ").append(detail.message());
    }
    return text.append(requestId() == null ? "" : " (" + requestId() + ")").toString();
  }

  /**
   * One place in a request that is wrong.
   *
   * @param pointer JSON Pointer: {@code /events/0}; of a query, {@code /query/limit}.
   * @param message what is wrong there.
   */
  public record Detail(String pointer, String message) implements Serializable {}

  /** What the service said when it refused. */
  record Refusal(
      int status,
      String code,
      String message,
      String requestId,
      List<Detail> details,
      Duration retryAfter)
      implements Serializable {}

  /** The error of an answer, whose body may be JSON or not. */
  static ApiException of(Answer answer, Instant now, String apiKey) {
    JsonNode error = errorOf(answer.body());
    String code = textOf(error, "code", "unknown");
    int status = answer.status();
    Refusal refusal =
        new Refusal(
            status,
            code,
            without(apiKey, textOf(error, "message", sentenceOf(answer))),
            textOf(error, "request_id", answer.header("x-svc-request-id")),
            detailsOf(error.path("details"), apiKey),
            retryAfterOf(answer.header("retry-after"), now));
    return BY_CODE.getOrDefault(code, byStatus(status)).apply(refusal);
  }

  private static String sentenceOf(Answer answer) {
    boolean isRedirect = answer.status() / 100 == 3 && answer.header("location") != null;
    if (isRedirect) return "The answer is a redirect, which is not followed. Is baseUrl right?";
    return "The service answered with status " + answer.status() + ".";
  }

  private static Function<Refusal, ApiException> byStatus(int status) {
    if (status == 429) return RateLimitException::new;
    return status >= 500 ? ServerException::new : ApiException::new;
  }

  /**
   * {@code Retry-After}, also where a date was given (RFC 9110 §10.2.3); {@code null}: there is
   * none.
   */
  static Duration retryAfterOf(String header, Instant now) {
    if (header == null) return null;
    String value = header.trim();
    if (value.matches("[0-9]+")) {
      boolean isLong = value.length() > 12;
      return Duration.ofSeconds(
          isLong ? RETRY_AFTER_S_MAX : Math.min(Long.parseLong(value), RETRY_AFTER_S_MAX));
    }
    // One form is still written; the parser would take others, too.
    if (!HTTP_DATE.matcher(value).matches()) return null;
    try {
      Instant at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      long ms = Duration.between(now, at).toMillis();
      return Duration.ofSeconds(Math.max(0, Math.floorDiv(ms + 999, 1_000L)));
    } catch (DateTimeParseException err) {
      return null;
    }
  }

  private static JsonNode errorOf(byte[] body) {
    try {
      return Json.read(body, JsonNode.class).path("error");
    } catch (IOException err) {
      return Json.MAPPER.missingNode();
    }
  }

  private static String textOf(JsonNode node, String name, String otherwise) {
    JsonNode member = node.path(name);
    return member.isTextual() && !member.textValue().isEmpty() ? member.textValue() : otherwise;
  }

  /** Something in between may echo what was sent. */
  private static String without(String apiKey, String text) {
    return text.replace(apiKey, "svc_…");
  }

  private static List<Detail> detailsOf(JsonNode nodes, String apiKey) {
    List<Detail> details = new ArrayList<>();
    if (nodes.isArray()) {
      for (JsonNode node : nodes) {
        JsonNode pointer = node.path("pointer");
        JsonNode message = node.path("message");
        if (pointer.isTextual() && message.isTextual()) {
          details.add(
              new Detail(
                  without(apiKey, pointer.textValue()), without(apiKey, message.textValue())));
        }
      }
    }
    return List.copyOf(details);
  }
}
