// Code generated from api/openapi.json by scripts/clients; DO NOT EDIT.

package svc

import (
	"context"
	"io"
	"net/http"
)

// Services are the operations of the API, by what they are about.
type Services struct {
	Assessments     *AssessmentsService
	Streams         *StreamsService
	Events          *EventsService
	Exports         *ExportsService
	Audit           *AuditService
	Drift           *DriftService
	Policy          *PolicyService
	Judges          *JudgesService
	Probes          *ProbesService
	Webhooks        *WebhooksService
	Integrations    *IntegrationsService
	Inboxes         *InboxesService
	APIKeys         *APIKeysService
	ServiceAccounts *ServiceAccountsService
	Sessions        *SessionsService
	SSO             *SSOService
	Organization    *OrganizationService
	Reports         *ReportsService
	Health          *HealthService
}

func newServices(t *transport) Services {
	return Services{
		Assessments:     &AssessmentsService{t},
		Streams:         &StreamsService{t},
		Events:          &EventsService{t},
		Exports:         &ExportsService{t},
		Audit:           &AuditService{t},
		Drift:           &DriftService{t},
		Policy:          &PolicyService{t},
		Judges:          &JudgesService{t},
		Probes:          &ProbesService{t},
		Webhooks:        &WebhooksService{t},
		Integrations:    &IntegrationsService{t},
		Inboxes:         &InboxesService{t},
		APIKeys:         &APIKeysService{t},
		ServiceAccounts: &ServiceAccountsService{t},
		Sessions:        &SessionsService{t},
		SSO:             &SSOService{t},
		Organization:    &OrganizationService{t},
		Reports:         &ReportsService{t},
		Health:          &HealthService{t},
	}
}

// AssessmentsService has the operations on assessments. Ask whether an inference is allowed, flagged or
// blocked, before anyone sees it.
type AssessmentsService struct {
	t *transport
}

// Create assesses an inference. Answers 200 whatever the outcome, once the assessment is committed to the
// audit trail. `outcome` is the worst of the findings; `coverage` says what was read and by which detectors.
// Needs the scope assess:create.
func (s *AssessmentsService) Create(ctx context.Context, body Inference, opts ...CallOption) (*Assessment, error) {
	return sendForJSON[Assessment](ctx, s.t, call{method: http.MethodPost, path: "/v1/assessments", body: body, takesKey: true}, opts)
}

// List lists assessments. Newest first. Test credentials see the test assessments of the last 24 hours,
// filtered by `outcome` and `external_id` alone. Needs the scope events:read.
func (s *AssessmentsService) List(ctx context.Context, query AssessmentsListQuery, opts ...CallOption) *Pages[Assessment] {
	return newPages[Assessment](ctx, s.t, call{method: http.MethodGet, path: "/v1/assessments", query: query.values()}, opts)
}

// CreateBatch assesses many inferences. Each item costs one assessment. One bad item never fails the others.
// Needs the scope assess:create.
func (s *AssessmentsService) CreateBatch(ctx context.Context, body AssessmentBatch, opts ...CallOption) (*AssessmentBatchResult, error) {
	return sendForJSON[AssessmentBatchResult](ctx, s.t, call{method: http.MethodPost, path: "/v1/assessments/batch", body: body, takesKey: true}, opts)
}

// Get reads an assessment. Needs the scope events:read.
func (s *AssessmentsService) Get(ctx context.Context, assessmentID string, opts ...CallOption) (*Assessment, error) {
	return sendForJSON[Assessment](ctx, s.t, call{method: http.MethodGet, path: "/v1/assessments/{assessment_id}", args: []string{assessmentID}}, opts)
}

// StreamsService has the operations on streams. Ask the same while a model is still writing, and show only
// what is safe.
type StreamsService struct {
	t *transport
}

// Create assesses an answer while it is written. Assesses the input, and opens a stream for the answer. Costs
// one assessment; its chunks cost nothing. At most 100 are open at a time. One that hears nothing for 60 s is
// closed and recorded as far as it came. Needs the scope assess:create.
func (s *StreamsService) Create(ctx context.Context, body StreamInference, opts ...CallOption) (*Stream, error) {
	return sendForJSON[Stream](ctx, s.t, call{method: http.MethodPost, path: "/v1/assessments/streams", body: body, takesKey: true}, opts)
}

// AppendChunk sends what the model has written since. Answers what may be shown now. Send chunks one after
// another: a gap in `seq` is a 409, and a chunk that is sent again is answered as before. At most 50 a second
// and 1 MiB a stream. The last chunk, with `final`, answers the whole assessment, committed to the audit
// trail. Once `outcome` is `blocked` nothing more is released: stop the model and send the last chunk. Needs
// the scope assess:create.
func (s *StreamsService) AppendChunk(ctx context.Context, streamID string, body StreamChunk, opts ...CallOption) (*StreamChunkResult, error) {
	return sendForJSON[StreamChunkResult](ctx, s.t, call{method: http.MethodPost, path: "/v1/assessments/streams/{stream_id}/chunks", args: []string{streamID}, body: body, takesKey: true}, opts)
}

// EventsService has the operations on events. The audit trail: everything that happened, in one gap-free
// sequence.
type EventsService struct {
	t *transport
}

// List lists events, or pulls them as they come. Newest first. With `after_sequence` it is a feed: events
// after that one, oldest first, waiting up to `wait_s` for the first. Read without filters, the sequence has
// no gaps, which proves that nothing was missed. Needs the scope events:read.
func (s *EventsService) List(ctx context.Context, query EventsListQuery, opts ...CallOption) *Pages[Event] {
	return newPages[Event](ctx, s.t, call{method: http.MethodGet, path: "/v1/events", query: query.values()}, opts)
}

// Get reads an event. Needs the scope events:read.
func (s *EventsService) Get(ctx context.Context, eventID string, opts ...CallOption) (*Event, error) {
	return sendForJSON[Event](ctx, s.t, call{method: http.MethodGet, path: "/v1/events/{event_id}", args: []string{eventID}}, opts)
}

// ExportsService has the operations on exports. Evidence of a stretch of the trail, in one file that is
// checked without the service.
type ExportsService struct {
	t *transport
}

