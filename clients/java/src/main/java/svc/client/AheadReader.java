package svc.client;

import java.util.Iterator;
import java.util.function.Supplier;

/**
 * Reads on while a chunk is under way, so that the model does not wait for the network, and hands
 * out together what came meanwhile. Its thread ends with the source, or when it is closed.
 */
final class AheadReader implements AutoCloseable {
  /** What a chunk holds, and how far the source is read ahead, in UTF-16 units. */
  private static final int DELTA_CHARS_MAX = 65_536;

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

  /** What came since; waits for something. {@code null}: that was all, or the source failed. */
  synchronized String take() {
    try {
      while (sendable() == 0 && !isOver) wait();
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
    if (source instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception err) {
        // What a source has to say about its end comes too late to matter.
      }
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
    pending.append(piece);
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
