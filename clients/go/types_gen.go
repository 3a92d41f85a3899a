// Code generated from api/openapi.json by scripts/clients; DO NOT EDIT.

package svc

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
)

// APIKey is what [APIKeysService.List] lists.
type APIKey struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Type        KeyType `json:"type"`
	Description *string `json:"description"`
	Permissions []Scope `json:"permissions,omitzero"`
	// The service account it belongs to, whose permissions it has.
	ServiceAccountID *string `json:"service_account_id"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it stops working.
	ExpiresAt *string `json:"expires_at"`
	// When it was last used; written every few seconds.
	LastUsedAt *string `json:"last_used_at"`
	// Since when it is refused.
	RevokedAt *string `json:"revoked_at"`
	// It is older than 90 days and still in use: make another and revoke this one.
	RotationDue bool `json:"rotation_due"`
	// The last four characters of the key, to tell keys apart.
	Last4 string `json:"last4"`
}

func (APIKey) required() []string { return nil }

// APIKeysListQuery narrows what is asked for. Members without a value are left out.
type APIKeysListQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q APIKeysListQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// Actor is what the member actor of [Event] holds.
type Actor struct {
	// `api_key`, `service_account`, `user` or `system`.
	Type string  `json:"type"`
	ID   *string `json:"id"`
	// The address the request came from.
	IP *string `json:"ip"`
}

// AsOf: the state of the log that the counts are tied to. `checkpoint` null: none is signed yet.
type AsOf struct {
	// The counts are of the events up to this sequence: all that the log had when they were read.
	TreeSize   int64           `json:"tree_size"`
	Checkpoint *AsOfCheckpoint `json:"checkpoint"`
}

// AsOfCheckpoint is what the member checkpoint of [AsOf] holds.
type AsOfCheckpoint struct {
	// Its tree’s size.
	Size int64 `json:"size"`
	// When it was signed.
	PublishedAt string `json:"published_at"`
	// The signed note, as `GET /v1/audit/checkpoint` has it.
	Note string `json:"note"`
}

// AssessedModel is what the member model of [Assessment] holds.
type AssessedModel struct {
	Provider *string `json:"provider"`
	Name     *string `json:"name"`
	Version  *string `json:"version"`
}

// AssessedSubject is what the member subject of [Assessment] holds.
type AssessedSubject struct {
	User    *string `json:"user"`
	Session *string `json:"session"`
	Agent   *string `json:"agent"`
}

// Assessment is what [AssessmentsService.Create] answers.
type Assessment struct {
	ID         string  `json:"id"`
	ExternalID *string `json:"external_id"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// Of the credential. `test`: not in the trail, kept 24 hours.
	Mode Mode `json:"mode"`
	// The worst finding that is not excused decides.
	Outcome     Outcome     `json:"outcome"`
	Enforcement Enforcement `json:"enforcement"`
	// The highest score of a finding that is not excused; 0 without.
	Score float64 `json:"score"`
	// The highest severity of a finding that is not excused.
	Severity Severity  `json:"severity"`
	Findings []Finding `json:"findings,omitzero"`
	// Findings before the list was cut to its bound, excused ones too.
	FindingsTotal int64 `json:"findings_total"`
	// The texts with findings replaced; null when nothing was.
	Redacted *Redacted `json:"redacted"`
	Coverage Coverage  `json:"coverage"`
	// The policy that decided; null where a probe decided and did not say by which.
	Policy   PolicyRef            `json:"policy"`
	Shadow   *PolicyShadowVerdict `json:"shadow"`
	Model    *AssessedModel       `json:"model"`
	Subject  *AssessedSubject     `json:"subject"`
	Metadata map[string]string    `json:"metadata,omitzero"`
	// The event in the trail, committed before this answer; null in test mode.
	EventID *string `json:"event_id"`
	// Time the decision took, without the commit; 0 where a probe decided.
	LatencyMs float64 `json:"latency_ms"`
	// The probe that reported the inference. Absent: it was assessed over the API.
	Probe *AssessmentProbe `json:"probe,omitempty"`
	// What the probe had decided, where the service did too.
	ProbeOutcome Outcome `json:"probe_outcome,omitempty"`
}

func (Assessment) required() []string { return []string{"id", "outcome"} }

// AssessmentBatch is what [AssessmentsService.CreateBatch] takes.
type AssessmentBatch struct {
	// Up to the plan’s batch size. One that is not valid is answered with its error and fails no other.
	Items []Inference `json:"items,omitzero"`
}

// AssessmentBatchEntry is what the member data of [AssessmentBatchResult] holds.
type AssessmentBatchEntry struct {
	// Of the item, from 0.
	Index      int64       `json:"index"`
	Assessment *Assessment `json:"assessment,omitempty"`
	Error      *ItemError  `json:"error,omitempty"`
}

// AssessmentBatchResult is what [AssessmentsService.CreateBatch] answers.
type AssessmentBatchResult struct {
	// In the order of the items; each has an `assessment` or an `error`.
	Data    []AssessmentBatchEntry       `json:"data,omitzero"`
	Summary AssessmentBatchResultSummary `json:"summary"`
}

func (AssessmentBatchResult) required() []string { return nil }

// AssessmentBatchResultSummary is what the member summary of [AssessmentBatchResult] holds.
type AssessmentBatchResultSummary struct {
	Allowed int64 `json:"allowed"`
	Flagged int64 `json:"flagged"`
	Blocked int64 `json:"blocked"`
	Errors  int64 `json:"errors"`
}

// AssessmentProbe is what the member probe of [Assessment] holds.
type AssessmentProbe struct {
	ID string `json:"id"`
	// The probe’s own name for the inference.
	EventID string `json:"event_id"`
	// `service`: the probe sent the texts.
	DecidedBy DecidedBy `json:"decided_by"`
	// The batch that it came with named too many models: its `telemetry.received` counts this one in
	// `models_other`.
	ModelCountedAs AssessmentProbeModelCountedAs `json:"model_counted_as,omitempty"`
}

// AssessmentsListQuery narrows what is asked for. Members without a value are left out.
type AssessmentsListQuery struct {
	// Assessments with this outcome.
	Outcome Outcome
	// With a finding of this category or family: `data.pii`, `data`.
	Category string
	// The model’s name.
	Model string
	// Id of the credential that caused it.
	Actor string
	// User, session or agent of the inference.
	Subject string
	// The caller’s own id of the inference.
	ExternalID string
	// The probe that it is about, or that saw the inference.
	ProbeID string
	// Recorded at or after. The time of the commit, which no caller chooses.
	Since string
	// Recorded before.
	Until string
	// Part of a kind, category, model, subject, actor or external id.
	Q string
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q AssessmentsListQuery) values() url.Values {
	values := url.Values{}
	if q.Outcome != "" {
		values.Set("outcome", string(q.Outcome))
	}
	if q.Category != "" {
		values.Set("category", q.Category)
	}
	if q.Model != "" {
		values.Set("model", q.Model)
	}
	if q.Actor != "" {
		values.Set("actor", q.Actor)
	}
	if q.Subject != "" {
		values.Set("subject", q.Subject)
	}
	if q.ExternalID != "" {
		values.Set("external_id", q.ExternalID)
	}
	if q.ProbeID != "" {
		values.Set("probe_id", q.ProbeID)
	}
	if q.Since != "" {
		values.Set("since", q.Since)
	}
	if q.Until != "" {
		values.Set("until", q.Until)
	}
	if q.Q != "" {
		values.Set("q", q.Q)
	}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// Attempt is what the member attempt_log of [DeliveryDetail] holds.
type Attempt struct {
	// From 1, without gaps.
	Number int64 `json:"number"`
	// `event`, `schedule` (a retry), `manual`, `recover` or `probe` (whether a paused endpoint answers again).
	Trigger string `json:"trigger"`
	// When it began.
	StartedAt string `json:"started_at"`
	// Until the answer, or the end of the attempt.
	LatencyMs float64 `json:"latency_ms"`
	// HTTP status of the answer; null: there was none.
	Status *int64 `json:"status"`
	// Why it failed; null: it did not.
	Error *string `json:"error"`
	// The first 4 KiB of the answer.
	Answer *string `json:"answer"`
}

// AuditGetCheckpointQuery narrows what is asked for. Members without a value are left out.
type AuditGetCheckpointQuery struct {
	// The checkpoint of exactly this size. Absent: the latest.
	Size *int64
}

func (q AuditGetCheckpointQuery) values() url.Values {
	values := url.Values{}
	if q.Size != nil {
		values.Set("size", strconv.FormatInt(*q.Size, 10))
	}
	return values
}

// AuditKey is what the member keys of [AuditKeys] holds.
type AuditKey struct {
	// `<origin>+<key id>+<base64>`, as c2sp.org/signed-note has it.
	VerifierKey string `json:"verifier_key"`
	// `overlap`: another signs, and this one beside it. `retired`: it signs no more; what it has signed can be
	// checked.
	Status KeyStatus `json:"status"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// Since when another signs.
	ReplacedAt *string `json:"replaced_at"`
	// When it stopped, or will stop, to sign.
	RetiredAt *string `json:"retired_at"`
}

// AuditKeys is what [AuditService.ListKeys] answers.
type AuditKeys struct {
	// The name of the organization’s log: the first line of its checkpoints.
	Origin string `json:"origin"`
	// All that ever signed for it, newest first.
	Keys []AuditKey `json:"keys,omitzero"`
	// The log over the checkpoints of all organizations of this service.
	Deployment DeploymentKeys `json:"deployment"`
}

func (AuditKeys) required() []string { return nil }

// AuditProveConsistencyQuery narrows what is asked for. Members without a value are left out.
type AuditProveConsistencyQuery struct {
	// Size of the older tree: that of the checkpoint you hold.
	From int64
	// Size of the newer tree. Absent: that of the latest checkpoint.
	To *int64
}

func (q AuditProveConsistencyQuery) values() url.Values {
	values := url.Values{}
	values.Set("from", strconv.FormatInt(q.From, 10))
	if q.To != nil {
		values.Set("to", strconv.FormatInt(*q.To, 10))
	}
	return values
}

// AuditProveEventQuery narrows what is asked for. Members without a value are left out.
type AuditProveEventQuery struct {
	// Against the published checkpoint of this size. Absent: the latest.
	Size *int64
}

func (q AuditProveEventQuery) values() url.Values {
	values := url.Values{}
	if q.Size != nil {
		values.Set("size", strconv.FormatInt(*q.Size, 10))
	}
	return values
}

// BudgetState is what the member now.assessments of [Usage] holds.
type BudgetState struct {
	// A minute.
	Limit int64 `json:"limit"`
	// Left of the present minute.
	Remaining int64 `json:"remaining"`
	// When all of it is there again.
	ResetsAt string `json:"resets_at"`
}

// CategoryChange is what the member by_category of [PolicyShadowTally] holds.
type CategoryChange struct {
	// Findings that only the candidate has.
	Added int64 `json:"added"`
	// Findings that it has not.
	Removed int64 `json:"removed"`
}

// ChangeSamples is what the member samples of [PolicyShadowTally] holds.
type ChangeSamples struct {
	// Assessments that are newly blocked.
	NewlyBlocked []string `json:"newly_blocked,omitzero"`
	// Assessments that are newly flagged.
	NewlyFlagged []string `json:"newly_flagged,omitzero"`
	// Assessments that are newly allowed.
	NewlyAllowed []string `json:"newly_allowed,omitzero"`
}

// ComplianceReport is what [ReportsService.GetCompliance] answers.
type ComplianceReport struct {
	Framework ComplianceReportFramework `json:"framework"`
	OrgID     string                    `json:"org_id"`
	OrgName   string                    `json:"org_name"`
	// What made it.
	Software ComplianceReportSoftware `json:"software"`
	// When it was made.
	GeneratedAt string `json:"generated_at"`
	// The beginning of the period.
	Since string `json:"since"`
	// Its end, exclusive.
	Until      string                  `json:"until"`
	AsOf       AsOf                    `json:"as_of"`
	Summary    ComplianceReportSummary `json:"summary"`
	Provisions []Provision             `json:"provisions,omitzero"`
}

func (ComplianceReport) required() []string { return nil }

// ComplianceReportFramework is what the member framework of [ComplianceReport] holds.
type ComplianceReportFramework struct {
	ID    Framework `json:"id"`
	Title string    `json:"title"`
	// The text that the report goes by.
	Version string `json:"version"`
	// Where the text is.
	URL string `json:"url"`
	// What this report can say about it and what not.
	About string `json:"about"`
	// Since when it applies.
	Dates string `json:"dates"`
}

// ComplianceReportSoftware is what the member software of [ComplianceReport] holds.
type ComplianceReportSoftware struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ComplianceReportSummary is what the member summary of [ComplianceReport] holds.
type ComplianceReportSummary struct {
	Evidenced       ProvisionCount `json:"evidenced"`
	Partial         ProvisionCount `json:"partial"`
	None            ProvisionCount `json:"none"`
	NotRecordedHere ProvisionCount `json:"not_recorded_here"`
}

// ConsistencyProof is what [AuditService.ProveConsistency] answers.
type ConsistencyProof struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
	// As RFC 6962 §2.1.2 has them; none where the sizes are equal or `from` is 0.
	Hashes []string `json:"hashes,omitzero"`
}

func (ConsistencyProof) required() []string { return nil }

// ContentPart: one part of a message. Only its `text` is assessed.
type ContentPart struct {
	// `text`, or the kind of something else, such as `image_url`.
	Type string `json:"type"`
	// The text. A part without it is not assessed and makes the coverage partial.
	Text *string `json:"text,omitempty"`
}

// ContentParts: some of ContentPart, as one value.
type ContentParts []ContentPart

// ContextItem is what the member context of [Inference] holds.
type ContextItem struct {
	// Your name for the item.
	ID *string `json:"id,omitempty"`
	// The text handed to the model.
	Content string `json:"content"`
	// Where it came from. Default: retrieval.
	Source ContextSource `json:"source,omitempty"`
}

// Coverage: what was read, and by whom.
type Coverage struct {
	// failed: nothing could be read.
	Status CoverageStatus `json:"status"`
	// UTF-16 units of all texts.
	CharsTotal int64 `json:"chars_total"`
	// Those of the texts that every detector concerned has read.
	CharsScanned int64         `json:"chars_scanned"`
	Detectors    []DetectorRun `json:"detectors,omitzero"`
}

// CoverageCounts: how far assessments got, of those that the service decided and the trail has an event of.
type CoverageCounts struct {
	// Everything was looked at by every detector.
	Complete int64 `json:"complete"`
	// Something was not looked at, or a detector did not end.
	Partial int64 `json:"partial"`
	// Nothing was.
	Failed int64 `json:"failed"`
}

// CreateAPIKey is what [APIKeysService.Create] takes.
type CreateAPIKey struct {
	// What the key is for.
	Name string `json:"name"`
	// `live` for production, `test` for CI and development, `admin` for management.
	Type KeyType `json:"type"`
	// Anything worth knowing about it.
	Description *string `json:"description,omitempty"`
	// When it stops working; at most ten years ahead. Absent or null: never.
	ExpiresAt *string `json:"expires_at,omitempty"`
	// Scopes in place of those that its type holds by default. Nobody grants what they do not hold.
	Permissions []Scope `json:"permissions,omitzero"`
}

// CreateExport is what [ExportsService.Create] takes.
type CreateExport struct {
	// What the bundle has beside the evidence, which is JSON lines. `jsonl`: nothing.
	Format ExportFormat `json:"format"`
	// Recorded at or after. Default: the oldest that is kept.
	Since *string `json:"since,omitempty"`
	// Recorded before. Default: all that was committed when it was asked for.
	Until *string `json:"until,omitempty"`
	// Only events of these kinds are disclosed and in the view; of the others the bundle has the public facts,
	// so that it can be checked all the same.
	Kinds []EventKind `json:"kinds,omitzero"`
	// The size of a checkpoint that you hold: the bundle then has the proof that the log only grew since.
	HeldSize *int64 `json:"held_size,omitempty"`
	// False: without what leaves commit to without telling, such as subjects, addresses and data.
	Disclosures *bool `json:"disclosures,omitempty"`
}

// CreateIntegration is what [IntegrationsService.Create] takes.
type CreateIntegration struct {
	// Where events go.
	Kind IntegrationKind `json:"kind"`
	// What it is for.
	Name string `json:"name"`
	// Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every
	// inference.
	Events []EventKind `json:"events,omitzero"`
	// What the vendor needs. Secret members are kept encrypted and never answered.
	Config IntegrationConfig `json:"config"`
}

// CreateJudge is what [JudgesService.Create] takes.
type CreateJudge struct {
	// What it is for.
	Name string `json:"name"`
	// Base URL of an OpenAI-compatible API; `/chat/completions` is added. https to a public address, or one that
	// the operator allows.
	URL string `json:"url"`
	// The model’s name at that API.
	Model string `json:"model"`
	// Sent as `Authorization: Bearer`. Kept encrypted, never answered, and dropped when the url changes.
	APIKey *string `json:"api_key,omitempty"`
	// Time for one answer. What is left of the assessment’s deadline may be less.
	TimeoutMs *int64 `json:"timeout_ms,omitempty"`
	// How it is asked and understood. `chat`: any chat model. `gpt_oss_safeguard`: a model that judges by a
	// policy it is given. `llama_guard`: one that answers `safe` or `unsafe` and hazards, S1–S14.
	Kind JudgeKind `json:"kind,omitempty"`
	// What it is to judge by, instead of the instructions built in. Not for `llama_guard`, which knows its own
	// rules.
	Instructions *string `json:"instructions,omitempty"`
}

// CreateServiceAccount is what [ServiceAccountsService.Create] takes.
type CreateServiceAccount struct {
	// What the account is for.
	Name string `json:"name"`
	// Scopes of the account and of all its keys. Nobody grants what they do not hold.
	Permissions []Scope `json:"permissions,omitzero"`
	// CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere.
	IPAllowlist []string `json:"ip_allowlist,omitzero"`
	// Of its keys. With `admin:*` or `policy:write` a live account gets admin keys.
	Type Mode `json:"type,omitempty"`
}

// CreateServiceAccountKey is what [ServiceAccountsService.CreateKey] takes.
type CreateServiceAccountKey struct {
	// When the key stops working; at most ten years ahead. Absent or null: never.
	ExpiresAt *string `json:"expires_at,omitempty"`
}

// CreateWebhook is what [WebhooksService.Create] takes.
type CreateWebhook struct {
	// Where events are sent: an https URL that leads to a public address.
	URL string `json:"url"`
	// Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every
	// inference.
	Events []EventKind `json:"events,omitzero"`
	// Anything worth knowing about it.
	Description *string `json:"description,omitempty"`
}

// CreatedAPIKey is what [APIKeysService.Create] answers.
type CreatedAPIKey struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Type        KeyType `json:"type"`
	Description *string `json:"description"`
	Permissions []Scope `json:"permissions,omitzero"`
	// The service account it belongs to, whose permissions it has.
	ServiceAccountID *string `json:"service_account_id"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it stops working.
	ExpiresAt *string `json:"expires_at"`
	// When it was last used; written every few seconds.
	LastUsedAt *string `json:"last_used_at"`
	// Since when it is refused.
	RevokedAt *string `json:"revoked_at"`
	// It is older than 90 days and still in use: make another and revoke this one.
	RotationDue bool `json:"rotation_due"`
	// The last four characters of the key, to tell keys apart.
	Last4 string `json:"last4"`
	// The key itself. Only in this answer, and not when it is repeated.
	Key *string `json:"key,omitempty"`
}

func (CreatedAPIKey) required() []string { return nil }

// CreatedServiceAccount is what [ServiceAccountsService.Create] answers.
type CreatedServiceAccount struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Permissions []Scope  `json:"permissions,omitzero"`
	IPAllowlist []string `json:"ip_allowlist,omitzero"`
	Type        Mode     `json:"type"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it was last changed.
	UpdatedAt string `json:"updated_at"`
	// When it was deleted.
	DeletedAt *string `json:"deleted_at"`
	// Its first key.
	KeyID *string `json:"key_id"`
	// The key itself. Only in this answer, and not when it is repeated.
	Key *string `json:"key,omitempty"`
}

func (CreatedServiceAccount) required() []string { return nil }

// Credential is what the member credential of [Organization] holds.
type Credential struct {
	Type   CredentialType `json:"type"`
	ID     string         `json:"id"`
	Name   string         `json:"name"`
	Mode   Mode           `json:"mode"`
	Scopes []Scope        `json:"scopes,omitzero"`
}

// CustomPattern is what the member custom.patterns of [Policy] holds.
type CustomPattern struct {
	// The rule's name; findings carry it as type and rule_id.
	ID string `json:"id"`
	// What it finds, under data., brand., policy. or content.
	Category string `json:"category"`
	// Severity of its findings.
	Severity Severity `json:"severity,omitempty"`
	// What to do about a match.
	Action Action `json:"action,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// One sentence that stands in findings as their explanation.
	Description *string `json:"description,omitempty"`
	// RE2 syntax, matched in linear time.
	Regex string `json:"regex"`
}

