package svc.client;

import java.io.IOException;

/** Where a {@link CheckpointMemory} keeps one text. */
public interface CheckpointStore {
  /** What was saved last; {@code null}: nothing yet. */
  String load() throws IOException;

  /** Replaces it as a whole. */
  void save(String text) throws IOException;

  /** For as long as the process runs. */
  static CheckpointStore inMemory() {
    return new CheckpointStore() {
      private volatile String text;

      @Override
      public String load() {
        return text;
      }

      @Override
      public void save(String next) {
        text = next;
      }
    };
  }
}
