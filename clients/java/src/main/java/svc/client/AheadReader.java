package svc.client;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reads on while a chunk is under way, so that the model does not wait for the network, and hands
 * out together what came meanwhile. Its thread ends with the source, or when it is closed.
 */
final class AheadReader implements AutoCloseable {
  /** What a chunk holds, and how far the source is read ahead, in UTF-16 units. */
  private static final int DELTA_CHARS_MAX = 65_536;

  /** For a source to close: one that does not is left to its own thread. */
  private static final long CLOSE_MS_MAX = 1_000;

  private final Object source;
  private final Supplier<Iterator<String>> begin;
  private final Thread thread;
  private final StringBuilder pending = new StringBuilder();
  private boolean isOver;
  private boolean isClosed;
  private Throwable fault;

  /** {@code begin} is called in the thread that reads. */
  AheadReader(Object source, Supplier<Iterator<String>> begin) {
    this.source = source;
    this.begin = begin;
    thread = new Thread(this::readAll, "svc-guard-stream");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * What came since; waits for something, and answers an empty text when nothing came in that time.
   * {@code null}: that was all, or the source failed.
   */
  synchronized String take(long waitMs) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    try {
      while (sendable() == 0 && !isOver) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        if (leftMs <= 0) return "";
        wait(leftMs);
      }
    } catch (InterruptedException err) {
      throw InterruptedCallException.of(err);
    }
    int length = sendable();
    if (length == 0) return null;
    String taken = pending.substring(0, length);
    pending.delete(0, length);
    notifyAll();
    return taken;
  }

  /** What the source threw; {@code null}: nothing. */
  synchronized Throwable fault() {
    return fault;
  }

  /** Nothing more is wanted. Does not wait for a source that is in the midst of a piece. */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) return;
      isClosed = true;
      if (!isOver) thread.interrupt();
      notifyAll();
    }
    closeSource(source);
  }

  /**
   * In a thread of its own: the one that reads may be inside the source, which only this wakes, and
   * whoever has given up must not wait for both.
   */
  static void closeSource(Object source) {
    if (!(source instanceof AutoCloseable closeable)) return;
    Thread closing =
        new Thread(
            () -> {
              try {
                closeable.close();
              } catch (Exception err) {
                // What a source has to say about its end comes too late to matter.
              }
            },
            "svc-guard-stream-close");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(CLOSE_MS_MAX);
    } catch (InterruptedException err) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * How much of what is pending makes a chunk: never half of a surrogate pair, of which the rest
   * may still come.
   */
  private int sendable() {
    int length = Math.min(pending.length(), DELTA_CHARS_MAX);
    boolean isAll = length == pending.length() && isOver;
    return length > 0 && !isAll && Character.isHighSurrogate(pending.charAt(length - 1))
        ? length - 1
        : length;
  }

  private void readAll() {
    Throwable thrown = null;
    try {
      Iterator<String> pieces = begin.get();
      while (pieces.hasNext() && add(pieces.next())) {}
    } catch (Throwable err) {
      thrown = err;
    }
    synchronized (this) {
      // Of what comes of the interruption nobody wants to hear.
      fault = isClosed ? null : thrown;
      isOver = true;
      notifyAll();
    }
  }

  /** False: nothing more is wanted. */
  private synchronized boolean add(String piece) throws InterruptedException {
    if (isClosed) return false;
    // Models say so where a piece has no text.
    if (piece != null) pending.append(piece);
    notifyAll();
    while (pending.length() >= DELTA_CHARS_MAX && !isClosed) wait();
    return !isClosed;
  }

  /** To throw what the source threw as it is, checked or not. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> E asItIs(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
