// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * {@code InboxMessageList} in an answer or request.
 *
 * @param hasMore More follow after the last one.
 * @param nextCursor Pass as {@code cursor} to go on. May be {@code null}.
 */
public record InboxMessageList(
    List<InboxMessage> data,
    @JsonProperty("has_more") boolean hasMore,
    @JsonProperty("next_cursor") @JsonInclude(JsonInclude.Include.ALWAYS) String nextCursor) {
  /** Keeps copies of lists and maps that do not change. */
  public InboxMessageList {
    data = Fixed.copyOf(data);
  }
}
