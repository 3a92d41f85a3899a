package svc.client;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A signed note (c2sp.org/signed-note) that holds a checkpoint (c2sp.org/tlog-checkpoint). */
record SignedNote(
    String note,
    String text,
    List<NoteSignature> signatures,
    String origin,
    long size,
    String root) {
  private static final int HASH_BYTES = 32;
  private static final byte ED25519 = 1;
  private static final int SIGNATURE_BYTES = 64;
  private static final int NOTE_CHARS_MAX = 1_000_000;
  private static final int SIGNATURES_MAX = 100;

  /** The largest that every language counts exactly. */
  private static final long SIZE_MAX = (1L << 53) - 1;

  /** DER around the 32 bytes of a key (RFC 8410). */
  private static final byte[] SPKI = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final Pattern KEY =
      Pattern.compile("([^+\\s]+)\\+([0-9a-f]{8})\\+([A-Za-z0-9+/]{44})");
  private static final Pattern SIGNATURE_LINE = Pattern.compile("— ([^\\s+]+) (\\S+)");
  private static final Pattern FORBIDDEN = Pattern.compile("[\\x00-\\x09\\x0b-\\x1f]");
  private static final Pattern SIZE = Pattern.compile("0|[1-9][0-9]{0,15}");
  private static final Pattern EPOCH = Pattern.compile("/(?:[2-9]|[1-9][0-9]{1,8})-[0-9a-f]{8}$");

  /** Of a line: who, and the bytes after the id of the key. */
  record NoteSignature(String name, String keyId, byte[] bytes) {}

  /** Who signs, as he is given out: {@code name+id+base64}. */
  record VerifierKey(String name, String keyId, byte[] publicKey) {}

  /** Throws a CheckpointException for what is not a checkpoint. Does not look at who signed. */
  static SignedNote parse(String note) {
    int end = note.lastIndexOf("\n\n");
    boolean isNote =
        note.length() <= NOTE_CHARS_MAX
            && end >= 0
            && end + 2 < note.length()
            && note.endsWith("\n");
    if (!isNote) throw malformed();
    String text = note.substring(0, end + 1);
    if (FORBIDDEN.matcher(text).find()) throw malformed();
    String[] lines = text.split("\n", -1);
    String[] extensions =
        Arrays.copyOfRange(lines, Math.min(3, lines.length), Math.max(3, lines.length - 1));
    // Three lines at least, and no extension is empty.
    if (lines.length < 4 || lines[0].isEmpty() || Arrays.asList(extensions).contains(""))
      throw malformed();
    if (!SIZE.matcher(lines[1]).matches()
        || Long.parseLong(lines[1]) > SIZE_MAX
        || hashOf(lines[2]) == null) {
      throw malformed();
    }
    List<NoteSignature> signatures = signaturesOf(note.substring(end + 2, note.length() - 1));
    return new SignedNote(note, text, signatures, lines[0], Long.parseLong(lines[1]), lines[2]);
  }

  /** Throws unless a key of its log has signed. A key counts for all origins of its log. */
  void requireSignedBy(List<String> keys) {
    Map<String, byte[]> known = keysFor(keys);
    boolean isSigned = false;
    for (NoteSignature signature : signatures) {
      byte[] publicKey = signature.name().equals(origin) ? known.get(signature.keyId()) : null;
      if (publicKey == null) continue;
      if (!isSignedBy(publicKey, signature.bytes())) {
        throw new CheckpointException(
            "signature_mismatch",
            "The signature of "
                + origin
                + " by key "
                + signature.keyId()
                + " is not of this checkpoint.");
      }
      isSigned = true;
    }
    if (!isSigned) {
      throw new CheckpointException(
          CheckpointException.Rule.UNKNOWN_KEY,
          "No key that is trusted has signed the checkpoint of "
              + origin
              + ". Was the key exchanged?");
    }
  }

  /** {@code <log>/<epoch>-<8 hex digits>} is the log, begun anew. */
  static String logOf(String origin) {
    return EPOCH.matcher(origin).replaceFirst("");
  }

  /** {@code null} for what is not the verifier key of an Ed25519 key. Its id is not checked. */
  static VerifierKey keyOf(String text) {
    Matcher match = KEY.matcher(text);
    if (!match.matches()) return null;
    byte[] bytes = Base64.getDecoder().decode(match.group(3));
    if (bytes.length != HASH_BYTES + 1 || bytes[0] != ED25519) return null;
    return new VerifierKey(
        match.group(1), match.group(2), Arrays.copyOfRange(bytes, 1, bytes.length));
  }

  /** 32 bytes; {@code null} for what is not their base64, of which there is one only. */
  static byte[] hashOf(String base64) {
    byte[] bytes = bytesOf(base64);
    return bytes != null && bytes.length == HASH_BYTES ? bytes : null;
  }

  static byte[] sha256(byte[]... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (byte[] part : parts) digest.update(part);
      return digest.digest();
    } catch (NoSuchAlgorithmException err) {
      throw new SvcException("This platform has no SHA-256.", err);
    }
  }

  /** Public keys by the id that they sign under as this origin. */
  private Map<String, byte[]> keysFor(List<String> keys) {
    Map<String, byte[]> found = new HashMap<>();
    for (String text : keys) {
      VerifierKey key = keyOf(text);
      if (key == null || !keyIdOf(key.name(), key.publicKey()).equals(key.keyId())) {
        throw new CheckpointException(
            "malformed", "Not a verifier key, or cut or changed: " + text);
      }
      if (logOf(key.name()).equals(logOf(origin)))
        found.put(keyIdOf(origin, key.publicKey()), key.publicKey());
    }
    return found;
  }

  private boolean isSignedBy(byte[] publicKey, byte[] bytes) {
    if (bytes.length != SIGNATURE_BYTES) return false;
    Signature verifier;
    try {
      verifier = Signature.getInstance("Ed25519");
    } catch (NoSuchAlgorithmException err) {
      throw new SvcException("This platform cannot check Ed25519 signatures.", err);
    }
    try {
      byte[] der = Arrays.copyOf(SPKI, SPKI.length + publicKey.length);
      System.arraycopy(publicKey, 0, der, SPKI.length, publicKey.length);
      PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
      verifier.initVerify(key);
      verifier.update(text.getBytes(StandardCharsets.UTF_8));
      return verifier.verify(bytes);
    } catch (GeneralSecurityException err) {
      return false;
    }
  }

  static String keyIdOf(String name, byte[] publicKey) {
    byte[] hash =
        sha256((name + "\n").getBytes(StandardCharsets.UTF_8), new byte[] {ED25519}, publicKey);
    return HexFormat.of().formatHex(hash, 0, 4);
  }

  private static List<NoteSignature> signaturesOf(String block) {
    String[] lines = block.split("\n", -1);
    if (lines.length > SIGNATURES_MAX) throw malformed();
    List<NoteSignature> signatures = new ArrayList<>();
    for (String line : lines) {
      Matcher match = SIGNATURE_LINE.matcher(line);
      byte[] bytes = match.matches() ? bytesOf(match.group(2)) : null;
      if (bytes == null || bytes.length <= 4) throw malformed();
      String keyId = HexFormat.of().formatHex(bytes, 0, 4);
      signatures.add(
          new NoteSignature(match.group(1), keyId, Arrays.copyOfRange(bytes, 4, bytes.length)));
    }
    return signatures;
  }

  private static byte[] bytesOf(String base64) {
    try {
      byte[] bytes = Base64.getDecoder().decode(base64);
      return Base64.getEncoder().encodeToString(bytes).equals(base64) ? bytes : null;
    } catch (IllegalArgumentException err) {
      return null;
    }
  }

  private static CheckpointException malformed() {
    return new CheckpointException(
        "malformed",
        "It is not a checkpoint: origin, size and root, an empty line, and signatures.");
  }
}