// Create exports a stretch of the trail as an evidence bundle. The bundle is a zip with the events as they
// are in the log, what they disclose, the signed checkpoint, and the hashes that lead from one to the other:
// anyone can check it, offline and without trusting this service. It is made beside the requests and kept for
// 7 days. Needs the scopes events:read and reports:read.
func (s *ExportsService) Create(ctx context.Context, body CreateExport, opts ...CallOption) (*Export, error) {
	return sendForJSON[Export](ctx, s.t, call{method: http.MethodPost, path: "/v1/exports", body: body, takesKey: true}, opts)
}

// List lists exports. Needs the scopes events:read and reports:read.
func (s *ExportsService) List(ctx context.Context, query ExportsListQuery, opts ...CallOption) *Pages[Export] {
	return newPages[Export](ctx, s.t, call{method: http.MethodGet, path: "/v1/exports", query: query.values()}, opts)
}

// Get reads how far an export has come, and where it can be downloaded. Needs the scopes events:read and
// reports:read.
func (s *ExportsService) Get(ctx context.Context, exportID string, opts ...CallOption) (*Export, error) {
	return sendForJSON[Export](ctx, s.t, call{method: http.MethodGet, path: "/v1/exports/{export_id}", args: []string{exportID}}, opts)
}

// Delete deletes an export. One that is under way ends. What was exported stays in the trail. Needs the
// scopes events:read and reports:read.
func (s *ExportsService) Delete(ctx context.Context, exportID string, opts ...CallOption) (*DeletedExport, error) {
	return sendForJSON[DeletedExport](ctx, s.t, call{method: http.MethodDelete, path: "/v1/exports/{export_id}", args: []string{exportID}}, opts)
}

// Download downloads an evidence bundle. A download that broke off goes on with `Range`; `If-Range` with the
// `ETag` makes sure that it is the same bundle. An organization may have 8 under way on each node, and a
// client that takes nothing for a minute is cut off. Needs the scopes events:read and reports:read. Close
// what is returned.
func (s *ExportsService) Download(ctx context.Context, exportID string, opts ...CallOption) (io.ReadCloser, error) {
	return sendForBytes(ctx, s.t, call{method: http.MethodGet, path: "/v1/exports/{export_id}/bundle", args: []string{exportID}}, opts)
}

// AuditService has the operations on audit. The transparency log over the trail: checkpoints, proofs and
// tiles that anybody can check, and what is erased of events.
type AuditService struct {
	t *transport
}

// GetCheckpoint reads a checkpoint. A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the
// organization’s log. Keep the last one you have seen, and ask for the proof that the next one grew out of
// it. Of those older than an hour the last of each hour is kept. Needs the scope events:read.
func (s *AuditService) GetCheckpoint(ctx context.Context, query AuditGetCheckpointQuery, opts ...CallOption) (string, error) {
	return sendForText(ctx, s.t, call{method: http.MethodGet, path: "/v1/audit/checkpoint", query: query.values()}, opts)
}

// ProveConsistency proves that the log only grew. The proof that the tree of `to` leaves begins with that of
// `from` leaves: that nothing before was changed or removed. Needs the scope events:read.
func (s *AuditService) ProveConsistency(ctx context.Context, query AuditProveConsistencyQuery, opts ...CallOption) (*ConsistencyProof, error) {
	return sendForJSON[ConsistencyProof](ctx, s.t, call{method: http.MethodGet, path: "/v1/audit/consistency", query: query.values()}, opts)
}

// GetTile reads a tile of the log. As c2sp.org/tlog-tiles has them: 256 hashes of 32 bytes, or with `.p/<W>`
// the first W of them; under `entries/` the leaves themselves, each after its length in two bytes, for as
// long as the events are kept. An organization reads one bundle of entries at a time, else it is told
// `unavailable`. Needs the scope events:read. Close what is returned.
func (s *AuditService) GetTile(ctx context.Context, tilePath string, opts ...CallOption) (io.ReadCloser, error) {
	return sendForBytes(ctx, s.t, call{method: http.MethodGet, path: "/v1/audit/tile/{tile_path*}", args: []string{tilePath}}, opts)
}

// ListKeys lists the keys that sign checkpoints. Who checks checkpoints keeps these keys himself, from before
// he has to trust them; see the guide. Needs the scope events:read.
func (s *AuditService) ListKeys(ctx context.Context, opts ...CallOption) (*AuditKeys, error) {
	return sendForJSON[AuditKeys](ctx, s.t, call{method: http.MethodGet, path: "/v1/audit/keys"}, opts)
}

// ProveEvent proves that an event is in the log. A kilobyte that anybody can check without this service. As
// `text/plain` it is a proof file (c2sp.org/tlog-proof). Waits for the log, which is a second behind the
// trail at most. Needs the scope events:read.
func (s *AuditService) ProveEvent(ctx context.Context, eventID string, query AuditProveEventQuery, opts ...CallOption) (*EventProof, error) {
	return sendForJSON[EventProof](ctx, s.t, call{method: http.MethodGet, path: "/v1/events/{event_id}/proof", args: []string{eventID}, query: query.values()}, opts)
}

// RedactEvent erases values of an event. For good: the values and their salts are deleted, the event’s leaf
// and every proof stay as they are. What was delivered or exported before is out of reach; deliveries that
// are still under way go on without the values. The trail keeps who did it and why, as `audit.redacted`.
// Needs the scope admin:*.
func (s *AuditService) RedactEvent(ctx context.Context, body NewRedaction, opts ...CallOption) (*Redaction, error) {
	return sendForJSON[Redaction](ctx, s.t, call{method: http.MethodPost, path: "/v1/audit/redactions", body: body, takesKey: true}, opts)
}

// GetDeploymentLog reads the deployment’s log, with a proof that it holds your checkpoint. Every minute the
// newest checkpoint of each organization becomes a leaf of one log over all of them, whose own checkpoints
// witnesses cosign. A salt hides organizations from each other. 404 until the first checkpoint of the
// organization is in it. Needs the scope events:read.
func (s *AuditService) GetDeploymentLog(ctx context.Context, opts ...CallOption) (*DeploymentLog, error) {
	return sendForJSON[DeploymentLog](ctx, s.t, call{method: http.MethodGet, path: "/v1/audit/deployment"}, opts)
}

// DriftService has the operations on drift. What changed in how your models behave, and how sure that is.
type DriftService struct {
	t *transport
}

