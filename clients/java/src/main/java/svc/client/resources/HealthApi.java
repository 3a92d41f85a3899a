// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Transport;
import svc.client.types.Health;

/** For load balancers and orchestrators. Safe for use by many threads. */
public final class HealthApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public HealthApi(Transport transport) {
    this.transport = transport;
  }

  /** Is the process alive. */
  public Health get() {
    return get(null);
  }

  /** Is the process alive. {@code options}: {@code null} for those of the client. */
  public Health get(CallOptions options) {
    return transport.json(Call.of("GET", "/healthz"), Health.class, options);
  }

  /**
   * Can it answer requests. Asks the database. Answers 503 while it cannot be reached and while the service
   * is stopping.
   */
  public Health getReadiness() {
    return getReadiness(null);
  }

  /**
   * Can it answer requests. Asks the database. Answers 503 while it cannot be reached and while the service
   * is stopping. {@code options}: {@code null} for those of the client.
   */
  public Health getReadiness(CallOptions options) {
    return transport.json(Call.of("GET", "/readyz"), Health.class, options);
  }
}