// CustomTerms is what the member custom.terms of [Policy] holds.
type CustomTerms struct {
	// The rule's name; findings carry it as type and rule_id.
	ID string `json:"id"`
	// What it finds, under data., brand., policy. or content.
	Category string `json:"category"`
	// Severity of its findings.
	Severity Severity `json:"severity,omitempty"`
	// What to do about a match.
	Action Action `json:"action,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// One sentence that stands in findings as their explanation.
	Description *string `json:"description,omitempty"`
	// Whole words or phrases, whatever their case.
	Any []string `json:"any,omitzero"`
}

// DatadogConfig is what the member config of [CreateIntegration] holds.
type DatadogConfig struct {
	// An API key of the Datadog organization. Kept encrypted and never answered.
	APIKey string `json:"api_key"`
	// The Datadog site, as in the address of its dashboard.
	Site DatadogSite `json:"site"`
	// `events`: one by one into the event stream. `logs`: in batches, whole.
	Send DatadogConfigSend `json:"send"`
	// Added to those of the service.
	Tags []string `json:"tags,omitzero"`
	// The service that it is shown under.
	Service *string `json:"service,omitempty"`
}

// String leaves out what is secret.
func (v DatadogConfig) String() string {
	type plain DatadogConfig
	shown := plain(v)
	shown.APIKey = hidden(v.APIKey)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v DatadogConfig) GoString() string { return "svc.DatadogConfig" + v.String() }

// DeletedExport is what [ExportsService.Delete] answers.
type DeletedExport struct {
	Deleted bool `json:"deleted"`
}

func (DeletedExport) required() []string { return nil }

// DeletedInbox is what [InboxesService.Delete] answers.
type DeletedInbox struct {
	Deleted bool `json:"deleted"`
}

func (DeletedInbox) required() []string { return nil }

// Delivery is what [WebhooksService.ListDeliveries] lists.
type Delivery struct {
	ID      string `json:"id"`
	EventID string `json:"event_id"`
	// Of the event in the trail; null: of a test key.
	Sequence *int64    `json:"sequence"`
	Kind     EventKind `json:"kind"`
	// `pending`: due at `next_attempt_at`. `in_flight`: being sent. `parked`: waits for its paused endpoint.
	// `failed`: given up after the last attempt; can be recovered for 30 days.
	State DeliveryState `json:"state"`
	// Attempts that were begun.
	Attempts int64 `json:"attempts"`
	// When it is due.
	NextAttemptAt *string `json:"next_attempt_at"`
	// When the event was recorded.
	CreatedAt string `json:"created_at"`
	// When it was delivered or given up.
	FinishedAt *string `json:"finished_at"`
}

// DeliveryDetail is what [WebhooksService.GetDelivery] answers.
type DeliveryDetail struct {
	ID      string `json:"id"`
	EventID string `json:"event_id"`
	// Of the event in the trail; null: of a test key.
	Sequence *int64    `json:"sequence"`
	Kind     EventKind `json:"kind"`
	// `pending`: due at `next_attempt_at`. `in_flight`: being sent. `parked`: waits for its paused endpoint.
	// `failed`: given up after the last attempt; can be recovered for 30 days.
	State DeliveryState `json:"state"`
	// Attempts that were begun.
	Attempts int64 `json:"attempts"`
	// When it is due.
	NextAttemptAt *string `json:"next_attempt_at"`
	// When the event was recorded.
	CreatedAt string `json:"created_at"`
	// When it was delivered or given up.
	FinishedAt *string `json:"finished_at"`
	// The bytes that are signed and sent. Needs `events:read`, and the event still being kept.
	Body *string `json:"body"`
	// Attempts that have ended, oldest first; the last 100.
	AttemptLog []Attempt `json:"attempt_log,omitzero"`
}

func (DeliveryDetail) required() []string { return nil }

// DeploymentKeys is what the member deployment of [AuditKeys] holds.
type DeploymentKeys struct {
	Origin string `json:"origin"`
	// All that ever signed for it, newest first.
	Keys []AuditKey `json:"keys,omitzero"`
}

// DeploymentLog is what [AuditService.GetDeploymentLog] answers.
type DeploymentLog struct {
	// Of the deployment’s log.
	Origin string `json:"origin"`
	// What its checkpoints are signed with, newest first: those that sign no more, too. Compare them with what
	// you hold.
	VerifierKeys []string `json:"verifier_keys,omitzero"`
	// Its checkpoint: a signed note, with the cosignatures of witnesses.
	Checkpoint string `json:"checkpoint"`
	// Leaves in the tree of the checkpoint.
	Size int64 `json:"size"`
	// The newest of your organization’s checkpoints that is in the tree.
	Leaf DeploymentLogLeaf `json:"leaf"`
	// Whose cosignatures are in the checkpoint.
	Witnesses []Witness `json:"witnesses,omitzero"`
}

func (DeploymentLog) required() []string { return nil }

// DeploymentLogLeaf is what the member leaf of [DeploymentLog] holds.
type DeploymentLogLeaf struct {
	// Where it is in the tree, from 0.
	Index int64 `json:"index"`
	// 16 bytes, base64.
	Salt string `json:"salt"`
	// The checkpoint of your organization’s log. The leaf is SHA-256(salt, these bytes).
	Checkpoint string `json:"checkpoint"`
	// That the leaf is in the tree (RFC 6962), from the leaf up.
	Hashes []string `json:"hashes,omitzero"`
}

// DetectorFaults is what the member detector_faults of [SummaryReport] holds.
type DetectorFaults struct {
	Detector string `json:"detector"`
	// In which it failed or ran out of time.
	Assessments int64 `json:"assessments"`
}

// DetectorRun is what the member detectors of [Coverage] holds.
type DetectorRun struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	// skipped: off by policy, or nothing to read for it.
	Status    DetectorStatus `json:"status"`
	LatencyMs float64        `json:"latency_ms"`
}

// DriftBaseline is what the member baseline of [DriftMonitor] holds.
type DriftBaseline struct {
	ID string `json:"id"`
	// Of all that the baseline says, as `drift.baselined` has it.
	SHA256 string `json:"sha256"`
	// Observations it was learned from.
	N int64 `json:"n"`
	// Its first observation.
	From string `json:"from"`
	// Its last observation.
	To string `json:"to"`
	// Of a rate the rate, of a mix the share of its most frequent name, of numbers the mean rank (0.5).
	Value *float64 `json:"value"`
}

// DriftEpisode is what the member episodes of [DriftMonitorDetail] holds.
type DriftEpisode struct {
	// The `drift.sustained` event, which tells all about it.
	EventID string `json:"event_id"`
	// One sentence.
	Summary   string                `json:"summary"`
	Severity  string                `json:"severity"`
	Direction DriftEpisodeDirection `json:"direction"`
	// What changed most clearly.
	Feature string `json:"feature"`
	// Of a mix: the name whose share changed.
	Label *string `json:"label"`
	// When it began.
	Onset string `json:"onset"`
	// When it was sure.
	SustainedAt string `json:"sustained_at"`
	// When it ended; null: it persists.
	EndedAt    *string                 `json:"ended_at"`
	Resolution *DriftEpisodeResolution `json:"resolution"`
	// What else happened when it began.
	CoincidesWith []string `json:"coincides_with,omitzero"`
	// When somebody said to care for it.
	AcknowledgedAt *string `json:"acknowledged_at"`
	AcknowledgedBy *string `json:"acknowledged_by"`
	Note           *string `json:"note"`
}

// DriftFeature is what the member features of [DriftMonitorDetail] holds.
type DriftFeature struct {
	Feature  string  `json:"feature"`
	Label    *string `json:"label"`
	Baseline float64 `json:"baseline"`
	// From here …
	Low float64 `json:"low"`
	// … to here it counts as unchanged.
	High    float64  `json:"high"`
	Current *float64 `json:"current"`
}

// DriftListQuery narrows what is asked for. Members without a value are left out.
type DriftListQuery struct {
	// Monitors in this state.
	State MonitorState
	// Monitors of this model.
	Model string
	// Monitors of this group of probes; `api`: of what is assessed over the API.
	Group string
	// Monitors of this signal.
	Signal DriftSignal
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q DriftListQuery) values() url.Values {
	values := url.Values{}
	if q.State != "" {
		values.Set("state", string(q.State))
	}
	if q.Model != "" {
		values.Set("model", q.Model)
	}
	if q.Group != "" {
		values.Set("group", q.Group)
	}
	if q.Signal != "" {
		values.Set("signal", string(q.Signal))
	}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// DriftMonitor is what [DriftService.List] lists.
type DriftMonitor struct {
	ID string `json:"id"`
	// `unknown`: it was not named; `other`: beyond the 200 that are watched apart.
	Model string `json:"model"`
	// Of the probes that report; `api`: what is assessed over the API.
	Group string `json:"group"`
	// One of flagged_rate, blocked_rate, error_rate, refusal_rate, score, latency_ms, time_to_first_token_ms,
	// input_tokens, output_tokens, category_mix, finish_reason_mix, model_version_mix; more may come.
	Signal string      `json:"signal"`
	Kind   MonitorKind `json:"kind"`
	// learning: what is usual is being learned. watching: nothing has changed. suspect: something may have, and
	// is being confirmed. sustained: it has, and persists.
	State MonitorState `json:"state"`
	// False: the policy does not watch it at the moment.
	Enabled bool `json:"enabled"`
	// When the drift that persists, or is suspected, began; null: there is none.
	Since *string `json:"since"`
	// When a whole season will have been seen, which a baseline needs; null: it has one, or the policy names no
	// season.
	LearningUntil *string `json:"learning_until"`
	// When somebody said to care for the drift that persists.
	AcknowledgedAt *string        `json:"acknowledged_at"`
	Baseline       *DriftBaseline `json:"baseline"`
	// The last observations that were looked at together.
	Current *DriftMonitorCurrent `json:"current"`
	// Decimal logarithms.
	Evidence DriftMonitorEvidence `json:"evidence"`
	// True while the season is not known yet: alarms need ten times the evidence.
	Provisional bool `json:"provisional"`
	// Changes up to this count as none.
	Tolerance float64 `json:"tolerance"`
	Season    Season  `json:"season"`
	// That were counted.
	Observations int64 `json:"observations"`
	// That came too late to be counted.
	Late               int64                          `json:"late"`
	ObservationsNeeded DriftMonitorObservationsNeeded `json:"observations_needed"`
	// Of the last observation.
	LastObservedAt *string `json:"last_observed_at"`
	// When the first observation was counted.
	CreatedAt string `json:"created_at"`
	// When it was kept last.
	UpdatedAt string `json:"updated_at"`
}

func (DriftMonitor) required() []string { return nil }

// DriftMonitorCurrent is what the member current of [DriftMonitor] holds.
type DriftMonitorCurrent struct {
	// Observations.
	N int64 `json:"n"`
	// As the baseline’s.
	Value float64 `json:"value"`
}

// DriftMonitorDetail is what [DriftService.Get] answers.
type DriftMonitorDetail struct {
	ID string `json:"id"`
	// `unknown`: it was not named; `other`: beyond the 200 that are watched apart.
	Model string `json:"model"`
	// Of the probes that report; `api`: what is assessed over the API.
	Group string `json:"group"`
	// One of flagged_rate, blocked_rate, error_rate, refusal_rate, score, latency_ms, time_to_first_token_ms,
	// input_tokens, output_tokens, category_mix, finish_reason_mix, model_version_mix; more may come.
	Signal string      `json:"signal"`
	Kind   MonitorKind `json:"kind"`
	// learning: what is usual is being learned. watching: nothing has changed. suspect: something may have, and
	// is being confirmed. sustained: it has, and persists.
	State MonitorState `json:"state"`
	// False: the policy does not watch it at the moment.
	Enabled bool `json:"enabled"`
	// When the drift that persists, or is suspected, began; null: there is none.
	Since *string `json:"since"`
	// When a whole season will have been seen, which a baseline needs; null: it has one, or the policy names no
	// season.
	LearningUntil *string `json:"learning_until"`
	// When somebody said to care for the drift that persists.
	AcknowledgedAt *string        `json:"acknowledged_at"`
	Baseline       *DriftBaseline `json:"baseline"`
	// The last observations that were looked at together.
	Current *DriftMonitorCurrent `json:"current"`
	// Decimal logarithms.
	Evidence DriftMonitorEvidence `json:"evidence"`
	// True while the season is not known yet: alarms need ten times the evidence.
	Provisional bool `json:"provisional"`
	// Changes up to this count as none.
	Tolerance float64 `json:"tolerance"`
	Season    Season  `json:"season"`
	// That were counted.
	Observations int64 `json:"observations"`
	// That came too late to be counted.
	Late               int64                          `json:"late"`
	ObservationsNeeded DriftMonitorObservationsNeeded `json:"observations_needed"`
	// Of the last observation.
	LastObservedAt *string `json:"last_observed_at"`
	// When the first observation was counted.
	CreatedAt string `json:"created_at"`
	// When it was kept last.
	UpdatedAt string `json:"updated_at"`
	// All that is looked at.
	Features []DriftFeature `json:"features,omitzero"`
	// Of the baseline, in the signal’s own unit; null: it is no number, or being learned.
	Percentiles *DriftMonitorDetailPercentiles `json:"percentiles"`
	// How many observations in a row tell the same; 1: each tells something of its own.
	Dependence float64 `json:"dependence"`
	// The last 50, newest first.
	Episodes []DriftEpisode `json:"episodes,omitzero"`
	// For a chart.
	Series DriftMonitorDetailSeries `json:"series"`
}

func (DriftMonitorDetail) required() []string { return nil }

// DriftMonitorDetailPercentiles is what the member percentiles of [DriftMonitorDetail] holds.
type DriftMonitorDetailPercentiles struct {
	P10 float64 `json:"p10"`
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
}

// DriftMonitorDetailSeries is what the member series of [DriftMonitorDetail] holds.
type DriftMonitorDetailSeries struct {
	IntervalS int64 `json:"interval_s"`
	// Of a mix: the names; the last one is all others.
	Labels []string `json:"labels,omitzero"`
	// The band within which an hour’s value counts as unchanged, if the hour has many observations.
	Baseline *DriftMonitorDetailSeriesBaseline `json:"baseline"`
	// Up to 90 days, oldest first; hours without observations are left out.
	Points []DriftPoint `json:"points,omitzero"`
}

// DriftMonitorDetailSeriesBaseline is what the member series.baseline of [DriftMonitorDetail] holds.
type DriftMonitorDetailSeriesBaseline struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// DriftMonitorEvidence is what the member evidence of [DriftMonitor] holds.
type DriftMonitorEvidence struct {
	// How much speaks for a change.
	Log10M float64 `json:"log10_m"`
	// How much must, for it to be suspected.
	Log10Threshold float64 `json:"log10_threshold"`
}

// DriftMonitorObservationsNeeded is what the member observations_needed of [DriftMonitor] holds.
type DriftMonitorObservationsNeeded struct {
	// Until anything is judged; 0: there is a baseline.
	Baseline int64 `json:"baseline"`
	// Of a rate: after a doubling, until it is suspected; null: other kinds, or more than this baseline can
	// show.
	Doubling *int64 `json:"doubling"`
}

// DriftNote is what [DriftService.Rebaseline] takes.
type DriftNote struct {
	// Why; it stands in the trail.
	Note *string `json:"note,omitempty"`
}

// DriftPoint is what the member series.points of [DriftMonitorDetail] holds.
type DriftPoint struct {
	// When the hour begins.
	From string `json:"from"`
	// Observations.
	N int64 `json:"n"`
	// The rate, or the mean; null: it is a mix.
	Value *float64 `json:"value"`
	// Lower bound of the 95 % interval of `value`.
	Low *float64 `json:"low"`
	// Its upper bound.
	High *float64 `json:"high"`
	// Of a mix: by index of `labels`.
	Shares []float64 `json:"shares"`
}

// DriftSettings: what is watched for drift, and how sure an alarm has to be.
type DriftSettings struct {
	// Whether anything is watched for drift.
	Enabled *bool `json:"enabled,omitempty"`
	// The budget: how many false `drift.sustained` an organization accepts in a year, over all its series.
	FalseAlarmsPerYear *float64 `json:"false_alarms_per_year,omitempty"`
	// What repeats and is no drift: the hours of a day, or of a week. Used once two whole periods were seen;
	// until then alarms need ten times the evidence. Another season makes monitors learn anew.
	Season Season `json:"season,omitempty"`
	// By signal; those that are left out have the defaults.
	Signals *DriftSettingsSignals `json:"signals,omitempty"`
	// After so many days of drift its level becomes the new baseline; null, the default: only when somebody says
	// so.
	AutoRebaselineDays Nullable[int64] `json:"auto_rebaseline_days,omitzero"`
}

// DriftSettingsSignals is what the member signals of [DriftSettings] holds.
type DriftSettingsSignals struct {
	FlaggedRate        *DriftSignalSettings `json:"flagged_rate,omitempty"`
	BlockedRate        *DriftSignalSettings `json:"blocked_rate,omitempty"`
	ErrorRate          *DriftSignalSettings `json:"error_rate,omitempty"`
	RefusalRate        *DriftSignalSettings `json:"refusal_rate,omitempty"`
	Score              *DriftSignalSettings `json:"score,omitempty"`
	LatencyMs          *DriftSignalSettings `json:"latency_ms,omitempty"`
	TimeToFirstTokenMs *DriftSignalSettings `json:"time_to_first_token_ms,omitempty"`
	InputTokens        *DriftSignalSettings `json:"input_tokens,omitempty"`
	OutputTokens       *DriftSignalSettings `json:"output_tokens,omitempty"`
	CategoryMix        *DriftSignalSettings `json:"category_mix,omitempty"`
	FinishReasonMix    *DriftSignalSettings `json:"finish_reason_mix,omitempty"`
	ModelVersionMix    *DriftSignalSettings `json:"model_version_mix,omitempty"`
}

// DriftSignalSettings is what the member signals.flagged_rate of [DriftSettings] holds.
type DriftSignalSettings struct {
	// Whether it is watched.
	Enabled *bool `json:"enabled,omitempty"`
	// Changes up to this count as none: of numbers in standard deviations (default 0.05), of rates and shares
	// relative to the baseline (default 0.1).
	Tolerance *float64 `json:"tolerance,omitempty"`
}

// EndedSessions is what [SessionsService.EndAll] answers.
type EndedSessions struct {
	// Sessions that ended.
	Ended int64 `json:"ended"`
}

func (EndedSessions) required() []string { return nil }

// Enforcement is what the member enforcement of [Assessment] holds.
type Enforcement struct {
	Mode PolicyMode `json:"mode"`
	// What was done to the inference.
	Action EnforcementAction `json:"action"`
	// In monitor mode, what the policy would have done.
	Would *EnforcementAction `json:"would"`
	// One sentence for a person; null when nothing was done.
	Message *string `json:"message"`
}

// ErrorDetail is what the member data.error.details of [AssessmentBatchResult] holds.
type ErrorDetail struct {
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// Event is what [EventsService.List] lists.
type Event struct {
	ID string `json:"id"`
	// Gap-free in the organization, from 1, in the order of the commits.
	Sequence int64 `json:"sequence"`
	// One of inference.allowed, inference.flagged, inference.blocked, telemetry.received, drift.sustained,
	// drift.recovered, drift.baselined, drift.acknowledged, policy.updated, policy.shadow_started,
	// policy.shadow_stopped, policy.shadow_promoted, probe.registered, probe.updated, probe.deleted,
	// probe.online, probe.offline, probe.skewed, api_key.created, api_key.revoked, service_account.created,
	// service_account.updated, service_account.deleted, session.started, session.ended, sso.updated,
	// organization.created, organization.updated, webhook.created, webhook.updated, webhook.deleted,
	// webhook.paused, webhook.recovered, integration.created, integration.updated, integration.deleted,
	// judge.created, judge.updated, judge.deleted, export.created, audit.redacted, audit.pruned,
	// audit.key_rotated, audit.restored; more will come.
	Kind EventKind `json:"kind"`
	// Events of the trail are `live`.
	Mode Mode `json:"mode"`
	// When it happened.
	OccurredAt string `json:"occurred_at"`
	// When it was committed.
	RecordedAt string `json:"recorded_at"`
	OrgID      string `json:"org_id"`
	Actor      Actor  `json:"actor"`
	// What happened, by kind. For `inference.*` the assessment without `redacted`.
	Data map[string]any `json:"data,omitzero"`
	// The hash of its leaf in the log of the organization, in base64; null until the log has it, which takes a
	// second at most.
	LeafHash *string `json:"leaf_hash"`
	// What was erased of it (`subject`, `data`, …). Absent: nothing was.
	Erased []string `json:"erased,omitzero"`
}

func (Event) required() []string { return nil }

// EventProof is what [AuditService.ProveEvent] answers.
type EventProof struct {
	EventID  string `json:"event_id"`
	Sequence int64  `json:"sequence"`
	// `sequence` less one.
	LeafIndex int64 `json:"leaf_index"`
	// What the log holds: SHA-256 of a zero byte and the envelope, in base64.
	LeafHash string `json:"leaf_hash"`
	// Whether the envelope has this hash. `false`: the event was changed in the database after it was logged.
	LeafMatches bool `json:"leaf_matches"`
	// The leaf, byte for byte: canonical JSON (RFC 8785).
	Envelope string `json:"envelope"`
	// What the envelope commits to: texts `["salt","name",value]`. The SHA-256 of each, in base64, is in its
	// `private`. Kept texts are never disclosed.
	Disclosures []string `json:"disclosures,omitzero"`
	// Names of what is committed to and was erased.
	Erased   []string `json:"erased,omitzero"`
	TreeSize int64    `json:"tree_size"`
	// Of the tree of this size, in base64.
	Root string `json:"root"`
	// From the leaf to the root, as RFC 6962 §2.1.1 has them.
	Hashes []string `json:"hashes,omitzero"`
	// The signed note that vouches for size and root.
	Checkpoint string `json:"checkpoint"`
}

func (EventProof) required() []string { return nil }

// EventsListQuery narrows what is asked for. Members without a value are left out.
type EventsListQuery struct {
	// Events of this kind.
	Kind EventKind
	// Assessments with this outcome.
	Outcome Outcome
	// With a finding of this category or family: `data.pii`, `data`.
	Category string
	// The model’s name.
	Model string
	// Id of the credential that caused it.
	Actor string
	// User, session or agent of the inference.
	Subject string
	// The caller’s own id of the inference.
	ExternalID string
	// The probe that it is about, or that saw the inference.
	ProbeID string
	// Recorded at or after. The time of the commit, which no caller chooses.
	Since string
	// Recorded before.
	Until string
	// Part of a kind, category, model, subject, actor or external id.
	Q string
	// Pull feed: events after this one, oldest first; 0: from the oldest that is kept. Not with `cursor`.
	AfterSequence *int64
	// With `after_sequence`: how long to wait for the first.
	WaitS *int64
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q EventsListQuery) values() url.Values {
	values := url.Values{}
	if q.Kind != "" {
		values.Set("kind", string(q.Kind))
	}
	if q.Outcome != "" {
		values.Set("outcome", string(q.Outcome))
	}
	if q.Category != "" {
		values.Set("category", q.Category)
	}
	if q.Model != "" {
		values.Set("model", q.Model)
	}
	if q.Actor != "" {
		values.Set("actor", q.Actor)
	}
	if q.Subject != "" {
		values.Set("subject", q.Subject)
	}
	if q.ExternalID != "" {
		values.Set("external_id", q.ExternalID)
	}
	if q.ProbeID != "" {
		values.Set("probe_id", q.ProbeID)
	}
	if q.Since != "" {
		values.Set("since", q.Since)
	}
	if q.Until != "" {
		values.Set("until", q.Until)
	}
	if q.Q != "" {
		values.Set("q", q.Q)
	}
	if q.AfterSequence != nil {
		values.Set("after_sequence", strconv.FormatInt(*q.AfterSequence, 10))
	}
	if q.WaitS != nil {
		values.Set("wait_s", strconv.FormatInt(*q.WaitS, 10))
	}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// Evidence is what the member evidence of [Provision] holds.
type Evidence struct {
	ID string `json:"id"`
	// What there is, in a sentence.
	What string `json:"what"`
	// How many.
	Count int64 `json:"count"`
	// When the first was recorded.
	FirstAt *string `json:"first_at"`
	// When the last was.
	LastAt *string `json:"last_at"`
	// Its event’s; the leaf of the log is one less.
	FirstSequence *int64 `json:"first_sequence"`
	// Of the last.
	LastSequence *int64 `json:"last_sequence"`
	// The smallest checkpoint that is kept and covers them all; null: none does yet.
	CheckpointSize *int64 `json:"checkpoint_size"`
	// Where to see it. Of events one for each kind, which together list as many as `count`.
	Endpoints []string `json:"endpoints,omitzero"`
}

// ExceptionMatch is what the member match of [PolicyException] holds.
type ExceptionMatch struct {
	// A category, or a family for all of its categories.
	Category *string `json:"category,omitempty"`
	// The finding's type.
	Type *string `json:"type,omitempty"`
	// What was found, the whole of it, whatever its case. * stands for any characters, ? for one.
	Value *string `json:"value,omitempty"`
	// The detector's id.
	Detector *string `json:"detector,omitempty"`
	// The policy's own rule.
	RuleID *string `json:"rule_id,omitempty"`
	// Where in the request, a JSON Pointer with * and ?.
	Pointer *string `json:"pointer,omitempty"`
	// Which kind of text.
	Target Target `json:"target,omitempty"`
	// On whose behalf the model works; all that is named must be equal.
	Subject *Subject `json:"subject,omitempty"`
}

// ExchangeToken is what [SessionsService.ExchangeToken] takes.
type ExchangeToken struct {
	// An ID token (OpenID Connect) of the organization’s identity provider, at most ten minutes old. It is good
	// for one exchange.
	SSOToken string `json:"sso_token"`
}

// String leaves out what is secret.
func (v ExchangeToken) String() string {
	type plain ExchangeToken
	shown := plain(v)
	shown.SSOToken = hidden(v.SSOToken)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v ExchangeToken) GoString() string { return "svc.ExchangeToken" + v.String() }

// Export is what [ExportsService.Create] answers.
type Export struct {
	ID     string       `json:"id"`
	State  ExportState  `json:"state"`
	Format ExportFormat `json:"format"`
	// As it was asked for.
	Since *string `json:"since"`
	// As it was asked for.
	Until *string `json:"until"`
	// As they were asked for; null: all.
	Kinds []string `json:"kinds"`
	// As it was asked for.
	HeldSize    *int64         `json:"held_size"`
	Disclosures bool           `json:"disclosures"`
	Progress    ExportProgress `json:"progress"`
	// Events that are in it by now.
	Events int64 `json:"events"`
	// Of the checkpoint that proves it; null: it has not begun.
	TreeSize *int64 `json:"tree_size"`
	// When it was asked for.
	CreatedAt string `json:"created_at"`
	// Id of the credential.
	CreatedBy string `json:"created_by"`
	// Until when it can be downloaded; null: it is not ready.
	ExpiresAt *string         `json:"expires_at"`
	Download  *ExportDownload `json:"download"`
	// Why it failed, or expired before its time.
	Error *string `json:"error"`
}

func (Export) required() []string { return nil }

// ExportDownload is what the member download of [Export] holds.
type ExportDownload struct {
	// Takes the same credential.
	URL string `json:"url"`
	// Length of the zip.
	Bytes int64 `json:"bytes"`
	// Of the zip, in hex.
	SHA256 string `json:"sha256"`
}

// ExportProgress is what the member progress of [Export] holds.
type ExportProgress struct {
	// Leaves that are written.
	Done int64 `json:"done"`
	// Leaves to write; null: it has not begun.
	Total *int64 `json:"total"`
	// 100 once it is ready.
	Percent int64 `json:"percent"`
}

// ExportsListQuery narrows what is asked for. Members without a value are left out.
type ExportsListQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q ExportsListQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// Finding is what the member findings of [Assessment] holds.
type Finding struct {
	// Names the finding within its assessment.
	ID string `json:"id"`
	// What kind of thing was found.
	Category string `json:"category"`
	// What exactly.
	Type     string   `json:"type"`
	Location Location `json:"location"`
	// How sure the detector is.
	Score float64 `json:"score"`
	// How bad it would be.
	Severity Severity `json:"severity"`
	// What the finding alone makes of the inference; allowed: it is excused.
	Outcome Outcome `json:"outcome"`
	// What was done; ignore: it is excused.
	Action Action `json:"action"`
	// The policy's own rule that matched.
	RuleID *string `json:"rule_id"`
	// The exception of the policy that excused it; it then counts for nothing.
	ExceptionID *string         `json:"exception_id"`
	Detector    FindingDetector `json:"detector"`
	// A masked glimpse of what was found.
	Preview *string `json:"preview"`
	// Entries of public lists of AI risks.
	Frameworks []string `json:"frameworks,omitzero"`
	// One sentence for a person.
	Explanation string `json:"explanation"`
}

// FindingDetector: who found it, and how; `probe`: a probe says so.
type FindingDetector struct {
	ID      string          `json:"id"`
	Version string          `json:"version"`
	Method  DetectionMethod `json:"method"`
}

// Gap is what the member gaps of [Provision] holds.
type Gap struct {
	ID string `json:"id"`
	// What is missing or weak, in a sentence.
	What string `json:"what"`
	// How many, where it can be counted.
	Count *int64 `json:"count"`
	// Where to see it.
	Endpoints []string `json:"endpoints,omitzero"`
}

// GroundednessSettings is what the member detectors.groundedness of [Policy] holds.
type GroundednessSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
}

// HarmSettings is what the member detectors.harm of [Policy] holds.
type HarmSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
	// Actions by kind of harm, in place of `action` and `block_at`.
	Categories *HarmSettingsCategories `json:"categories,omitempty"`
}

// HarmSettingsCategories is what the member categories of [HarmSettings] holds.
type HarmSettingsCategories struct {
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Hate Action `json:"hate,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Harassment Action `json:"harassment,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Violence Action `json:"violence,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Sexual Action `json:"sexual,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Minors Action `json:"minors,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	SelfHarm Action `json:"self_harm,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Illicit Action `json:"illicit,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Profanity Action `json:"profanity,omitempty"`
}

