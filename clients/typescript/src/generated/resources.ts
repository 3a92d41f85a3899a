// Generated from api/openapi.json by scripts/clients: change that, not this.
// The operations of the API, one class a resource.

import type { Pages } from '../pages.ts';
import { segment, segments, type RequestOptions, type Transport } from '../transport.ts';
import type * as types from './types.ts';

/** All resources. */
export class Resources {
  readonly assessments: Assessments;
  readonly streams: Streams;
  readonly events: Events;
  readonly exports: Exports;
  readonly audit: Audit;
  readonly drift: Drift;
  readonly policy: Policy;
  readonly judges: Judges;
  readonly probes: Probes;
  readonly webhooks: Webhooks;
  readonly integrations: Integrations;
  readonly inboxes: Inboxes;
  readonly apiKeys: ApiKeys;
  readonly serviceAccounts: ServiceAccounts;
  readonly sessions: Sessions;
  readonly sso: Sso;
  readonly organization: Organization;
  readonly reports: Reports;
  readonly health: Health;

  constructor(transport: Transport) {
    this.assessments = new Assessments(transport);
    this.streams = new Streams(transport);
    this.events = new Events(transport);
    this.exports = new Exports(transport);
    this.audit = new Audit(transport);
    this.drift = new Drift(transport);
    this.policy = new Policy(transport);
    this.judges = new Judges(transport);
    this.probes = new Probes(transport);
    this.webhooks = new Webhooks(transport);
    this.integrations = new Integrations(transport);
    this.inboxes = new Inboxes(transport);
    this.apiKeys = new ApiKeys(transport);
    this.serviceAccounts = new ServiceAccounts(transport);
    this.sessions = new Sessions(transport);
    this.sso = new Sso(transport);
    this.organization = new Organization(transport);
    this.reports = new Reports(transport);
    this.health = new Health(transport);
  }
}

/** Ask whether an inference is allowed, flagged or blocked, before anyone sees it. */
export class Assessments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Assess an inference.
   *
   * Answers 200 whatever the outcome, once the assessment is committed to the audit trail. `outcome` is the worst of the
   * findings; `coverage` says what was read and by which detectors. Needs `assess:create`.
   */
  create(body: types.Inference, options?: RequestOptions): Promise<types.Assessment> {
    return this.#transport.json({ method: 'POST', path: '/v1/assessments', body, takesKey: true, answer: 'Assessment' }, options);
  }

  /**
   * List assessments.
   *
   * Newest first. Test credentials see the test assessments of the last 24 hours, filtered by `outcome` and `external_id` alone.
   * Needs `events:read`.
   */
  list(query: types.AssessmentsListQuery = {}, options?: RequestOptions): Pages<types.Assessment> {
    return this.#transport.list('/v1/assessments', query, options);
  }

  /**
   * Assess many inferences.
   *
   * Each item costs one assessment. One bad item never fails the others. Needs `assess:create`.
   */
  createBatch(body: types.AssessmentBatch, options?: RequestOptions): Promise<types.AssessmentBatchResult> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/assessments/batch', body, takesKey: true, answer: 'AssessmentBatchResult' },
      options,
    );
  }

  /** Read an assessment. Needs `events:read`. */
  get(assessmentId: string, options?: RequestOptions): Promise<types.Assessment> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/assessments/${segment(assessmentId)}`, answer: 'Assessment' },
      options,
    );
  }
}

/** Ask the same while a model is still writing, and show only what is safe. */
export class Streams {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Assess an answer while it is written.
   *
   * Assesses the input, and opens a stream for the answer. Costs one assessment; its chunks cost nothing. At most 100 are open at
   * a time. One that hears nothing for 60 s is closed and recorded as far as it came. Needs `assess:create`.
   */
  create(body: types.StreamInference, options?: RequestOptions): Promise<types.Stream> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/assessments/streams', body, takesKey: true, answer: 'Stream' },
      options,
    );
  }

  /**
   * Send what the model has written since.
   *
   * Answers what may be shown now. Send chunks one after another: a gap in `seq` is a 409, and a chunk that is sent again is
   * answered as before. At most 50 a second and 1 MiB a stream. The last chunk, with `final`, answers the whole assessment,
   * committed to the audit trail. Once `outcome` is `blocked` nothing more is released: stop the model and send the last chunk.
   * Needs `assess:create`.
   */
  appendChunk(streamId: string, body: types.StreamChunk, options?: RequestOptions): Promise<types.StreamChunkResult> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/assessments/streams/${segment(streamId)}/chunks`, body, takesKey: true, answer: 'StreamChunkResult' },
      options,
    );
  }
}

/** The audit trail: everything that happened, in one gap-free sequence. */
export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List events, or pull them as they come.
   *
   * Newest first. With `after_sequence` it is a feed: events after that one, oldest first, waiting up to `wait_s` for the first.
   * Read without filters, the sequence has no gaps, which proves that nothing was missed. Needs `events:read`.
   */
  list(query: types.EventsListQuery = {}, options?: RequestOptions): Pages<types.Event> {
    return this.#transport.list('/v1/events', query, options);
  }

  /** Read an event. Needs `events:read`. */
  get(eventId: string, options?: RequestOptions): Promise<types.Event> {
    return this.#transport.json({ method: 'GET', path: () => `/v1/events/${segment(eventId)}`, answer: 'Event' }, options);
  }
}

