// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client;

import java.util.List;
import java.util.Map;
import svc.client.types.Assessment;
import svc.client.types.OpenedStream;
import svc.client.types.StreamChunkResult;

/** Members without which an answer is not of its type. */
final class RequiredMembers {
  private static final Map<Class<?>, List<String>> BY_TYPE =
      Map.ofEntries(
          Map.entry(
              Assessment.class,
              List.of("id", "outcome")),
          Map.entry(
              OpenedStream.class,
              List.of("id", "assessment")),
          Map.entry(
              StreamChunkResult.class,
              List.of("released", "outcome")));

  private RequiredMembers() {}

  /** Names of accessors; none for what is no answer. */
  static List<String> of(Class<?> type) {
    return BY_TYPE.getOrDefault(type, List.of());
  }
}
