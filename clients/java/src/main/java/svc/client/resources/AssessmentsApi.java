// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Pages;
import svc.client.Transport;
import svc.client.types.Assessment;
import svc.client.types.AssessmentBatch;
import svc.client.types.AssessmentBatchResult;
import svc.client.types.AssessmentsListQuery;
import svc.client.types.Inference;

/**
 * Ask whether an inference is allowed, flagged or blocked, before anyone sees it. Safe for use by many
 * threads.
 */
public final class AssessmentsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public AssessmentsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Assess an inference. Answers 200 whatever the outcome, once the assessment is committed to the audit
   * trail. {@code outcome} is the worst of the findings; {@code coverage} says what was read and by which
   * detectors. Needs {@code assess:create}.
   */
  public Assessment create(Inference body) {
    return create(body, null);
  }

  /**
   * Assess an inference. Answers 200 whatever the outcome, once the assessment is committed to the audit
   * trail. {@code outcome} is the worst of the findings; {@code coverage} says what was read and by which
   * detectors. Needs {@code assess:create}. {@code options}: {@code null} for those of the client.
   */
  public Assessment create(Inference body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/assessments")
            .body(body)
            .takesKey(),
        Assessment.class, options);
  }

  /**
   * List assessments. Newest first. Test credentials see the test assessments of the last 24 hours, filtered
   * by {@code outcome} and {@code external_id} alone. Needs {@code events:read}.
   */
  public Pages<Assessment> list() {
    return list(null, null);
  }

  /**
   * List assessments. Newest first. Test credentials see the test assessments of the last 24 hours, filtered
   * by {@code outcome} and {@code external_id} alone. Needs {@code events:read}.
   */
  public Pages<Assessment> list(AssessmentsListQuery query) {
    return list(query, null);
  }

  /**
   * List assessments. Newest first. Test credentials see the test assessments of the last 24 hours, filtered
   * by {@code outcome} and {@code external_id} alone. Needs {@code events:read}. {@code query}: {@code null}
   * for none. {@code options}: {@code null} for those of the client.
   */
  public Pages<Assessment> list(AssessmentsListQuery query, CallOptions options) {
    return new Pages<>(transport, Call.of("GET", "/v1/assessments").query(query), Assessment.class, options);
  }

  /**
   * Assess many inferences. Each item costs one assessment. One bad item never fails the others. Needs {@code
   * assess:create}.
   */
  public AssessmentBatchResult createBatch(AssessmentBatch body) {
    return createBatch(body, null);
  }

  /**
   * Assess many inferences. Each item costs one assessment. One bad item never fails the others. Needs {@code
   * assess:create}. {@code options}: {@code null} for those of the client.
   */
  public AssessmentBatchResult createBatch(AssessmentBatch body, CallOptions options) {
    return transport.json(
        Call.of("POST", "/v1/assessments/batch")
            .body(body)
            .takesKey(),
        AssessmentBatchResult.class, options);
  }

  /** Read an assessment. Needs {@code events:read}. */
  public Assessment get(String assessmentId) {
    return get(assessmentId, null);
  }

  /**
   * Read an assessment. Needs {@code events:read}. {@code options}: {@code null} for those of the client.
   */
  public Assessment get(String assessmentId, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/assessments/" + Call.segment(assessmentId)),
        Assessment.class, options);
  }
}