/** Evidence of a stretch of the trail, in one file that is checked without the service. */
export class Exports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Export a stretch of the trail as an evidence bundle.
   *
   * The bundle is a zip with the events as they are in the log, what they disclose, the signed checkpoint, and the hashes that
   * lead from one to the other: anyone can check it, offline and without trusting this service. It is made beside the requests
   * and kept for 7 days. Needs `events:read reports:read`.
   */
  create(body: types.CreateExport, options?: RequestOptions): Promise<types.Export> {
    return this.#transport.json({ method: 'POST', path: '/v1/exports', body, takesKey: true, answer: 'Export' }, options);
  }

  /** List exports. Needs `events:read reports:read`. */
  list(query: types.ExportsListQuery = {}, options?: RequestOptions): Pages<types.Export> {
    return this.#transport.list('/v1/exports', query, options);
  }

  /** Read how far an export has come, and where it can be downloaded. Needs `events:read reports:read`. */
  get(exportId: string, options?: RequestOptions): Promise<types.Export> {
    return this.#transport.json({ method: 'GET', path: () => `/v1/exports/${segment(exportId)}`, answer: 'Export' }, options);
  }

  /**
   * Delete an export.
   *
   * One that is under way ends. What was exported stays in the trail. Needs `events:read reports:read`.
   */
  delete(exportId: string, options?: RequestOptions): Promise<types.DeletedExport> {
    return this.#transport.json(
      { method: 'DELETE', path: () => `/v1/exports/${segment(exportId)}`, answer: 'DeletedExport' },
      options,
    );
  }

  /**
   * Download an evidence bundle.
   *
   * A download that broke off goes on with `Range`; `If-Range` with the `ETag` makes sure that it is the same bundle. An
   * organization may have 8 under way on each node, and a client that takes nothing for a minute is cut off. Needs `events:read
   * reports:read`.
   */
  download(exportId: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ method: 'GET', path: () => `/v1/exports/${segment(exportId)}/bundle` }, options);
  }
}

/** The transparency log over the trail: checkpoints, proofs and tiles that anybody can check, and what is erased of events. */
export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Read a checkpoint.
   *
   * A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the organization’s log. Keep the last one you have seen,
   * and ask for the proof that the next one grew out of it. Of those older than an hour the last of each hour is kept. Needs
   * `events:read`.
   */
  getCheckpoint(query: types.AuditGetCheckpointQuery = {}, options?: RequestOptions): Promise<string> {
    return this.#transport.text({ method: 'GET', path: '/v1/audit/checkpoint', query }, options);
  }

  /**
   * Prove that the log only grew.
   *
   * The proof that the tree of `to` leaves begins with that of `from` leaves: that nothing before was changed or removed. Needs
   * `events:read`.
   */
  proveConsistency(query: types.AuditProveConsistencyQuery, options?: RequestOptions): Promise<types.ConsistencyProof> {
    return this.#transport.json({ method: 'GET', path: '/v1/audit/consistency', query, answer: 'ConsistencyProof' }, options);
  }

  /**
   * Read a tile of the log.
   *
   * As c2sp.org/tlog-tiles has them: 256 hashes of 32 bytes, or with `.p/<W>` the first W of them; under `entries/` the leaves
   * themselves, each after its length in two bytes, for as long as the events are kept. An organization reads one bundle of
   * entries at a time, else it is told `unavailable`. Needs `events:read`.
   */
  getTile(tilePath: string, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ method: 'GET', path: () => `/v1/audit/tile/${segments(tilePath)}` }, options);
  }

  /**
   * List the keys that sign checkpoints.
   *
   * Who checks checkpoints keeps these keys himself, from before he has to trust them; see the guide. Needs `events:read`.
   */
  listKeys(options?: RequestOptions): Promise<types.AuditKeys> {
    return this.#transport.json({ method: 'GET', path: '/v1/audit/keys', answer: 'AuditKeys' }, options);
  }

  /**
   * Prove that an event is in the log.
   *
   * A kilobyte that anybody can check without this service. As `text/plain` it is a proof file (c2sp.org/tlog-proof). Waits for
   * the log, which is a second behind the trail at most. Needs `events:read`.
   */
  proveEvent(eventId: string, query: types.AuditProveEventQuery = {}, options?: RequestOptions): Promise<types.EventProof> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/events/${segment(eventId)}/proof`, query, answer: 'EventProof' },
      options,
    );
  }

  /**
   * Erase values of an event.
   *
   * For good: the values and their salts are deleted, the event’s leaf and every proof stay as they are. What was delivered or
   * exported before is out of reach; deliveries that are still under way go on without the values. The trail keeps who did it and
   * why, as `audit.redacted`. Needs `admin:*`.
   */
  redactEvent(body: types.NewRedaction, options?: RequestOptions): Promise<types.Redaction> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/audit/redactions', body, takesKey: true, answer: 'Redaction' },
      options,
    );
  }

  /**
   * Read the deployment’s log, with a proof that it holds your checkpoint.
   *
   * Every minute the newest checkpoint of each organization becomes a leaf of one log over all of them, whose own checkpoints
   * witnesses cosign. A salt hides organizations from each other. 404 until the first checkpoint of the organization is in it.
   * Needs `events:read`.
   */
  getDeploymentLog(options?: RequestOptions): Promise<types.DeploymentLog> {
    return this.#transport.json({ method: 'GET', path: '/v1/audit/deployment', answer: 'DeploymentLog' }, options);
  }
}

/** What changed in how your models behave, and how sure that is. */
export class Drift {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List what is watched for drift.
   *
   * Each monitor watches one signal of one model in one group of probes. Newest first. What test keys do is not watched: they see
   * none. Needs `probes:read`.
   */
  list(query: types.DriftListQuery = {}, options?: RequestOptions): Pages<types.DriftMonitor> {
    return this.#transport.list('/v1/drift', query, options);
  }

  /** Read a monitor, what it found, and its hours for a chart. Needs `probes:read`. */
  get(monitorId: string, options?: RequestOptions): Promise<types.DriftMonitorDetail> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/drift/${segment(monitorId)}`, answer: 'DriftMonitorDetail' },
      options,
    );
  }

  /**
   * Take the level of now for the usual one.
   *
   * Gives up the baseline. The new one is learned from what was observed since the drift began, as far as it is known, and from
   * what comes. A drift that persists ends with it. The trail keeps who did it, and the digests of both baselines. Needs
   * `probes:write`.
   */
  rebaseline(monitorId: string, body: types.DriftNote, options?: RequestOptions): Promise<types.DriftMonitor> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/drift/${segment(monitorId)}/rebaseline`, body, takesKey: true, answer: 'DriftMonitor' },
      options,
    );
  }

  /**
   * Say that somebody takes care of a drift.
   *
   * Of the drift that persists, once; otherwise a 409. Nothing else changes: it recovers, or is rebaselined, by itself. Needs
   * `probes:write`.
   */
  acknowledge(monitorId: string, body: types.DriftNote, options?: RequestOptions): Promise<types.DriftMonitor> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/drift/${segment(monitorId)}/acknowledge`, body, takesKey: true, answer: 'DriftMonitor' },
      options,
    );
  }
}

