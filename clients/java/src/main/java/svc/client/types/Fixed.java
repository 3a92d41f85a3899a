package svc.client.types;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Copies that do not change. */
final class Fixed {
  private Fixed() {}

  // Not List.copyOf: a later service may have null in a list, and answers are never refused for
  // that.
  static <T> List<T> copyOf(List<T> list) {
    return list == null ? null : Collections.unmodifiableList(new ArrayList<>(list));
  }

  static <T> Map<String, T> copyOf(Map<String, T> map) {
    return map == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
