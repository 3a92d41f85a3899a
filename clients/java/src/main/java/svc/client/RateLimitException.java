package svc.client;

/**
 * 429 {@code rate_limited}, after all retries, or with a wait that is too long: see {@link
 * #retryAfter}.
 */
public final class RateLimitException extends ApiException {
  private static final long serialVersionUID = 1;

  RateLimitException(Refusal refusal) {
    super(refusal);
  }
}
