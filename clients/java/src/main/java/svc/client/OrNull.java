package svc.client;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import java.io.IOException;
import java.util.Objects;

/**
 * A member that may be a value, or {@code null} on the wire, or absent: absent is the {@code null}
 * of Java, and not the same. Builders make it: {@code description("…")} and {@code
 * clearDescription()}.
 *
 * @param <T> what it holds.
 * @param orNull the value; {@code null} where the wire says {@code null}.
 */
@JsonSerialize(using = OrNull.Writer.class)
@JsonDeserialize(using = OrNull.Reader.class)
public record OrNull<T>(T orNull) {
  private static final OrNull<?> NONE = new OrNull<>(null);

  /**
   * This value. Throws a {@link NullPointerException} for {@code null}, which is said on purpose
   * only.
   */
  public static <T> OrNull<T> of(T value) {
    return new OrNull<>(
        Objects.requireNonNull(value, "null is said by the method that begins with clear"));
  }

  /** {@code null} on the wire. */
  @SuppressWarnings("unchecked")
  public static <T> OrNull<T> none() {
    return (OrNull<T>) NONE;
  }

  static final class Writer extends JsonSerializer<OrNull<?>> {
    @Override
    public void serialize(OrNull<?> value, JsonGenerator out, SerializerProvider serializers)
        throws IOException {
      serializers.defaultSerializeValue(value.orNull(), out);
    }
  }

  static final class Reader extends JsonDeserializer<OrNull<?>> implements ContextualDeserializer {
    private final JavaType held;

    Reader() {
      this(null);
    }

    private Reader(JavaType held) {
      this.held = held;
    }

    @Override
    public JsonDeserializer<?> createContextual(
        DeserializationContext context, BeanProperty property) {
      return new Reader(context.getContextualType().containedTypeOrUnknown(0));
    }

    @Override
    public OrNull<?> deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return new OrNull<>(context.readValue(in, held));
    }

    @Override
    public OrNull<?> getNullValue(DeserializationContext context) {
      return NONE;
    }

    @Override
    public Object getAbsentValue(DeserializationContext context) {
      return null;
    }
  }
}
