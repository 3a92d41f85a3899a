package svc.client;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import svc.client.resources.StreamsApi;
import svc.client.types.Assessment;
import svc.client.types.Outcome;
import svc.client.types.OpenedStream;
import svc.client.types.StreamChunk;
import svc.client.types.StreamChunkResult;
import svc.client.types.StreamInference;

/**
 * What may be shown of a model's answer: go over it once, in one thread, and close it. It ends
 * early where the answer is blocked; where the question is, it is empty, and the source is never
 * touched. {@link #outcome} tells which. What the source throws is thrown on, after all that may be
 * shown of what came before.
 *
 * <p>The source is read ahead in a thread of its own, which ends with the stream and is interrupted
 * when nothing more is wanted. {@link #close} closes the source, if it is {@link AutoCloseable},
 * also where it was never begun.
 */
public final class GuardedStream implements Iterable<String>, AutoCloseable {
  /** A stream takes 50 chunks a second; what the model writes meanwhile goes with the next one. */
  private static final long CHUNK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(25);

  private static final String BLOCKED = Outcome.BLOCKED;
  /** Half of the time after which the service takes a silent stream for left. */
  private static final long SILENCE_MS_MAX = 20_000;

  private static final CallOptions ONCE =
      CallOptions.builder().maxRetries(0).timeout(Duration.ofSeconds(5)).build();

  private final StreamsApi streams;
  private final Object source;
  private final Supplier<Iterator<String>> pieces;
  private final StreamInference inference;
  private boolean isStarted;
  private boolean wasClosed;
  private Assessment assessment;

  private String id;
  private AheadReader reader;
  private long seq;
  private long nextSendAt = System.nanoTime();
  private boolean isBlocked;
  private boolean hasEnded;
  private Throwable fault;

  GuardedStream(
      StreamsApi streams,
      Object source,
      Supplier<Iterator<String>> pieces,
      StreamInference inference) {
    this.streams = streams;
    this.source = source;
    this.pieces = pieces;
    this.inference = inference;
  }

  /**
   * Of the whole exchange, once the stream has ended; {@code null} before, and where it ended with
   * an error.
   */
  public Assessment assessment() {
    return assessment;
  }

  /** One of {@link Outcome}; {@code null} as long as {@link #assessment} is. */
  public String outcome() {
    return assessment == null ? null : assessment.outcome();
  }

  /**
   * What is released, piece by piece. Throws what a request throws, what the source throws, and an
   * {@link IllegalStateException} the second time.
   */
  @Override
  public Iterator<String> iterator() {
    if (isStarted) throw new IllegalStateException("A guarded stream is gone over once.");
    isStarted = true;
    return new Released();
  }

  /**
   * Ends it: closes the source, and has the stream recorded as far as it came. May be called again.
   */
  @Override
  public void close() {
    isStarted = true;
    if (reader != null) reader.close();
    else if (!wasClosed) AheadReader.closeSource(source);
    wasClosed = true;
    if (id == null || hasEnded) return;
    hasEnded = true;
    // Whoever gave up does not wait.
    if (Thread.currentThread().isInterrupted()) return;
    try {
      finish(ONCE);
    } catch (SvcException err) {
      // It is recorded anyway, after a minute of silence.
    }
  }

  /** The next text that is released, maybe an empty one; {@code null}: that was all. */
  private String advance() {
    if (fault != null) {
      Throwable thrown = fault;
      fault = null;
      throw AheadReader.<RuntimeException>asItIs(thrown);
    }
    if (hasEnded) return null;
    try {
      if (id == null && !open()) return null;
      rest();
      String delta = isBlocked ? null : reader.take(SILENCE_MS_MAX);
      if (delta == null) return end();
      StreamChunk.Builder next = StreamChunk.builder().seq(seq);
      // One without text says that more is to come.
      if (!delta.isEmpty()) next.delta(delta);
      StreamChunkResult chunk = send(next.build(), null);
      isBlocked = BLOCKED.equals(chunk.outcome());
      if (isBlocked) reader.close();
      return chunk.released();
    } catch (RuntimeException | Error err) {
      // A chunk that was not taken would leave a gap before the next one.
      hasEnded = true;
      if (reader != null) reader.close();
      throw err;
    }
  }

  /** False: the input is blocked. */
  private boolean open() {
    OpenedStream stream = streams.create(inference);
    if (BLOCKED.equals(stream.assessment().outcome())) {
      assessment = stream.assessment();
      hasEnded = true;
      return false;
    }
    id = stream.id();
    reader = new AheadReader(source, pieces);
    return true;
  }

  /** Says that nothing follows. What the source threw is thrown next. */
  private String end() {
    fault = reader.fault();
    reader.close();
    String released = "";
    try {
      released = finish(fault == null ? null : ONCE);
    } catch (SvcException err) {
      if (fault == null || err instanceof InterruptedCallException) throw err;
    }
    hasEnded = true;
    return released;
  }

  private String finish(CallOptions options) {
    rest();
    StreamChunkResult last = send(StreamChunk.builder().seq(seq).final_(true).build(), options);
    assessment = last.assessment();
    return last.released();
  }

  private StreamChunkResult send(StreamChunk chunk, CallOptions options) {
    StreamChunkResult result = streams.appendChunk(id, chunk, options);
    nextSendAt = System.nanoTime() + CHUNK_INTERVAL_NS;
    seq++;
    return result;
  }

  /** Until the next chunk may be sent. */
  private void rest() {
    try {
      TimeUnit.NANOSECONDS.sleep(nextSendAt - System.nanoTime());
    } catch (InterruptedException err) {
      throw InterruptedCallException.of(err);
    }
  }

  private final class Released implements Iterator<String> {
    private String next;

    @Override
    public boolean hasNext() {
      while (next == null) {
        String text = advance();
        if (text == null) return false;
        if (!text.isEmpty()) next = text;
      }
      return true;
    }

    @Override
    public String next() {
      if (!hasNext()) throw new NoSuchElementException();
      String text = next;
      next = null;
      return text;
    }
  }
}
