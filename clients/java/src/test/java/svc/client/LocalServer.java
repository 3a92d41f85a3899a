package svc.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server over real HTTP that answers as a test wants. */
final class LocalServer implements AutoCloseable {
  /** What answers a request. */
  interface Answering {
    void to(HttpExchange exchange, String body) throws Exception;
  }

  /** A request as it came. */
  record Seen(String method, String target, String body, String userAgent) {}

  final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  LocalServer(Answering answering) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException err) {
      throw new UncheckedIOException(err);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, answering));
    server.start();
  }

  String baseUrl() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  Svc.Builder client() {
    return Svc.builder().apiKey("svc_live_test").baseUrl(baseUrl());
  }

  static void json(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private void answer(HttpExchange exchange, Answering answering) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String agent = exchange.getRequestHeaders().getFirst("User-Agent");
    seen.add(
        new Seen(exchange.getRequestMethod(), exchange.getRequestURI().toString(), body, agent));
    try {
      answering.to(exchange, body);
    } catch (Exception err) {
      // The client went away, or the test is over.
    } finally {
      exchange.close();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