/** What is detected and what follows from it. */
export class Policy {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Read the policy in force. Needs `policy:read`. */
  get(options?: RequestOptions): Promise<types.PolicyVersion> {
    return this.#transport.json({ method: 'GET', path: '/v1/policy', answer: 'PolicyVersion' }, options);
  }

  /**
   * Replace the policy.
   *
   * Stores the document as the next version and puts it in force. With `If-Match` only if that version is still the current one.
   * The document in force sent again changes nothing. Needs `policy:write`.
   */
  put(body: types.Policy, options?: RequestOptions): Promise<types.PolicyVersion> {
    return this.#transport.json({ method: 'PUT', path: '/v1/policy', body, answer: 'PolicyVersion' }, options);
  }

  /** Check a policy without storing it. Needs `policy:read`. */
  lint(body: types.Policy, options?: RequestOptions): Promise<types.PolicyLintResult> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/policy/lint', body, takesKey: true, answer: 'PolicyLintResult' },
      options,
    );
  }

  /** List the versions of the policy. Needs `policy:read`. */
  listVersions(query: types.PolicyListVersionsQuery = {}, options?: RequestOptions): Pages<types.PolicyVersionSummary> {
    return this.#transport.list('/v1/policy/versions', query, options);
  }

  /** Read a version of the policy. Needs `policy:read`. */
  getVersion(version: string, options?: RequestOptions): Promise<types.PolicyVersion> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/policy/versions/${segment(version)}`, answer: 'PolicyVersion' },
      options,
    );
  }

  /**
   * Make an earlier version the next one.
   *
   * Stores its document as the next version and puts it in force. With `If-Match` only if the version that it names is still in
   * force. A document that would not be taken today is refused with its problems; one that is in force changes nothing. Needs
   * `policy:write`.
   */
  restoreVersion(version: string, options?: RequestOptions): Promise<types.PolicyVersion> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/policy/versions/${segment(version)}/restore`, takesKey: true, answer: 'PolicyVersion' },
      options,
    );
  }

  /**
   * Compare two versions of the policy.
   *
   * What has to be done to the document of `from` to get that of `to`. Lists whose entries have an id are compared by it. Needs
   * `policy:read`.
   */
  diffVersions(query: types.PolicyDiffVersionsQuery = {}, options?: RequestOptions): Promise<types.PolicyDiff> {
    return this.#transport.json({ method: 'GET', path: '/v1/policy/diff', query, answer: 'PolicyDiff' }, options);
  }

  /**
   * Run a candidate beside the policy in force.
   *
   * The candidate decides a sample of assessments too, after the policy in force has decided them, and changes nothing about
   * them. It stands in the place of the candidate before; the same document again goes on with its tally. Needs `policy:write`.
   */
  putShadow(body: types.PutPolicyShadow, options?: RequestOptions): Promise<types.PolicyShadow> {
    return this.#transport.json({ method: 'PUT', path: '/v1/policy/shadow', body, answer: 'PolicyShadow' }, options);
  }

  /**
   * Read the candidate and what it would have changed.
   *
   * The tally is counted from the trail: it holds every assessment that was recorded before this answer. Needs `policy:read`.
   */
  getShadow(options?: RequestOptions): Promise<types.PolicyShadow> {
    return this.#transport.json({ method: 'GET', path: '/v1/policy/shadow', answer: 'PolicyShadow' }, options);
  }

  /** End the candidate. Needs `policy:write`. */
  deleteShadow(options?: RequestOptions): Promise<types.PolicyShadow> {
    return this.#transport.json({ method: 'DELETE', path: '/v1/policy/shadow', answer: 'PolicyShadow' }, options);
  }

  /**
   * Put the candidate in force.
   *
   * Stores it as the next version and ends the shadow. With `digest` only if that candidate still runs, with `If-Match` only if
   * the version that it names is still in force. Needs `policy:write`.
   */
  promoteShadow(body: types.PromotePolicyShadow, options?: RequestOptions): Promise<types.PolicyVersion> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/policy/shadow/promote', body, takesKey: true, answer: 'PolicyVersion' },
      options,
    );
  }

  /**
   * Try a policy on what was assessed before, or on items.
   *
   * Compares what the policy would decide with what was decided. Where the text of an assessment was kept (`data.store: full`) it
   * is decided anew; else from the findings that were kept, and the result says what these could not tell. Items are decided by
   * the policy in force and by this one. Judges are not asked. What probes reported is not looked at. Needs `policy:read`.
   */
  simulate(body: types.SimulatePolicy, options?: RequestOptions): Promise<types.PolicySimulation> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/policy/simulate', body, takesKey: true, answer: 'PolicySimulation' },
      options,
    );
  }

  /**
   * Read how far a simulation has come, and what it found.
   *
   * Kept for 30 days, the last 20 of an organization’s live keys and the last 20 of its test keys. Needs `policy:read`.
   */
  getSimulation(simulationId: string, options?: RequestOptions): Promise<types.PolicySimulation> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/policy/simulations/${segment(simulationId)}`, answer: 'PolicySimulation' },
      options,
    );
  }

  /**
   * List the exceptions of the policy in force, with what they have excused.
   *
   * In the order of the document. Counted from the trail, under the id of the exception, whatever the version of the policy.
   * Needs `policy:read`.
   */
  listExceptions(query: types.PolicyListExceptionsQuery = {}, options?: RequestOptions): Pages<types.PolicyExceptionState> {
    return this.#transport.list('/v1/policy/exceptions', query, options);
  }
}

/** Models outside that policies ask for their opinion. */
export class Judges {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create a judge.
   *
   * A model behind an OpenAI-compatible API. It is asked about inferences once a policy names it, and sent nothing before. At
   * most 20. Needs `admin:*`.
   */
  create(body: types.CreateJudge, options?: RequestOptions): Promise<types.Judge> {
    return this.#transport.json({ method: 'POST', path: '/v1/judges', body, takesKey: true, answer: 'Judge' }, options);
  }

  /**
   * List judges.
   *
   * Newest first. Needs `admin:*`.
   */
  list(query: types.JudgesListQuery = {}, options?: RequestOptions): Pages<types.Judge> {
    return this.#transport.list('/v1/judges', query, options);
  }

  /** Read a judge. Needs `admin:*`. */
  get(judgeId: string, options?: RequestOptions): Promise<types.Judge> {
    return this.#transport.json({ method: 'GET', path: () => `/v1/judges/${segment(judgeId)}`, answer: 'Judge' }, options);
  }

  /**
   * Change a judge.
   *
   * What is absent stays as it is, but for the key: with another url it is dropped unless another one comes with it. In force on
   * every node within a second. Needs `admin:*`.
   */
  update(judgeId: string, body: types.PatchJudge, options?: RequestOptions): Promise<types.Judge> {
    return this.#transport.json(
      { method: 'PATCH', path: () => `/v1/judges/${segment(judgeId)}`, body, answer: 'Judge' },
      options,
    );
  }

  /**
   * Delete a judge and its key.
   *
   * Refused while the policy in force names it. Needs `admin:*`.
   */
  delete(judgeId: string, options?: RequestOptions): Promise<types.Judge> {
    return this.#transport.json({ method: 'DELETE', path: () => `/v1/judges/${segment(judgeId)}`, answer: 'Judge' }, options);
  }
}

/** What runs beside your models: it decides by your policy, offline too, and reports what it saw. */
export class Probes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Report inferences that a probe has seen.
   *
   * Answered once what was accepted is committed. An event whose `id` the probe has sent before is stored once, so a request
   * without an answer may be sent again as it is. Events with `input` or `output` are assessed by the service, and cost one
   * assessment each; of the others the probe’s own outcome is taken. The trail gets one `telemetry.received` for the batch, and
   * an event for each inference that was flagged or blocked. The body may be packed by gzip. Needs `assess:create`.
   */
  sendTelemetry(body: types.TelemetryBatch, options?: RequestOptions): Promise<types.TelemetryResult> {
    return this.#transport.json({ method: 'POST', path: '/api/svc/probe/telemetry', body, answer: 'TelemetryResult' }, options);
  }

  /**
   * Say that a probe is there, and how it is.
   *
   * A probe that sends none for three intervals is taken for offline. Needs `assess:create`.
   */
  sendHeartbeat(body: types.Heartbeat, options?: RequestOptions): Promise<types.HeartbeatAnswer> {
    return this.#transport.json({ method: 'POST', path: '/api/svc/probe/heartbeat', body, answer: 'HeartbeatAnswer' }, options);
  }

  /**
   * Get the policy in force, signed.
   *
   * For probes that decide by themselves: they keep it on disk, and go on with it where the service cannot be reached. The same
   * bytes from every node until midnight UTC, or until the policy is changed. Needs `assess:create policy:read`.
   */
  syncPolicy(options?: RequestOptions): Promise<types.PolicyBundle> {
    return this.#transport.json({ method: 'GET', path: '/api/svc/probe/policy-sync', answer: 'PolicyBundle' }, options);
  }

  /**
   * List probes.
   *
   * Of the credential’s mode, those that were registered last first. Needs `probes:read`.
   */
  list(query: types.ProbesListQuery = {}, options?: RequestOptions): Pages<types.Probe> {
    return this.#transport.list('/v1/probes', query, options);
  }

  /** Read a probe. Needs `probes:read`. */
  get(probeId: string, options?: RequestOptions): Promise<types.Probe> {
    return this.#transport.json({ method: 'GET', path: () => `/v1/probes/${segment(probeId)}`, answer: 'Probe' }, options);
  }

  /** Change a probe’s labels, or how often it is to be heard. Needs `probes:write`. */
  update(probeId: string, body: types.UpdateProbe, options?: RequestOptions): Promise<types.Probe> {
    return this.#transport.json(
      { method: 'PATCH', path: () => `/v1/probes/${segment(probeId)}`, body, answer: 'Probe' },
      options,
    );
  }

  /**
   * Forget a probe.
   *
   * What it reported stays. It is registered anew when it calls again. Needs `probes:write`.
   */
  delete(probeId: string, options?: RequestOptions): Promise<types.Probe> {
    return this.#transport.json({ method: 'DELETE', path: () => `/v1/probes/${segment(probeId)}`, answer: 'Probe' }, options);
  }
}

/** Events, pushed to your systems, and what became of each. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create a webhook.
   *
   * The signing secret is in this answer only. A webhook made with a test key hears of test assessments alone. Needs
   * `webhooks:write`.
   */
  create(body: types.CreateWebhook, options?: RequestOptions): Promise<types.WebhookWithSecret> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/webhooks', body, takesKey: true, answer: 'WebhookWithSecret' },
      options,
    );
  }

  /**
   * List webhooks.
   *
   * Newest first. Needs `webhooks:read`.
   */
  list(query: types.WebhooksListQuery = {}, options?: RequestOptions): Pages<types.Webhook> {
    return this.#transport.list('/v1/webhooks', query, options);
  }

  /** Read a webhook. Needs `webhooks:read`. */
  get(webhookId: string, options?: RequestOptions): Promise<types.Webhook> {
    return this.#transport.json({ method: 'GET', path: () => `/v1/webhooks/${segment(webhookId)}`, answer: 'Webhook' }, options);
  }

  /**
   * Change url, events or description.
   *
   * What is absent stays as it is. What is queued goes to the new url. Needs `webhooks:write`.
   */
  update(webhookId: string, body: types.PatchWebhook, options?: RequestOptions): Promise<types.Webhook> {
    return this.#transport.json(
      { method: 'PATCH', path: () => `/v1/webhooks/${segment(webhookId)}`, body, answer: 'Webhook' },
      options,
    );
  }

  /**
   * Delete a webhook.
   *
   * Cancels what is queued for it. Needs `webhooks:write`.
   */
  delete(webhookId: string, options?: RequestOptions): Promise<types.Webhook> {
    return this.#transport.json(
      { method: 'DELETE', path: () => `/v1/webhooks/${segment(webhookId)}`, answer: 'Webhook' },
      options,
    );
  }

  /**
   * Give a webhook a new signing secret.
   *
   * During the grace `X-Svc-Signature-256` is still the old secret’s, the new one’s is in `X-Svc-Signature-256-Next`, and
   * `webhook-signature` carries both. Needs `webhooks:write`.
   */
  rotateSecret(webhookId: string, body: types.RotateSecret, options?: RequestOptions): Promise<types.WebhookWithSecret> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/webhooks/${segment(webhookId)}/rotate-secret`, body, takesKey: true, answer: 'WebhookWithSecret' },
      options,
    );
  }

  /**
   * End the grace of a rotation.
   *
   * From here on the new secret alone signs. Doing it again changes nothing. Needs `webhooks:write`.
   */
  finishRotation(webhookId: string, options?: RequestOptions): Promise<types.Webhook> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/webhooks/${segment(webhookId)}/rotate-secret/finish`, takesKey: true, answer: 'Webhook' },
      options,
    );
  }

  /**
   * List deliveries.
   *
   * Newest event first. Kept for 30 days. Needs `webhooks:read`.
   */
  listDeliveries(
    webhookId: string,
    query: types.WebhooksListDeliveriesQuery = {},
    options?: RequestOptions,
  ): Pages<types.Delivery> {
    return this.#transport.list(() => `/v1/webhooks/${segment(webhookId)}/deliveries`, query, options);
  }

  /** Read a delivery, with its body and its attempts. Needs `webhooks:read`. */
  getDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<types.DeliveryDetail> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}`, answer: 'DeliveryDetail' },
      options,
    );
  }

  /**
   * Send a delivery again, now.
   *
   * One more attempt, whatever came of the others. If it fails, the delivery is what it was before. Needs `webhooks:write`.
   */
  retryDelivery(webhookId: string, deliveryId: string, options?: RequestOptions): Promise<types.DeliveryDetail> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}/retry`, takesKey: true, answer: 'DeliveryDetail' },
      options,
    );
  }

  /**
   * Send again what has failed since a time.
   *
   * Each delivery gets the whole schedule again, with the same event id and the same body. Needs `webhooks:write`.
   */
  recover(webhookId: string, body: types.Recover, options?: RequestOptions): Promise<types.Recovered> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/webhooks/${segment(webhookId)}/recover`, body, takesKey: true, answer: 'Recovered' },
      options,
    );
  }

  /**
   * Send a sample event, once.
   *
   * One real attempt, signed like any other. It is kept nowhere; the answer tells how it went. Needs `webhooks:write`.
   */
  test(webhookId: string, body: types.TestEvent, options?: RequestOptions): Promise<types.TestResult> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/webhooks/${segment(webhookId)}/test`, body, takesKey: true, answer: 'TestResult' },
      options,
    );
  }
}

/** Events, in the form that chat, incident and monitoring tools take. */
export class Integrations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create an integration.
   *
   * Sends events to a chat, incident or monitoring tool in the form it takes, by the same deliveries as webhooks. Needs
   * `webhooks:write`.
   */
  create(body: types.CreateIntegration, options?: RequestOptions): Promise<types.Integration> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/integrations', body, takesKey: true, answer: 'Integration' },
      options,
    );
  }

  /**
   * List integrations.
   *
   * Newest first. Needs `webhooks:read`.
   */
  list(query: types.IntegrationsListQuery = {}, options?: RequestOptions): Pages<types.Integration> {
    return this.#transport.list('/v1/integrations', query, options);
  }

  /** Read an integration. Needs `webhooks:read`. */
  get(integrationId: string, options?: RequestOptions): Promise<types.Integration> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/integrations/${segment(integrationId)}`, answer: 'Integration' },
      options,
    );
  }

  /**
   * Change name, events or config.
   *
   * What is absent stays as it is, in the config too; but a config with another address needs its secrets again, which are not
   * sent to a place they were not given for. Needs `webhooks:write`.
   */
  update(integrationId: string, body: types.PatchIntegration, options?: RequestOptions): Promise<types.Integration> {
    return this.#transport.json(
      { method: 'PATCH', path: () => `/v1/integrations/${segment(integrationId)}`, body, answer: 'Integration' },
      options,
    );
  }

  /**
   * Delete an integration.
   *
   * Cancels what is queued for it. Needs `webhooks:write`.
   */
  delete(integrationId: string, options?: RequestOptions): Promise<types.Integration> {
    return this.#transport.json(
      { method: 'DELETE', path: () => `/v1/integrations/${segment(integrationId)}`, answer: 'Integration' },
      options,
    );
  }

  /**
   * List deliveries.
   *
   * Newest event first. Kept for 30 days. Needs `webhooks:read`.
   */
  listDeliveries(
    integrationId: string,
    query: types.IntegrationsListDeliveriesQuery = {},
    options?: RequestOptions,
  ): Pages<types.Delivery> {
    return this.#transport.list(() => `/v1/integrations/${segment(integrationId)}/deliveries`, query, options);
  }

  /** Read a delivery, with its body and its attempts. Needs `webhooks:read`. */
  getDelivery(integrationId: string, deliveryId: string, options?: RequestOptions): Promise<types.DeliveryDetail> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/integrations/${segment(integrationId)}/deliveries/${segment(deliveryId)}`, answer: 'DeliveryDetail' },
      options,
    );
  }

  /**
   * Send a delivery again, now.
   *
   * One more attempt, whatever came of the others. If it fails, the delivery is what it was before. Needs `webhooks:write`.
   */
  retryDelivery(integrationId: string, deliveryId: string, options?: RequestOptions): Promise<types.DeliveryDetail> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/integrations/${segment(integrationId)}/deliveries/${segment(deliveryId)}/retry`, takesKey: true, answer: 'DeliveryDetail' },
      options,
    );
  }

  /**
   * Send again what has failed since a time.
   *
   * Each delivery gets the whole schedule again, with the same event id and the same body. Needs `webhooks:write`.
   */
  recover(integrationId: string, body: types.Recover, options?: RequestOptions): Promise<types.Recovered> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/integrations/${segment(integrationId)}/recover`, body, takesKey: true, answer: 'Recovered' },
      options,
    );
  }

  /**
   * Send a sample event, once.
   *
   * One real attempt, signed like any other. It is kept nowhere; the answer tells how it went. Needs `webhooks:write`.
   */
  test(integrationId: string, body: types.TestEvent, options?: RequestOptions): Promise<types.TestResult> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/integrations/${segment(integrationId)}/test`, body, takesKey: true, answer: 'TestResult' },
      options,
    );
  }
}

