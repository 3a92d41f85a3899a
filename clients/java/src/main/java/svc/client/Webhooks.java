package svc.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import svc.client.types.Event;

/**
 * Checks that deliveries came from the service, unchanged, and now. No network.
 *
 * <p>Headers are a map of whatever case, to a text or to a list of texts: {@code HttpHeaders.map()}
 * and that of {@code com.sun.net.httpserver.Headers} will do. The body is the raw one, not parsed
 * and written anew.
 */
public final class Webhooks {
  /** How far the time of a delivery may be from now. */
  public static final Duration TOLERANCE = Duration.ofSeconds(300);

  private static final String PREFIX = "whsec_";
  private static final int SECRET_BYTES_MIN = 16;
  private static final int MAC_BYTES = 32;
  private static final Pattern SIGNATURE_256 = Pattern.compile("sha256=[0-9a-f]{64}");
  private static final Pattern BASE64 =
      Pattern.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");

  private Webhooks() {}

  /**
   * Checks a delivery by Standard Webhooks 1.0 ({@code webhook-id}, {@code webhook-timestamp},
   * {@code webhook-signature}), which is safe against replays that are older than {@link
   * #TOLERANCE}, and returns the event. Keep the event's id: a delivery may come more than once.
   * Throws a {@link WebhookVerificationException}. {@code secret}: {@code whsec_…}.
   */
  public static Event verify(Map<String, ?> headers, byte[] body, String secret) {
    return verify(headers, body, listOf(secret));
  }

  /** As {@link #verify(Map, byte[], String)}; {@code secrets}: both during a rotation. */
  public static Event verify(Map<String, ?> headers, byte[] body, Collection<String> secrets) {
    return verify(headers, body, secrets, TOLERANCE, Clock.systemUTC());
  }

  /** As {@link #verify(Map, byte[], Collection)}, with another tolerance or clock. */
  public static Event verify(
      Map<String, ?> headers,
      byte[] body,
      Collection<String> secrets,
      Duration tolerance,
      Clock clock) {
    if (tolerance == null || tolerance.isNegative())
      throw new SvcException("tolerance must not be negative.");
    String id = headerOf(headers, "webhook-id");
    String timestamp = headerOf(headers, "webhook-timestamp");
    String signatures = headerOf(headers, "webhook-signature");
    if (id == null || timestamp == null || signatures == null) {
      throw broken(
          "signature_missing",
          "The headers webhook-id, webhook-timestamp and webhook-signature are needed.");
    }
    List<byte[]> keys = keysOf(secrets);
    checkTime(timestamp, tolerance, clock);
    // Signatures of versions to come stand beside those that are known.
    List<byte[]> macs =
        Stream.of(signatures.split(" "))
            .filter(signature -> signature.startsWith("v1,"))
            .map(signature -> base64Bytes(signature.substring("v1,".length())))
            .filter(mac -> mac != null && mac.length == MAC_BYTES)
            .toList();
    if (macs.isEmpty()) {
      throw broken(
          "signature_malformed", "webhook-signature must be v1, and the base64 of 32 bytes.");
    }
    requireMatch(keys, macs, (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), body);
    return eventOf(body);
  }

  /**
   * Checks {@code X-Svc-Signature-256}, as verifiers of GitHub's webhooks do, and returns the
   * event. It does not cover the time, so whoever has seen a delivery can send it again: prefer
   * {@link #verify(Map, byte[], String)}. Throws a {@link WebhookVerificationException}.
   */
  public static Event verifySignature256(Map<String, ?> headers, byte[] body, String secret) {
    return verifySignature256(headers, body, listOf(secret));
  }

  /**
   * As {@link #verifySignature256(Map, byte[], String)}; {@code secrets}: both during a rotation.
   */
  public static Event verifySignature256(
      Map<String, ?> headers, byte[] body, Collection<String> secrets) {
    List<String> given =
        Stream.of("x-svc-signature-256", "x-svc-signature-256-next")
            .map(name -> headerOf(headers, name))
            .filter(Objects::nonNull)
            .toList();
    if (given.isEmpty())
      throw broken("signature_missing", "The header X-Svc-Signature-256 is needed.");
    // One that holds no key was not copied whole.
    keysOf(secrets);
    List<byte[]> macs =
        given.stream()
            .filter(signature -> SIGNATURE_256.matcher(signature).matches())
            .map(signature -> HexFormat.of().parseHex(signature.substring("sha256=".length())))
            .toList();
    if (macs.isEmpty()) {
      throw broken(
          "signature_malformed", "X-Svc-Signature-256 must be sha256= and 64 hexadecimal digits.");
    }
    // The key is the secret as text.
    List<byte[]> keys =
        secrets.stream().map(secret -> secret.getBytes(StandardCharsets.UTF_8)).toList();
    requireMatch(keys, macs, new byte[0], body);
    return eventOf(body);
  }

