package svc.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import svc.client.types.EventProof;

/**
 * What a proof shows, once it is checked.
 *
 * @param checkpoint of the log: the event is its leaf {@code sequence} − 1.
 * @param eventId of the event.
 * @param sequence its place, from 1.
 * @param envelope what the log holds of the event. What it commits to without telling is in {@code
 *     disclosed}.
 * @param disclosed by name: {@code subject}, {@code data}, …; only what the proof brought along.
 */
public record ProvedEvent(
    Checkpoint checkpoint,
    String eventId,
    long sequence,
    JsonNode envelope,
    Map<String, JsonNode> disclosed) {
  /** Keeps a copy of the map that does not change. */
  public ProvedEvent {
    disclosed = Map.copyOf(disclosed);
  }

  /**
   * Checks the answer of {@code audit().proveEvent(…)}: the envelope is the leaf, the leaf is in
   * the tree, the tree is signed by one of {@code keys} (lines of {@code GET /v1/audit/keys}, got
   * by a way that you trust), and what is disclosed is what the leaf commits to. Throws a {@link
   * CheckpointException}. It does not show that others see the same log: that is what a {@link
   * CheckpointMemory} is for.
   */
  public static ProvedEvent verify(EventProof proof, Collection<String> keys) {
    SignedNote note = SignedNote.parse(proof.checkpoint());
    note.requireSignedBy(List.copyOf(keys));
    byte[] envelope = proof.envelope().getBytes(StandardCharsets.UTF_8);
    byte[] leaf = SignedNote.sha256(new byte[] {0}, envelope);
    boolean isIncluded =
        proof.treeSize() == note.size()
            && note.root().equals(proof.root())
            && base64(leaf).equals(proof.leafHash())
            && isIncluded(leaf, proof.leafIndex(), note, proof.hashes());
    if (!isIncluded) {
      throw new CheckpointException(
          CheckpointException.Rule.NOT_INCLUDED,
          "The proof does not lead from the envelope to the root that was signed.");
    }
    JsonNode told = jsonOf(proof.envelope());
    boolean isOfEvent =
        told.isObject()
            && told.path("id").asText().equals(proof.eventId())
            && told.path("sequence").asLong() == proof.leafIndex() + 1
            && proof.sequence() == proof.leafIndex() + 1;
    if (!isOfEvent) {
      throw new CheckpointException(
          CheckpointException.Rule.MALFORMED,
          "The envelope is of another event than it is said to be.");
    }
    Checkpoint checkpoint =
        new Checkpoint(note.origin(), note.size(), note.root(), note.note(), false);
    return new ProvedEvent(
        checkpoint,
        proof.eventId(),
        proof.sequence(),
        told,
        disclosedOf(proof.disclosures(), told.path("private")));
  }

  /** RFC 9162 §2.1.3.2. */
  private static boolean isIncluded(
      byte[] leaf, long index, SignedNote note, List<String> hashes) {
    if (index < 0 || index >= note.size() || hashes == null) return false;
    long node = index;
    long last = note.size() - 1;
    byte[] hash = leaf;
    for (String text : hashes) {
      byte[] sibling = text == null ? null : SignedNote.hashOf(text);
      if (sibling == null || last == 0) return false;
      if ((node & 1) == 1 || node == last) {
        hash = SignedNote.sha256(new byte[] {1}, sibling, hash);
        while ((node & 1) == 0 && node != 0) {
          node >>= 1;
          last >>= 1;
        }
      } else {
        hash = SignedNote.sha256(new byte[] {1}, hash, sibling);
      }
      node >>= 1;
      last >>= 1;
    }
    return last == 0 && Arrays.equals(hash, SignedNote.hashOf(note.root()));
  }

  private static Map<String, JsonNode> disclosedOf(List<String> disclosures, JsonNode digests) {
    Set<String> left = new HashSet<>();
    digests.forEach(digest -> left.add(digest.asText()));
    Map<String, JsonNode> disclosed = new LinkedHashMap<>();
    for (String text : disclosures) {
      JsonNode parts = jsonOf(text);
      boolean isCommitted =
          left.remove(base64(SignedNote.sha256(text.getBytes(StandardCharsets.UTF_8))));
      boolean isWhole = parts.isArray() && parts.size() == 3 && parts.path(1).isTextual();
      if (!isCommitted || !isWhole || disclosed.containsKey(parts.path(1).textValue())) {
        throw new CheckpointException(
            CheckpointException.Rule.DISCLOSURE_MISMATCH,
            "What is disclosed is not what the log commits to.");
      }
      disclosed.put(parts.path(1).textValue(), parts.path(2));
    }
    return disclosed;
  }

  private static JsonNode jsonOf(String text) {
    try {
      return Json.MAPPER.readTree(text);
    } catch (IOException err) {
      return Json.MAPPER.missingNode();
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