/** Addresses of the service’s own that take webhooks and show what arrived. */
export class Inboxes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create an inbox.
   *
   * Use its `url` as that of a webhook and see what arrives. Needs `webhooks:write`.
   */
  create(options?: RequestOptions): Promise<types.Inbox> {
    return this.#transport.json({ method: 'POST', path: '/v1/inboxes', takesKey: true, answer: 'Inbox' }, options);
  }

  /** List inboxes. Needs `webhooks:read`. */
  list(options?: RequestOptions): Pages<types.Inbox> {
    return this.#transport.list('/v1/inboxes', {}, options);
  }

  /**
   * See what arrived in an inbox.
   *
   * The last 100, newest first. Those of live events need `events:read` too. Needs `webhooks:read`.
   */
  listMessages(inboxId: string, options?: RequestOptions): Pages<types.InboxMessage> {
    return this.#transport.list(() => `/v1/inboxes/${segment(inboxId)}/messages`, {}, options);
  }

  /** Delete an inbox and what arrived in it. Needs `webhooks:write`. */
  delete(inboxId: string, options?: RequestOptions): Promise<types.DeletedInbox> {
    return this.#transport.json(
      { method: 'DELETE', path: () => `/v1/inboxes/${segment(inboxId)}`, answer: 'DeletedInbox' },
      options,
    );
  }
}

