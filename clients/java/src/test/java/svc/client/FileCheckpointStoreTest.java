package svc.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCheckpointStoreTest {
  @TempDir Path folder;

  @Test
  void aFileOfItsOwnerAloneIsReplacedAsAWhole() throws Exception {
    Path path = folder.resolve("held.json");
    FileCheckpointStore store = new FileCheckpointStore(path);
    assertNull(store.load());
    store.save("one");
    store.save("two ✓");
    assertEquals("two ✓", store.load());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(path), files.toList());
    }
  }

  @Test
  void whatCannotBeSavedLeavesTheOldTextAndNothingElse() throws Exception {
    Path path = Files.createDirectory(folder.resolve("held.json"));
    Files.createFile(path.resolve("in-the-way"));
    assertThrows(IOException.class, () -> new FileCheckpointStore(path).save("text"));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(path), files.toList());
    }
  }
}
