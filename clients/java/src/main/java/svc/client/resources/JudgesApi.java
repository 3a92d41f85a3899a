// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.CreateJudge;
import svc.client.types.Judge;
import svc.client.types.JudgesListQuery;
import svc.client.types.PatchJudge;

/** Models outside that policies ask for their opinion. Safe for use by many threads. */
public final class JudgesApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public JudgesApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Create a judge. A model behind an OpenAI-compatible API. It is asked about inferences once a policy names
   * it, and sent nothing before. At most 20. Needs {@code admin:*}.
   */
  public Judge create(CreateJudge body) {
    return create(body, null);
  }

  /**
   * Create a judge. A model behind an OpenAI-compatible API. It is asked about inferences once a policy names
   * it, and sent nothing before. At most 20. Needs {@code admin:*}. {@code options}: {@code null} for those
   * of the client.
   */
  public Judge create(CreateJudge body, CallOptions options) {
    return transport.json(Call.of("POST", "/v1/judges").body(body).takesKey(), Judge.class, options);
  }

  /** List judges. Newest first. Needs {@code admin:*}. */
  public Pages<Judge> list() {
    return list(null, null);
  }

  /** List judges. Newest first. Needs {@code admin:*}. */
  public Pages<Judge> list(JudgesListQuery query) {
    return list(query, null);
  }

  /**
   * List judges. Newest first. Needs {@code admin:*}. {@code query}: {@code null} for none. {@code options}:
   * {@code null} for those of the client.
   */
  public Pages<Judge> list(JudgesListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/judges").query(query), Judge.class, options);
  }

  /** Read a judge. Needs {@code admin:*}. */
  public Judge get(String judgeId) {
    return get(judgeId, null);
  }

  /** Read a judge. Needs {@code admin:*}. {@code options}: {@code null} for those of the client. */
  public Judge get(String judgeId, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/judges/" + Call.segment(judgeId)), Judge.class, options);
  }

  /**
   * Change a judge. What is absent stays as it is, but for the key: with another url it is dropped unless
   * another one comes with it. In force on every node within a second. Needs {@code admin:*}.
   */
  public Judge update(String judgeId, PatchJudge body) {
    return update(judgeId, body, null);
  }

  /**
   * Change a judge. What is absent stays as it is, but for the key: with another url it is dropped unless
   * another one comes with it. In force on every node within a second. Needs {@code admin:*}. {@code
   * options}: {@code null} for those of the client.
   */
  public Judge update(String judgeId, PatchJudge body, CallOptions options) {
    return transport.json(
        Call.of("PATCH", "/v1/judges/" + Call.segment(judgeId))
            .body(body),
        Judge.class, options);
  }

  /** Delete a judge and its key. Refused while the policy in force names it. Needs {@code admin:*}. */
  public Judge delete(String judgeId) {
    return delete(judgeId, null);
  }

  /**
   * Delete a judge and its key. Refused while the policy in force names it. Needs {@code admin:*}. {@code
   * options}: {@code null} for those of the client.
   */
  public Judge delete(String judgeId, CallOptions options) {
    return transport.json(Call.of("DELETE", "/v1/judges/" + Call.segment(judgeId)), Judge.class, options);
  }
}
