package svc.client;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import svc.client.types.AuditKeys;
import svc.client.types.AuditProveConsistencyQuery;

/**
 * Remembers the last checkpoint of the trail that was seen, and demands that the next grew out of
 * it. A service that lies can show you one history and somebody else another. It cannot show you
 * one that goes on from what you hold: so check now and then, with the same store. Safe for use by
 * many threads: one check at a time.
 */
public final class CheckpointMemory {
  private final CheckpointStore store;
  private final List<String> keys;

  /**
   * Trusts the keys that the service has when it is first checked, from then on. That does not
   * protect from a service that lied that first time: rather bring keys.
   */
  public CheckpointMemory(CheckpointStore store) {
    this(store, null);
  }

  /**
   * {@code keys}: lines of {@code GET /v1/audit/keys} that you got by a way that you trust; empty
   * ones do not count. {@code null}: as {@link #CheckpointMemory(CheckpointStore)}. Throws a {@link
   * SvcException} for a key that is none, and where there is none: an empty file must not come to
   * trust whoever answers.
   */
  public CheckpointMemory(CheckpointStore store, Collection<String> keys) {
    this.store = store;
    this.keys = keys == null ? null : trimmed(keys);
    if (this.keys == null) return;
    if (this.keys.isEmpty()) {
      throw new SvcException(
          "keys is empty. Leave it out to trust those of the service at its first check.");
    }
    for (String key : this.keys) {
      SignedNote.VerifierKey parts = SignedNote.keyOf(key);
      if (parts == null) {
        throw new SvcException(
            "Not a verifier key: " + key + ". It is <name>+<8 hex digits>+<base64>.");
      }
      if (!SignedNote.keyIdOf(parts.name(), parts.publicKey()).equals(parts.keyId())) {
        throw new SvcException(
            "The id of the verifier key " + key + " is not of its name and bytes: was it cut?");
      }
    }
  }

  private static List<String> trimmed(Collection<String> keys) {
    return keys.stream().map(key -> key == null ? "null" : key.trim()).filter(key -> !key.isEmpty()).toList();
  }

  /**
   * Reads the latest checkpoint, holds it against the one that is remembered, and remembers it.
   * Throws a {@link CheckpointException}, what a request failed with, or a {@link SvcException}
   * when the store failed; what is remembered then stays as it is.
   */
  public synchronized Checkpoint check(Svc client) {
    Remembered remembered = load();
    List<String> trusted =
        keys != null ? keys : remembered != null ? remembered.keys() : keysInForce(client);
    SignedNote now = SignedNote.parse(client.audit().getCheckpoint());
    now.requireSignedBy(trusted);
    if (remembered != null) requireGrowth(SignedNote.parse(remembered.note()), now, client);
    // Another process may have seen more meanwhile: what is remembered never shrinks.
    Remembered meanwhile = load();
    boolean isBehind = meanwhile != null && SignedNote.parse(meanwhile.note()).size() > now.size();
    if (!isBehind) save(new Remembered(trusted, now.note()));
    return new Checkpoint(now.origin(), now.size(), now.root(), now.note(), remembered == null);
  }

  /** What the store holds: the same in the libraries of all languages. */
  private record Remembered(
      @JsonProperty(required = true) List<String> keys,
      @JsonProperty(required = true) String note) {}

  private Remembered load() {
    String text;
    try {
      text = store.load();
    } catch (IOException err) {
      throw new SvcException("What is remembered cannot be read.", err);
    }
    if (text == null) return null;
    try {
      Remembered remembered =
          Json.readExactly(text.getBytes(StandardCharsets.UTF_8), Remembered.class);
      boolean isWhole =
          remembered.keys() != null && !remembered.keys().isEmpty() && remembered.note() != null;
      if (isWhole
          && remembered.keys().stream()
              .allMatch(key -> key != null && SignedNote.keyOf(key) != null)) {
        return remembered;
      }
    } catch (IOException err) {
      // Told below.
    }
    // To take it for nothing would be to forget what was seen.
    throw new CheckpointException(
        "malformed", "What the store holds is not what a checkpoint memory has written.");
  }

