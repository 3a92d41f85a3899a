package svc.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** How this library reads and writes JSON. */
final class Json {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .build();

  private Json() {}

  /** An answer. Throws for what is not JSON, or not of this type, or {@code null}. */
  static <T> T read(byte[] bytes, JavaType type) throws IOException {
    String text = strictly(bytes);
    // A byte order mark is no part of a text.
    T value = readText(text.startsWith("\ufeff") ? text.substring(1) : text, type);
    requireMembers(value);
    return value;
  }

  static <T> T read(byte[] bytes, Class<T> type) throws IOException {
    return read(bytes, MAPPER.constructType(type));
  }

  /** As {@code read}, but nothing is overlooked. */
  static <T> T readExactly(byte[] bytes, Class<T> type) throws IOException {
    return readText(strictly(bytes), MAPPER.constructType(type));
  }

  private static <T> T readText(String text, JavaType type) throws IOException {
    T value = MAPPER.readValue(text, type);
    if (value == null) throw new IOException("It is null.");
    return value;
  }

  /** An answer without what decides it is none: whoever asked for an outcome would go on without. */
  private static void requireMembers(Object value) throws IOException {
    for (String name : RequiredMembers.of(value.getClass())) {
      try {
        if (value.getClass().getMethod(name).invoke(value) == null) {
          throw new IOException("It has no " + name + ".");
        }
      } catch (ReflectiveOperationException err) {
        throw new IllegalStateException(err);
      }
    }
  }

  private static String strictly(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /**
   * In UTF-8. Half a surrogate pair, which UTF-8 cannot say, becomes an escape, so that nothing is
   * changed.
   */
  static byte[] write(Object value) {
    String json;
    try {
      json = MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException err) {
      throw new SvcException("The request cannot be written as JSON.", err);
    }
    return withEscapedHalves(json).getBytes(StandardCharsets.UTF_8);
  }

  private static String withEscapedHalves(String json) {
    if (StandardCharsets.UTF_8.newEncoder().canEncode(json)) return json;
    StringBuilder out = new StringBuilder(json.length() + 16);
    for (int i = 0; i < json.length(); i++) {
      char unit = json.charAt(i);
      boolean isPair =
          Character.isHighSurrogate(unit)
              && i + 1 < json.length()
              && Character.isLowSurrogate(json.charAt(i + 1));
      if (isPair) out.append(unit).append(json.charAt(++i));
      else if (Character.isSurrogate(unit)) out.append(String.format("\\u%04x", (int) unit));
      else out.append(unit);
    }
    return out.toString();
  }
}
