// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.EndedSessions;
import svc.client.types.ExchangeToken;
import svc.client.types.Session;
import svc.client.types.SessionToken;
import svc.client.types.SessionsListQuery;

/** Users and browsers: session tokens, cookies and their end. Safe for use by many threads. */
public final class SessionsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public SessionsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Exchange an ID token of the identity provider for a session token. The organization is the one whose
   * single sign-on names the token’s issuer and client; where several do, {@code X-Svc-Org-Id} says which.
   */
  public SessionToken exchangeToken(ExchangeToken body) {
    return exchangeToken(body, null);
  }

  /**
   * Exchange an ID token of the identity provider for a session token. The organization is the one whose
   * single sign-on names the token’s issuer and client; where several do, {@code X-Svc-Org-Id} says which.
   * {@code options}: {@code null} for those of the client.
   */
  public SessionToken exchangeToken(ExchangeToken body, CallOptions options) {
    return transport.json(Call.of("POST", "/v1/auth/token").body(body), SessionToken.class, options);
  }

  /**
   * End the session of the session token in use. Every token of the session, and the dashboard’s cookie for
   * it, is refused from this answer on.
   */
  public Session endToken() {
    return endToken(null);
  }

  /**
   * End the session of the session token in use. Every token of the session, and the dashboard’s cookie for
   * it, is refused from this answer on. {@code options}: {@code null} for those of the client.
   */
  public Session endToken(CallOptions options) {
    return transport.json(Call.of("DELETE", "/v1/auth/token"), Session.class, options);
  }

  /**
   * Get a new session token before the present one expires. For the same session, until twelve hours after
   * the sign-in. The present token stays good until it expires.
   */
  public SessionToken refreshToken() {
    return refreshToken(null);
  }

  /**
   * Get a new session token before the present one expires. For the same session, until twelve hours after
   * the sign-in. The present token stays good until it expires. {@code options}: {@code null} for those of
   * the client.
   */
  public SessionToken refreshToken(CallOptions options) {
    return transport.json(Call.of("POST", "/v1/auth/token/refresh"), SessionToken.class, options);
  }

  /** List sessions. Newest first, ended ones included. Needs {@code admin:*}. */
  public Pages<Session> list() {
    return list(null, null);
  }

  /** List sessions. Newest first, ended ones included. Needs {@code admin:*}. */
  public Pages<Session> list(SessionsListQuery query) {
    return list(query, null);
  }

  /**
   * List sessions. Newest first, ended ones included. Needs {@code admin:*}. {@code query}: {@code null} for
   * none. {@code options}: {@code null} for those of the client.
   */
  public Pages<Session> list(SessionsListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/sessions").query(query), Session.class, options);
  }

  /**
   * End all sessions of the organization. Its tokens and cookies are refused on every node within a second.
   * API keys stay as they are. Needs {@code admin:*}.
   */
  public EndedSessions endAll() {
    return endAll(null);
  }

  /**
   * End all sessions of the organization. Its tokens and cookies are refused on every node within a second.
   * API keys stay as they are. Needs {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public EndedSessions endAll(CallOptions options) {
    return transport.json(Call.of("DELETE", "/v1/sessions"), EndedSessions.class, options);
  }

  /**
   * End a session. Its tokens and cookies are refused on every node within a second. Ending it again answers
   * the same. Needs {@code admin:*}.
   */
  public Session end(String sessionId) {
    return end(sessionId, null);
  }

  /**
   * End a session. Its tokens and cookies are refused on every node within a second. Ending it again answers
   * the same. Needs {@code admin:*}. {@code options}: {@code null} for those of the client.
   */
  public Session end(String sessionId, CallOptions options) {
    return transport.json(
        Call.of("DELETE", "/v1/sessions/" + Call.segment(sessionId)),
        Session.class, options);
  }
}
