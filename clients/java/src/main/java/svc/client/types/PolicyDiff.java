// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import java.util.List;

/** {@code PolicyDiff} in an answer or request. */
public record PolicyDiff(
    PolicyVersionName from,
    PolicyVersionName to,
    List<PolicyChange> changes) {
  /** Keeps copies of lists and maps that do not change. */
  public PolicyDiff {
    changes = Fixed.copyOf(changes);
  }
}
