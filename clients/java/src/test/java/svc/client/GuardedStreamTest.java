package svc.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import svc.client.types.StreamInference;

@Timeout(20)
class GuardedStreamTest {
  private static final StreamInference QUESTION = StreamInference.builder().input("Hi").build();
  private static final String ALLOWED = "{\"id\":\"asm_1\",\"outcome\":\"allowed\"}";

  @Test
  void iteratorsAndStreamsAreSourcesToo() {
    try (LocalServer server = echo()) {
      Svc svc = server.client().build();
      AtomicBoolean isClosed = new AtomicBoolean();
      Stream<String> source = Stream.of("a", "b").onClose(() -> isClosed.set(true));
      try (GuardedStream stream = svc.guardStream(source, QUESTION)) {
        assertNull(stream.outcome());
        assertEquals("ab", String.join("", stream));
        assertEquals("allowed", stream.outcome());
        assertEquals("asm_1", stream.assessment().id());
        assertThrows(IllegalStateException.class, stream::iterator);
      }
      assertTrue(isClosed.get());
      try (GuardedStream stream = svc.guardStream(List.of("c").iterator(), QUESTION)) {
        assertEquals("c", String.join("", stream));
      }
    }
  }

  @Test
  void aPieceThatIsNullHasNoText() {
    try (LocalServer server = echo();
        GuardedStream stream =
            server.client().build().guardStream(Arrays.asList("a ", null, "b"), QUESTION)) {
      assertEquals("a b", String.join("", stream));
    }
  }

  @Test
  void aSourceIsClosedAlsoWhereTheStreamNeverBegan() {
    AtomicBoolean isClosed = new AtomicBoolean();
    Stream<String> source = Stream.of("a").onClose(() -> isClosed.set(true));
    try (LocalServer server = echo()) {
      server.client().build().guardStream(source, QUESTION).close();
      assertTrue(isClosed.get());
      assertEquals(List.of(), server.seen);
    }
  }

  @Test
  void aSourceOrInferenceThatIsMissingIsToldAtOnce() {
    Svc svc = Svc.builder().apiKey("svc_live_test").build();
    assertThrows(SvcException.class, () -> svc.guardStream((List<String>) null, QUESTION));
    assertThrows(SvcException.class, () -> svc.guardStream(List.of("a"), null));
  }

  @Test
  void closingEarlyStopsTheReaderAndRecordsTheStream() throws Exception {
    BlockingQueue<String> model = new LinkedBlockingQueue<>(List.of("a"));
    CountDownLatch isInterrupted = new CountDownLatch(1);
    List<Thread> readers = new ArrayList<>();
    Iterator<String> source =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public String next() {
            readers.add(Thread.currentThread());
            try {
              return model.take();
            } catch (InterruptedException err) {
              isInterrupted.countDown();
              throw new IllegalStateException(err);
            }
          }
        };
    try (LocalServer server = echo()) {
      try (GuardedStream stream = server.client().build().guardStream(source, QUESTION)) {
        assertEquals("a", stream.iterator().next());
      }
      assertTrue(isInterrupted.await(10, TimeUnit.SECONDS));
      Thread reader = readers.get(0);
      assertTrue(reader.isDaemon());
      reader.join(10_000);
      assertFalse(reader.isAlive());
      assertTrue(server.seen.get(server.seen.size() - 1).body().contains("\"final\":true"));
    }
  }

  @Test
  void interruptionEndsTheWaitForTheModel() throws Exception {
    CountDownLatch isRead = new CountDownLatch(1);
    Iterable<String> source =
        () ->
            Stream.generate(
                    () -> {
                      isRead.countDown();
                      try {
                        Thread.sleep(3_600_000);
                      } catch (InterruptedException err) {
                        Thread.currentThread().interrupt();
                      }
                      return "late";
                    })
                .iterator();
    try (LocalServer server = echo()) {
      Thread consumer = Thread.currentThread();
      Thread interrupter =
          new Thread(
              () -> {
                try {
                  isRead.await();
                } catch (InterruptedException err) {
                  return;
                }
                consumer.interrupt();
              });
      interrupter.start();
      try (GuardedStream stream = server.client().build().guardStream(source, QUESTION)) {
        assertThrows(InterruptedCallException.class, () -> stream.iterator().hasNext());
        assertTrue(Thread.currentThread().isInterrupted());
      }
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void whatTheSourceThrowsIsThrownAsItIs() {
    IOException fault = new IOException("The model went away.");
    Iterable<String> source =
        () ->
            Stream.of("a", "b")
                .peek(
                    text -> {
                      if (text.equals("b")) throw AheadReader.<RuntimeException>asItIs(fault);
                    })
                .iterator();
    try (LocalServer server = echo();
        GuardedStream stream = server.client().build().guardStream(source, QUESTION)) {
      Iterator<String> released = stream.iterator();
      assertEquals("a", released.next());
      assertSame(fault, assertThrows(IOException.class, released::hasNext));
      assertFalse(released.hasNext());
    }
  }

  /** Releases each chunk as it comes. */
  private static LocalServer echo() {
    return new LocalServer(
        (exchange, body) -> {
          JsonNode sent = Json.MAPPER.readTree(body);
          if (!sent.has("seq")) {
            LocalServer.json(exchange, 200, "{\"id\":\"str_1\",\"assessment\":" + ALLOWED + "}");
            return;
          }
          String delta = sent.path("delta").asText("");
          String assessment = sent.path("final").asBoolean() ? ALLOWED : "null";
          LocalServer.json(
              exchange,
              200,
              "{\"released\":\""
                  + delta
                  + "\",\"outcome\":\"allowed\",\"assessment\":"
                  + assessment
                  + "}");
        });
  }
}