// List lists what is watched for drift. Each monitor watches one signal of one model in one group of probes.
// Newest first. What test keys do is not watched: they see none. Needs the scope probes:read.
func (s *DriftService) List(ctx context.Context, query DriftListQuery, opts ...CallOption) *Pages[DriftMonitor] {
	return newPages[DriftMonitor](ctx, s.t, call{method: http.MethodGet, path: "/v1/drift", query: query.values()}, opts)
}

// Get reads a monitor, what it found, and its hours for a chart. Needs the scope probes:read.
func (s *DriftService) Get(ctx context.Context, monitorID string, opts ...CallOption) (*DriftMonitorDetail, error) {
	return sendForJSON[DriftMonitorDetail](ctx, s.t, call{method: http.MethodGet, path: "/v1/drift/{monitor_id}", args: []string{monitorID}}, opts)
}

// Rebaseline takes the level of now for the usual one. Gives up the baseline. The new one is learned from
// what was observed since the drift began, as far as it is known, and from what comes. A drift that persists
// ends with it. The trail keeps who did it, and the digests of both baselines. Needs the scope probes:write.
func (s *DriftService) Rebaseline(ctx context.Context, monitorID string, body DriftNote, opts ...CallOption) (*DriftMonitor, error) {
	return sendForJSON[DriftMonitor](ctx, s.t, call{method: http.MethodPost, path: "/v1/drift/{monitor_id}/rebaseline", args: []string{monitorID}, body: body, takesKey: true}, opts)
}

// Acknowledge says that somebody takes care of a drift. Of the drift that persists, once; otherwise a 409.
// Nothing else changes: it recovers, or is rebaselined, by itself. Needs the scope probes:write.
func (s *DriftService) Acknowledge(ctx context.Context, monitorID string, body DriftNote, opts ...CallOption) (*DriftMonitor, error) {
	return sendForJSON[DriftMonitor](ctx, s.t, call{method: http.MethodPost, path: "/v1/drift/{monitor_id}/acknowledge", args: []string{monitorID}, body: body, takesKey: true}, opts)
}

// PolicyService has the operations on policy. What is detected and what follows from it.
type PolicyService struct {
	t *transport
}

// Get reads the policy in force. Needs the scope policy:read.
func (s *PolicyService) Get(ctx context.Context, opts ...CallOption) (*PolicyVersion, error) {
	return sendForJSON[PolicyVersion](ctx, s.t, call{method: http.MethodGet, path: "/v1/policy"}, opts)
}

// Put replaces the policy. Stores the document as the next version and puts it in force. With `If-Match` only
// if that version is still the current one. The document in force sent again changes nothing. Needs the scope
// policy:write.
func (s *PolicyService) Put(ctx context.Context, body Policy, opts ...CallOption) (*PolicyVersion, error) {
	return sendForJSON[PolicyVersion](ctx, s.t, call{method: http.MethodPut, path: "/v1/policy", body: body}, opts)
}

// Lint checks a policy without storing it. Needs the scope policy:read.
func (s *PolicyService) Lint(ctx context.Context, body Policy, opts ...CallOption) (*PolicyLintResult, error) {
	return sendForJSON[PolicyLintResult](ctx, s.t, call{method: http.MethodPost, path: "/v1/policy/lint", body: body, takesKey: true}, opts)
}

// ListVersions lists the versions of the policy. Needs the scope policy:read.
func (s *PolicyService) ListVersions(ctx context.Context, query PolicyListVersionsQuery, opts ...CallOption) *Pages[PolicyVersionSummary] {
	return newPages[PolicyVersionSummary](ctx, s.t, call{method: http.MethodGet, path: "/v1/policy/versions", query: query.values()}, opts)
}

// GetVersion reads a version of the policy. Needs the scope policy:read.
func (s *PolicyService) GetVersion(ctx context.Context, version string, opts ...CallOption) (*PolicyVersion, error) {
	return sendForJSON[PolicyVersion](ctx, s.t, call{method: http.MethodGet, path: "/v1/policy/versions/{version}", args: []string{version}}, opts)
}

// RestoreVersion makes an earlier version the next one. Stores its document as the next version and puts it
// in force. With `If-Match` only if the version that it names is still in force. A document that would not be
// taken today is refused with its problems; one that is in force changes nothing. Needs the scope
// policy:write.
func (s *PolicyService) RestoreVersion(ctx context.Context, version string, opts ...CallOption) (*PolicyVersion, error) {
	return sendForJSON[PolicyVersion](ctx, s.t, call{method: http.MethodPost, path: "/v1/policy/versions/{version}/restore", args: []string{version}, takesKey: true}, opts)
}

// DiffVersions compares two versions of the policy. What has to be done to the document of `from` to get that
// of `to`. Lists whose entries have an id are compared by it. Needs the scope policy:read.
func (s *PolicyService) DiffVersions(ctx context.Context, query PolicyDiffVersionsQuery, opts ...CallOption) (*PolicyDiff, error) {
	return sendForJSON[PolicyDiff](ctx, s.t, call{method: http.MethodGet, path: "/v1/policy/diff", query: query.values()}, opts)
}

// PutShadow runs a candidate beside the policy in force. The candidate decides a sample of assessments too,
// after the policy in force has decided them, and changes nothing about them. It stands in the place of the
// candidate before; the same document again goes on with its tally. Needs the scope policy:write.
func (s *PolicyService) PutShadow(ctx context.Context, body PutPolicyShadow, opts ...CallOption) (*PolicyShadow, error) {
	return sendForJSON[PolicyShadow](ctx, s.t, call{method: http.MethodPut, path: "/v1/policy/shadow", body: body}, opts)
}

// GetShadow reads the candidate and what it would have changed. The tally is counted from the trail: it holds
// every assessment that was recorded before this answer. Needs the scope policy:read.
func (s *PolicyService) GetShadow(ctx context.Context, opts ...CallOption) (*PolicyShadow, error) {
	return sendForJSON[PolicyShadow](ctx, s.t, call{method: http.MethodGet, path: "/v1/policy/shadow"}, opts)
}

// DeleteShadow ends the candidate. Needs the scope policy:write.
func (s *PolicyService) DeleteShadow(ctx context.Context, opts ...CallOption) (*PolicyShadow, error) {
	return sendForJSON[PolicyShadow](ctx, s.t, call{method: http.MethodDelete, path: "/v1/policy/shadow"}, opts)
}

