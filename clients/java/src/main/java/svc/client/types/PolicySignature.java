// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code PolicySignature} in an answer or request.
 *
 * @param keyId The same for as long as the key is the same.
 * @param publicKey Its 32 bytes in Base64. Keep it at first contact, and trust no other.
 * @param value Base64 of the signature over {@code svc-policy-bundle-v1}, a line feed, and the other members
 *     as canonical JSON (RFC 8785).
 */
public record PolicySignature(
    String algorithm,
    @JsonProperty("key_id") String keyId,
    @JsonProperty("public_key") String publicKey,
    String value) {}
