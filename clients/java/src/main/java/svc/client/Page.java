package svc.client;

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
    List<T> data,
    @com.fasterxml.jackson.annotation.JsonProperty("has_more") boolean hasMore,
    @com.fasterxml.jackson.annotation.JsonProperty("next_cursor") String nextCursor) {
  /** Keeps a copy of the list that does not change. */
  public Page {
    data = data == null ? List.of() : List.copyOf(data);
  }
}