// PromoteShadow puts the candidate in force. Stores it as the next version and ends the shadow. With `digest`
// only if that candidate still runs, with `If-Match` only if the version that it names is still in force.
// Needs the scope policy:write.
func (s *PolicyService) PromoteShadow(ctx context.Context, body PromotePolicyShadow, opts ...CallOption) (*PolicyVersion, error) {
	return sendForJSON[PolicyVersion](ctx, s.t, call{method: http.MethodPost, path: "/v1/policy/shadow/promote", body: body, takesKey: true}, opts)
}

// Simulate tries a policy on what was assessed before, or on items. Compares what the policy would decide
// with what was decided. Where the text of an assessment was kept (`data.store: full`) it is decided anew;
// else from the findings that were kept, and the result says what these could not tell. Items are decided by
// the policy in force and by this one. Judges are not asked. What probes reported is not looked at. Needs the
// scope policy:read.
func (s *PolicyService) Simulate(ctx context.Context, body SimulatePolicy, opts ...CallOption) (*PolicySimulation, error) {
	return sendForJSON[PolicySimulation](ctx, s.t, call{method: http.MethodPost, path: "/v1/policy/simulate", body: body, takesKey: true}, opts)
}

// GetSimulation reads how far a simulation has come, and what it found. Kept for 30 days, the last 20 of an
// organization’s live keys and the last 20 of its test keys. Needs the scope policy:read.
func (s *PolicyService) GetSimulation(ctx context.Context, simulationID string, opts ...CallOption) (*PolicySimulation, error) {
	return sendForJSON[PolicySimulation](ctx, s.t, call{method: http.MethodGet, path: "/v1/policy/simulations/{simulation_id}", args: []string{simulationID}}, opts)
}

// ListExceptions lists the exceptions of the policy in force, with what they have excused. In the order of
// the document. Counted from the trail, under the id of the exception, whatever the version of the policy.
// Needs the scope policy:read.
func (s *PolicyService) ListExceptions(ctx context.Context, query PolicyListExceptionsQuery, opts ...CallOption) *Pages[PolicyExceptionState] {
	return newPages[PolicyExceptionState](ctx, s.t, call{method: http.MethodGet, path: "/v1/policy/exceptions", query: query.values()}, opts)
}

// JudgesService has the operations on judges. Models outside that policies ask for their opinion.
type JudgesService struct {
	t *transport
}

// Create creates a judge. A model behind an OpenAI-compatible API. It is asked about inferences once a policy
// names it, and sent nothing before. At most 20. Needs the scope admin:*.
func (s *JudgesService) Create(ctx context.Context, body CreateJudge, opts ...CallOption) (*Judge, error) {
	return sendForJSON[Judge](ctx, s.t, call{method: http.MethodPost, path: "/v1/judges", body: body, takesKey: true}, opts)
}

// List lists judges. Newest first. Needs the scope admin:*.
func (s *JudgesService) List(ctx context.Context, query JudgesListQuery, opts ...CallOption) *Pages[Judge] {
	return newPages[Judge](ctx, s.t, call{method: http.MethodGet, path: "/v1/judges", query: query.values()}, opts)
}

// Get reads a judge. Needs the scope admin:*.
func (s *JudgesService) Get(ctx context.Context, judgeID string, opts ...CallOption) (*Judge, error) {
	return sendForJSON[Judge](ctx, s.t, call{method: http.MethodGet, path: "/v1/judges/{judge_id}", args: []string{judgeID}}, opts)
}

// Update changes a judge. What is absent stays as it is, but for the key: with another url it is dropped
// unless another one comes with it. In force on every node within a second. Needs the scope admin:*.
func (s *JudgesService) Update(ctx context.Context, judgeID string, body PatchJudge, opts ...CallOption) (*Judge, error) {
	return sendForJSON[Judge](ctx, s.t, call{method: http.MethodPatch, path: "/v1/judges/{judge_id}", args: []string{judgeID}, body: body}, opts)
}

// Delete deletes a judge and its key. Refused while the policy in force names it. Needs the scope admin:*.
func (s *JudgesService) Delete(ctx context.Context, judgeID string, opts ...CallOption) (*Judge, error) {
	return sendForJSON[Judge](ctx, s.t, call{method: http.MethodDelete, path: "/v1/judges/{judge_id}", args: []string{judgeID}}, opts)
}

// ProbesService has the operations on probes. What runs beside your models: it decides by your policy,
// offline too, and reports what it saw.
type ProbesService struct {
	t *transport
}

// SendTelemetry reports inferences that a probe has seen. Answered once what was accepted is committed. An
// event whose `id` the probe has sent before is stored once, so a request without an answer may be sent again
// as it is. Events with `input` or `output` are assessed by the service, and cost one assessment each; of the
// others the probe’s own outcome is taken. The trail gets one `telemetry.received` for the batch, and an
// event for each inference that was flagged or blocked. The body may be packed by gzip. Needs the scope
// assess:create.
func (s *ProbesService) SendTelemetry(ctx context.Context, body TelemetryBatch, opts ...CallOption) (*TelemetryResult, error) {
	return sendForJSON[TelemetryResult](ctx, s.t, call{method: http.MethodPost, path: "/api/svc/probe/telemetry", body: body}, opts)
}

// SendHeartbeat says that a probe is there, and how it is. A probe that sends none for three intervals is
// taken for offline. Needs the scope assess:create.
func (s *ProbesService) SendHeartbeat(ctx context.Context, body Heartbeat, opts ...CallOption) (*HeartbeatAnswer, error) {
	return sendForJSON[HeartbeatAnswer](ctx, s.t, call{method: http.MethodPost, path: "/api/svc/probe/heartbeat", body: body}, opts)
}

// SyncPolicy gets the policy in force, signed. For probes that decide by themselves: they keep it on disk,
// and go on with it where the service cannot be reached. The same bytes from every node until midnight UTC,
// or until the policy is changed. Needs the scopes assess:create and policy:read.
func (s *ProbesService) SyncPolicy(ctx context.Context, opts ...CallOption) (*PolicyBundle, error) {
	return sendForJSON[PolicyBundle](ctx, s.t, call{method: http.MethodGet, path: "/api/svc/probe/policy-sync"}, opts)
}

