// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.types;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * {@code Judge} in an answer or request.
 *
 * @param version From 1, one more with each change. In the coverage and the findings of assessments.
 * @param hasApiKey Whether a key is stored. The key itself is never answered.
 * @param instructions May be {@code null}.
 * @param createdAt When it was made.
 * @param updatedAt When it was last changed.
 */
public record Judge(
    String id,
    long version,
    String name,
    String kind,
    String url,
    String model,
    @JsonProperty("has_api_key") boolean hasApiKey,
    @JsonProperty("timeout_ms") long timeoutMs,
    @JsonInclude(JsonInclude.Include.ALWAYS) String instructions,
    @JsonProperty("created_at") String createdAt,
    @JsonProperty("updated_at") String updatedAt) {
  /** Values of {@code kind}. A later service may have others. */
  public static final class Kind {
    /** {@code chat}. */
    public static final String CHAT = "chat";
    /** {@code gpt_oss_safeguard}. */
    public static final String GPT_OSS_SAFEGUARD = "gpt_oss_safeguard";
    /** {@code llama_guard}. */
    public static final String LLAMA_GUARD = "llama_guard";

    private Kind() {}
  }
}