// Health is what [HealthService.Get] answers.
type Health struct {
	Status HealthStatus `json:"status"`
}

func (Health) required() []string { return nil }

// Heartbeat is what [ProbesService.SendHeartbeat] takes.
type Heartbeat struct {
	// Of the probe’s software.
	Version *string `json:"version,omitempty"`
	// When the probe was started.
	StartedAt *string `json:"started_at,omitempty"`
	// By which it decides.
	PolicyVersion *int64 `json:"policy_version,omitempty"`
	// What is not sent yet.
	Queue *ProbeQueue `json:"queue,omitempty"`
	// In place of those that it said before.
	Labels *ProbeLabels `json:"labels,omitempty"`
	// The policy by which it decides has expired.
	Stale *bool `json:"stale,omitempty"`
}

// HeartbeatAnswer is what [ProbesService.SendHeartbeat] answers.
type HeartbeatAnswer struct {
	// Now.
	ServerTime string `json:"server_time"`
	// In force.
	Policy PolicyVersionName `json:"policy"`
	// When the next one is expected.
	NextHeartbeatS int64 `json:"next_heartbeat_s"`
}

func (HeartbeatAnswer) required() []string { return nil }

// Inbox is what [InboxesService.Create] answers.
type Inbox struct {
	ID string `json:"id"`
	// Takes POST. Whoever knows it may write, so it is a secret.
	URL string `json:"url"`
	// When it was made.
	CreatedAt string `json:"created_at"`
}

func (Inbox) required() []string { return nil }

// String leaves out what is secret.
func (v Inbox) String() string {
	type plain Inbox
	shown := plain(v)
	shown.URL = hidden(v.URL)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v Inbox) GoString() string { return "svc.Inbox" + v.String() }

// InboxList is what [InboxesService.List] answers.
type InboxList struct {
	Data []Inbox `json:"data,omitzero"`
	// More follow after the last one.
	HasMore bool `json:"has_more"`
	// Pass as `cursor` to go on.
	NextCursor *string `json:"next_cursor"`
}

func (InboxList) required() []string { return nil }

// InboxMessage is what [InboxesService.ListMessages] lists.
type InboxMessage struct {
	ID string `json:"id"`
	// When it arrived.
	ReceivedAt string `json:"received_at"`
	// Signatures, and what else tells of the delivery.
	Headers map[string]string `json:"headers,omitzero"`
	// As it arrived: the bytes that were signed.
	Body string `json:"body"`
}

// InboxMessageList is what [InboxesService.ListMessages] answers.
type InboxMessageList struct {
	Data []InboxMessage `json:"data,omitzero"`
	// More follow after the last one.
	HasMore bool `json:"has_more"`
	// Pass as `cursor` to go on.
	NextCursor *string `json:"next_cursor"`
}

func (InboxMessageList) required() []string { return nil }

// Inference: one exchange with a model, or the part of it known so far.
type Inference struct {
	// What the model is asked. At least one of `input`, `output` is needed.
	Input Conversation `json:"input,omitempty"`
	// What the model answered.
	Output Conversation `json:"output,omitempty"`
	// Documents, tool results and memories in the prompt.
	Context []ContextItem `json:"context,omitzero"`
	// Calls that the model wants to make.
	ToolCalls []ToolCall `json:"tool_calls,omitzero"`
	// The model, by name or in parts.
	Model   ModelRef `json:"model,omitempty"`
	Subject *Subject `json:"subject,omitempty"`
	// Your own id, to find the assessment by.
	ExternalID *string `json:"external_id,omitempty"`
	// Time to decide in. Default: the policy's.
	DeadlineMs *int64 `json:"deadline_ms,omitempty"`
	// When the inference happened, ISO 8601 with an offset or Z. Default: now.
	OccurredAt *string `json:"occurred_at,omitempty"`
	// Your own pairs, kept with the assessment.
	Metadata map[string]string `json:"metadata,omitzero"`
}