  private void save(Remembered remembered) {
    try {
      store.save(new String(Json.write(remembered), StandardCharsets.UTF_8));
    } catch (IOException err) {
      throw new SvcException("What was seen cannot be remembered.", err);
    }
  }

  /** One that signs no more need not be believed from now on. */
  private static List<String> keysInForce(Svc client) {
    return client.audit().listKeys().keys().stream()
        .filter(key -> !AuditKeys.Status.RETIRED.equals(key.status()))
        .map(AuditKeys.Key::verifierKey)
        .toList();
  }

  private static void requireGrowth(SignedNote before, SignedNote now, Svc client) {
    if (!SignedNote.logOf(before.origin()).equals(SignedNote.logOf(now.origin()))) {
      throw new CheckpointException(
          "origin_changed",
          "The log that was seen is " + before.origin() + "; " + now.origin() + " is another one.");
    }
    if (now.size() < before.size()) {
      throw fault(
          "rollback",
          before,
          now,
          "The log had " + before.size() + " events and has " + now.size() + ".");
    }
    if (now.size() == before.size()) {
      if (now.root().equals(before.root())) return;
      throw fault(
          "fork",
          before,
          now,
          "The log has two histories of " + now.size() + " events, and both are signed.");
    }
    var query = AuditProveConsistencyQuery.builder().from(before.size()).to(now.size()).build();
    List<String> hashes = client.audit().proveConsistency(query).hashes();
    if (!isConsistent(before, now, hashes)) {
      throw fault(
          "inconsistent",
          before,
          now,
          "It is not proved that the log of "
              + now.size()
              + " events begins with the "
              + before.size()
              + " seen.");
    }
  }

  /**
   * After a restore a log has a new name; whether it still holds what was seen is all that counts.
   */
  private static CheckpointException fault(
      String rule, SignedNote before, SignedNote now, String message) {
    if (before.origin().equals(now.origin())) return new CheckpointException(rule, message);
    return new CheckpointException(
        "origin_changed",
        "The log was "
            + before.origin()
            + " and is "
            + now.origin()
            + ", which does not hold what was seen: "
            + message);
  }

  /**
   * RFC 9162 §2.1.4.2: the tree of {@code now}, which is larger, has that of {@code before} as its
   * beginning.
   */
  private static boolean isConsistent(SignedNote before, SignedNote now, List<String> proof) {
    byte[] oldRoot = SignedNote.hashOf(before.root());
    byte[] newRoot = SignedNote.hashOf(now.root());
    List<byte[]> path = new ArrayList<>();
    if (proof == null) return false;
    for (String hash : proof) {
      byte[] bytes = hash == null ? null : SignedNote.hashOf(hash);
      if (bytes == null) return false;
      path.add(bytes);
    }
    if (before.size() == 0) return path.isEmpty() && Arrays.equals(oldRoot, SignedNote.sha256());
    if (Long.bitCount(before.size()) == 1) path.add(0, oldRoot);
    if (path.isEmpty()) return false;
    long node = before.size() - 1;
    long last = now.size() - 1;
    while (isOdd(node)) {
      node >>= 1;
      last >>= 1;
    }
    byte[] oldHash = path.get(0);
    byte[] newHash = path.get(0);
    for (byte[] sibling : path.subList(1, path.size())) {
      if (last == 0) return false;
      if (isOdd(node) || node == last) {
        oldHash = nodeHash(sibling, oldHash);
        newHash = nodeHash(sibling, newHash);
        while (!isOdd(node) && node != 0) {
          node >>= 1;
          last >>= 1;
        }
      } else {
        newHash = nodeHash(newHash, sibling);
      }
      node >>= 1;
      last >>= 1;
    }
    return last == 0 && Arrays.equals(oldHash, oldRoot) && Arrays.equals(newHash, newRoot);
  }

  private static boolean isOdd(long n) {
    return (n & 1) == 1;
  }

  private static byte[] nodeHash(byte[] left, byte[] right) {
    return SignedNote.sha256(new byte[] {1}, left, right);
  }
}
