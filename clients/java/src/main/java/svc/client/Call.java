package svc.client;

import com.fasterxml.jackson.core.type.TypeReference;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request of the API, for {@link Svc#request} and the resources: {@code Call.of("GET",
 * "/v1/events")}. It does not change; its methods make others.
 */
public final class Call {
  final String method;
  final String path;
  final Map<String, Object> query;
  final Object body;
  final boolean takesKey;

  private Call(
      String method, String path, Map<String, Object> query, Object body, boolean takesKey) {
    this.method = method;
    this.path = path;
    this.query = query;
    this.body = body;
    this.takesKey = takesKey;
  }

  /** {@code path}: from the slash on, encoded as {@link #segment} does. */
  public static Call of(String method, String path) {
    if (!path.startsWith("/")) throw new SvcException("A path begins with a slash.");
    return new Call(method, path, Map.of(), null, false);
  }

  /** With these parameters: a record or map; members that are {@code null} are left out. */
  public Call query(Object parameters) {
    if (parameters == null) return this;
    Call made = this;
    for (var entry :
        Json.MAPPER
            .convertValue(parameters, new TypeReference<Map<String, Object>>() {})
            .entrySet()) {
      made = made.with(entry.getKey(), entry.getValue());
    }
    return made;
  }

  /** With this parameter of the query; {@code null} leaves it out. */
  public Call with(String name, Object value) {
    if (value == null) return this;
    Map<String, Object> all = new LinkedHashMap<>(query);
    all.put(name, value);
    return new Call(method, path, all, body, takesKey);
  }

  /** With this body, which is sent as JSON. */
  public Call body(Object value) {
    return new Call(method, path, query, value, takesKey);
  }

  /** The operation takes an {@code Idempotency-Key}: the call carries one, the same at each try. */
  public Call takesKey() {
    return new Call(method, path, query, body, true);
  }

  /**
   * A part of a path between slashes. Throws a {@link SvcException} for what names no thing:
   * nothing, or dots.
   */
  public static String segment(Object value) {
    String text = String.valueOf(value);
    // They would make the path that of another operation.
    if (value == null || text.isEmpty() || text.equals(".") || text.equals("..")) {
      throw new SvcException("An id in a path is missing.");
    }
    return encoded(text);
  }

  /** The rest of a path, which keeps its slashes. */
  public static String rest(String value) {
    return Arrays.stream(value.split("/", -1)).map(Call::segment).collect(Collectors.joining("/"));
  }

  /** The path with the query. */
  String target() {
    if (query.isEmpty()) return path;
    return query.entrySet().stream()
        .map(entry -> encoded(entry.getKey()) + "=" + encoded(String.valueOf(entry.getValue())))
        .collect(Collectors.joining("&", path + "?", ""));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
