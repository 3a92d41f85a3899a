// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.Objects;

/**
 * {@code ContextItem} in an answer or request. Made by {@link #builder()}.
 *
 * @param id Your name for the item. {@code null} where it is absent.
 * @param content The text handed to the model.
 * @param source Where it came from. Default: retrieval. {@code null} where it is absent.
 */
public record ContextItem(
    String id,
    String content,
    String source) {
  /** Begins one; what is not set is left out. */
  public static Builder builder() {
    return new Builder();
  }

  /** Begins one with the members of this one. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.id = id;
    builder.content = content;
    builder.source = source;
    return builder;
  }

  /** Sets members of {@link ContextItem}. Not for use by more than one thread. */
  public static final class Builder {
    private String id;
    private String content;
    private String source;

    private Builder() {}

    /** Your name for the item. */
    public Builder id(String value) {
      id = value;
      return this;
    }

    /** The text handed to the model. */
    public Builder content(String value) {
      content = value;
      return this;
    }

    /** Where it came from. Default: retrieval. */
    public Builder source(String value) {
      source = value;
      return this;
    }

    /** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
    public ContextItem build() {
      return new ContextItem(
          id,
          Objects.requireNonNull(content, "ContextItem.content is needed"),
          source);
    }
  }

  /** Values of {@code source}. A later service may have others. */
  public static final class Source {
    /** {@code retrieval}. */
    public static final String RETRIEVAL = "retrieval";
    /** {@code tool}. */
    public static final String TOOL = "tool";
    /** {@code memory}. */
    public static final String MEMORY = "memory";

    private Source() {}
  }
}