// List lists probes. Of the credential’s mode, those that were registered last first. Needs the scope
// probes:read.
func (s *ProbesService) List(ctx context.Context, query ProbesListQuery, opts ...CallOption) *Pages[Probe] {
	return newPages[Probe](ctx, s.t, call{method: http.MethodGet, path: "/v1/probes", query: query.values()}, opts)
}

// Get reads a probe. Needs the scope probes:read.
func (s *ProbesService) Get(ctx context.Context, probeID string, opts ...CallOption) (*Probe, error) {
	return sendForJSON[Probe](ctx, s.t, call{method: http.MethodGet, path: "/v1/probes/{probe_id}", args: []string{probeID}}, opts)
}

// Update changes a probe’s labels, or how often it is to be heard. Needs the scope probes:write.
func (s *ProbesService) Update(ctx context.Context, probeID string, body UpdateProbe, opts ...CallOption) (*Probe, error) {
	return sendForJSON[Probe](ctx, s.t, call{method: http.MethodPatch, path: "/v1/probes/{probe_id}", args: []string{probeID}, body: body}, opts)
}

// Delete forgets a probe. What it reported stays. It is registered anew when it calls again. Needs the scope
// probes:write.
func (s *ProbesService) Delete(ctx context.Context, probeID string, opts ...CallOption) (*Probe, error) {
	return sendForJSON[Probe](ctx, s.t, call{method: http.MethodDelete, path: "/v1/probes/{probe_id}", args: []string{probeID}}, opts)
}

// WebhooksService has the operations on webhooks. Events, pushed to your systems, and what became of each.
type WebhooksService struct {
	t *transport
}

// Create creates a webhook. The signing secret is in this answer only. A webhook made with a test key hears
// of test assessments alone. Needs the scope webhooks:write.
func (s *WebhooksService) Create(ctx context.Context, body CreateWebhook, opts ...CallOption) (*WebhookWithSecret, error) {
	return sendForJSON[WebhookWithSecret](ctx, s.t, call{method: http.MethodPost, path: "/v1/webhooks", body: body, takesKey: true}, opts)
}

// List lists webhooks. Newest first. Needs the scope webhooks:read.
func (s *WebhooksService) List(ctx context.Context, query WebhooksListQuery, opts ...CallOption) *Pages[Webhook] {
	return newPages[Webhook](ctx, s.t, call{method: http.MethodGet, path: "/v1/webhooks", query: query.values()}, opts)
}

// Get reads a webhook. Needs the scope webhooks:read.
func (s *WebhooksService) Get(ctx context.Context, webhookID string, opts ...CallOption) (*Webhook, error) {
	return sendForJSON[Webhook](ctx, s.t, call{method: http.MethodGet, path: "/v1/webhooks/{webhook_id}", args: []string{webhookID}}, opts)
}

// Update changes url, events or description. What is absent stays as it is. What is queued goes to the new
// url. Needs the scope webhooks:write.
func (s *WebhooksService) Update(ctx context.Context, webhookID string, body PatchWebhook, opts ...CallOption) (*Webhook, error) {
	return sendForJSON[Webhook](ctx, s.t, call{method: http.MethodPatch, path: "/v1/webhooks/{webhook_id}", args: []string{webhookID}, body: body}, opts)
}

// Delete deletes a webhook. Cancels what is queued for it. Needs the scope webhooks:write.
func (s *WebhooksService) Delete(ctx context.Context, webhookID string, opts ...CallOption) (*Webhook, error) {
	return sendForJSON[Webhook](ctx, s.t, call{method: http.MethodDelete, path: "/v1/webhooks/{webhook_id}", args: []string{webhookID}}, opts)
}

// RotateSecret gives a webhook a new signing secret. During the grace `X-Svc-Signature-256` is still the old
// secret’s, the new one’s is in `X-Svc-Signature-256-Next`, and `webhook-signature` carries both. Needs the
// scope webhooks:write.
func (s *WebhooksService) RotateSecret(ctx context.Context, webhookID string, body RotateSecret, opts ...CallOption) (*WebhookWithSecret, error) {
	return sendForJSON[WebhookWithSecret](ctx, s.t, call{method: http.MethodPost, path: "/v1/webhooks/{webhook_id}/rotate-secret", args: []string{webhookID}, body: body, takesKey: true}, opts)
}

// FinishRotation ends the grace of a rotation. From here on the new secret alone signs. Doing it again
// changes nothing. Needs the scope webhooks:write.
func (s *WebhooksService) FinishRotation(ctx context.Context, webhookID string, opts ...CallOption) (*Webhook, error) {
	return sendForJSON[Webhook](ctx, s.t, call{method: http.MethodPost, path: "/v1/webhooks/{webhook_id}/rotate-secret/finish", args: []string{webhookID}, takesKey: true}, opts)
}

// ListDeliveries lists deliveries. Newest event first. Kept for 30 days. Needs the scope webhooks:read.
func (s *WebhooksService) ListDeliveries(ctx context.Context, webhookID string, query WebhooksListDeliveriesQuery, opts ...CallOption) *Pages[Delivery] {
	return newPages[Delivery](ctx, s.t, call{method: http.MethodGet, path: "/v1/webhooks/{webhook_id}/deliveries", args: []string{webhookID}, query: query.values()}, opts)
}

// GetDelivery reads a delivery, with its body and its attempts. Needs the scope webhooks:read.
func (s *WebhooksService) GetDelivery(ctx context.Context, webhookID string, deliveryID string, opts ...CallOption) (*DeliveryDetail, error) {
	return sendForJSON[DeliveryDetail](ctx, s.t, call{method: http.MethodGet, path: "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}", args: []string{webhookID, deliveryID}}, opts)
}

// RetryDelivery sends a delivery again, now. One more attempt, whatever came of the others. If it fails, the
// delivery is what it was before. Needs the scope webhooks:write.
func (s *WebhooksService) RetryDelivery(ctx context.Context, webhookID string, deliveryID string, opts ...CallOption) (*DeliveryDetail, error) {
	return sendForJSON[DeliveryDetail](ctx, s.t, call{method: http.MethodPost, path: "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/retry", args: []string{webhookID, deliveryID}, takesKey: true}, opts)
}

// Recover sends again what has failed since a time. Each delivery gets the whole schedule again, with the
// same event id and the same body. Needs the scope webhooks:write.
func (s *WebhooksService) Recover(ctx context.Context, webhookID string, body Recover, opts ...CallOption) (*Recovered, error) {
	return sendForJSON[Recovered](ctx, s.t, call{method: http.MethodPost, path: "/v1/webhooks/{webhook_id}/recover", args: []string{webhookID}, body: body, takesKey: true}, opts)
}

