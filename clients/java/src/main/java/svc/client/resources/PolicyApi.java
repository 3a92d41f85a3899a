// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.Policy;
import svc.client.types.PolicyDiff;
import svc.client.types.PolicyDiffVersionsQuery;
import svc.client.types.PolicyExceptionState;
import svc.client.types.PolicyLintResult;
import svc.client.types.PolicyListExceptionsQuery;
import svc.client.types.PolicyListVersionsQuery;
import svc.client.types.PolicyShadow;
import svc.client.types.PolicySimulation;
import svc.client.types.PolicyVersion;
import svc.client.types.PolicyVersionSummary;
import svc.client.types.PromotePolicyShadow;
import svc.client.types.PutPolicyShadow;
import svc.client.types.SimulatePolicy;

/** What is detected and what follows from it. Safe for use by many threads. */
public final class PolicyApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public PolicyApi(Transport transport) {
    this.transport = transport;
  }

  /** Read the policy in force. Needs {@code policy:read}. */
  public PolicyVersion get() {
    return get(null);
  }

  /**
   * Read the policy in force. Needs {@code policy:read}. {@code options}: {@code null} for those of the
   * client.
   */
  public PolicyVersion get(CallOptions options) {
    return transport.json(Call.of("GET", "/v1/policy"), PolicyVersion.class, options);
  }

  /**
   * Replace the policy. Stores the document as the next version and puts it in force. With {@code If-Match}
   * only if that version is still the current one. The document in force sent again changes nothing. Needs
   * {@code policy:write}.
   */
  public PolicyVersion put(Policy body) {
    return put(body, null);
  }

  /**
   * Replace the policy. Stores the document as the next version and puts it in force. With {@code If-Match}
   * only if that version is still the current one. The document in force sent again changes nothing. Needs
   * {@code policy:write}. {@code options}: {@code null} for those of the client.
   */
  public PolicyVersion put(Policy body, CallOptions options) {
    return transport.json(Call.of("PUT", "/v1/policy").body(body), PolicyVersion.class, options);
  }

  /** Check a policy without storing it. Needs {@code policy:read}. */
  public PolicyLintResult lint(Policy body) {
    return lint(body, null);
  }

  /**
   * Check a policy without storing it. Needs {@code policy:read}. {@code options}: {@code null} for those of
   * the client.
   */
  public PolicyLintResult lint(Policy body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/policy/lint")
            .body(body)
            .takesKey(),
        PolicyLintResult.class, options);
  }

  /** List the versions of the policy. Needs {@code policy:read}. */
  public Pages<PolicyVersionSummary> listVersions() {
    return listVersions(null, null);
  }

  /** List the versions of the policy. Needs {@code policy:read}. */
  public Pages<PolicyVersionSummary> listVersions(PolicyListVersionsQuery query) {
    return listVersions(query, null);
  }

  /**
   * List the versions of the policy. Needs {@code policy:read}. {@code query}: {@code null} for none. {@code
   * options}: {@code null} for those of the client.
   */
  public Pages<PolicyVersionSummary> listVersions(PolicyListVersionsQuery query, CallOptions options) {
    return new Pages<>(transport,
        Call.of("GET", "/v1/policy/versions")
            .query(query),
        PolicyVersionSummary.class, options);
  }

  /** Read a version of the policy. Needs {@code policy:read}. */
  public PolicyVersion getVersion(String version) {
    return getVersion(version, null);
  }

  /**
   * Read a version of the policy. Needs {@code policy:read}. {@code options}: {@code null} for those of the
   * client.
   */
  public PolicyVersion getVersion(String version, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/policy/versions/" + Call.segment(version)),
        PolicyVersion.class, options);
  }

  /**
   * Make an earlier version the next one. Stores its document as the next version and puts it in force. With
   * {@code If-Match} only if the version that it names is still in force. A document that would not be taken
   * today is refused with its problems; one that is in force changes nothing. Needs {@code policy:write}.
   */
  public PolicyVersion restoreVersion(String version) {
    return restoreVersion(version, null);
  }

  /**
   * Make an earlier version the next one. Stores its document as the next version and puts it in force. With
   * {@code If-Match} only if the version that it names is still in force. A document that would not be taken
   * today is refused with its problems; one that is in force changes nothing. Needs {@code policy:write}.
   * {@code options}: {@code null} for those of the client.
   */
  public PolicyVersion restoreVersion(String version, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/policy/versions/" + Call.segment(version) + "/restore")
            .takesKey(),
        PolicyVersion.class, options);
  }

  /**
   * Compare two versions of the policy. What has to be done to the document of {@code from} to get that of
   * {@code to}. Lists whose entries have an id are compared by it. Needs {@code policy:read}.
   */
  public PolicyDiff diffVersions() {
    return diffVersions(null, null);
  }

  /**
   * Compare two versions of the policy. What has to be done to the document of {@code from} to get that of
   * {@code to}. Lists whose entries have an id are compared by it. Needs {@code policy:read}.
   */
  public PolicyDiff diffVersions(PolicyDiffVersionsQuery query) {
    return diffVersions(query, null);
  }

  /**
   * Compare two versions of the policy. What has to be done to the document of {@code from} to get that of
   * {@code to}. Lists whose entries have an id are compared by it. Needs {@code policy:read}. {@code query}:
   * {@code null} for none. {@code options}: {@code null} for those of the client.
   */
  public PolicyDiff diffVersions(PolicyDiffVersionsQuery query, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/policy/diff").query(query), PolicyDiff.class, options);
  }

  /**
   * Run a candidate beside the policy in force. The candidate decides a sample of assessments too, after the
   * policy in force has decided them, and changes nothing about them. It stands in the place of the candidate
   * before; the same document again goes on with its tally. Needs {@code policy:write}.
   */
  public PolicyShadow putShadow(PutPolicyShadow body) {
    return putShadow(body, null);
  }

  /**
   * Run a candidate beside the policy in force. The candidate decides a sample of assessments too, after the
   * policy in force has decided them, and changes nothing about them. It stands in the place of the candidate
   * before; the same document again goes on with its tally. Needs {@code policy:write}. {@code options}:
   * {@code null} for those of the client.
   */
  public PolicyShadow putShadow(PutPolicyShadow body, CallOptions options) {
    return transport.json(Call.of("PUT", "/v1/policy/shadow").body(body), PolicyShadow.class, options);
  }

  /**
   * Read the candidate and what it would have changed. The tally is counted from the trail: it holds every
   * assessment that was recorded before this answer. Needs {@code policy:read}.
   */
  public PolicyShadow getShadow() {
    return getShadow(null);
  }

  /**
   * Read the candidate and what it would have changed. The tally is counted from the trail: it holds every
   * assessment that was recorded before this answer. Needs {@code policy:read}. {@code options}: {@code null}
   * for those of the client.
   */
  public PolicyShadow getShadow(CallOptions options) {
    return transport.json(Call.of("GET", "/v1/policy/shadow"), PolicyShadow.class, options);
  }

  /** End the candidate. Needs {@code policy:write}. */
  public PolicyShadow deleteShadow() {
    return deleteShadow(null);
  }

  /**
   * End the candidate. Needs {@code policy:write}. {@code options}: {@code null} for those of the client.
   */
  public PolicyShadow deleteShadow(CallOptions options) {
    return transport.json(Call.of("DELETE", "/v1/policy/shadow"), PolicyShadow.class, options);
  }

  /**
   * Put the candidate in force. Stores it as the next version and ends the shadow. With {@code digest} only
   * if that candidate still runs, with {@code If-Match} only if the version that it names is still in force.
   * Needs {@code policy:write}.
   */
  public PolicyVersion promoteShadow(PromotePolicyShadow body) {
    return promoteShadow(body, null);
  }

  /**
   * Put the candidate in force. Stores it as the next version and ends the shadow. With {@code digest} only
   * if that candidate still runs, with {@code If-Match} only if the version that it names is still in force.
   * Needs {@code policy:write}. {@code options}: {@code null} for those of the client.
   */
  public PolicyVersion promoteShadow(PromotePolicyShadow body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/policy/shadow/promote")
            .body(body)
            .takesKey(),
        PolicyVersion.class, options);
  }

  /**
   * Try a policy on what was assessed before, or on items. Compares what the policy would decide with what
   * was decided. Where the text of an assessment was kept ({@code data.store: full}) it is decided anew; else
   * from the findings that were kept, and the result says what these could not tell. Items are decided by the
   * policy in force and by this one. Judges are not asked. What probes reported is not looked at. Needs
   * {@code policy:read}.
   */
  public PolicySimulation simulate(SimulatePolicy body) {
    return simulate(body, null);
  }

  /**
   * Try a policy on what was assessed before, or on items. Compares what the policy would decide with what
   * was decided. Where the text of an assessment was kept ({@code data.store: full}) it is decided anew; else
   * from the findings that were kept, and the result says what these could not tell. Items are decided by the
   * policy in force and by this one. Judges are not asked. What probes reported is not looked at. Needs
   * {@code policy:read}. {@code options}: {@code null} for those of the client.
   */
  public PolicySimulation simulate(SimulatePolicy body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/policy/simulate")
            .body(body)
            .takesKey(),
        PolicySimulation.class, options);
  }

  /**
   * Read how far a simulation has come, and what it found. Kept for 30 days, the last 20 of an organization’s
   * live keys and the last 20 of its test keys. Needs {@code policy:read}.
   */
  public PolicySimulation getSimulation(String simulationId) {
    return getSimulation(simulationId, null);
  }

  /**
   * Read how far a simulation has come, and what it found. Kept for 30 days, the last 20 of an organization’s
   * live keys and the last 20 of its test keys. Needs {@code policy:read}. {@code options}: {@code null} for
   * those of the client.
   */
  public PolicySimulation getSimulation(String simulationId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/policy/simulations/" + Call.segment(simulationId)),
        PolicySimulation.class, options);
  }

  /**
   * List the exceptions of the policy in force, with what they have excused. In the order of the document.
   * Counted from the trail, under the id of the exception, whatever the version of the policy. Needs {@code
   * policy:read}.
   */
  public Pages<PolicyExceptionState> listExceptions() {
    return listExceptions(null, null);
  }

  /**
   * List the exceptions of the policy in force, with what they have excused. In the order of the document.
   * Counted from the trail, under the id of the exception, whatever the version of the policy. Needs {@code
   * policy:read}.
   */
  public Pages<PolicyExceptionState> listExceptions(PolicyListExceptionsQuery query) {
    return listExceptions(query, null);
  }

  /**
   * List the exceptions of the policy in force, with what they have excused. In the order of the document.
   * Counted from the trail, under the id of the exception, whatever the version of the policy. Needs {@code
   * policy:read}. {@code query}: {@code null} for none. {@code options}: {@code null} for those of the
   * client.
   */
  public Pages<PolicyExceptionState> listExceptions(PolicyListExceptionsQuery query, CallOptions options) {
    return new Pages<>(transport,
        Call.of("GET", "/v1/policy/exceptions")
            .query(query),
        PolicyExceptionState.class, options);
  }
}
