package svc.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps a checkpoint memory in a file of its owner alone (mode 0600, where there are modes),
 * replaced as a whole: a crash leaves the old text or the new one.
 */
public final class FileCheckpointStore implements CheckpointStore {
  private final Path path;

  /** {@code path}: of the file, in a folder that exists. */
  public FileCheckpointStore(Path path) {
    this.path = path.toAbsolutePath();
  }

  @Override
  public String load() throws IOException {
    try {
      return Files.readString(path);
    } catch (NoSuchFileException err) {
      return null;
    }
  }

  @Override
  public void save(String text) throws IOException {
    // Beside it: a file is moved in one piece only within its file system.
    Path next = path.resolveSibling(path.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      write(next, text);
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private static void write(Path file, String text) throws IOException {
    boolean hasModes = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] owner =
        hasModes
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    Set<StandardOpenOption> how = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (FileChannel out = FileChannel.open(file, how, owner)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) out.write(bytes);
      out.force(true);
    }
  }
}
