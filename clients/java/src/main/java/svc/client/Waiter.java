package svc.client;

import java.time.Duration;

/** How a client waits between two tries. */
@FunctionalInterface
public interface Waiter {
  /** Returns after this time. Throws when the thread is interrupted. */
  void sleep(Duration duration) throws InterruptedException;
}