// UnmarshalJSON takes what may be one of several things for what it is.
func (v *Inference) UnmarshalJSON(data []byte) (err error) {
	type plain Inference
	shadow := struct {
		*plain
		Input  json.RawMessage `json:"input"`
		Output json.RawMessage `json:"output"`
		Model  json.RawMessage `json:"model"`
	}{plain: (*plain)(v)}
	if err := json.Unmarshal(data, &shadow); err != nil {
		return err
	}
	if v.Input, err = decodeConversation(shadow.Input); err != nil {
		return err
	}
	if v.Output, err = decodeConversation(shadow.Output); err != nil {
		return err
	}
	if v.Model, err = decodeModelRef(shadow.Model); err != nil {
		return err
	}
	return nil
}

// Integration is what [IntegrationsService.Create] answers.
type Integration struct {
	ID     string          `json:"id"`
	Kind   IntegrationKind `json:"kind"`
	Name   string          `json:"name"`
	Events []EventKind     `json:"events,omitzero"`
	// Without its secret members.
	Config map[string]any `json:"config,omitzero"`
	// Members of the config that are stored and never answered.
	Secrets []string `json:"secrets,omitzero"`
	// `test`: of a test key; hears of test assessments alone.
	Mode Mode `json:"mode"`
	// Paused after 24 hours without a success: events wait for it and are sent once it answers again.
	Status EndpointStatus `json:"status"`
	// When it began to fail, if the last attempt did.
	FailingSince *string `json:"failing_since"`
	// When it last answered 2xx; up to ten seconds late.
	LastSuccessAt *string `json:"last_success_at"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it was last changed.
	UpdatedAt string `json:"updated_at"`
}

func (Integration) required() []string { return nil }

// IntegrationsListDeliveriesQuery narrows what is asked for. Members without a value are left out.
type IntegrationsListDeliveriesQuery struct {
	// Deliveries in this state.
	State DeliveryState
	// Of events of this kind.
	Kind EventKind
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q IntegrationsListDeliveriesQuery) values() url.Values {
	values := url.Values{}
	if q.State != "" {
		values.Set("state", string(q.State))
	}
	if q.Kind != "" {
		values.Set("kind", string(q.Kind))
	}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// IntegrationsListQuery narrows what is asked for. Members without a value are left out.
type IntegrationsListQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q IntegrationsListQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// ItemError is what the member data.error of [AssessmentBatchResult] holds.
type ItemError struct {
	Code    ErrorCode     `json:"code"`
	Message string        `json:"message"`
	Details []ErrorDetail `json:"details,omitzero"`
}

// Judge is what [JudgesService.Create] answers.
type Judge struct {
	ID string `json:"id"`
	// From 1, one more with each change. In the coverage and the findings of assessments.
	Version int64     `json:"version"`
	Name    string    `json:"name"`
	Kind    JudgeKind `json:"kind"`
	URL     string    `json:"url"`
	Model   string    `json:"model"`
	// Whether a key is stored. The key itself is never answered.
	HasAPIKey    bool    `json:"has_api_key"`
	TimeoutMs    int64   `json:"timeout_ms"`
	Instructions *string `json:"instructions"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it was last changed.
	UpdatedAt string `json:"updated_at"`
}

func (Judge) required() []string { return nil }

// JudgesListQuery narrows what is asked for. Members without a value are left out.
type JudgesListQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q JudgesListQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// KindCount is what the member kinds of [SummaryReport] holds.
type KindCount struct {
	Kind string `json:"kind"`
	// Events.
	Count int64 `json:"count"`
	// When the first was recorded.
	FirstAt string `json:"first_at"`
	// When the last was.
	LastAt string `json:"last_at"`
}

// LatencyQuantiles: milliseconds that assessments took, each quantile within 5 %.
type LatencyQuantiles struct {
	// Assessments that it is of: those that the service decided and the trail has an event of.
	Count int64    `json:"count"`
	P50   *float64 `json:"p50"`
	P90   *float64 `json:"p90"`
	P95   *float64 `json:"p95"`
	P99   *float64 `json:"p99"`
}

// Limits is what the member limits of [Organization] holds.
type Limits struct {
	AssessmentsPerMinute int64 `json:"assessments_per_minute"`
	RequestsPerMinute    int64 `json:"requests_per_minute"`
	// Items in a batch.
	BatchSize int64 `json:"batch_size"`
}

// LinksSettings is what the member detectors.links of [Policy] holds.
type LinksSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
	// Hosts that are never reported, with their subdomains.
	AllowHosts []string `json:"allow_hosts,omitzero"`
}

// Location is what the member location of [Finding] holds.
type Location struct {
	// JSON Pointer of the text in the request.
	Pointer string `json:"pointer"`
	// Offset in UTF-16 units.
	Start int64 `json:"start"`
	// Offset in UTF-16 units, exclusive.
	End int64 `json:"end"`
}

// Message is what the member input of [Inference] holds.
type Message struct {
	// Who speaks.
	Role Role `json:"role"`
	// What is said: a text, parts, or null where a message holds only tool calls.
	Content MessageContent `json:"content"`
}

// UnmarshalJSON takes what may be one of several things for what it is.
func (v *Message) UnmarshalJSON(data []byte) (err error) {
	type plain Message
	shadow := struct {
		*plain
		Content json.RawMessage `json:"content"`
	}{plain: (*plain)(v)}
	if err := json.Unmarshal(data, &shadow); err != nil {
		return err
	}
	if v.Content, err = decodeMessageContent(shadow.Content); err != nil {
		return err
	}
	return nil
}

// Messages: some of Message, as one value.
type Messages []Message

// Model is what the member model of [Inference] holds.
type Model struct {
	// Who serves the model.
	Provider *string `json:"provider,omitempty"`
	// The model's name.
	Name *string `json:"name,omitempty"`
	// The model's version.
	Version *string `json:"version,omitempty"`
}

// NamedCounts is what the member categories of [SummaryReport] holds.
type NamedCounts struct {
	// null: none was told, or these are the others.
	Name *string `json:"name"`
	// True: names beyond what is counted by name, together.
	IsOthers bool `json:"is_others"`
	// Of this name.
	Total int64 `json:"total"`
	// Of them.
	Flagged int64 `json:"flagged"`
	// Of them.
	Blocked int64 `json:"blocked"`
}

// NewRedaction is what [AuditService.RedactEvent] takes.
type NewRedaction struct {
	// The event’s id, `evt_…`.
	EventID string `json:"event_id"`
	// Of every event `actor.id` (of a user) and `actor.ip`; of `inference.*` also `subject`, `external_id`,
	// `metadata`, `previews` and `text`; of keys, accounts, sessions, sign-in, webhooks, integrations, judges,
	// probes and the organization also `data`. Where the text is kept, `subject`, `external_id`, `metadata` and
	// `previews` take `text` along.
	Fields []string `json:"fields,omitzero"`
	// Why: the request or the law. It stays in the trail, so it names nobody.
	Basis string `json:"basis"`
}

// NoSSO is what [SSOService.Delete] answers.
type NoSSO struct {
	Enabled bool `json:"enabled"`
}

func (NoSSO) required() []string { return nil }

// ObfuscationSettings is what the member detectors.obfuscation of [Policy] holds.
type ObfuscationSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
}

// Organization is what [OrganizationService.Get] answers.
type Organization struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Plan   Plan   `json:"plan"`
	Limits Limits `json:"limits"`
	// When it was made.
	CreatedAt  string     `json:"created_at"`
	Credential Credential `json:"credential"`
}

func (Organization) required() []string { return nil }

// OrganizationGetUsageQuery narrows what is asked for. Members without a value are left out.
type OrganizationGetUsageQuery struct {
	// First day, UTC. Without it the last 30 days.
	Since string
	// Last day, UTC. Without it today.
	Until string
}

func (q OrganizationGetUsageQuery) values() url.Values {
	values := url.Values{}
	if q.Since != "" {
		values.Set("since", q.Since)
	}
	if q.Until != "" {
		values.Set("until", q.Until)
	}
	return values
}

// PIISettings is what the member detectors.pii of [Policy] holds.
type PIISettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
	// Actions by type of personal data, in place of `action` and `block_at`.
	Entities *PIISettingsEntities `json:"entities,omitempty"`
}

// PIISettingsEntities is what the member entities of [PIISettings] holds.
type PIISettingsEntities struct {
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Email Action `json:"email,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Phone Action `json:"phone,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	CreditCard Action `json:"credit_card,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	IBAN Action `json:"iban,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	BankAccount Action `json:"bank_account,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	USSSN Action `json:"us_ssn,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	USITIN Action `json:"us_itin,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	USEin Action `json:"us_ein,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	NationalID Action `json:"national_id,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Passport Action `json:"passport,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	DriverLicense Action `json:"driver_license,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	MedicalRecord Action `json:"medical_record,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	VehicleID Action `json:"vehicle_id,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	DateOfBirth Action `json:"date_of_birth,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	IPAddress Action `json:"ip_address,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	MACAddress Action `json:"mac_address,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	GeoCoordinates Action `json:"geo_coordinates,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	CryptoWallet Action `json:"crypto_wallet,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Username Action `json:"username,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Address Action `json:"address,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Person Action `json:"person,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Location Action `json:"location,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Organization Action `json:"organization,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	DateTime Action `json:"date_time,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Age Action `json:"age,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Title Action `json:"title,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	NRP Action `json:"nrp,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Domain Action `json:"domain,omitempty"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	ZipCode Action `json:"zip_code,omitempty"`
}

// PagerDutyConfig is what the member config of [CreateIntegration] holds.
type PagerDutyConfig struct {
	// The integration key of an Events API v2 integration. Kept encrypted and never answered.
	RoutingKey string `json:"routing_key"`
	// Where the PagerDuty account is.
	Region PagerDutyConfigRegion `json:"region,omitempty"`
}

// String leaves out what is secret.
func (v PagerDutyConfig) String() string {
	type plain PagerDutyConfig
	shown := plain(v)
	shown.RoutingKey = hidden(v.RoutingKey)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v PagerDutyConfig) GoString() string { return "svc.PagerDutyConfig" + v.String() }

// PatchIntegration is what [IntegrationsService.Update] takes.
type PatchIntegration struct {
	// What it is for.
	Name *string `json:"name,omitempty"`
	// Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every
	// inference.
	Events []EventKind `json:"events,omitzero"`
	// What the vendor needs. Secret members are kept encrypted and never answered.
	Config IntegrationConfig `json:"config,omitempty"`
}

// PatchJudge is what [JudgesService.Update] takes.
type PatchJudge struct {
	// What it is for.
	Name *string `json:"name,omitempty"`
	// Base URL of an OpenAI-compatible API; `/chat/completions` is added. https to a public address, or one that
	// the operator allows.
	URL *string `json:"url,omitempty"`
	// The model’s name at that API.
	Model *string `json:"model,omitempty"`
	// Sent as `Authorization: Bearer`. Kept encrypted, never answered, and dropped when the url changes.
	APIKey Nullable[string] `json:"api_key,omitzero"`
	// Time for one answer. What is left of the assessment’s deadline may be less.
	TimeoutMs *int64 `json:"timeout_ms,omitempty"`
	// How it is asked and understood. `chat`: any chat model. `gpt_oss_safeguard`: a model that judges by a
	// policy it is given. `llama_guard`: one that answers `safe` or `unsafe` and hazards, S1–S14.
	Kind JudgeKind `json:"kind,omitempty"`
	// What it is to judge by, instead of the instructions built in. Not for `llama_guard`, which knows its own
	// rules.
	Instructions Nullable[string] `json:"instructions,omitzero"`
}

// String leaves out what is secret.
func (v PatchJudge) String() string {
	type plain PatchJudge
	shown := plain(v)
	shown.APIKey.value = hidden(v.APIKey.value)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v PatchJudge) GoString() string { return "svc.PatchJudge" + v.String() }

// PatchServiceAccount is what [ServiceAccountsService.Update] takes.
type PatchServiceAccount struct {
	// What the account is for.
	Name *string `json:"name,omitempty"`
	// Scopes of the account and of all its keys. Nobody grants what they do not hold.
	Permissions []Scope `json:"permissions,omitzero"`
	// CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere.
	IPAllowlist []string `json:"ip_allowlist,omitzero"`
}

// PatchWebhook is what [WebhooksService.Update] takes.
type PatchWebhook struct {
	// Where events are sent: an https URL that leads to a public address.
	URL *string `json:"url,omitempty"`
	// Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every
	// inference.
	Events []EventKind `json:"events,omitzero"`
	// Anything worth knowing about it.
	Description Nullable[string] `json:"description,omitzero"`
}

// Policy: what an organization decides about findings.
type Policy struct {
	// monitor: report, but redact and block nothing.
	Mode PolicyMode `json:"mode,omitempty"`
	// What follows when a detector fails or runs out of time, on texts going to the model and coming from it.
	OnError *PolicyOnError `json:"on_error,omitempty"`
	// Time for one assessment.
	DeadlineMs *int64 `json:"deadline_ms,omitempty"`
	// Of an answer that is assessed while it is written: whether text waits for what can only be decided at its
	// end. release: it does not, and what is found then comes too late for it.
	Stream    PolicyStream     `json:"stream,omitempty"`
	Detectors *PolicyDetectors `json:"detectors,omitempty"`
	// Conditions over the inference and its findings, decided after all else.
	Rules []PolicyRule `json:"rules,omitzero"`
	// The organization's own rules.
	Custom *PolicyCustom `json:"custom,omitempty"`
	// Findings that count for nothing, until a date. Of several that match, the first is named.
	Exceptions []PolicyException `json:"exceptions,omitzero"`
	// Models outside that are asked for their opinion. They add findings, and take none away.
	Judges []PolicyJudge  `json:"judges,omitzero"`
	Drift  *DriftSettings `json:"drift,omitempty"`
	Data   *PolicyData    `json:"data,omitempty"`
}

// PolicyBundle is what [ProbesService.SyncPolicy] answers.
type PolicyBundle struct {
	// Of the policy.
	Version int64 `json:"version"`
	// Of the policy.
	Digest string `json:"digest"`
	Policy Policy `json:"policy"`
	// What the service decides with.
	DetectorVersions map[string]string `json:"detector_versions,omitzero"`
	// When this bundle became what it is: at midnight UTC, or when the policy was stored.
	IssuedAt string `json:"issued_at"`
	// Seven days later. A probe that has no newer one goes on with it, and says that it is stale.
	ExpiresAt string          `json:"expires_at"`
	Signature PolicySignature `json:"signature"`
}

func (PolicyBundle) required() []string { return nil }

// PolicyChange is what the member changes of [PolicyDiff] holds.
type PolicyChange struct {
	Op PolicyChangeOp `json:"op"`
	// JSON Pointer into the document of `to`; of what was removed, into that of `from`.
	Path string `json:"path"`
	// Of the entry, where the list is one of entries with ids.
	ID *string `json:"id,omitempty"`
	// What stood there.
	From any `json:"from,omitempty"`
	// What stands there now.
	To any `json:"to,omitempty"`
}

// PolicyCustom is what the member custom of [Policy] holds.
type PolicyCustom struct {
	Patterns []CustomPattern `json:"patterns,omitzero"`
	Terms    []CustomTerms   `json:"terms,omitzero"`
}

// PolicyData is what the member data of [Policy] holds.
type PolicyData struct {
	// What is kept. metadata: findings without the texts. full: the texts too, encrypted.
	Store PolicyDataStore `json:"store,omitempty"`
	// How long.
	RetentionDays *int64 `json:"retention_days,omitempty"`
}

// PolicyDetectors is what the member detectors of [Policy] holds.
type PolicyDetectors struct {
	PromptInjection *PromptInjectionSettings `json:"prompt_injection,omitempty"`
	ProtectedPrompt *ProtectedPromptSettings `json:"protected_prompt,omitempty"`
	Obfuscation     *ObfuscationSettings     `json:"obfuscation,omitempty"`
	Secrets         *SecretsSettings         `json:"secrets,omitempty"`
	PII             *PIISettings             `json:"pii,omitempty"`
	Harm            *HarmSettings            `json:"harm,omitempty"`
	Groundedness    *GroundednessSettings    `json:"groundedness,omitempty"`
	Refusal         *RefusalSettings         `json:"refusal,omitempty"`
	UnsafeCode      *UnsafeCodeSettings      `json:"unsafe_code,omitempty"`
	Links           *LinksSettings           `json:"links,omitempty"`
	Size            *SizeSettings            `json:"size,omitempty"`
}

// PolicyDiff is what [PolicyService.DiffVersions] answers.
type PolicyDiff struct {
	From    PolicyVersionName `json:"from"`
	To      PolicyVersionName `json:"to"`
	Changes []PolicyChange    `json:"changes,omitzero"`
}

func (PolicyDiff) required() []string { return nil }

// PolicyDiffVersionsQuery narrows what is asked for. Members without a value are left out.
type PolicyDiffVersionsQuery struct {
	// The version to begin with. Default: the one before `to`.
	From *int64
	// The version to end with. Default: the one in force.
	To *int64
}

func (q PolicyDiffVersionsQuery) values() url.Values {
	values := url.Values{}
	if q.From != nil {
		values.Set("from", strconv.FormatInt(*q.From, 10))
	}
	if q.To != nil {
		values.Set("to", strconv.FormatInt(*q.To, 10))
	}
	return values
}

// PolicyException is what the member exceptions of [Policy] holds.
type PolicyException struct {
	// The exception's name; findings that it excuses carry it as exception_id.
	ID string `json:"id"`
	// What it excuses: findings for which all of this holds.
	Match ExceptionMatch `json:"match"`
	// Why it is right to let these pass.
	Reason string `json:"reason"`
	// Who answers for it.
	Owner string `json:"owner"`
	// When it ends, ISO 8601 with an offset or Z. There are none without an end.
	ExpiresAt string `json:"expires_at"`
}

// PolicyExceptionState is what [PolicyService.ListExceptions] lists.
type PolicyExceptionState struct {
	// Of the exception, as the policy names it.
	ID     string `json:"id"`
	Reason string `json:"reason"`
	Owner  string `json:"owner"`
	// When it stops excusing.
	ExpiresAt string `json:"expires_at"`
	// An expired one excuses nothing.
	State ExceptionStatus `json:"state"`
	// Findings that it has excused, of those that assessments list; those of test keys do not count.
	Hits int64 `json:"hits"`
	// When it last excused one; null: never.
	LastHitAt *string `json:"last_hit_at"`
}

// PolicyJudge is what the member judges of [Policy] holds.
type PolicyJudge struct {
	// The judge, as `POST /v1/judges` answered it.
	JudgeID string `json:"judge_id"`
	// Which texts it is sent; no others are. Default: input and output.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Opinions of a lower score are dropped. Default: 0.5.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which its opinion blocks; null, the default: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
}

// PolicyLintResult is what [PolicyService.Lint] answers.
type PolicyLintResult struct {
	Valid    bool            `json:"valid"`
	Errors   []PolicyProblem `json:"errors,omitzero"`
	Warnings []PolicyProblem `json:"warnings,omitzero"`
	// The digest it would have; null where it is not valid.
	Digest *string `json:"digest"`
}

func (PolicyLintResult) required() []string { return nil }

// PolicyListExceptionsQuery narrows what is asked for. Members without a value are left out.
type PolicyListExceptionsQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q PolicyListExceptionsQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// PolicyListVersionsQuery narrows what is asked for. Members without a value are left out.
type PolicyListVersionsQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q PolicyListVersionsQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// PolicyOnError is what the member on_error of [Policy] holds.
type PolicyOnError struct {
	// allow: only the coverage tells. flag, block: a finding system.coverage.
	Input OnError `json:"input,omitempty"`
	// allow: only the coverage tells. flag, block: a finding system.coverage.
	Output OnError `json:"output,omitempty"`
}

// PolicyProblem is what the member errors of [PolicyLintResult] holds.
type PolicyProblem struct {
	// JSON Pointer into the document.
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

// PolicyRef is what the member policy of [Assessment] holds.
type PolicyRef struct {
	Version *int64  `json:"version"`
	Digest  *string `json:"digest"`
}

// PolicyRule is what the member rules of [Policy] holds.
type PolicyRule struct {
	// The rule's name; findings carry it as type and rule_id.
	ID string `json:"id"`
	// CEL over the inference and its findings; what it holds for is a finding.
	When string `json:"when"`
	// What the inference becomes where the rule holds.
	Outcome Outcome `json:"outcome"`
	// Severity of its findings.
	Severity Severity `json:"severity,omitempty"`
	// Category of its findings, under policy., brand., usage. or agency.
	Category *string `json:"category,omitempty"`
	// One sentence that stands in findings as their explanation.
	Message *string `json:"message,omitempty"`
}

// PolicyShadow is what [PolicyService.PutShadow] answers.
type PolicyShadow struct {
	// Of the candidate.
	Digest string `json:"digest"`
	// The share of assessments that it decides too. Which they are follows from their ids alone.
	SampleRate float64 `json:"sample_rate"`
	// When it ends by itself; at most 90 days ahead.
	ExpiresAt string `json:"expires_at"`
	// When it began.
	StartedAt string `json:"started_at"`
	// The credential that began it.
	StartedBy string            `json:"started_by"`
	Tally     PolicyShadowTally `json:"tally"`
	Policy    Policy            `json:"policy"`
}

func (PolicyShadow) required() []string { return nil }

// PolicyShadowFinding is what the member added of [PolicyShadowVerdict] holds.
type PolicyShadowFinding struct {
	Category string   `json:"category"`
	Type     string   `json:"type"`
	Location Location `json:"location"`
}

// PolicyShadowTally is what the member tally of [PolicyShadow] holds.
type PolicyShadowTally struct {
	// Assessments that were compared: the sum of the four below.
	Assessed int64 `json:"assessed"`
	// The outcome is the same.
	Unchanged int64 `json:"unchanged"`
	// The candidate blocks what was not blocked.
	NewlyBlocked int64 `json:"newly_blocked"`
	// The candidate flags what was allowed, or what was blocked.
	NewlyFlagged int64 `json:"newly_flagged"`
	// The candidate allows what was flagged or blocked.
	NewlyAllowed int64 `json:"newly_allowed"`
	// Findings that differ, by category; beyond 200 categories in `other`.
	ByCategory map[string]CategoryChange `json:"by_category,omitzero"`
	// Ids of some assessments for each change, to look at.
	Samples ChangeSamples `json:"samples"`
	// Sampled, and not decided by the candidate: it ran out of time or failed.
	Errors int64 `json:"errors"`
	// Sampled, and not decided by the candidate because the node was busy.
	Skipped int64 `json:"skipped"`
	// Compared without the opinion of a judge that the candidate names and the policy in force does not ask.
	JudgesNotAsked int64 `json:"judges_not_asked"`
	// When counting began.
	Since string `json:"since"`
}

// PolicyShadowVerdict is what the member shadow of [Assessment] holds.
type PolicyShadowVerdict struct {
	// The candidate.
	Policy  PolicyShadowVerdictPolicy `json:"policy"`
	Outcome *Outcome                  `json:"outcome"`
	// Whether that is another outcome than the one in force.
	Changed *bool `json:"changed"`
	// Findings of the candidate that the policy in force has not, of those that both list.
	Added []PolicyShadowFinding `json:"added,omitzero"`
	// Findings of the policy in force that the candidate has not, of those that both list.
	Removed []PolicyShadowFinding `json:"removed,omitzero"`
	// Judges that only the candidate names, which are not asked.
	JudgesNotAsked int64                     `json:"judges_not_asked"`
	Error          *PolicyShadowVerdictError `json:"error"`
}

// PolicyShadowVerdictPolicy is what the member policy of [PolicyShadowVerdict] holds.
type PolicyShadowVerdictPolicy struct {
	Digest string `json:"digest"`
}

// PolicySignature is what the member signature of [PolicyBundle] holds.
type PolicySignature struct {
	Algorithm PolicySignatureAlgorithm `json:"algorithm"`
	// The same for as long as the key is the same.
	KeyID string `json:"key_id"`
	// Its 32 bytes in Base64. Keep it at first contact, and trust no other.
	PublicKey string `json:"public_key"`
	// Base64 of the signature over `svc-policy-bundle-v1`, a line feed, and the other members as canonical JSON
	// (RFC 8785).
	Value string `json:"value"`
}

// PolicySimulation is what [PolicyService.Simulate] answers.
type PolicySimulation struct {
	ID       string                   `json:"id"`
	State    PolicySimulationState    `json:"state"`
	Progress PolicySimulationProgress `json:"progress"`
	// When it was asked for.
	CreatedAt string `json:"created_at"`
	// When it succeeded or failed.
	FinishedAt *string `json:"finished_at"`
	// The candidate.
	Policy PolicyShadowVerdictPolicy `json:"policy"`
	// Why it failed.
	Error  *string           `json:"error"`
	Result *SimulationResult `json:"result"`
}

func (PolicySimulation) required() []string { return nil }

// PolicySimulationProgress is what the member progress of [PolicySimulation] holds.
type PolicySimulationProgress struct {
	// Assessments looked at.
	Done int64 `json:"done"`
	// Assessments to look at; null: not counted yet.
	Total *int64 `json:"total"`
}

// PolicyUse is what the member policies of [SummaryReport] holds.
type PolicyUse struct {
	Version *int64 `json:"version"`
	// Decided under it.
	Inferences int64 `json:"inferences"`
}

// PolicyVersion is what [PolicyService.Get] answers.
type PolicyVersion struct {
	// From 1. A version never changes.
	Version int64 `json:"version"`
	// `sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785).
	Digest string `json:"digest"`
	// When it was stored.
	UpdatedAt string `json:"updated_at"`
	// The credential that stored it, or `system`.
	UpdatedBy string `json:"updated_by"`
	Policy    Policy `json:"policy"`
}