/** Credentials, their scopes and their end. */
export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create an API key.
   *
   * The key itself is in this answer only. Without `permissions` it holds what its type holds. Needs `admin:*`.
   */
  create(body: types.CreateApiKey, options?: RequestOptions): Promise<types.CreatedApiKey> {
    return this.#transport.json({ method: 'POST', path: '/v1/api-keys', body, takesKey: true, answer: 'CreatedApiKey' }, options);
  }

  /**
   * List API keys.
   *
   * Newest first, revoked ones included. Needs `admin:*`.
   */
  list(query: types.ApiKeysListQuery = {}, options?: RequestOptions): Pages<types.ApiKey> {
    return this.#transport.list('/v1/api-keys', query, options);
  }

  /** Read an API key. Needs `admin:*`. */
  get(keyId: string, options?: RequestOptions): Promise<types.ApiKey> {
    return this.#transport.json({ method: 'GET', path: () => `/v1/api-keys/${segment(keyId)}`, answer: 'ApiKey' }, options);
  }

  /**
   * Revoke an API key.
   *
   * It is refused from this answer on. Revoking it again answers the same. Needs `admin:*`.
   */
  revoke(keyId: string, options?: RequestOptions): Promise<types.ApiKey> {
    return this.#transport.json({ method: 'DELETE', path: () => `/v1/api-keys/${segment(keyId)}`, answer: 'ApiKey' }, options);
  }
}