// Test sends a sample event, once. One real attempt, signed like any other. It is kept nowhere; the answer
// tells how it went. Needs the scope webhooks:write.
func (s *WebhooksService) Test(ctx context.Context, webhookID string, body TestEvent, opts ...CallOption) (*TestResult, error) {
	return sendForJSON[TestResult](ctx, s.t, call{method: http.MethodPost, path: "/v1/webhooks/{webhook_id}/test", args: []string{webhookID}, body: body, takesKey: true}, opts)
}

// IntegrationsService has the operations on integrations. Events, in the form that chat, incident and
// monitoring tools take.
type IntegrationsService struct {
	t *transport
}

// Create creates an integration. Sends events to a chat, incident or monitoring tool in the form it takes, by
// the same deliveries as webhooks. Needs the scope webhooks:write.
func (s *IntegrationsService) Create(ctx context.Context, body CreateIntegration, opts ...CallOption) (*Integration, error) {
	return sendForJSON[Integration](ctx, s.t, call{method: http.MethodPost, path: "/v1/integrations", body: body, takesKey: true}, opts)
}

// List lists integrations. Newest first. Needs the scope webhooks:read.
func (s *IntegrationsService) List(ctx context.Context, query IntegrationsListQuery, opts ...CallOption) *Pages[Integration] {
	return newPages[Integration](ctx, s.t, call{method: http.MethodGet, path: "/v1/integrations", query: query.values()}, opts)
}

// Get reads an integration. Needs the scope webhooks:read.
func (s *IntegrationsService) Get(ctx context.Context, integrationID string, opts ...CallOption) (*Integration, error) {
	return sendForJSON[Integration](ctx, s.t, call{method: http.MethodGet, path: "/v1/integrations/{integration_id}", args: []string{integrationID}}, opts)
}

// Update changes name, events or config. What is absent stays as it is, in the config too; but a config with
// another address needs its secrets again, which are not sent to a place they were not given for. Needs the
// scope webhooks:write.
func (s *IntegrationsService) Update(ctx context.Context, integrationID string, body PatchIntegration, opts ...CallOption) (*Integration, error) {
	return sendForJSON[Integration](ctx, s.t, call{method: http.MethodPatch, path: "/v1/integrations/{integration_id}", args: []string{integrationID}, body: body}, opts)
}

// Delete deletes an integration. Cancels what is queued for it. Needs the scope webhooks:write.
func (s *IntegrationsService) Delete(ctx context.Context, integrationID string, opts ...CallOption) (*Integration, error) {
	return sendForJSON[Integration](ctx, s.t, call{method: http.MethodDelete, path: "/v1/integrations/{integration_id}", args: []string{integrationID}}, opts)
}

// ListDeliveries lists deliveries. Newest event first. Kept for 30 days. Needs the scope webhooks:read.
func (s *IntegrationsService) ListDeliveries(ctx context.Context, integrationID string, query IntegrationsListDeliveriesQuery, opts ...CallOption) *Pages[Delivery] {
	return newPages[Delivery](ctx, s.t, call{method: http.MethodGet, path: "/v1/integrations/{integration_id}/deliveries", args: []string{integrationID}, query: query.values()}, opts)
}

// GetDelivery reads a delivery, with its body and its attempts. Needs the scope webhooks:read.
func (s *IntegrationsService) GetDelivery(ctx context.Context, integrationID string, deliveryID string, opts ...CallOption) (*DeliveryDetail, error) {
	return sendForJSON[DeliveryDetail](ctx, s.t, call{method: http.MethodGet, path: "/v1/integrations/{integration_id}/deliveries/{delivery_id}", args: []string{integrationID, deliveryID}}, opts)
}

// RetryDelivery sends a delivery again, now. One more attempt, whatever came of the others. If it fails, the
// delivery is what it was before. Needs the scope webhooks:write.
func (s *IntegrationsService) RetryDelivery(ctx context.Context, integrationID string, deliveryID string, opts ...CallOption) (*DeliveryDetail, error) {
	return sendForJSON[DeliveryDetail](ctx, s.t, call{method: http.MethodPost, path: "/v1/integrations/{integration_id}/deliveries/{delivery_id}/retry", args: []string{integrationID, deliveryID}, takesKey: true}, opts)
}

// Recover sends again what has failed since a time. Each delivery gets the whole schedule again, with the
// same event id and the same body. Needs the scope webhooks:write.
func (s *IntegrationsService) Recover(ctx context.Context, integrationID string, body Recover, opts ...CallOption) (*Recovered, error) {
	return sendForJSON[Recovered](ctx, s.t, call{method: http.MethodPost, path: "/v1/integrations/{integration_id}/recover", args: []string{integrationID}, body: body, takesKey: true}, opts)
}

// Test sends a sample event, once. One real attempt, signed like any other. It is kept nowhere; the answer
// tells how it went. Needs the scope webhooks:write.
func (s *IntegrationsService) Test(ctx context.Context, integrationID string, body TestEvent, opts ...CallOption) (*TestResult, error) {
	return sendForJSON[TestResult](ctx, s.t, call{method: http.MethodPost, path: "/v1/integrations/{integration_id}/test", args: []string{integrationID}, body: body, takesKey: true}, opts)
}

// InboxesService has the operations on inboxes. Addresses of the service’s own that take webhooks and show
// what arrived.
type InboxesService struct {
	t *transport
}

// Create creates an inbox. Use its `url` as that of a webhook and see what arrives. Needs the scope
// webhooks:write.
func (s *InboxesService) Create(ctx context.Context, opts ...CallOption) (*Inbox, error) {
	return sendForJSON[Inbox](ctx, s.t, call{method: http.MethodPost, path: "/v1/inboxes", takesKey: true}, opts)
}

// List lists inboxes. Needs the scope webhooks:read.
func (s *InboxesService) List(ctx context.Context, opts ...CallOption) (*InboxList, error) {
	return sendForJSON[InboxList](ctx, s.t, call{method: http.MethodGet, path: "/v1/inboxes"}, opts)
}