func (PolicyVersion) required() []string { return nil }

// PolicyVersionName is what the member from of [PolicyDiff] holds.
type PolicyVersionName struct {
	Version int64  `json:"version"`
	Digest  string `json:"digest"`
}

// PolicyVersionSummary is what [PolicyService.ListVersions] lists.
type PolicyVersionSummary struct {
	// From 1. A version never changes.
	Version int64 `json:"version"`
	// `sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785).
	Digest string `json:"digest"`
	// When it was stored.
	UpdatedAt string `json:"updated_at"`
	// The credential that stored it, or `system`.
	UpdatedBy string `json:"updated_by"`
}

// Probe is what [ProbesService.List] lists.
type Probe struct {
	// Its own name.
	ID   string `json:"id"`
	Mode Mode   `json:"mode"`
	// `offline`: no heartbeat for three intervals. `skewed`: more than two heartbeats in a row told of an older
	// policy than that in force. `stale`: no heartbeat for one and a half intervals, or the policy it has on
	// disk has expired. A probe that never sends heartbeats is `stale` when it was not seen for three intervals,
	// and `offline` only where `expected_interval_s` was set.
	Status ProbeStatus `json:"status"`
	// The label `group`, else `default`.
	Group string `json:"group"`
	// What it says itself, and over that what was set here.
	Labels map[string]string `json:"labels,omitzero"`
	// Between heartbeats.
	ExpectedIntervalS int64 `json:"expected_interval_s"`
	// When it called for the first time.
	RegisteredAt string `json:"registered_at"`
	// Its last call, known to some ten seconds.
	LastSeenAt string `json:"last_seen_at"`
	// Its last heartbeat; null: it never sent one.
	LastHeartbeatAt *string `json:"last_heartbeat_at"`
	// Since when the trail says that it is offline.
	OfflineSince *string `json:"offline_since"`
	Version      *string `json:"version"`
	// When it was started.
	StartedAt *string `json:"started_at"`
	// By which it decides.
	PolicyVersion *int64      `json:"policy_version"`
	Queue         *ProbeQueue `json:"queue"`
	// Of its telemetry, on average over the last five minutes.
	Rates ProbeRates `json:"rates"`
}

func (Probe) required() []string { return nil }

// ProbeLabels is what the member labels of [Heartbeat] holds.
type ProbeLabels struct {
	// Probes of one group are looked at together for drift. Without it the group is `default`.
	Group *string `json:"group,omitempty"`
}

// ProbeQueue is what the member queue of [Heartbeat] holds.
type ProbeQueue struct {
	// Events that wait to be sent.
	Depth int64 `json:"depth"`
	// Events that were given up since the start.
	Dropped int64 `json:"dropped"`
}

// ProbeRates is what the member rates of [Probe] holds.
type ProbeRates struct {
	// Events stored.
	AcceptedPerMinute float64 `json:"accepted_per_minute"`
	// Events that had been stored before.
	DuplicatesPerMinute float64 `json:"duplicates_per_minute"`
	// Events refused.
	RejectedPerMinute float64 `json:"rejected_per_minute"`
}

// ProbesListQuery narrows what is asked for. Members without a value are left out.
type ProbesListQuery struct {
	// Probes that are so now.
	Status ProbeStatus
	// Probes of this group.
	Group string
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q ProbesListQuery) values() url.Values {
	values := url.Values{}
	if q.Status != "" {
		values.Set("status", string(q.Status))
	}
	if q.Group != "" {
		values.Set("group", q.Group)
	}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// PromotePolicyShadow is what [PolicyService.PromoteShadow] takes.
type PromotePolicyShadow struct {
	// Of the candidate that is meant. Where another one runs by now, nothing is promoted: 412.
	Digest *string `json:"digest,omitempty"`
}

// PromptInjectionSettings is what the member detectors.prompt_injection of [Policy] holds.
type PromptInjectionSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
}

// ProtectedPromptSettings is what the member detectors.protected_prompt of [Policy] holds.
type ProtectedPromptSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
}

// Provision is what the member provisions of [ComplianceReport] holds.
type Provision struct {
	ID        string `json:"id"`
	Reference string `json:"reference"`
	Title     string `json:"title"`
	// Whom it binds.
	Binds []string `json:"binds,omitzero"`
	// A paraphrase; the text itself is what counts.
	Requirement string `json:"requirement"`
	// To what it applies.
	Applies string `json:"applies"`
	// evidenced: there is evidence, no gap was found, and all that is asked for can be recorded here. partial:
	// evidence with gaps, or of a part. none: the evidence that it takes was not found in the period.
	// not_recorded_here: this service records nothing of it. It is no legal judgement.
	Status ProvisionStatus `json:"status"`
	// How much of what it asks for can be recorded here. Of a part the status is `partial` at best.
	Covers ProvisionCovers `json:"covers"`
	// What is not recorded here; null: covers the whole.
	Limit    *string    `json:"limit"`
	Evidence []Evidence `json:"evidence,omitzero"`
	Gaps     []Gap      `json:"gaps,omitzero"`
	Note     *string    `json:"note"`
}

// ProvisionCount is what the member summary.evidenced of [ComplianceReport] holds.
type ProvisionCount struct {
	// Provisions with this status.
	Count int64 `json:"count"`
	// Of them, those of which only a part can be recorded here.
	OfAPart int64 `json:"of_a_part"`
}

// PutPolicyShadow is what [PolicyService.PutShadow] takes.
type PutPolicyShadow struct {
	Policy Policy `json:"policy"`
	// The share of assessments that it decides too. Which they are follows from their ids alone.
	SampleRate float64 `json:"sample_rate"`
	// When it ends by itself; at most 90 days ahead.
	ExpiresAt string `json:"expires_at"`
}

// PutSSO is what [SSOService.Put] takes.
type PutSSO struct {
	// The identity provider, exactly as its tokens name it (`iss`). Its discovery document is read when this is
	// stored.
	Issuer string `json:"issuer"`
	// The client that stands for this service at the identity provider.
	ClientID string `json:"client_id"`
	// For a sign-in through this service. Absent: the stored one stays, if issuer and client do. Null: none.
	ClientSecret Nullable[string] `json:"client_secret,omitzero"`
	// The claim that lists a user’s groups.
	GroupsClaim *string `json:"groups_claim,omitempty"`
	// The role of each group. Who is in several has the highest; who is in none is refused, unless there is a
	// `default_role`.
	Roles       map[string]UserRole `json:"roles,omitzero"`
	DefaultRole Nullable[UserRole]  `json:"default_role,omitzero"`
	// Claims that a token must have with exactly this value, or, where the claim is a list, in it.
	Require map[string]Scalar `json:"require,omitzero"`
}

// String leaves out what is secret.
func (v PutSSO) String() string {
	type plain PutSSO
	shown := plain(v)
	shown.ClientSecret.value = hidden(v.ClientSecret.value)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v PutSSO) GoString() string { return "svc.PutSSO" + v.String() }

// Recover is what [WebhooksService.Recover] takes.
type Recover struct {
	// Deliveries of events recorded at or after.
	Since string `json:"since"`
}

// Recovered is what [WebhooksService.Recover] answers.
type Recovered struct {
	// Deliveries that had failed and are sent again.
	Recovered int64 `json:"recovered"`
}

func (Recovered) required() []string { return nil }

// Redacted: the members of the request that changed, findings replaced, in the shape they were sent.
type Redacted struct {
	Input     any `json:"input,omitempty"`
	Output    any `json:"output,omitempty"`
	Context   any `json:"context,omitempty"`
	ToolCalls any `json:"tool_calls,omitempty"`
}

// Redaction is what [AuditService.RedactEvent] answers.
type Redaction struct {
	EventID string `json:"event_id"`
	// Of the event.
	Sequence int64 `json:"sequence"`
	// What was erased: what was asked for, and a kept text that repeats it.
	Fields []string `json:"fields,omitzero"`
	Basis  string   `json:"basis"`
	// The event `audit.redacted` that tells of it.
	RedactionEventID string `json:"redaction_event_id"`
	// When it was done.
	CreatedAt string `json:"created_at"`
}

func (Redaction) required() []string { return nil }

// RefusalSettings is what the member detectors.refusal of [Policy] holds.
type RefusalSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
}

// RejectedTelemetry is what the member rejected of [TelemetryResult] holds.
type RejectedTelemetry struct {
	// Of the event, from 0.
	Index int64          `json:"index"`
	Error TelemetryError `json:"error"`
}

// ReleasedToolCall is what the member tool_calls of [StreamChunkResult] holds.
type ReleasedToolCall struct {
	Index int64  `json:"index"`
	Name  string `json:"name"`
	// An object; the text as it was written where that is no JSON object.
	Arguments any `json:"arguments"`
}

// ReportsGetCompliancePageQuery narrows what is asked for. Members without a value are left out.
type ReportsGetCompliancePageQuery struct {
	// What the report is about.
	Framework Framework
	// Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30 days
	// before `until`.
	Since string
	// Recorded before; the end of its day or hour. Absent: now.
	Until string
}

func (q ReportsGetCompliancePageQuery) values() url.Values {
	values := url.Values{}
	values.Set("framework", string(q.Framework))
	if q.Since != "" {
		values.Set("since", q.Since)
	}
	if q.Until != "" {
		values.Set("until", q.Until)
	}
	values.Set("format", "html")
	return values
}

// ReportsGetComplianceQuery narrows what is asked for. Members without a value are left out.
type ReportsGetComplianceQuery struct {
	// What the report is about.
	Framework Framework
	// Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30 days
	// before `until`.
	Since string
	// Recorded before; the end of its day or hour. Absent: now.
	Until string
}

func (q ReportsGetComplianceQuery) values() url.Values {
	values := url.Values{}
	values.Set("framework", string(q.Framework))
	if q.Since != "" {
		values.Set("since", q.Since)
	}
	if q.Until != "" {
		values.Set("until", q.Until)
	}
	return values
}

// ReportsGetSummaryQuery narrows what is asked for. Members without a value are left out.
type ReportsGetSummaryQuery struct {
	// Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30 days
	// before `until`.
	Since string
	// Recorded before; the end of its day or hour. Absent: now.
	Until string
	// Of the points of the series, at most 1000. Hours reach back 100 days; weeks begin on Monday. Absent: by
	// the length.
	Interval Interval
}

func (q ReportsGetSummaryQuery) values() url.Values {
	values := url.Values{}
	if q.Since != "" {
		values.Set("since", q.Since)
	}
	if q.Until != "" {
		values.Set("until", q.Until)
	}
	if q.Interval != "" {
		values.Set("interval", string(q.Interval))
	}
	return values
}

// RotateSecret is what [WebhooksService.RotateSecret] takes.
type RotateSecret struct {
	// For how long the old secret signs beside the new one. 0: it ends at once.
	GraceS *int64 `json:"grace_s,omitempty"`
}

