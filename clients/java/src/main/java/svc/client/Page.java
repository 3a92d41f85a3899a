package svc.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * A page of a list.
 *
 * @param <T> what is listed.
 * @param data the items.
 * @param hasMore there are further pages.
 * @param nextCursor where the next page begins; {@code null} on the last one.
 */
public record Page<T>(
    @JsonProperty(required = true) List<T> data,
    @JsonProperty("has_more") boolean hasMore,
    @JsonProperty("next_cursor") String nextCursor) {
  /** Keeps a copy of the list that does not change. */
  public Page {
    data = List.copyOf(data);
  }
}