/** Automated systems: their scopes, their addresses, their keys. */
export class ServiceAccounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create a service account, with its first key.
   *
   * Its credential is an API key that has the account’s permissions and may be used from the addresses of its allowlist alone.
   * The key itself is in this answer only. Needs `admin:*`.
   */
  create(body: types.CreateServiceAccount, options?: RequestOptions): Promise<types.CreatedServiceAccount> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/service-accounts', body, takesKey: true, answer: 'CreatedServiceAccount' },
      options,
    );
  }

  /**
   * List service accounts.
   *
   * Newest first, without deleted ones. Needs `admin:*`.
   */
  list(query: types.ServiceAccountsListQuery = {}, options?: RequestOptions): Pages<types.ServiceAccount> {
    return this.#transport.list('/v1/service-accounts', query, options);
  }

  /**
   * Read a service account.
   *
   * Deleted ones too, so that an actor in the trail can always be looked up. Needs `admin:*`.
   */
  get(serviceAccountId: string, options?: RequestOptions): Promise<types.ServiceAccount> {
    return this.#transport.json(
      { method: 'GET', path: () => `/v1/service-accounts/${segment(serviceAccountId)}`, answer: 'ServiceAccount' },
      options,
    );
  }

  /**
   * Change name, permissions or allowlist.
   *
   * All its keys follow, on every node within a second. What is absent stays as it is. Needs `admin:*`.
   */
  update(serviceAccountId: string, body: types.PatchServiceAccount, options?: RequestOptions): Promise<types.ServiceAccount> {
    return this.#transport.json(
      { method: 'PATCH', path: () => `/v1/service-accounts/${segment(serviceAccountId)}`, body, answer: 'ServiceAccount' },
      options,
    );
  }

  /**
   * Delete a service account and revoke its keys.
   *
   * Deleting it again answers the same. Needs `admin:*`.
   */
  delete(serviceAccountId: string, options?: RequestOptions): Promise<types.ServiceAccount> {
    return this.#transport.json(
      { method: 'DELETE', path: () => `/v1/service-accounts/${segment(serviceAccountId)}`, answer: 'ServiceAccount' },
      options,
    );
  }

  /**
   * Create another key of a service account.
   *
   * For rotation: deploy it, then revoke the old one with `DELETE /v1/api-keys/{key_id}`. Needs `admin:*`.
   */
  createKey(
    serviceAccountId: string,
    body: types.CreateServiceAccountKey,
    options?: RequestOptions,
  ): Promise<types.CreatedApiKey> {
    return this.#transport.json(
      { method: 'POST', path: () => `/v1/service-accounts/${segment(serviceAccountId)}/keys`, body, takesKey: true, answer: 'CreatedApiKey' },
      options,
    );
  }
}