// SSO is what [SSOService.Get] answers.
type SSO struct {
	// The identity provider, exactly as its tokens name it (`iss`). Its discovery document is read when this is
	// stored.
	Issuer string `json:"issuer"`
	// The client that stands for this service at the identity provider.
	ClientID string `json:"client_id"`
	// The claim that lists a user’s groups.
	GroupsClaim string `json:"groups_claim"`
	// The role of each group. Who is in several has the highest; who is in none is refused, unless there is a
	// `default_role`.
	Roles       map[string]UserRole `json:"roles,omitzero"`
	DefaultRole *UserRole           `json:"default_role"`
	// Claims that a token must have with exactly this value, or, where the claim is a list, in it.
	Require map[string]Scalar `json:"require,omitzero"`
	// Whether one is stored. It is never answered.
	HasClientSecret bool `json:"has_client_secret"`
	// To be registered at the identity provider.
	RedirectUri string `json:"redirect_uri"`
	// When this was last changed.
	UpdatedAt string `json:"updated_at"`
	// By whom.
	UpdatedBy string `json:"updated_by"`
}

func (SSO) required() []string { return nil }

// SecretsSettings is what the member detectors.secrets of [Policy] holds.
type SecretsSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
	// Actions by type of credential, in place of `action` and `block_at`.
	Types map[string]Action `json:"types,omitzero"`
}

// ServiceAccount is what [ServiceAccountsService.List] lists.
type ServiceAccount struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Permissions []Scope  `json:"permissions,omitzero"`
	IPAllowlist []string `json:"ip_allowlist,omitzero"`
	Type        Mode     `json:"type"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it was last changed.
	UpdatedAt string `json:"updated_at"`
	// When it was deleted.
	DeletedAt *string `json:"deleted_at"`
}

func (ServiceAccount) required() []string { return nil }

// ServiceAccountsListQuery narrows what is asked for. Members without a value are left out.
type ServiceAccountsListQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q ServiceAccountsListQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// Session is what [SessionsService.EndToken] answers.
type Session struct {
	ID string `json:"id"`
	// The user, as the identity provider names him; null: opened with a key.
	Subject *string `json:"subject"`
	// The user’s e-mail address or name, or the key’s name.
	Name   string    `json:"name"`
	Role   *UserRole `json:"role"`
	Scopes []Scope   `json:"scopes,omitzero"`
	// The key that opened it.
	KeyID *string `json:"key_id"`
	// From where it was opened.
	Address string `json:"address"`
	// When it was opened.
	SignedInAt string `json:"signed_in_at"`
	// When it ends at the latest: twelve hours after the sign-in.
	ExpiresAt string `json:"expires_at"`
	// When it was ended before that.
	EndedAt *string `json:"ended_at"`
}

func (Session) required() []string { return nil }

// SessionToken is what [SessionsService.ExchangeToken] answers.
type SessionToken struct {
	// The session token (JWT). Send it as `Authorization: Bearer`.
	Token string `json:"token"`
	// When the token expires: an hour after its issue.
	ExpiresAt string `json:"expires_at"`
}

func (SessionToken) required() []string { return nil }

// String leaves out what is secret.
func (v SessionToken) String() string {
	type plain SessionToken
	shown := plain(v)
	shown.Token = hidden(v.Token)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v SessionToken) GoString() string { return "svc.SessionToken" + v.String() }

// SessionsListQuery narrows what is asked for. Members without a value are left out.
type SessionsListQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q SessionsListQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// SimulatePolicy: with one of `sample` and `items`.
type SimulatePolicy struct {
	Policy Policy            `json:"policy"`
	Sample *SimulationSample `json:"sample,omitempty"`
	// Inferences, up to the plan’s batch size, in place of `sample`. Each costs one assessment and is recorded
	// nowhere.
	Items []Inference `json:"items,omitzero"`
}

// SimulationResult is what the member result of [PolicySimulation] holds.
type SimulationResult struct {
	// Assessments that were compared: the sum of the four below.
	Assessed int64 `json:"assessed"`
	// The outcome is the same.
	Unchanged int64 `json:"unchanged"`
	// The candidate blocks what was not blocked.
	NewlyBlocked int64 `json:"newly_blocked"`
	// The candidate flags what was allowed, or what was blocked.
	NewlyFlagged int64 `json:"newly_flagged"`
	// The candidate allows what was flagged or blocked.
	NewlyAllowed int64 `json:"newly_allowed"`
	// Findings that differ, by category; beyond 200 categories in `other`.
	ByCategory map[string]CategoryChange `json:"by_category,omitzero"`
	// Ids of some assessments for each change, to look at.
	Samples ChangeSamples `json:"samples"`
	// By what each assessment could be decided from.
	Answered SimulationResultAnswered `json:"answered"`
	// What could not be known of assessments whose texts are not kept, or of judges, which are not asked.
	Unanswered []UnansweredQuestion `json:"unanswered,omitzero"`
}

// SimulationResultAnswered is what the member answered of [SimulationResult] holds.
type SimulationResultAnswered struct {
	// Decided anew from the whole text.
	Texts int64 `json:"texts"`
	// Decided from the findings that were kept, and certain.
	Findings int64 `json:"findings"`
	// Compared as far as could be known; `unanswered` says what could not.
	Partly int64 `json:"partly"`
}

// SimulationSample: assessments of the organization, by when they were recorded.
type SimulationSample struct {
	// Recorded at or after. Default: from the beginning.
	Since *string `json:"since,omitempty"`
	// Recorded before. Default: now.
	Until *string `json:"until,omitempty"`
	// At most so many, the newest.
	Limit *int64 `json:"limit,omitempty"`
}

// SizeSettings is what the member detectors.size of [Policy] holds.
type SizeSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
	// UTF-16 units of all texts of one inference.
	MaxChars *int64 `json:"max_chars,omitempty"`
	// Messages of one conversation.
	MaxMessages *int64 `json:"max_messages,omitempty"`
}

// SlackConfig is what the member config of [CreateIntegration] holds.
type SlackConfig struct {
	// The incoming webhook’s URL. It is a credential: it is kept encrypted and never answered.
	URL string `json:"url"`
}

// String leaves out what is secret.
func (v SlackConfig) String() string {
	type plain SlackConfig
	shown := plain(v)
	shown.URL = hidden(v.URL)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v SlackConfig) GoString() string { return "svc.SlackConfig" + v.String() }

// SourceCounts is what the member sources.api of [SummaryReport] holds.
type SourceCounts struct {
	// Assessed over the API.
	Inferences int64 `json:"inferences"`
	// Let through.
	Allowed int64 `json:"allowed"`
	// With findings.
	Flagged int64 `json:"flagged"`
	// Stopped.
	Blocked int64 `json:"blocked"`
	// Reported by probes that decided nothing, and without a text to assess.
	Undecided int64 `json:"undecided"`
}

// SplunkConfig is what the member config of [CreateIntegration] holds.
type SplunkConfig struct {
	// The collector’s base: what stands before `/services/collector`.
	URL string `json:"url"`
	// A token of the HTTP Event Collector. Kept encrypted and never answered.
	Token string `json:"token"`
	// The index to write to. Absent: the token’s own.
	Index *string `json:"index,omitempty"`
	// Absent: `svc:` and the organization’s id.
	Source *string `json:"source,omitempty"`
	// Absent: `svc:event`.
	Sourcetype *string `json:"sourcetype,omitempty"`
	// Take an event for delivered only when it is indexed. The token must have indexer acknowledgement on.
	Acknowledge *bool `json:"acknowledge,omitempty"`
}

// String leaves out what is secret.
func (v SplunkConfig) String() string {
	type plain SplunkConfig
	shown := plain(v)
	shown.Token = hidden(v.Token)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v SplunkConfig) GoString() string { return "svc.SplunkConfig" + v.String() }

// Stream is what [StreamsService.Create] answers.
type Stream struct {
	ID string `json:"id"`
	// Of the input. Its event is recorded when the stream ends, so `event_id` is null; where the input is
	// blocked that is at once.
	Assessment Assessment `json:"assessment"`
}

func (Stream) required() []string { return []string{"id", "assessment"} }

// StreamChunk is what [StreamsService.AppendChunk] takes.
type StreamChunk struct {
	// Counts the chunks, from 0 or 1.
	Seq int64 `json:"seq"`
	// What the model has written since: a text, or `choices[0].delta` of a chunk of OpenAI’s chat completions,
	// of which `content` and `tool_calls` are read.
	Delta StreamChunkDelta `json:"delta,omitempty"`
	// Nothing follows.
	Final *bool `json:"final,omitempty"`
}

// UnmarshalJSON takes what may be one of several things for what it is.
func (v *StreamChunk) UnmarshalJSON(data []byte) (err error) {
	type plain StreamChunk
	shadow := struct {
		*plain
		Delta json.RawMessage `json:"delta"`
	}{plain: (*plain)(v)}
	if err := json.Unmarshal(data, &shadow); err != nil {
		return err
	}
	if v.Delta, err = decodeStreamChunkDelta(shadow.Delta); err != nil {
		return err
	}
	return nil
}

// StreamChunkDeltaParts is what the member delta.parts of [StreamChunk] holds.
type StreamChunkDeltaParts struct {
	Content   *string         `json:"content,omitempty"`
	ToolCalls []ToolCallDelta `json:"tool_calls,omitzero"`
}

// StreamChunkResult is what [StreamsService.AppendChunk] answers.
type StreamChunkResult struct {
	Seq int64 `json:"seq"`
	// Text that is safe to show now, with what the policy redacts replaced.
	Released string `json:"released"`
	// Complete calls that are safe to make now.
	ToolCalls []ReleasedToolCall `json:"tool_calls,omitzero"`
	// UTF-16 units that have come and are not released.
	HeldChars int64 `json:"held_chars"`
	// Those that are certain since this chunk. At most 200.
	Findings []Finding `json:"findings,omitzero"`
	// Of all that is certain so far. blocked: nothing more will be released; send the last chunk.
	Outcome Outcome `json:"outcome"`
	// Of the whole inference; null before the last chunk.
	Assessment *Assessment `json:"assessment"`
}

func (StreamChunkResult) required() []string { return []string{"released", "outcome"} }

// StreamInference: what a model is asked, before it answers.
type StreamInference struct {
	// What the model is asked.
	Input Conversation `json:"input"`
	// Documents, tool results and memories in the prompt.
	Context []ContextItem `json:"context,omitzero"`
	// The model, by name or in parts.
	Model   ModelRef `json:"model,omitempty"`
	Subject *Subject `json:"subject,omitempty"`
	// Your own id, to find the assessment by.
	ExternalID *string `json:"external_id,omitempty"`
	// Time to decide in. Default: the policy's.
	DeadlineMs *int64 `json:"deadline_ms,omitempty"`
	// When the inference happened, ISO 8601 with an offset or Z. Default: now.
	OccurredAt *string `json:"occurred_at,omitempty"`
	// Your own pairs, kept with the assessment.
	Metadata map[string]string `json:"metadata,omitzero"`
}

// UnmarshalJSON takes what may be one of several things for what it is.
func (v *StreamInference) UnmarshalJSON(data []byte) (err error) {
	type plain StreamInference
	shadow := struct {
		*plain
		Input json.RawMessage `json:"input"`
		Model json.RawMessage `json:"model"`
	}{plain: (*plain)(v)}
	if err := json.Unmarshal(data, &shadow); err != nil {
		return err
	}
	if v.Input, err = decodeConversation(shadow.Input); err != nil {
		return err
	}
	if v.Model, err = decodeModelRef(shadow.Model); err != nil {
		return err
	}
	return nil
}

// Subject: on whose behalf the model works.
type Subject struct {
	// The person, by your own pseudonym.
	User *string `json:"user,omitempty"`
	// The conversation.
	Session *string `json:"session,omitempty"`
	// The application or agent.
	Agent *string `json:"agent,omitempty"`
}

// SummaryPoint is what the member series of [SummaryReport] holds.
type SummaryPoint struct {
	// The first and the last point may be cut by the period.
	Start string `json:"start"`
	// Exclusive.
	End string `json:"end"`
	// Events of the trail.
	Events int64 `json:"events"`
	// Inferences.
	Inferences int64 `json:"inferences"`
	// Let through.
	Allowed int64 `json:"allowed"`
	// With findings.
	Flagged int64 `json:"flagged"`
	// Stopped.
	Blocked int64 `json:"blocked"`
	// Reported by probes that decided nothing, and without a text to assess.
	Undecided int64                    `json:"undecided"`
	LatencyMs LatencyQuantiles         `json:"latency_ms"`
	Coverage  CoverageCounts           `json:"coverage"`
	Drift     SummaryReportSeriesDrift `json:"drift"`
}

// SummaryReport is what [ReportsService.GetSummary] answers.
type SummaryReport struct {
	OrgID string `json:"org_id"`
	// The beginning of what was counted.
	Since string `json:"since"`
	// The end of it, exclusive.
	Until    string              `json:"until"`
	Interval Interval            `json:"interval"`
	AsOf     AsOf                `json:"as_of"`
	Totals   SummaryReportTotals `json:"totals"`
	// Every point, also where there was nothing. Oldest first.
	Series  []SummaryPoint       `json:"series,omitzero"`
	Sources SummaryReportSources `json:"sources"`
	// Inferences with findings, by category. One with several counts for each. The most frequent first; of each
	// hour beyond 200 names together.
	Categories []NamedCounts `json:"categories,omitzero"`
	// Inferences that the trail has an event of, by severity. The most frequent first; of each hour beyond 200
	// names together.
	Severities []NamedCounts `json:"severities,omitzero"`
	// Inferences by model. `flagged` and `blocked` of a probe’s are those that have an event. The most frequent
	// first; of each hour beyond 200 names together.
	Models []NamedCounts `json:"models,omitzero"`
	// Inferences that probes reported, by probe. The most frequent first; of each hour beyond 200 names
	// together.
	Probes []NamedCounts `json:"probes,omitzero"`
	// By version of the policy, newest first. null: not told.
	Policies []PolicyUse `json:"policies,omitzero"`
	// Of assessments that the service decided and the trail has an event of.
	Enforcement    SummaryReportEnforcement `json:"enforcement"`
	DetectorFaults []DetectorFaults         `json:"detector_faults,omitzero"`
	Telemetry      SummaryReportTelemetry   `json:"telemetry"`
	// Events of the trail by kind.
	Kinds []KindCount        `json:"kinds,omitzero"`
	Drift SummaryReportDrift `json:"drift"`
	// What became of deliveries of the period’s events.
	Deliveries SummaryReportDeliveries `json:"deliveries"`
	// What was used of the plan.
	Usage UsageCounts `json:"usage"`
}

func (SummaryReport) required() []string { return nil }

// SummaryReportDeliveries is what the member deliveries of [SummaryReport] holds.
type SummaryReportDeliveries struct {
	// Taken by their receiver.
	Succeeded int64 `json:"succeeded"`
	// Given up after the last attempt.
	Failed int64 `json:"failed"`
	// Their endpoint was deleted.
	Cancelled int64 `json:"cancelled"`
	// Under way, or parked with a paused endpoint.
	Waiting int64 `json:"waiting"`
	// Those with more than one attempt.
	Retried int64 `json:"retried"`
	// False: there are more, or older ones are not kept any more. The newest 200000 are counted, of the last 30
	// days.
	IsComplete bool `json:"is_complete"`
	// How long attempts took, for the newest 10000 deliveries.
	AttemptMs SummaryReportDeliveriesAttemptMs `json:"attempt_ms"`
	Endpoints SummaryReportDeliveriesEndpoints `json:"endpoints"`
}

// SummaryReportDeliveriesAttemptMs is what the member deliveries.attempt_ms of [SummaryReport] holds.
type SummaryReportDeliveriesAttemptMs struct {
	P50 *float64 `json:"p50"`
	P95 *float64 `json:"p95"`
}

// SummaryReportDeliveriesEndpoints is what the member deliveries.endpoints of [SummaryReport] holds.
type SummaryReportDeliveriesEndpoints struct {
	// Now.
	Active int64 `json:"active"`
	// Now: without success for a day.
	Paused int64 `json:"paused"`
}

// SummaryReportDrift is what the member drift of [SummaryReport] holds.
type SummaryReportDrift struct {
	// Drifts that became sure in the period.
	Opened int64 `json:"opened"`
	// Drifts that recovered in it.
	Recovered int64 `json:"recovered"`
	// Drifts that persist now.
	Open int64 `json:"open"`
	// Of them, those that nobody has acknowledged.
	Unacknowledged int64 `json:"unacknowledged"`
}

// SummaryReportEnforcement is what the member enforcement of [SummaryReport] holds.
type SummaryReportEnforcement struct {
	// Decided with the policy enforced.
	Enforce int64 `json:"enforce"`
	// Decided in monitor mode.
	Monitor    int64                              `json:"monitor"`
	Suppressed SummaryReportEnforcementSuppressed `json:"suppressed"`
}

// SummaryReportEnforcementSuppressed is what the member enforcement.suppressed of [SummaryReport] holds.
type SummaryReportEnforcementSuppressed struct {
	// Would have been redacted.
	Redact int64 `json:"redact"`
	// Would have been blocked.
	Block int64 `json:"block"`
}

// SummaryReportSeriesDrift is what the member series.drift of [SummaryReport] holds.
type SummaryReportSeriesDrift struct {
	// `drift.sustained`.
	Opened int64 `json:"opened"`
	// `drift.recovered`.
	Recovered int64 `json:"recovered"`
}

// SummaryReportSources is what the member sources of [SummaryReport] holds.
type SummaryReportSources struct {
	API    SourceCounts `json:"api"`
	Probes SourceCounts `json:"probes"`
}

// SummaryReportTelemetry is what the member telemetry of [SummaryReport] holds.
type SummaryReportTelemetry struct {
	// `telemetry.received`.
	Batches int64 `json:"batches"`
	// Inferences that were stored.
	Accepted int64 `json:"accepted"`
	// Known already.
	Duplicates int64 `json:"duplicates"`
	// Refused, to be sent again or not.
	Rejected int64 `json:"rejected"`
}

// SummaryReportTotals is what the member totals of [SummaryReport] holds.
type SummaryReportTotals struct {
	// Events of the trail.
	Events int64 `json:"events"`
	// Inferences that were assessed or reported.
	Inferences int64 `json:"inferences"`
	// Let through.
	Allowed int64 `json:"allowed"`
	// With findings.
	Flagged int64 `json:"flagged"`
	// Stopped.
	Blocked int64 `json:"blocked"`
	// Reported by probes that decided nothing, and without a text to assess.
	Undecided int64            `json:"undecided"`
	LatencyMs LatencyQuantiles `json:"latency_ms"`
	Coverage  CoverageCounts   `json:"coverage"`
}

// TeamsConfig is what the member config of [CreateIntegration] holds.
type TeamsConfig struct {
	// The URL of a Workflows webhook. It is a credential: it is kept encrypted and never answered.
	URL string `json:"url"`
}

// String leaves out what is secret.
func (v TeamsConfig) String() string {
	type plain TeamsConfig
	shown := plain(v)
	shown.URL = hidden(v.URL)
	return fmt.Sprintf("%+v", shown)
}

// GoString leaves it out, too.
func (v TeamsConfig) GoString() string { return "svc.TeamsConfig" + v.String() }

// TelemetryBatch is what [ProbesService.SendTelemetry] takes.
type TelemetryBatch struct {
	// One that is not valid is rejected by itself and fails no other.
	Events []TelemetryEvent `json:"events,omitzero"`
}

// TelemetryError is what the member rejected.error of [TelemetryResult] holds.
type TelemetryError struct {
	// `rate_limited` and `unavailable`: send the same event again. `invalid_request`: do not.
	Code    ErrorCode     `json:"code"`
	Message string        `json:"message"`
	Details []ErrorDetail `json:"details,omitzero"`
	// With `rate_limited`: when to send it again.
	RetryAfterS *int64 `json:"retry_after_s,omitempty"`
}

// TelemetryEvent: one inference that a probe has seen.
type TelemetryEvent struct {
	// The probe's own name for the event. One that the probe has sent before counts once.
	ID string `json:"id"`
	// When the inference began, ISO 8601 with an offset or Z.
	OccurredAt string `json:"occurred_at"`
	// The model that was asked for: `gen_ai.request.model`.
	Model *string `json:"model,omitempty"`
	// The model that the provider says has answered: `gen_ai.response.model`.
	ModelVersion *string `json:"model_version,omitempty"`
	// `gen_ai.provider.name`.
	Provider *string `json:"provider,omitempty"`
	// `gen_ai.operation.name`.
	Operation *string `json:"operation,omitempty"`
	// `gen_ai.usage.input_tokens`.
	InputTokens *int64 `json:"input_tokens,omitempty"`
	// `gen_ai.usage.output_tokens`.
	OutputTokens *int64 `json:"output_tokens,omitempty"`
	// From the request to the end of the answer.
	LatencyMs *float64 `json:"latency_ms,omitempty"`
	// From the request to the first token of the answer.
	TimeToFirstTokenMs *float64 `json:"time_to_first_token_ms,omitempty"`
	// Why the model ended: `gen_ai.response.finish_reasons`.
	FinishReason *string `json:"finish_reason,omitempty"`
	// Why there is no answer: `error.type`.
	Error *string `json:"error,omitempty"`
	// The probe's own decision. Where texts are sent too, the service's counts.
	Outcome Outcome `json:"outcome,omitempty"`
	// The highest score of a finding; 0 without.
	Score *float64 `json:"score,omitempty"`
	// What the probe found, the worst first.
	Findings []TelemetryFinding `json:"findings,omitzero"`
	// How much of the texts the probe has read.
	Coverage CoverageStatus `json:"coverage,omitempty"`
	// The policy that decided.
	PolicyVersion *int64 `json:"policy_version,omitempty"`
	// Its digest.
	PolicyDigest *string `json:"policy_digest,omitempty"`
	// What the model was asked. The service assesses it.
	Input Conversation `json:"input,omitempty"`
	// What it answered. The service assesses it.
	Output Conversation `json:"output,omitempty"`
	// Documents, tool results and memories in the prompt.
	Context []ContextItem `json:"context,omitzero"`
	// Calls that the model wants to make.
	ToolCalls []ToolCall `json:"tool_calls,omitzero"`
	// On whose behalf the model works.
	Subject *TelemetrySubject `json:"subject,omitempty"`
	// Your own pairs, kept with the event. Where texts are assessed they are its metadata, which rules can ask
	// for.
	Attributes map[string]Scalar `json:"attributes,omitzero"`
}

// UnmarshalJSON takes what may be one of several things for what it is.
func (v *TelemetryEvent) UnmarshalJSON(data []byte) (err error) {
	type plain TelemetryEvent
	shadow := struct {
		*plain
		Input  json.RawMessage `json:"input"`
		Output json.RawMessage `json:"output"`
	}{plain: (*plain)(v)}
	if err := json.Unmarshal(data, &shadow); err != nil {
		return err
	}
	if v.Input, err = decodeConversation(shadow.Input); err != nil {
		return err
	}
	if v.Output, err = decodeConversation(shadow.Output); err != nil {
		return err
	}
	return nil
}

// TelemetryFinding: what the probe found. Never the text it stands in.
type TelemetryFinding struct {
	// What kind of thing was found.
	Category string `json:"category"`
	// What exactly.
	Type string `json:"type"`
	// How sure the detector is.
	Score float64 `json:"score"`
	// How bad it would be.
	Severity Severity `json:"severity,omitempty"`
	// What was done about it.
	Action Action `json:"action,omitempty"`
	// What the finding alone makes of the inference.
	Outcome Outcome `json:"outcome,omitempty"`
}

// TelemetryResult is what [ProbesService.SendTelemetry] answers.
type TelemetryResult struct {
	// Events that are stored now and were not before.
	Accepted int64 `json:"accepted"`
	// Events that were stored before, or stand in the body twice.
	Duplicates int64 `json:"duplicates"`
	// Events that are stored nowhere.
	Rejected []RejectedTelemetry `json:"rejected,omitzero"`
}

func (TelemetryResult) required() []string { return nil }

// TelemetrySubject is what the member subject of [TelemetryEvent] holds.
type TelemetrySubject struct {
	// The person, by your own pseudonym.
	User *string `json:"user,omitempty"`
	// The conversation.
	Session *string `json:"session,omitempty"`
	// The application or agent.
	Agent *string `json:"agent,omitempty"`
}

// TestEvent is what [WebhooksService.Test] takes.
type TestEvent struct {
	// Of which kind a sample is sent.
	Event EventKind `json:"event,omitempty"`
}

// TestResult is what [WebhooksService.Test] answers.
type TestResult struct {
	// Whether the receiver took it.
	Delivered bool `json:"delivered"`
	// The kind that was sent.
	Event EventKind `json:"event"`
	// HTTP status of the answer; null: there was none.
	Status    *int64  `json:"status"`
	LatencyMs float64 `json:"latency_ms"`
	// Why it was not delivered.
	Error *string `json:"error"`
	// The first 4 KiB of the answer.
	Answer *string `json:"answer"`
}

func (TestResult) required() []string { return nil }

// ToolCall is what the member tool_calls of [Inference] holds.
type ToolCall struct {
	// The tool.
	Name string `json:"name"`
	// The call's arguments; every string inside is assessed. At most 32 levels deep.
	Arguments map[string]any `json:"arguments,omitzero"`
}

// ToolCallDelta is what the member delta.tool_calls of [StreamChunk] holds.
type ToolCallDelta struct {
	// Of the call, from 0. A call is complete when the next one begins.
	Index    int64                  `json:"index"`
	Function *ToolCallDeltaFunction `json:"function,omitempty"`
}

// ToolCallDeltaFunction is what the member function of [ToolCallDelta] holds.
type ToolCallDeltaFunction struct {
	Name *string `json:"name,omitempty"`
	// The next piece of the arguments’ JSON.
	Arguments *string `json:"arguments,omitempty"`
}

// UnansweredQuestion is what the member unanswered of [SimulationResult] holds.
type UnansweredQuestion struct {
	// Such as `detector_added`; more will come.
	Question string `json:"question"`
	// Assessments whose outcome may be another because of it.
	Count       int64  `json:"count"`
	Explanation string `json:"explanation"`
}

// UnsafeCodeSettings is what the member detectors.unsafe_code of [Policy] holds.
type UnsafeCodeSettings struct {
	// Whether the detector runs.
	Enabled *bool `json:"enabled,omitempty"`
	// Which texts are read: input and output messages, context items, tool results and arguments.
	AppliesTo []Target `json:"applies_to,omitzero"`
	// Findings of a lower score are dropped.
	FlagAt *float64 `json:"flag_at,omitempty"`
	// Score from which findings block; null: never.
	BlockAt Nullable[float64] `json:"block_at,omitzero"`
	// ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
	// blocked.
	Action Action `json:"action,omitempty"`
}

// UpdateProbe is what [ProbesService.Update] takes.
type UpdateProbe struct {
	// In place of those that were set before. They stand over what the probe says itself.
	Labels *UpdateProbeLabels `json:"labels,omitempty"`
	// How often the probe is to be heard. null: the usual 30 s.
	ExpectedIntervalS Nullable[int64] `json:"expected_interval_s,omitzero"`
}

// UpdateProbeLabels is what the member labels of [UpdateProbe] holds.
type UpdateProbeLabels struct {
	// Probes of one group are looked at together for drift. Without it the group is `default`.
	Group *string `json:"group,omitempty"`
}

// Usage is what [OrganizationService.GetUsage] answers.
type Usage struct {
	Plan Plan `json:"plan"`
	// First day, UTC.
	Since string `json:"since"`
	// Last day, UTC.
	Until string      `json:"until"`
	Total UsageCounts `json:"total"`
	// Days on which there were any, oldest first.
	Days []UsageDay `json:"days,omitzero"`
	Now  UsageNow   `json:"now"`
}

func (Usage) required() []string { return nil }

// UsageCounts is what the member usage of [SummaryReport] holds.
type UsageCounts struct {
	// That cost one of the plan: over the API, and texts that probes sent.
	Assessments int64 `json:"assessments"`
	// Of them.
	Allowed int64 `json:"allowed"`
	// Of them.
	Flagged int64 `json:"flagged"`
	// Of them.
	Blocked int64 `json:"blocked"`
}

// UsageDay is what the member days of [Usage] holds.
type UsageDay struct {
	Day string `json:"day"`
	// Assessments in all.
	Assessments int64 `json:"assessments"`
	Allowed     int64 `json:"allowed"`
	Flagged     int64 `json:"flagged"`
	Blocked     int64 `json:"blocked"`
}

// UsageNow is what the member now of [Usage] holds.
type UsageNow struct {
	Assessments BudgetState `json:"assessments"`
	Requests    BudgetState `json:"requests"`
}

// Webhook is what [WebhooksService.List] lists.
type Webhook struct {
	WebhookID   string      `json:"webhook_id"`
	URL         string      `json:"url"`
	Events      []EventKind `json:"events,omitzero"`
	Description *string     `json:"description"`
	// `test`: of a test key; hears of test assessments alone.
	Mode Mode `json:"mode"`
	// Paused after 24 hours without a success: events wait for it and are sent once it answers again.
	Status EndpointStatus `json:"status"`
	// When it began to fail, if the last attempt did.
	FailingSince *string `json:"failing_since"`
	// When it last answered 2xx; up to ten seconds late.
	LastSuccessAt *string `json:"last_success_at"`
	// Until when the secret before the last rotation signs too.
	OldSecretUntil *string `json:"old_secret_until"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it was last changed.
	UpdatedAt string `json:"updated_at"`
}