  /** In whole seconds, as the timestamp is. */
  private static void checkTime(String timestamp, Duration tolerance, Clock clock) {
    if (!timestamp.matches("[0-9]{1,12}")) {
      throw broken("timestamp_malformed", "webhook-timestamp must be a Unix time in seconds.");
    }
    long ageS = clock.instant().getEpochSecond() - Long.parseLong(timestamp);
    if (ageS > tolerance.toSeconds()) {
      throw broken(
          "timestamp_too_old",
          "The delivery is " + ageS + " s old; " + tolerance.toSeconds() + " s are accepted.");
    }
    if (-ageS > tolerance.toSeconds()) {
      throw broken(
          "timestamp_too_new",
          "The delivery is from "
              + -ageS
              + " s in the future. Is the clock of this machine right?");
    }
  }

  private static void requireMatch(
      List<byte[]> keys, List<byte[]> macs, byte[] before, byte[] body) {
    for (byte[] key : keys) {
      byte[] expected = hmac(key, before, body);
      // In constant time.
      for (byte[] mac : macs) if (MessageDigest.isEqual(expected, mac)) return;
    }
    throw broken(
        "signature_mismatch",
        "No signature is of this body under this secret. Is the body the raw one, and the secret"
            + " that of this webhook?");
  }

  private static byte[] hmac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      for (byte[] part : parts) if (part != null) mac.update(part);
      return mac.doFinal();
    } catch (GeneralSecurityException err) {
      throw new SvcException("This platform has no HMAC with SHA-256.", err);
    }
  }

  /** The bytes behind {@code whsec_}. */
  private static List<byte[]> keysOf(Collection<String> secrets) {
    if (secrets == null) throw secretMalformed();
    List<byte[]> keys = new ArrayList<>();
    for (String secret : secrets) {
      boolean isPrefixed = secret != null && secret.startsWith(PREFIX);
      byte[] key = isPrefixed ? base64Bytes(secret.substring(PREFIX.length())) : null;
      if (key == null || key.length < SECRET_BYTES_MIN) throw secretMalformed();
      keys.add(key);
    }
    if (keys.isEmpty()) throw secretMalformed();
    return keys;
  }

  private static WebhookVerificationException secretMalformed() {
    return broken(
        "secret_malformed",
        "A secret is whsec_ and the base64 of a key. It is shown once, when the webhook is made.");
  }

  private static Event eventOf(byte[] body) {
    if (body == null) throw broken("body_malformed", "There is no body.");
    try {
      return Json.readExactly(body, Event.class);
    } catch (IOException err) {
      throw broken("body_malformed", "The body is signed, but is not the JSON of an event.");
    }
  }

  /** {@code null}: it is missing, or empty. */
  private static String headerOf(Map<String, ?> headers, String name) {
    if (headers == null) return null;
    for (Map.Entry<String, ?> entry : headers.entrySet()) {
      if (!name.equalsIgnoreCase(entry.getKey())) continue;
      Object value = entry.getValue();
      if (value instanceof Collection<?> all) value = all.isEmpty() ? null : all.iterator().next();
      String text = value == null ? "" : value.toString();
      if (!text.isEmpty()) return text;
    }
    return null;
  }

  /** {@code null} for what is not base64 with its padding. */
  private static byte[] base64Bytes(String text) {
    return BASE64.matcher(text).matches() ? Base64.getDecoder().decode(text) : null;
  }

  private static List<String> listOf(String secret) {
    return secret == null ? List.of() : List.of(secret);
  }

  private static WebhookVerificationException broken(String rule, String message) {
    return new WebhookVerificationException(rule, message);
  }
}