/** Users and browsers: session tokens, cookies and their end. */
export class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Exchange an ID token of the identity provider for a session token.
   *
   * The organization is the one whose single sign-on names the token’s issuer and client; where several do, `X-Svc-Org-Id` says
   * which.
   */
  exchangeToken(body: types.ExchangeToken, options?: RequestOptions): Promise<types.SessionToken> {
    return this.#transport.json({ method: 'POST', path: '/v1/auth/token', body, answer: 'SessionToken' }, options);
  }

  /**
   * End the session of the session token in use.
   *
   * Every token of the session, and the dashboard’s cookie for it, is refused from this answer on.
   */
  endToken(options?: RequestOptions): Promise<types.Session> {
    return this.#transport.json({ method: 'DELETE', path: '/v1/auth/token', answer: 'Session' }, options);
  }

  /**
   * Get a new session token before the present one expires.
   *
   * For the same session, until twelve hours after the sign-in. The present token stays good until it expires.
   */
  refreshToken(options?: RequestOptions): Promise<types.SessionToken> {
    return this.#transport.json({ method: 'POST', path: '/v1/auth/token/refresh', answer: 'SessionToken' }, options);
  }

  /**
   * List sessions.
   *
   * Newest first, ended ones included. Needs `admin:*`.
   */
  list(query: types.SessionsListQuery = {}, options?: RequestOptions): Pages<types.Session> {
    return this.#transport.list('/v1/sessions', query, options);
  }

  /**
   * End all sessions of the organization.
   *
   * Its tokens and cookies are refused on every node within a second. API keys stay as they are. Needs `admin:*`.
   */
  endAll(options?: RequestOptions): Promise<types.EndedSessions> {
    return this.#transport.json({ method: 'DELETE', path: '/v1/sessions', answer: 'EndedSessions' }, options);
  }

  /**
   * End a session.
   *
   * Its tokens and cookies are refused on every node within a second. Ending it again answers the same. Needs `admin:*`.
   */
  end(sessionId: string, options?: RequestOptions): Promise<types.Session> {
    return this.#transport.json(
      { method: 'DELETE', path: () => `/v1/sessions/${segment(sessionId)}`, answer: 'Session' },
      options,
    );
  }
}