// ListMessages sees what arrived in an inbox. The last 100, newest first. Those of live events need
// `events:read` too. Needs the scope webhooks:read.
func (s *InboxesService) ListMessages(ctx context.Context, inboxID string, opts ...CallOption) (*InboxMessageList, error) {
	return sendForJSON[InboxMessageList](ctx, s.t, call{method: http.MethodGet, path: "/v1/inboxes/{inbox_id}/messages", args: []string{inboxID}}, opts)
}

// Delete deletes an inbox and what arrived in it. Needs the scope webhooks:write.
func (s *InboxesService) Delete(ctx context.Context, inboxID string, opts ...CallOption) (*DeletedInbox, error) {
	return sendForJSON[DeletedInbox](ctx, s.t, call{method: http.MethodDelete, path: "/v1/inboxes/{inbox_id}", args: []string{inboxID}}, opts)
}

// APIKeysService has the operations on API keys. Credentials, their scopes and their end.
type APIKeysService struct {
	t *transport
}

// Create creates an API key. The key itself is in this answer only. Without `permissions` it holds what its
// type holds. Needs the scope admin:*.
func (s *APIKeysService) Create(ctx context.Context, body CreateAPIKey, opts ...CallOption) (*CreatedAPIKey, error) {
	return sendForJSON[CreatedAPIKey](ctx, s.t, call{method: http.MethodPost, path: "/v1/api-keys", body: body, takesKey: true}, opts)
}

// List lists API keys. Newest first, revoked ones included. Needs the scope admin:*.
func (s *APIKeysService) List(ctx context.Context, query APIKeysListQuery, opts ...CallOption) *Pages[APIKey] {
	return newPages[APIKey](ctx, s.t, call{method: http.MethodGet, path: "/v1/api-keys", query: query.values()}, opts)
}

// Get reads an API key. Needs the scope admin:*.
func (s *APIKeysService) Get(ctx context.Context, keyID string, opts ...CallOption) (*APIKey, error) {
	return sendForJSON[APIKey](ctx, s.t, call{method: http.MethodGet, path: "/v1/api-keys/{key_id}", args: []string{keyID}}, opts)
}

// Revoke revokes an API key. It is refused from this answer on. Revoking it again answers the same. Needs the
// scope admin:*.
func (s *APIKeysService) Revoke(ctx context.Context, keyID string, opts ...CallOption) (*APIKey, error) {
	return sendForJSON[APIKey](ctx, s.t, call{method: http.MethodDelete, path: "/v1/api-keys/{key_id}", args: []string{keyID}}, opts)
}

// ServiceAccountsService has the operations on service accounts. Automated systems: their scopes, their
// addresses, their keys.
type ServiceAccountsService struct {
	t *transport
}

// Create creates a service account, with its first key. Its credential is an API key that has the account’s
// permissions and may be used from the addresses of its allowlist alone. The key itself is in this answer
// only. Needs the scope admin:*.
func (s *ServiceAccountsService) Create(ctx context.Context, body CreateServiceAccount, opts ...CallOption) (*CreatedServiceAccount, error) {
	return sendForJSON[CreatedServiceAccount](ctx, s.t, call{method: http.MethodPost, path: "/v1/service-accounts", body: body, takesKey: true}, opts)
}

// List lists service accounts. Newest first, without deleted ones. Needs the scope admin:*.
func (s *ServiceAccountsService) List(ctx context.Context, query ServiceAccountsListQuery, opts ...CallOption) *Pages[ServiceAccount] {
	return newPages[ServiceAccount](ctx, s.t, call{method: http.MethodGet, path: "/v1/service-accounts", query: query.values()}, opts)
}

// Get reads a service account. Deleted ones too, so that an actor in the trail can always be looked up. Needs
// the scope admin:*.
func (s *ServiceAccountsService) Get(ctx context.Context, serviceAccountID string, opts ...CallOption) (*ServiceAccount, error) {
	return sendForJSON[ServiceAccount](ctx, s.t, call{method: http.MethodGet, path: "/v1/service-accounts/{service_account_id}", args: []string{serviceAccountID}}, opts)
}

// Update changes name, permissions or allowlist. All its keys follow, on every node within a second. What is
// absent stays as it is. Needs the scope admin:*.
func (s *ServiceAccountsService) Update(ctx context.Context, serviceAccountID string, body PatchServiceAccount, opts ...CallOption) (*ServiceAccount, error) {
	return sendForJSON[ServiceAccount](ctx, s.t, call{method: http.MethodPatch, path: "/v1/service-accounts/{service_account_id}", args: []string{serviceAccountID}, body: body}, opts)
}

// Delete deletes a service account and revoke its keys. Deleting it again answers the same. Needs the scope
// admin:*.
func (s *ServiceAccountsService) Delete(ctx context.Context, serviceAccountID string, opts ...CallOption) (*ServiceAccount, error) {
	return sendForJSON[ServiceAccount](ctx, s.t, call{method: http.MethodDelete, path: "/v1/service-accounts/{service_account_id}", args: []string{serviceAccountID}}, opts)
}

// CreateKey creates another key of a service account. For rotation: deploy it, then revoke the old one with
// `DELETE /v1/api-keys/{key_id}`. Needs the scope admin:*.
func (s *ServiceAccountsService) CreateKey(ctx context.Context, serviceAccountID string, body CreateServiceAccountKey, opts ...CallOption) (*CreatedAPIKey, error) {
	return sendForJSON[CreatedAPIKey](ctx, s.t, call{method: http.MethodPost, path: "/v1/service-accounts/{service_account_id}/keys", args: []string{serviceAccountID}, body: body, takesKey: true}, opts)
}

// SessionsService has the operations on sessions. Users and browsers: session tokens, cookies and their end.
type SessionsService struct {
	t *transport
}

// ExchangeToken exchanges an ID token of the identity provider for a session token. The organization is the
// one whose single sign-on names the token’s issuer and client; where several do, `X-Svc-Org-Id` says which.
func (s *SessionsService) ExchangeToken(ctx context.Context, body ExchangeToken, opts ...CallOption) (*SessionToken, error) {
	return sendForJSON[SessionToken](ctx, s.t, call{method: http.MethodPost, path: "/v1/auth/token", body: body}, opts)
}

// EndToken ends the session of the session token in use. Every token of the session, and the dashboard’s
// cookie for it, is refused from this answer on.
func (s *SessionsService) EndToken(ctx context.Context, opts ...CallOption) (*Session, error) {
	return sendForJSON[Session](ctx, s.t, call{method: http.MethodDelete, path: "/v1/auth/token"}, opts)
}

