// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * One part of a message. Only its {@code text} is assessed. Made by {@link #builder()}.
 *
 * @param type {@code text}, or the kind of something else, such as {@code image_url}.
 * @param text The text. A part without it is not assessed and makes the coverage partial. {@code null} where
 *     it is absent.
 */
public record ContentPart(
    String type,
    String text) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.type = type;
    builder.text = text;
    return builder;
  }

  /** Sets members of {@link ContentPart}. Not for use by more than one thread. */
  public static final class Builder {
    private String type;
    private String text;

    private Builder() {}

    /** {@code text}, or the kind of something else, such as {@code image_url}. */
    public Builder type(String value) {
      type = value;
      return this;
    }

    /** The text. A part without it is not assessed and makes the coverage partial. */
    public Builder text(String value) {
      text = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ContentPart build() {
      return new ContentPart(
          Objects.requireNonNull(type, "ContentPart.type is needed"),
          text);
    }
  }
}