func (Webhook) required() []string { return nil }

// WebhookWithSecret is what [WebhooksService.Create] answers.
type WebhookWithSecret struct {
	WebhookID   string      `json:"webhook_id"`
	URL         string      `json:"url"`
	Events      []EventKind `json:"events,omitzero"`
	Description *string     `json:"description"`
	// `test`: of a test key; hears of test assessments alone.
	Mode Mode `json:"mode"`
	// Paused after 24 hours without a success: events wait for it and are sent once it answers again.
	Status EndpointStatus `json:"status"`
	// When it began to fail, if the last attempt did.
	FailingSince *string `json:"failing_since"`
	// When it last answered 2xx; up to ten seconds late.
	LastSuccessAt *string `json:"last_success_at"`
	// Until when the secret before the last rotation signs too.
	OldSecretUntil *string `json:"old_secret_until"`
	// When it was made.
	CreatedAt string `json:"created_at"`
	// When it was last changed.
	UpdatedAt string `json:"updated_at"`
	// Signs deliveries. Only in this answer, and not when it is repeated.
	SigningSecret *string `json:"signing_secret,omitempty"`
}

func (WebhookWithSecret) required() []string { return nil }

// WebhooksListDeliveriesQuery narrows what is asked for. Members without a value are left out.
type WebhooksListDeliveriesQuery struct {
	// Deliveries in this state.
	State DeliveryState
	// Of events of this kind.
	Kind EventKind
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q WebhooksListDeliveriesQuery) values() url.Values {
	values := url.Values{}
	if q.State != "" {
		values.Set("state", string(q.State))
	}
	if q.Kind != "" {
		values.Set("kind", string(q.Kind))
	}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// WebhooksListQuery narrows what is asked for. Members without a value are left out.
type WebhooksListQuery struct {
	// Items in a page.
	Limit int64
	// `next_cursor` of the page before.
	Cursor string
}

func (q WebhooksListQuery) values() url.Values {
	values := url.Values{}
	if q.Limit != 0 {
		values.Set("limit", strconv.FormatInt(q.Limit, 10))
	}
	if q.Cursor != "" {
		values.Set("cursor", q.Cursor)
	}
	return values
}

// Witness is what the member witnesses of [DeploymentLog] holds.
type Witness struct {
	Name string `json:"name"`
	// As the service was told. Take it from the witness’s operator instead.
	VerifierKey string `json:"verifier_key"`
	// When the witness says it saw the checkpoint.
	CosignedAt string `json:"cosigned_at"`
}

// Conversation is [Text] or [Messages].
type Conversation interface {
	isConversation()
}

func (Text) isConversation() {}

func (Messages) isConversation() {}

func decodeConversation(data json.RawMessage) (Conversation, error) {
	switch firstByte(data) {
	case '"':
		return decodeAs[Text](data)
	case '[':
		return decodeAs[Messages](data)
	default:
		return nil, nil
	}
}

// IntegrationConfig is [SlackConfig], [PagerDutyConfig], [TeamsConfig], [DatadogConfig] or [SplunkConfig].
type IntegrationConfig interface {
	isIntegrationConfig()
}

func (SlackConfig) isIntegrationConfig() {}

func (PagerDutyConfig) isIntegrationConfig() {}

func (TeamsConfig) isIntegrationConfig() {}

func (DatadogConfig) isIntegrationConfig() {}

func (SplunkConfig) isIntegrationConfig() {}

// MessageContent is [Text] or [ContentParts].
type MessageContent interface {
	isMessageContent()
}

func (Text) isMessageContent() {}

func (ContentParts) isMessageContent() {}

func decodeMessageContent(data json.RawMessage) (MessageContent, error) {
	switch firstByte(data) {
	case '"':
		return decodeAs[Text](data)
	case '[':
		return decodeAs[ContentParts](data)
	default:
		return nil, nil
	}
}

// ModelRef is [ModelName] or [Model].
type ModelRef interface {
	isModelRef()
}

func (ModelName) isModelRef() {}

func (Model) isModelRef() {}

func decodeModelRef(data json.RawMessage) (ModelRef, error) {
	switch firstByte(data) {
	case '"':
		return decodeAs[ModelName](data)
	case '{':
		return decodeAs[Model](data)
	default:
		return nil, nil
	}
}

// StreamChunkDelta is [Text] or [StreamChunkDeltaParts].
type StreamChunkDelta interface {
	isStreamChunkDelta()
}

func (Text) isStreamChunkDelta() {}

func (StreamChunkDeltaParts) isStreamChunkDelta() {}

func decodeStreamChunkDelta(data json.RawMessage) (StreamChunkDelta, error) {
	switch firstByte(data) {
	case '"':
		return decodeAs[Text](data)
	case '{':
		return decodeAs[StreamChunkDeltaParts](data)
	default:
		return nil, nil
	}
}

// Action is one of the constants below. Later versions of the service may answer others.
type Action string

const (
	ActionIgnore Action = "ignore"
	ActionFlag   Action = "flag"
	ActionRedact Action = "redact"
	ActionBlock  Action = "block"
)

// AssessmentProbeModelCountedAs is one of the constants below. Later versions of the service may answer others.
type AssessmentProbeModelCountedAs string

const (
	AssessmentProbeModelCountedAsOther AssessmentProbeModelCountedAs = "other"
)

// ContextSource is one of the constants below. Later versions of the service may answer others.
type ContextSource string

const (
	ContextSourceRetrieval ContextSource = "retrieval"
	ContextSourceTool      ContextSource = "tool"
	ContextSourceMemory    ContextSource = "memory"
)

// CoverageStatus is one of the constants below. Later versions of the service may answer others.
type CoverageStatus string

const (
	CoverageStatusComplete CoverageStatus = "complete"
	CoverageStatusPartial  CoverageStatus = "partial"
	CoverageStatusFailed   CoverageStatus = "failed"
)

// CredentialType is one of the constants below. Later versions of the service may answer others.
type CredentialType string

const (
	CredentialTypeAPIKey         CredentialType = "api_key"
	CredentialTypeServiceAccount CredentialType = "service_account"
	CredentialTypeUser           CredentialType = "user"
)

// DatadogConfigSend is one of the constants below. Later versions of the service may answer others.
type DatadogConfigSend string

const (
	DatadogConfigSendEvents DatadogConfigSend = "events"
	DatadogConfigSendLogs   DatadogConfigSend = "logs"
)

// DatadogSite is one of the constants below. Later versions of the service may answer others.
type DatadogSite string

const (
	DatadogSiteDatadoghqCom    DatadogSite = "datadoghq.com"
	DatadogSiteUS3DatadoghqCom DatadogSite = "us3.datadoghq.com"
	DatadogSiteUS5DatadoghqCom DatadogSite = "us5.datadoghq.com"
	DatadogSiteDatadoghqEU     DatadogSite = "datadoghq.eu"
	DatadogSiteAP1DatadoghqCom DatadogSite = "ap1.datadoghq.com"
	DatadogSiteAP2DatadoghqCom DatadogSite = "ap2.datadoghq.com"
	DatadogSiteUK1DatadoghqCom DatadogSite = "uk1.datadoghq.com"
	DatadogSiteDdogGovCom      DatadogSite = "ddog-gov.com"
	DatadogSiteUS2DdogGovCom   DatadogSite = "us2.ddog-gov.com"
)

// DecidedBy is one of the constants below. Later versions of the service may answer others.
type DecidedBy string

const (
	DecidedByProbe   DecidedBy = "probe"
	DecidedByService DecidedBy = "service"
)

// DeliveryState is one of the constants below. Later versions of the service may answer others.
type DeliveryState string

const (
	DeliveryStatePending   DeliveryState = "pending"
	DeliveryStateInFlight  DeliveryState = "in_flight"
	DeliveryStateParked    DeliveryState = "parked"
	DeliveryStateSucceeded DeliveryState = "succeeded"
	DeliveryStateFailed    DeliveryState = "failed"
	DeliveryStateCancelled DeliveryState = "cancelled"
)

// DetectionMethod is one of the constants below. Later versions of the service may answer others.
type DetectionMethod string

const (
	DetectionMethodPattern         DetectionMethod = "pattern"
	DetectionMethodPatternChecksum DetectionMethod = "pattern+checksum"
	DetectionMethodPatternEntropy  DetectionMethod = "pattern+entropy"
	DetectionMethodPatternContext  DetectionMethod = "pattern+context"
	DetectionMethodHeuristic       DetectionMethod = "heuristic"
	DetectionMethodLexicon         DetectionMethod = "lexicon"
	DetectionMethodClassifier      DetectionMethod = "classifier"
	DetectionMethodJudge           DetectionMethod = "judge"
	DetectionMethodRule            DetectionMethod = "rule"
	DetectionMethodLimit           DetectionMethod = "limit"
	DetectionMethodProbe           DetectionMethod = "probe"
)

// DetectorStatus is one of the constants below. Later versions of the service may answer others.
type DetectorStatus string

const (
	DetectorStatusOK       DetectorStatus = "ok"
	DetectorStatusSkipped  DetectorStatus = "skipped"
	DetectorStatusError    DetectorStatus = "error"
	DetectorStatusTimedOut DetectorStatus = "timed_out"
)

// DriftEpisodeDirection is one of the constants below. Later versions of the service may answer others.
type DriftEpisodeDirection string

const (
	DriftEpisodeDirectionUp   DriftEpisodeDirection = "up"
	DriftEpisodeDirectionDown DriftEpisodeDirection = "down"
)

// DriftEpisodeResolution is one of the constants below. Later versions of the service may answer others.
type DriftEpisodeResolution string

const (
	DriftEpisodeResolutionRecovered   DriftEpisodeResolution = "recovered"
	DriftEpisodeResolutionRebaselined DriftEpisodeResolution = "rebaselined"
	DriftEpisodeResolutionDisabled    DriftEpisodeResolution = "disabled"
	DriftEpisodeResolutionSuperseded  DriftEpisodeResolution = "superseded"
)

// DriftSignal is one of the constants below. Later versions of the service may answer others.
type DriftSignal string

const (
	DriftSignalFlaggedRate        DriftSignal = "flagged_rate"
	DriftSignalBlockedRate        DriftSignal = "blocked_rate"
	DriftSignalErrorRate          DriftSignal = "error_rate"
	DriftSignalRefusalRate        DriftSignal = "refusal_rate"
	DriftSignalScore              DriftSignal = "score"
	DriftSignalLatencyMs          DriftSignal = "latency_ms"
	DriftSignalTimeToFirstTokenMs DriftSignal = "time_to_first_token_ms"
	DriftSignalInputTokens        DriftSignal = "input_tokens"
	DriftSignalOutputTokens       DriftSignal = "output_tokens"
	DriftSignalCategoryMix        DriftSignal = "category_mix"
	DriftSignalFinishReasonMix    DriftSignal = "finish_reason_mix"
	DriftSignalModelVersionMix    DriftSignal = "model_version_mix"
)

// EndpointStatus is one of the constants below. Later versions of the service may answer others.
type EndpointStatus string

const (
	EndpointStatusActive EndpointStatus = "active"
	EndpointStatusPaused EndpointStatus = "paused"
)

// EnforcementAction is one of the constants below. Later versions of the service may answer others.
type EnforcementAction string

const (
	EnforcementActionNone   EnforcementAction = "none"
	EnforcementActionRedact EnforcementAction = "redact"
	EnforcementActionBlock  EnforcementAction = "block"
)

// ErrorCode is one of the constants below. Later versions of the service may answer others.
type ErrorCode string

const (
	ErrorCodeInvalidRequest          ErrorCode = "invalid_request"
	ErrorCodeUnauthorized            ErrorCode = "unauthorized"
	ErrorCodeTokenExpired            ErrorCode = "token_expired"
	ErrorCodeInsufficientPermissions ErrorCode = "insufficient_permissions"
	ErrorCodeIPNotAllowed            ErrorCode = "ip_not_allowed"
	ErrorCodeNotFound                ErrorCode = "not_found"
	ErrorCodeMethodNotAllowed        ErrorCode = "method_not_allowed"
	ErrorCodeNotAcceptable           ErrorCode = "not_acceptable"
	ErrorCodeConflict                ErrorCode = "conflict"
	ErrorCodePreconditionFailed      ErrorCode = "precondition_failed"
	ErrorCodePayloadTooLarge         ErrorCode = "payload_too_large"
	ErrorCodeUnsupportedMediaType    ErrorCode = "unsupported_media_type"
	ErrorCodeIdempotencyMismatch     ErrorCode = "idempotency_mismatch"
	ErrorCodeRateLimited             ErrorCode = "rate_limited"
	ErrorCodeInternalError           ErrorCode = "internal_error"
	ErrorCodeUnavailable             ErrorCode = "unavailable"
)

// EventKind is one of the constants below. Later versions of the service may answer others.
type EventKind string

const (
	EventKindInferenceAllowed      EventKind = "inference.allowed"
	EventKindInferenceFlagged      EventKind = "inference.flagged"
	EventKindInferenceBlocked      EventKind = "inference.blocked"
	EventKindTelemetryReceived     EventKind = "telemetry.received"
	EventKindDriftSustained        EventKind = "drift.sustained"
	EventKindDriftRecovered        EventKind = "drift.recovered"
	EventKindDriftBaselined        EventKind = "drift.baselined"
	EventKindDriftAcknowledged     EventKind = "drift.acknowledged"
	EventKindPolicyUpdated         EventKind = "policy.updated"
	EventKindPolicyShadowStarted   EventKind = "policy.shadow_started"
	EventKindPolicyShadowStopped   EventKind = "policy.shadow_stopped"
	EventKindPolicyShadowPromoted  EventKind = "policy.shadow_promoted"
	EventKindProbeRegistered       EventKind = "probe.registered"
	EventKindProbeUpdated          EventKind = "probe.updated"
	EventKindProbeDeleted          EventKind = "probe.deleted"
	EventKindProbeOnline           EventKind = "probe.online"
	EventKindProbeOffline          EventKind = "probe.offline"
	EventKindProbeSkewed           EventKind = "probe.skewed"
	EventKindAPIKeyCreated         EventKind = "api_key.created"
	EventKindAPIKeyRevoked         EventKind = "api_key.revoked"
	EventKindServiceAccountCreated EventKind = "service_account.created"
	EventKindServiceAccountUpdated EventKind = "service_account.updated"
	EventKindServiceAccountDeleted EventKind = "service_account.deleted"
	EventKindSessionStarted        EventKind = "session.started"
	EventKindSessionEnded          EventKind = "session.ended"
	EventKindSSOUpdated            EventKind = "sso.updated"
	EventKindOrganizationCreated   EventKind = "organization.created"
	EventKindOrganizationUpdated   EventKind = "organization.updated"
	EventKindWebhookCreated        EventKind = "webhook.created"
	EventKindWebhookUpdated        EventKind = "webhook.updated"
	EventKindWebhookDeleted        EventKind = "webhook.deleted"
	EventKindWebhookPaused         EventKind = "webhook.paused"
	EventKindWebhookRecovered      EventKind = "webhook.recovered"
	EventKindIntegrationCreated    EventKind = "integration.created"
	EventKindIntegrationUpdated    EventKind = "integration.updated"
	EventKindIntegrationDeleted    EventKind = "integration.deleted"
	EventKindJudgeCreated          EventKind = "judge.created"
	EventKindJudgeUpdated          EventKind = "judge.updated"
	EventKindJudgeDeleted          EventKind = "judge.deleted"
	EventKindExportCreated         EventKind = "export.created"
	EventKindAuditRedacted         EventKind = "audit.redacted"
	EventKindAuditPruned           EventKind = "audit.pruned"
	EventKindAuditKeyRotated       EventKind = "audit.key_rotated"
	EventKindAuditRestored         EventKind = "audit.restored"
	EventKindAll                   EventKind = "*"
	EventKindWebhookTest           EventKind = "webhook.test"
)

// ExceptionStatus is one of the constants below. Later versions of the service may answer others.
type ExceptionStatus string

const (
	ExceptionStatusActive  ExceptionStatus = "active"
	ExceptionStatusExpired ExceptionStatus = "expired"
)

// ExportFormat is one of the constants below. Later versions of the service may answer others.
type ExportFormat string

const (
	ExportFormatJSONL       ExportFormat = "jsonl"
	ExportFormatCSV         ExportFormat = "csv"
	ExportFormatParquet     ExportFormat = "parquet"
	ExportFormatOCSF        ExportFormat = "ocsf"
	ExportFormatCloudEvents ExportFormat = "cloudevents"
)

// ExportState is one of the constants below. Later versions of the service may answer others.
type ExportState string

const (
	ExportStateQueued  ExportState = "queued"
	ExportStateRunning ExportState = "running"
	ExportStateReady   ExportState = "ready"
	ExportStateFailed  ExportState = "failed"
	ExportStateExpired ExportState = "expired"
)

// Framework is one of the constants below. Later versions of the service may answer others.
type Framework string

const (
	FrameworkEUAIAct   Framework = "eu-ai-act"
	FrameworkNISTAIRMF Framework = "nist-ai-rmf"
	FrameworkISO42001  Framework = "iso-42001"
)

// HealthStatus is one of the constants below. Later versions of the service may answer others.
type HealthStatus string

const (
	HealthStatusOK HealthStatus = "ok"
)

// IntegrationKind is one of the constants below. Later versions of the service may answer others.
type IntegrationKind string

const (
	IntegrationKindSlack     IntegrationKind = "slack"
	IntegrationKindPagerDuty IntegrationKind = "pagerduty"
	IntegrationKindTeams     IntegrationKind = "teams"
	IntegrationKindDatadog   IntegrationKind = "datadog"
	IntegrationKindSplunk    IntegrationKind = "splunk"
)

// Interval is one of the constants below. Later versions of the service may answer others.
type Interval string

const (
	IntervalHour  Interval = "hour"
	IntervalDay   Interval = "day"
	IntervalWeek  Interval = "week"
	IntervalMonth Interval = "month"
)

// JudgeKind is one of the constants below. Later versions of the service may answer others.
type JudgeKind string

const (
	JudgeKindChat            JudgeKind = "chat"
	JudgeKindGPTOSSSafeguard JudgeKind = "gpt_oss_safeguard"
	JudgeKindLlamaGuard      JudgeKind = "llama_guard"
)

// KeyStatus is one of the constants below. Later versions of the service may answer others.
type KeyStatus string

const (
	KeyStatusActive  KeyStatus = "active"
	KeyStatusOverlap KeyStatus = "overlap"
	KeyStatusRetired KeyStatus = "retired"
)

// KeyType is one of the constants below. Later versions of the service may answer others.
type KeyType string

const (
	KeyTypeLive  KeyType = "live"
	KeyTypeTest  KeyType = "test"
	KeyTypeAdmin KeyType = "admin"
)

// Mode is one of the constants below. Later versions of the service may answer others.
type Mode string

const (
	ModeLive Mode = "live"
	ModeTest Mode = "test"
)

// MonitorKind is one of the constants below. Later versions of the service may answer others.
type MonitorKind string

const (
	MonitorKindRate        MonitorKind = "rate"
	MonitorKindNumeric     MonitorKind = "numeric"
	MonitorKindCategorical MonitorKind = "categorical"
)

// MonitorState is one of the constants below. Later versions of the service may answer others.
type MonitorState string

const (
	MonitorStateLearning  MonitorState = "learning"
	MonitorStateWatching  MonitorState = "watching"
	MonitorStateSuspect   MonitorState = "suspect"
	MonitorStateSustained MonitorState = "sustained"
)

// OnError is one of the constants below. Later versions of the service may answer others.
type OnError string

const (
	OnErrorAllow OnError = "allow"
	OnErrorFlag  OnError = "flag"
	OnErrorBlock OnError = "block"
)

// Outcome is one of the constants below. Later versions of the service may answer others.
type Outcome string

const (
	OutcomeAllowed Outcome = "allowed"
	OutcomeFlagged Outcome = "flagged"
	OutcomeBlocked Outcome = "blocked"
)

// PagerDutyConfigRegion is one of the constants below. Later versions of the service may answer others.
type PagerDutyConfigRegion string

const (
	PagerDutyConfigRegionUS PagerDutyConfigRegion = "us"
	PagerDutyConfigRegionEU PagerDutyConfigRegion = "eu"
)

// Plan is one of the constants below. Later versions of the service may answer others.
type Plan string

const (
	PlanStarter    Plan = "starter"
	PlanGrowth     Plan = "growth"
	PlanScale      Plan = "scale"
	PlanEnterprise Plan = "enterprise"
)

// PolicyChangeOp is one of the constants below. Later versions of the service may answer others.
type PolicyChangeOp string

const (
	PolicyChangeOpAdd     PolicyChangeOp = "add"
	PolicyChangeOpRemove  PolicyChangeOp = "remove"
	PolicyChangeOpReplace PolicyChangeOp = "replace"
)

// PolicyDataStore is one of the constants below. Later versions of the service may answer others.
type PolicyDataStore string

const (
	PolicyDataStoreMetadata PolicyDataStore = "metadata"
	PolicyDataStoreFull     PolicyDataStore = "full"
)

// PolicyMode is one of the constants below. Later versions of the service may answer others.
type PolicyMode string

const (
	PolicyModeEnforce PolicyMode = "enforce"
	PolicyModeMonitor PolicyMode = "monitor"
)

// PolicyShadowVerdictError is one of the constants below. Later versions of the service may answer others.
type PolicyShadowVerdictError string

const (
	PolicyShadowVerdictErrorTimedOut PolicyShadowVerdictError = "timed_out"
	PolicyShadowVerdictErrorFailed   PolicyShadowVerdictError = "failed"
	PolicyShadowVerdictErrorSkipped  PolicyShadowVerdictError = "skipped"
)

// PolicySignatureAlgorithm is one of the constants below. Later versions of the service may answer others.
type PolicySignatureAlgorithm string

const (
	PolicySignatureAlgorithmEd25519 PolicySignatureAlgorithm = "ed25519"
)

// PolicySimulationState is one of the constants below. Later versions of the service may answer others.
type PolicySimulationState string

const (
	PolicySimulationStateQueued    PolicySimulationState = "queued"
	PolicySimulationStateRunning   PolicySimulationState = "running"
	PolicySimulationStateSucceeded PolicySimulationState = "succeeded"
	PolicySimulationStateFailed    PolicySimulationState = "failed"
)

// PolicyStream is one of the constants below. Later versions of the service may answer others.
type PolicyStream string

const (
	PolicyStreamHold    PolicyStream = "hold"
	PolicyStreamRelease PolicyStream = "release"
)

// ProbeStatus is one of the constants below. Later versions of the service may answer others.
type ProbeStatus string

const (
	ProbeStatusHealthy ProbeStatus = "healthy"
	ProbeStatusStale   ProbeStatus = "stale"
	ProbeStatusOffline ProbeStatus = "offline"
	ProbeStatusSkewed  ProbeStatus = "skewed"
)

// ProvisionCovers is one of the constants below. Later versions of the service may answer others.
type ProvisionCovers string

const (
	ProvisionCoversWhole   ProvisionCovers = "whole"
	ProvisionCoversPart    ProvisionCovers = "part"
	ProvisionCoversNothing ProvisionCovers = "nothing"
)

// ProvisionStatus is one of the constants below. Later versions of the service may answer others.
type ProvisionStatus string

const (
	ProvisionStatusEvidenced       ProvisionStatus = "evidenced"
	ProvisionStatusPartial         ProvisionStatus = "partial"
	ProvisionStatusNone            ProvisionStatus = "none"
	ProvisionStatusNotRecordedHere ProvisionStatus = "not_recorded_here"
)

// Role is one of the constants below. Later versions of the service may answer others.
type Role string

const (
	RoleSystem    Role = "system"
	RoleDeveloper Role = "developer"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Scope is one of the constants below. Later versions of the service may answer others.
type Scope string

const (
	ScopeAssessCreate  Scope = "assess:create"
	ScopeEventsRead    Scope = "events:read"
	ScopePolicyRead    Scope = "policy:read"
	ScopePolicyWrite   Scope = "policy:write"
	ScopeProbesRead    Scope = "probes:read"
	ScopeProbesWrite   Scope = "probes:write"
	ScopeWebhooksRead  Scope = "webhooks:read"
	ScopeWebhooksWrite Scope = "webhooks:write"
	ScopeReportsRead   Scope = "reports:read"
	ScopeAdminAll      Scope = "admin:*"
)

// Season is one of the constants below. Later versions of the service may answer others.
type Season string

const (
	SeasonNone Season = "none"
	SeasonDay  Season = "day"
	SeasonWeek Season = "week"
)

// Severity is one of the constants below. Later versions of the service may answer others.
type Severity string

const (
	SeverityNone     Severity = "none"
	SeverityLow      Severity = "low"
	SeverityMedium   Severity = "medium"
	SeverityHigh     Severity = "high"
	SeverityCritical Severity = "critical"
)

// Target is one of the constants below. Later versions of the service may answer others.
type Target string

const (
	TargetInput   Target = "input"
	TargetOutput  Target = "output"
	TargetContext Target = "context"
	TargetTool    Target = "tool"
)

// UserRole is one of the constants below. Later versions of the service may answer others.
type UserRole string

const (
	UserRoleViewer       UserRole = "viewer"
	UserRoleOperator     UserRole = "operator"
	UserRolePolicyEditor UserRole = "policy_editor"
	UserRoleAdmin        UserRole = "admin"
)