// RefreshToken gets a new session token before the present one expires. For the same session, until twelve
// hours after the sign-in. The present token stays good until it expires.
func (s *SessionsService) RefreshToken(ctx context.Context, opts ...CallOption) (*SessionToken, error) {
	return sendForJSON[SessionToken](ctx, s.t, call{method: http.MethodPost, path: "/v1/auth/token/refresh"}, opts)
}

// List lists sessions. Newest first, ended ones included. Needs the scope admin:*.
func (s *SessionsService) List(ctx context.Context, query SessionsListQuery, opts ...CallOption) *Pages[Session] {
	return newPages[Session](ctx, s.t, call{method: http.MethodGet, path: "/v1/sessions", query: query.values()}, opts)
}

// EndAll ends all sessions of the organization. Its tokens and cookies are refused on every node within a
// second. API keys stay as they are. Needs the scope admin:*.
func (s *SessionsService) EndAll(ctx context.Context, opts ...CallOption) (*EndedSessions, error) {
	return sendForJSON[EndedSessions](ctx, s.t, call{method: http.MethodDelete, path: "/v1/sessions"}, opts)
}

// End ends a session. Its tokens and cookies are refused on every node within a second. Ending it again
// answers the same. Needs the scope admin:*.
func (s *SessionsService) End(ctx context.Context, sessionID string, opts ...CallOption) (*Session, error) {
	return sendForJSON[Session](ctx, s.t, call{method: http.MethodDelete, path: "/v1/sessions/{session_id}", args: []string{sessionID}}, opts)
}

// SSOService has the operations on SSO. How users sign in by the organization’s identity provider.
type SSOService struct {
	t *transport
}

// Get reads how users sign in. Needs the scope admin:*.
func (s *SSOService) Get(ctx context.Context, opts ...CallOption) (*SSO, error) {
	return sendForJSON[SSO](ctx, s.t, call{method: http.MethodGet, path: "/v1/organization/sso"}, opts)
}

// Put sets how users sign in. Replaces what was set before. Whatever changes who may sign in, and as what,
// ends the sessions of all users, who sign in again. The issuer’s discovery document must be readable from
// here. Needs the scope admin:*.
func (s *SSOService) Put(ctx context.Context, body PutSSO, opts ...CallOption) (*SSO, error) {
	return sendForJSON[SSO](ctx, s.t, call{method: http.MethodPut, path: "/v1/organization/sso", body: body}, opts)
}

// Delete ends single sign-on. Ends the sessions of all users. Doing it again changes nothing. Needs the scope
// admin:*.
func (s *SSOService) Delete(ctx context.Context, opts ...CallOption) (*NoSSO, error) {
	return sendForJSON[NoSSO](ctx, s.t, call{method: http.MethodDelete, path: "/v1/organization/sso"}, opts)
}

// OrganizationService has the operations on organization. Who am I, and what was used.
type OrganizationService struct {
	t *transport
}

// Get reads the organization and the credential in use.
func (s *OrganizationService) Get(ctx context.Context, opts ...CallOption) (*Organization, error) {
	return sendForJSON[Organization](ctx, s.t, call{method: http.MethodGet, path: "/v1/organization"}, opts)
}

// GetUsage reads what was used of the plan. Assessments by day, from the trail, with texts that probes sent;
// those of test keys do not count. And what is left of the limits right now. Needs the scope reports:read.
func (s *OrganizationService) GetUsage(ctx context.Context, query OrganizationGetUsageQuery, opts ...CallOption) (*Usage, error) {
	return sendForJSON[Usage](ctx, s.t, call{method: http.MethodGet, path: "/v1/usage", query: query.values()}, opts)
}

// ReportsService has the operations on reports. What happened in a time, and what evidence there is for laws
// and standards.
type ReportsService struct {
	t *transport
}

// GetSummary reads what happened in a time. Counts of the trail, made while the log grows over it: `as_of`
// says of which events. By the time of recording, in whole hours or days (UTC). Events of test keys are not
// counted. Needs the scope reports:read.
func (s *ReportsService) GetSummary(ctx context.Context, query ReportsGetSummaryQuery, opts ...CallOption) (*SummaryReport, error) {
	return sendForJSON[SummaryReport](ctx, s.t, call{method: http.MethodGet, path: "/v1/reports/summary", query: query.values()}, opts)
}

// GetCompliance reads what evidence the trail holds for a framework. Provision by provision: what it asks
// for, of whom, what the log holds that speaks to it, and what is missing. With `Accept: text/html` or
// `format=html` a page to print. It is no legal advice and no conformity assessment. Needs the scope
// reports:read.
func (s *ReportsService) GetCompliance(ctx context.Context, query ReportsGetComplianceQuery, opts ...CallOption) (*ComplianceReport, error) {
	return sendForJSON[ComplianceReport](ctx, s.t, call{method: http.MethodGet, path: "/v1/reports/compliance", query: query.values()}, opts)
}

// GetCompliancePage reads what evidence the trail holds for a framework, as a page. Provision by provision:
// what it asks for, of whom, what the log holds that speaks to it, and what is missing. With `Accept:
// text/html` or `format=html` a page to print. It is no legal advice and no conformity assessment. Needs the
// scope reports:read.
func (s *ReportsService) GetCompliancePage(ctx context.Context, query ReportsGetCompliancePageQuery, opts ...CallOption) (string, error) {
	return sendForText(ctx, s.t, call{method: http.MethodGet, path: "/v1/reports/compliance", query: query.values()}, opts)
}

// HealthService has the operations on health. For load balancers and orchestrators.
type HealthService struct {
	t *transport
}

// Get tells: is the process alive?
func (s *HealthService) Get(ctx context.Context, opts ...CallOption) (*Health, error) {
	return sendForJSON[Health](ctx, s.t, call{method: http.MethodGet, path: "/healthz"}, opts)
}

// GetReadiness tells: can it answer requests? Asks the database. Answers 503 while it cannot be reached and
// while the service is stopping.
func (s *HealthService) GetReadiness(ctx context.Context, opts ...CallOption) (*Health, error) {
	return sendForJSON[Health](ctx, s.t, call{method: http.MethodGet, path: "/readyz"}, opts)
}