/** How users sign in by the organization’s identity provider. */
export class Sso {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Read how users sign in. Needs `admin:*`. */
  get(options?: RequestOptions): Promise<types.Sso> {
    return this.#transport.json({ method: 'GET', path: '/v1/organization/sso', answer: 'Sso' }, options);
  }

  /**
   * Set how users sign in.
   *
   * Replaces what was set before. Whatever changes who may sign in, and as what, ends the sessions of all users, who sign in
   * again. The issuer’s discovery document must be readable from here. Needs `admin:*`.
   */
  put(body: types.PutSso, options?: RequestOptions): Promise<types.Sso> {
    return this.#transport.json({ method: 'PUT', path: '/v1/organization/sso', body, answer: 'Sso' }, options);
  }

  /**
   * End single sign-on.
   *
   * Ends the sessions of all users. Doing it again changes nothing. Needs `admin:*`.
   */
  delete(options?: RequestOptions): Promise<types.NoSso> {
    return this.#transport.json({ method: 'DELETE', path: '/v1/organization/sso', answer: 'NoSso' }, options);
  }
}

/** Who am I, and what was used. */
export class Organization {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Read the organization and the credential in use. */
  get(options?: RequestOptions): Promise<types.Organization> {
    return this.#transport.json({ method: 'GET', path: '/v1/organization', answer: 'Organization' }, options);
  }

  /**
   * Read what was used of the plan.
   *
   * Assessments by day, from the trail, with texts that probes sent; those of test keys do not count. And what is left of the
   * limits right now. Needs `reports:read`.
   */
  getUsage(query: types.OrganizationGetUsageQuery = {}, options?: RequestOptions): Promise<types.Usage> {
    return this.#transport.json({ method: 'GET', path: '/v1/usage', query, answer: 'Usage' }, options);
  }
}

/** What happened in a time, and what evidence there is for laws and standards. */
export class Reports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Read what happened in a time.
   *
   * Counts of the trail, made while the log grows over it: `as_of` says of which events. By the time of recording, in whole hours
   * or days (UTC). Events of test keys are not counted. Needs `reports:read`.
   */
  getSummary(query: types.ReportsGetSummaryQuery = {}, options?: RequestOptions): Promise<types.SummaryReport> {
    return this.#transport.json({ method: 'GET', path: '/v1/reports/summary', query, answer: 'SummaryReport' }, options);
  }

  /**
   * Read what evidence the trail holds for a framework.
   *
   * Provision by provision: what it asks for, of whom, what the log holds that speaks to it, and what is missing. With `Accept:
   * text/html` or `format=html` a page to print. It is no legal advice and no conformity assessment. Needs `reports:read`.
   */
  getCompliance(query: types.ReportsGetComplianceQuery, options?: RequestOptions): Promise<types.ComplianceReport> {
    return this.#transport.json({ method: 'GET', path: '/v1/reports/compliance', query, answer: 'ComplianceReport' }, options);
  }

  /**
   * Read what evidence the trail holds for a framework, as a page.
   *
   * Provision by provision: what it asks for, of whom, what the log holds that speaks to it, and what is missing. With `Accept:
   * text/html` or `format=html` a page to print. It is no legal advice and no conformity assessment. Needs `reports:read`.
   */
  getCompliancePage(query: types.ReportsGetCompliancePageQuery, options?: RequestOptions): Promise<string> {
    return this.#transport.text({ method: 'GET', path: '/v1/reports/compliance', query: { ...query, format: 'html' } }, options);
  }
}

/** For load balancers and orchestrators. */
export class Health {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Is the process alive. */
  get(options?: RequestOptions): Promise<types.Health> {
    return this.#transport.json({ method: 'GET', path: '/healthz', answer: 'Health' }, options);
  }

  /**
   * Can it answer requests.
   *
   * Asks the database. Answers 503 while it cannot be reached and while the service is stopping.
   */
  getReadiness(options?: RequestOptions): Promise<types.Health> {
    return this.#transport.json({ method: 'GET', path: '/readyz', answer: 'Health' }, options);
  }
}
