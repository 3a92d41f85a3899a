"""Answers of the API. Generated from api/openapi.json by scripts/clients: change that, not this."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .._models import Model

__all__ = [
    "ApiKey",
    "AsOf",
    "AsOfCheckpoint",
    "Assessment",
    "AssessmentBatchResult",
    "AssessmentBatchResultData",
    "AssessmentBatchResultDataError",
    "AssessmentBatchResultDataErrorDetail",
    "AssessmentBatchResultSummary",
    "AssessmentModel",
    "AssessmentPolicy",
    "AssessmentProbe",
    "AssessmentSubject",
    "Attempt",
    "AuditKeys",
    "AuditKeysDeployment",
    "AuditKeysDeploymentKey",
    "AuditKeysKey",
    "BudgetState",
    "ComplianceReport",
    "ComplianceReportFramework",
    "ComplianceReportSoftware",
    "ComplianceReportSummary",
    "ComplianceReportSummaryEvidenced",
    "ComplianceReportSummaryNone",
    "ComplianceReportSummaryNotRecordedHere",
    "ComplianceReportSummaryPartial",
    "ConsistencyProof",
    "Coverage",
    "CoverageCounts",
    "CreatedApiKey",
    "CreatedServiceAccount",
    "CustomPattern",
    "CustomTerms",
    "DeletedExport",
    "DeletedInbox",
    "Delivery",
    "DeliveryDetail",
    "DeploymentLog",
    "DeploymentLogLeaf",
    "DeploymentLogWitnesse",
    "DetectorRun",
    "DriftBaseline",
    "DriftEpisode",
    "DriftMonitor",
    "DriftMonitorCurrent",
    "DriftMonitorDetail",
    "DriftMonitorDetailCurrent",
    "DriftMonitorDetailEvidence",
    "DriftMonitorDetailFeature",
    "DriftMonitorDetailObservationsNeeded",
    "DriftMonitorDetailPercentiles",
    "DriftMonitorDetailSeries",
    "DriftMonitorDetailSeriesBaseline",
    "DriftMonitorEvidence",
    "DriftMonitorObservationsNeeded",
    "DriftPoint",
    "DriftSettings",
    "DriftSettingsSignals",
    "DriftSignalSettings",
    "EndedSessions",
    "Enforcement",
    "Event",
    "EventActor",
    "EventProof",
    "Evidence",
    "Export",
    "ExportDownload",
    "ExportProgress",
    "Finding",
    "FindingDetector",
    "Gap",
    "GroundednessSettings",
    "HarmSettings",
    "HarmSettingsCategories",
    "Health",
    "HeartbeatAnswer",
    "HeartbeatAnswerPolicy",
    "Inbox",
    "InboxMessage",
    "Integration",
    "Judge",
    "LatencyQuantiles",
    "LinksSettings",
    "Location",
    "NamedCounts",
    "NoSso",
    "ObfuscationSettings",
    "Organization",
    "OrganizationCredential",
    "OrganizationLimits",
    "PiiSettings",
    "PiiSettingsEntities",
    "Policy",
    "PolicyBundle",
    "PolicyChange",
    "PolicyCustom",
    "PolicyData",
    "PolicyDetectors",
    "PolicyDiff",
    "PolicyException",
    "PolicyExceptionMatch",
    "PolicyExceptionMatchSubject",
    "PolicyExceptionState",
    "PolicyJudge",
    "PolicyLintResult",
    "PolicyOnError",
    "PolicyProblem",
    "PolicyRule",
    "PolicyShadow",
    "PolicyShadowTally",
    "PolicyShadowTallyByCategory",
    "PolicyShadowTallySamples",
    "PolicyShadowVerdict",
    "PolicyShadowVerdictAdded",
    "PolicyShadowVerdictPolicy",
    "PolicyShadowVerdictRemoved",
    "PolicySignature",
    "PolicySimulation",
    "PolicySimulationPolicy",
    "PolicySimulationProgress",
    "PolicyVersion",
    "PolicyVersionName",
    "PolicyVersionSummary",
    "Probe",
    "ProbeQueue",
    "ProbeRates",
    "PromptInjectionSettings",
    "ProtectedPromptSettings",
    "Provision",
    "Recovered",
    "Redacted",
    "Redaction",
    "RefusalSettings",
    "SecretsSettings",
    "ServiceAccount",
    "Session",
    "SessionToken",
    "SimulationResult",
    "SimulationResultAnswered",
    "SimulationResultByCategory",
    "SimulationResultSamples",
    "SimulationResultUnanswered",
    "SizeSettings",
    "Sso",
    "Stream",
    "StreamChunkResult",
    "StreamChunkResultToolCall",
    "SummaryReport",
    "SummaryReportDeliveries",
    "SummaryReportDeliveriesAttemptMs",
    "SummaryReportDeliveriesEndpoints",
    "SummaryReportDetectorFault",
    "SummaryReportDrift",
    "SummaryReportEnforcement",
    "SummaryReportEnforcementSuppressed",
    "SummaryReportKind",
    "SummaryReportPolicies",
    "SummaryReportSeries",
    "SummaryReportSeriesDrift",
    "SummaryReportSources",
    "SummaryReportSourcesApi",
    "SummaryReportSourcesProbes",
    "SummaryReportTelemetry",
    "SummaryReportTotals",
    "SummaryReportUsage",
    "TelemetryResult",
    "TelemetryResultRejected",
    "TelemetryResultRejectedError",
    "TelemetryResultRejectedErrorDetail",
    "TestResult",
    "UnsafeCodeSettings",
    "Usage",
    "UsageDay",
    "UsageNow",
    "UsageTotal",
    "Webhook",
    "WebhookWithSecret",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey(Model):
    id: str
    name: str
    type: str
    """One of `live`, `test`, `admin`; more may come."""
    description: str | None
    permissions: list[str]
    """
    One of `assess:create`, `events:read`, `policy:read`, `policy:write`, `probes:read`, `probes:write`,
    `webhooks:read`, `webhooks:write`, `reports:read`, `admin:*`; more may come.
    """
    service_account_id: str | None
    """The service account it belongs to, whose permissions it has."""
    created_at: str
    """When it was made."""
    expires_at: str | None
    """When it stops working."""
    last_used_at: str | None
    """When it was last used; written every few seconds."""
    revoked_at: str | None
    """Since when it is refused."""
    rotation_due: bool
    """It is older than 90 days and still in use: make another and revoke this one."""
    last4: str
    """The last four characters of the key, to tell keys apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AsOf(Model):
    """The state of the log that the counts are tied to. `checkpoint` null: none is signed yet."""

    tree_size: int
    """The counts are of the events up to this sequence: all that the log had when they were read."""
    checkpoint: AsOfCheckpoint | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AsOfCheckpoint(Model):
    size: int
    """Its tree’s size."""
    published_at: str
    """When it was signed."""
    note: str
    """The signed note, as `GET /v1/audit/checkpoint` has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment(Model):
    id: str
    external_id: str | None
    created_at: str
    """When it was made."""
    mode: str
    """Of the credential. `test`: not in the trail, kept 24 hours. One of `live`, `test`; more may come."""
    outcome: str
    """
    The worst finding that is not excused decides. One of `allowed`, `flagged`, `blocked`; more may come.
    """
    enforcement: Enforcement
    score: float
    """The highest score of a finding that is not excused; 0 without."""
    severity: str
    """
    The highest severity of a finding that is not excused. One of `none`, `low`, `medium`, `high`, `critical`;
    more may come.
    """
    findings: list[Finding]
    findings_total: int
    """Findings before the list was cut to its bound, excused ones too."""
    redacted: Redacted | None
    """The texts with findings replaced; null when nothing was."""
    coverage: Coverage
    policy: AssessmentPolicy
    """The policy that decided; null where a probe decided and did not say by which."""
    shadow: PolicyShadowVerdict | None
    model: AssessmentModel | None
    subject: AssessmentSubject | None
    metadata: dict[str, str]
    event_id: str | None
    """The event in the trail, committed before this answer; null in test mode."""
    latency_ms: float
    """Time the decision took, without the commit; 0 where a probe decided."""
    probe: AssessmentProbe | None
    """
    The probe that reported the inference. Absent: it was assessed over the API. `None` where there is none.
    """
    probe_outcome: str | None
    """
    What the probe had decided, where the service did too. One of `allowed`, `flagged`, `blocked`; more may
    come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentBatchResult(Model):
    data: list[AssessmentBatchResultData]
    """In the order of the items; each has an `assessment` or an `error`."""
    summary: AssessmentBatchResultSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentBatchResultData(Model):
    """In the order of the items; each has an `assessment` or an `error`."""

    index: int
    """Of the item, from 0."""
    assessment: Assessment | None
    """`None` where there is none."""
    error: AssessmentBatchResultDataError | None
    """`None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentBatchResultDataError(Model):
    code: str
    message: str
    details: list[AssessmentBatchResultDataErrorDetail]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentBatchResultDataErrorDetail(Model):
    pointer: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentBatchResultSummary(Model):
    allowed: int
    flagged: int
    blocked: int
    errors: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentModel(Model):
    provider: str | None
    name: str | None
    version: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentPolicy(Model):
    """The policy that decided; null where a probe decided and did not say by which."""

    version: int | None
    digest: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentProbe(Model):
    """The probe that reported the inference. Absent: it was assessed over the API."""

    id: str
    event_id: str
    """The probe’s own name for the inference."""
    decided_by: str
    """`service`: the probe sent the texts. One of `probe`, `service`; more may come."""
    model_counted_as: str | None
    """
    The batch that it came with named too many models: its `telemetry.received` counts this one in
    `models_other`. `other`. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class AssessmentSubject(Model):
    user: str | None
    session: str | None
    agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt(Model):
    number: int
    """From 1, without gaps."""
    trigger: str
    """
    `event`, `schedule` (a retry), `manual`, `recover` or `probe` (whether a paused endpoint answers again).
    """
    started_at: str
    """When it began."""
    latency_ms: float
    """Until the answer, or the end of the attempt."""
    status: int | None
    """HTTP status of the answer; null: there was none."""
    error: str | None
    """Why it failed; null: it did not."""
    answer: str | None
    """The first 4 KiB of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditKeys(Model):
    origin: str
    """The name of the organization’s log: the first line of its checkpoints."""
    keys: list[AuditKeysKey]
    """All that ever signed for it, newest first."""
    deployment: AuditKeysDeployment
    """The log over the checkpoints of all organizations of this service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditKeysDeployment(Model):
    """The log over the checkpoints of all organizations of this service."""

    origin: str
    keys: list[AuditKeysDeploymentKey]
    """All that ever signed for it, newest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditKeysDeploymentKey(Model):
    """All that ever signed for it, newest first."""

    verifier_key: str
    """`<origin>+<key id>+<base64>`, as c2sp.org/signed-note has it."""
    status: str
    """
    `overlap`: another signs, and this one beside it. `retired`: it signs no more; what it has signed can be
    checked. One of `active`, `overlap`, `retired`; more may come.
    """
    created_at: str
    """When it was made."""
    replaced_at: str | None
    """Since when another signs."""
    retired_at: str | None
    """When it stopped, or will stop, to sign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditKeysKey(Model):
    """All that ever signed for it, newest first."""

    verifier_key: str
    """`<origin>+<key id>+<base64>`, as c2sp.org/signed-note has it."""
    status: str
    """
    `overlap`: another signs, and this one beside it. `retired`: it signs no more; what it has signed can be
    checked. One of `active`, `overlap`, `retired`; more may come.
    """
    created_at: str
    """When it was made."""
    replaced_at: str | None
    """Since when another signs."""
    retired_at: str | None
    """When it stopped, or will stop, to sign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetState(Model):
    limit: int
    """A minute."""
    remaining: int
    """Left of the present minute."""
    resets_at: str
    """When all of it is there again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReport(Model):
    framework: ComplianceReportFramework
    org_id: str
    org_name: str
    software: ComplianceReportSoftware
    """What made it."""
    generated_at: str
    """When it was made."""
    since: str
    """The beginning of the period."""
    until: str
    """Its end, exclusive."""
    as_of: AsOf
    summary: ComplianceReportSummary
    provisions: list[Provision]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReportFramework(Model):
    id: str
    """One of `eu-ai-act`, `nist-ai-rmf`, `iso-42001`; more may come."""
    title: str
    version: str
    """The text that the report goes by."""
    url: str
    """Where the text is."""
    about: str
    """What this report can say about it and what not."""
    dates: str
    """Since when it applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReportSoftware(Model):
    """What made it."""

    name: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReportSummary(Model):
    evidenced: ComplianceReportSummaryEvidenced
    partial: ComplianceReportSummaryPartial
    none: ComplianceReportSummaryNone
    not_recorded_here: ComplianceReportSummaryNotRecordedHere


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReportSummaryEvidenced(Model):
    count: int
    """Provisions with this status."""
    of_a_part: int
    """Of them, those of which only a part can be recorded here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReportSummaryNone(Model):
    count: int
    """Provisions with this status."""
    of_a_part: int
    """Of them, those of which only a part can be recorded here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReportSummaryNotRecordedHere(Model):
    count: int
    """Provisions with this status."""
    of_a_part: int
    """Of them, those of which only a part can be recorded here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComplianceReportSummaryPartial(Model):
    count: int
    """Provisions with this status."""
    of_a_part: int
    """Of them, those of which only a part can be recorded here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsistencyProof(Model):
    from_: int
    to: int
    hashes: list[str]
    """As RFC 6962 §2.1.2 has them; none where the sizes are equal or `from` is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage(Model):
    """What was read, and by whom."""

    status: str
    """failed: nothing could be read. One of `complete`, `partial`, `failed`; more may come."""
    chars_total: int
    """UTF-16 units of all texts."""
    chars_scanned: int
    """Those of the texts that every detector concerned has read."""
    detectors: list[DetectorRun]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageCounts(Model):
    """How far assessments got, of those that the service decided and the trail has an event of."""

    complete: int
    """Everything was looked at by every detector."""
    partial: int
    """Something was not looked at, or a detector did not end."""
    failed: int
    """Nothing was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedApiKey(Model):
    id: str
    name: str
    type: str
    """One of `live`, `test`, `admin`; more may come."""
    description: str | None
    permissions: list[str]
    """
    One of `assess:create`, `events:read`, `policy:read`, `policy:write`, `probes:read`, `probes:write`,
    `webhooks:read`, `webhooks:write`, `reports:read`, `admin:*`; more may come.
    """
    service_account_id: str | None
    """The service account it belongs to, whose permissions it has."""
    created_at: str
    """When it was made."""
    expires_at: str | None
    """When it stops working."""
    last_used_at: str | None
    """When it was last used; written every few seconds."""
    revoked_at: str | None
    """Since when it is refused."""
    rotation_due: bool
    """It is older than 90 days and still in use: make another and revoke this one."""
    last4: str
    """The last four characters of the key, to tell keys apart."""
    key: str | None = field(repr=False)
    """The key itself. Only in this answer, and not when it is repeated. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedServiceAccount(Model):
    id: str
    name: str
    permissions: list[str]
    """
    One of `assess:create`, `events:read`, `policy:read`, `policy:write`, `probes:read`, `probes:write`,
    `webhooks:read`, `webhooks:write`, `reports:read`, `admin:*`; more may come.
    """
    ip_allowlist: list[str]
    type: str
    """One of `live`, `test`; more may come."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""
    deleted_at: str | None
    """When it was deleted."""
    key_id: str | None
    """Its first key."""
    key: str | None = field(repr=False)
    """The key itself. Only in this answer, and not when it is repeated. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomPattern(Model):
    id: str
    """The rule's name; findings carry it as type and rule_id."""
    category: str
    """What it finds, under data., brand., policy. or content."""
    severity: str | None
    """
    Severity of its findings. One of `low`, `medium`, `high`, `critical`; more may come. `None` where there is
    none.
    """
    action: str | None
    """
    What to do about a match. One of `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    description: str | None
    """One sentence that stands in findings as their explanation. `None` where there is none."""
    regex: str
    """RE2 syntax, matched in linear time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomTerms(Model):
    id: str
    """The rule's name; findings carry it as type and rule_id."""
    category: str
    """What it finds, under data., brand., policy. or content."""
    severity: str | None
    """
    Severity of its findings. One of `low`, `medium`, `high`, `critical`; more may come. `None` where there is
    none.
    """
    action: str | None
    """
    What to do about a match. One of `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    description: str | None
    """One sentence that stands in findings as their explanation. `None` where there is none."""
    any: list[str]
    """Whole words or phrases, whatever their case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedExport(Model):
    deleted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedInbox(Model):
    deleted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(Model):
    id: str
    event_id: str
    sequence: int | None
    """Of the event in the trail; null: of a test key."""
    kind: str
    state: str
    """
    `pending`: due at `next_attempt_at`. `in_flight`: being sent. `parked`: waits for its paused endpoint.
    `failed`: given up after the last attempt; can be recovered for 30 days. One of `pending`, `in_flight`,
    `parked`, `succeeded`, `failed`, `cancelled`; more may come.
    """
    attempts: int
    """Attempts that were begun."""
    next_attempt_at: str | None
    """When it is due."""
    created_at: str
    """When the event was recorded."""
    finished_at: str | None
    """When it was delivered or given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryDetail(Model):
    id: str
    event_id: str
    sequence: int | None
    """Of the event in the trail; null: of a test key."""
    kind: str
    state: str
    """
    `pending`: due at `next_attempt_at`. `in_flight`: being sent. `parked`: waits for its paused endpoint.
    `failed`: given up after the last attempt; can be recovered for 30 days. One of `pending`, `in_flight`,
    `parked`, `succeeded`, `failed`, `cancelled`; more may come.
    """
    attempts: int
    """Attempts that were begun."""
    next_attempt_at: str | None
    """When it is due."""
    created_at: str
    """When the event was recorded."""
    finished_at: str | None
    """When it was delivered or given up."""
    body: str | None
    """The bytes that are signed and sent. Needs `events:read`, and the event still being kept."""
    attempt_log: list[Attempt]
    """Attempts that have ended, oldest first; the last 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentLog(Model):
    origin: str
    """Of the deployment’s log."""
    verifier_keys: list[str]
    """
    What its checkpoints are signed with, newest first: those that sign no more, too. Compare them with what
    you hold.
    """
    checkpoint: str
    """Its checkpoint: a signed note, with the cosignatures of witnesses."""
    size: int
    """Leaves in the tree of the checkpoint."""
    leaf: DeploymentLogLeaf
    """The newest of your organization’s checkpoints that is in the tree."""
    witnesses: list[DeploymentLogWitnesse]
    """Whose cosignatures are in the checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentLogLeaf(Model):
    """The newest of your organization’s checkpoints that is in the tree."""

    index: int
    """Where it is in the tree, from 0."""
    salt: str
    """16 bytes, base64."""
    checkpoint: str
    """The checkpoint of your organization’s log. The leaf is SHA-256(salt, these bytes)."""
    hashes: list[str]
    """That the leaf is in the tree (RFC 6962), from the leaf up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeploymentLogWitnesse(Model):
    """Whose cosignatures are in the checkpoint."""

    name: str
    verifier_key: str
    """As the service was told. Take it from the witness’s operator instead."""
    cosigned_at: str
    """When the witness says it saw the checkpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorRun(Model):
    id: str
    version: str
    status: str
    """
    skipped: off by policy, or nothing to read for it. One of `ok`, `skipped`, `error`, `timed_out`; more may
    come.
    """
    latency_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftBaseline(Model):
    id: str
    sha256: str
    """Of all that the baseline says, as `drift.baselined` has it."""
    n: int
    """Observations it was learned from."""
    from_: str
    """Its first observation."""
    to: str
    """Its last observation."""
    value: float | None
    """Of a rate the rate, of a mix the share of its most frequent name, of numbers the mean rank (0.5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftEpisode(Model):
    event_id: str
    """The `drift.sustained` event, which tells all about it."""
    summary: str
    """One sentence."""
    severity: str
    direction: str
    """One of `up`, `down`; more may come."""
    feature: str
    """What changed most clearly."""
    label: str | None
    """Of a mix: the name whose share changed."""
    onset: str
    """When it began."""
    sustained_at: str
    """When it was sure."""
    ended_at: str | None
    """When it ended; null: it persists."""
    resolution: str | None
    """One of `recovered`, `rebaselined`, `disabled`, `superseded`; more may come."""
    coincides_with: list[str]
    """What else happened when it began."""
    acknowledged_at: str | None
    """When somebody said to care for it."""
    acknowledged_by: str | None
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitor(Model):
    id: str
    model: str
    """`unknown`: it was not named; `other`: beyond the 200 that are watched apart."""
    group: str
    """Of the probes that report; `api`: what is assessed over the API."""
    signal: str
    """
    One of flagged_rate, blocked_rate, error_rate, refusal_rate, score, latency_ms, time_to_first_token_ms,
    input_tokens, output_tokens, category_mix, finish_reason_mix, model_version_mix; more may come.
    """
    kind: str
    """One of `rate`, `numeric`, `categorical`; more may come."""
    state: str
    """
    learning: what is usual is being learned. watching: nothing has changed. suspect: something may have, and
    is being confirmed. sustained: it has, and persists. One of `learning`, `watching`, `suspect`,
    `sustained`; more may come.
    """
    enabled: bool
    """False: the policy does not watch it at the moment."""
    since: str | None
    """When the drift that persists, or is suspected, began; null: there is none."""
    learning_until: str | None
    """
    When a whole season will have been seen, which a baseline needs; null: it has one, or the policy names no
    season.
    """
    acknowledged_at: str | None
    """When somebody said to care for the drift that persists."""
    baseline: DriftBaseline | None
    current: DriftMonitorCurrent | None
    """The last observations that were looked at together."""
    evidence: DriftMonitorEvidence
    """Decimal logarithms."""
    provisional: bool
    """True while the season is not known yet: alarms need ten times the evidence."""
    tolerance: float
    """Changes up to this count as none."""
    season: str
    """One of `none`, `day`, `week`; more may come."""
    observations: int
    """That were counted."""
    late: int
    """That came too late to be counted."""
    observations_needed: DriftMonitorObservationsNeeded
    last_observed_at: str | None
    """Of the last observation."""
    created_at: str
    """When the first observation was counted."""
    updated_at: str
    """When it was kept last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorCurrent(Model):
    """The last observations that were looked at together."""

    n: int
    """Observations."""
    value: float
    """As the baseline’s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetail(Model):
    id: str
    model: str
    """`unknown`: it was not named; `other`: beyond the 200 that are watched apart."""
    group: str
    """Of the probes that report; `api`: what is assessed over the API."""
    signal: str
    """
    One of flagged_rate, blocked_rate, error_rate, refusal_rate, score, latency_ms, time_to_first_token_ms,
    input_tokens, output_tokens, category_mix, finish_reason_mix, model_version_mix; more may come.
    """
    kind: str
    """One of `rate`, `numeric`, `categorical`; more may come."""
    state: str
    """
    learning: what is usual is being learned. watching: nothing has changed. suspect: something may have, and
    is being confirmed. sustained: it has, and persists. One of `learning`, `watching`, `suspect`,
    `sustained`; more may come.
    """
    enabled: bool
    """False: the policy does not watch it at the moment."""
    since: str | None
    """When the drift that persists, or is suspected, began; null: there is none."""
    learning_until: str | None
    """
    When a whole season will have been seen, which a baseline needs; null: it has one, or the policy names no
    season.
    """
    acknowledged_at: str | None
    """When somebody said to care for the drift that persists."""
    baseline: DriftBaseline | None
    current: DriftMonitorDetailCurrent | None
    """The last observations that were looked at together."""
    evidence: DriftMonitorDetailEvidence
    """Decimal logarithms."""
    provisional: bool
    """True while the season is not known yet: alarms need ten times the evidence."""
    tolerance: float
    """Changes up to this count as none."""
    season: str
    """One of `none`, `day`, `week`; more may come."""
    observations: int
    """That were counted."""
    late: int
    """That came too late to be counted."""
    observations_needed: DriftMonitorDetailObservationsNeeded
    last_observed_at: str | None
    """Of the last observation."""
    created_at: str
    """When the first observation was counted."""
    updated_at: str
    """When it was kept last."""
    features: list[DriftMonitorDetailFeature]
    """All that is looked at."""
    percentiles: DriftMonitorDetailPercentiles | None
    """Of the baseline, in the signal’s own unit; null: it is no number, or being learned."""
    dependence: float
    """How many observations in a row tell the same; 1: each tells something of its own."""
    episodes: list[DriftEpisode]
    """The last 50, newest first."""
    series: DriftMonitorDetailSeries
    """For a chart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetailCurrent(Model):
    """The last observations that were looked at together."""

    n: int
    """Observations."""
    value: float
    """As the baseline’s."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetailEvidence(Model):
    """Decimal logarithms."""

    log10_m: float
    """How much speaks for a change."""
    log10_threshold: float
    """How much must, for it to be suspected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetailFeature(Model):
    """All that is looked at."""

    feature: str
    label: str | None
    baseline: float
    low: float
    """From here …"""
    high: float
    """… to here it counts as unchanged."""
    current: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetailObservationsNeeded(Model):
    baseline: int
    """Until anything is judged; 0: there is a baseline."""
    doubling: int | None
    """
    Of a rate: after a doubling, until it is suspected; null: other kinds, or more than this baseline can
    show.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetailPercentiles(Model):
    """Of the baseline, in the signal’s own unit; null: it is no number, or being learned."""

    p10: float
    p50: float
    p90: float
    p99: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetailSeries(Model):
    """For a chart."""

    interval_s: int
    labels: list[str]
    """Of a mix: the names; the last one is all others."""
    baseline: DriftMonitorDetailSeriesBaseline | None
    """The band within which an hour’s value counts as unchanged, if the hour has many observations."""
    points: list[DriftPoint]
    """Up to 90 days, oldest first; hours without observations are left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorDetailSeriesBaseline(Model):
    """The band within which an hour’s value counts as unchanged, if the hour has many observations."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorEvidence(Model):
    """Decimal logarithms."""

    log10_m: float
    """How much speaks for a change."""
    log10_threshold: float
    """How much must, for it to be suspected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftMonitorObservationsNeeded(Model):
    baseline: int
    """Until anything is judged; 0: there is a baseline."""
    doubling: int | None
    """
    Of a rate: after a doubling, until it is suspected; null: other kinds, or more than this baseline can
    show.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftPoint(Model):
    from_: str
    """When the hour begins."""
    n: int
    """Observations."""
    value: float | None
    """The rate, or the mean; null: it is a mix."""
    low: float | None
    """Lower bound of the 95 % interval of `value`."""
    high: float | None
    """Its upper bound."""
    shares: list[float] | None
    """Of a mix: by index of `labels`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftSettings(Model):
    """What is watched for drift, and how sure an alarm has to be."""

    enabled: bool | None
    """Whether anything is watched for drift. `None` where there is none."""
    false_alarms_per_year: float | None
    """
    The budget: how many false `drift.sustained` an organization accepts in a year, over all its series.
    `None` where there is none.
    """
    season: str | None
    """
    What repeats and is no drift: the hours of a day, or of a week. Used once two whole periods were seen;
    until then alarms need ten times the evidence. Another season makes monitors learn anew. One of `none`,
    `day`, `week`; more may come. `None` where there is none.
    """
    signals: DriftSettingsSignals | None
    """By signal; those that are left out have the defaults. `None` where there is none."""
    auto_rebaseline_days: int | None
    """
    After so many days of drift its level becomes the new baseline; null, the default: only when somebody says
    so. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftSettingsSignals(Model):
    """By signal; those that are left out have the defaults."""

    flagged_rate: DriftSignalSettings | None
    """`None` where there is none."""
    blocked_rate: DriftSignalSettings | None
    """`None` where there is none."""
    error_rate: DriftSignalSettings | None
    """`None` where there is none."""
    refusal_rate: DriftSignalSettings | None
    """`None` where there is none."""
    score: DriftSignalSettings | None
    """`None` where there is none."""
    latency_ms: DriftSignalSettings | None
    """`None` where there is none."""
    time_to_first_token_ms: DriftSignalSettings | None
    """`None` where there is none."""
    input_tokens: DriftSignalSettings | None
    """`None` where there is none."""
    output_tokens: DriftSignalSettings | None
    """`None` where there is none."""
    category_mix: DriftSignalSettings | None
    """`None` where there is none."""
    finish_reason_mix: DriftSignalSettings | None
    """`None` where there is none."""
    model_version_mix: DriftSignalSettings | None
    """`None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftSignalSettings(Model):
    enabled: bool | None
    """Whether it is watched. `None` where there is none."""
    tolerance: float | None
    """
    Changes up to this count as none: of numbers in standard deviations (default 0.05), of rates and shares
    relative to the baseline (default 0.1). `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedSessions(Model):
    ended: int
    """Sessions that ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Enforcement(Model):
    mode: str
    """One of `enforce`, `monitor`; more may come."""
    action: str
    """What was done to the inference. One of `none`, `redact`, `block`; more may come."""
    would: str | None
    """In monitor mode, what the policy would have done. One of `redact`, `block`; more may come."""
    message: str | None
    """One sentence for a person; null when nothing was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Model):
    id: str
    sequence: int
    """Gap-free in the organization, from 1, in the order of the commits."""
    kind: str
    """
    One of inference.allowed, inference.flagged, inference.blocked, telemetry.received, drift.sustained,
    drift.recovered, drift.baselined, drift.acknowledged, policy.updated, policy.shadow_started,
    policy.shadow_stopped, policy.shadow_promoted, probe.registered, probe.updated, probe.deleted,
    probe.online, probe.offline, probe.skewed, api_key.created, api_key.revoked, service_account.created,
    service_account.updated, service_account.deleted, session.started, session.ended, sso.updated,
    organization.created, organization.updated, webhook.created, webhook.updated, webhook.deleted,
    webhook.paused, webhook.recovered, integration.created, integration.updated, integration.deleted,
    judge.created, judge.updated, judge.deleted, export.created, audit.redacted, audit.pruned,
    audit.key_rotated, audit.restored; more will come.
    """
    mode: str
    """Events of the trail are `live`. One of `live`, `test`; more may come."""
    occurred_at: str
    """When it happened."""
    recorded_at: str
    """When it was committed."""
    org_id: str
    actor: EventActor
    data: dict[str, Any]
    """What happened, by kind. For `inference.*` the assessment without `redacted`."""
    leaf_hash: str | None
    """
    The hash of its leaf in the log of the organization, in base64; null until the log has it, which takes a
    second at most.
    """
    erased: list[str] | None
    """What was erased of it (`subject`, `data`, …). Absent: nothing was. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventActor(Model):
    type: str
    """`api_key`, `service_account`, `user` or `system`."""
    id: str | None
    ip: str | None
    """The address the request came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventProof(Model):
    event_id: str
    sequence: int
    leaf_index: int
    """`sequence` less one."""
    leaf_hash: str
    """What the log holds: SHA-256 of a zero byte and the envelope, in base64."""
    leaf_matches: bool
    """
    Whether the envelope has this hash. `false`: the event was changed in the database after it was logged.
    """
    envelope: str
    """The leaf, byte for byte: canonical JSON (RFC 8785)."""
    disclosures: list[str]
    """
    What the envelope commits to: texts `["salt","name",value]`. The SHA-256 of each, in base64, is in its
    `private`. Kept texts are never disclosed.
    """
    erased: list[str]
    """Names of what is committed to and was erased."""
    tree_size: int
    root: str
    """Of the tree of this size, in base64."""
    hashes: list[str]
    """From the leaf to the root, as RFC 6962 §2.1.1 has them."""
    checkpoint: str
    """The signed note that vouches for size and root."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Model):
    id: str
    what: str
    """What there is, in a sentence."""
    count: int
    """How many."""
    first_at: str | None
    """When the first was recorded."""
    last_at: str | None
    """When the last was."""
    first_sequence: int | None
    """Its event’s; the leaf of the log is one less."""
    last_sequence: int | None
    """Of the last."""
    checkpoint_size: int | None
    """The smallest checkpoint that is kept and covers them all; null: none does yet."""
    endpoints: list[str]
    """Where to see it. Of events one for each kind, which together list as many as `count`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export(Model):
    id: str
    state: str
    """One of `queued`, `running`, `ready`, `failed`, `expired`; more may come."""
    format: str
    """One of `jsonl`, `csv`, `parquet`, `ocsf`, `cloudevents`; more may come."""
    since: str | None
    """As it was asked for."""
    until: str | None
    """As it was asked for."""
    kinds: list[str] | None
    """As they were asked for; null: all."""
    held_size: int | None
    """As it was asked for."""
    disclosures: bool
    progress: ExportProgress
    events: int
    """Events that are in it by now."""
    tree_size: int | None
    """Of the checkpoint that proves it; null: it has not begun."""
    created_at: str
    """When it was asked for."""
    created_by: str
    """Id of the credential."""
    expires_at: str | None
    """Until when it can be downloaded; null: it is not ready."""
    download: ExportDownload | None
    error: str | None
    """Why it failed, or expired before its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportDownload(Model):
    url: str
    """Takes the same credential."""
    bytes: int
    """Length of the zip."""
    sha256: str
    """Of the zip, in hex."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportProgress(Model):
    done: int
    """Leaves that are written."""
    total: int | None
    """Leaves to write; null: it has not begun."""
    percent: int
    """100 once it is ready."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Model):
    id: str
    """Names the finding within its assessment."""
    category: str
    """What kind of thing was found."""
    type: str
    """What exactly."""
    location: Location
    score: float
    """How sure the detector is."""
    severity: str
    """How bad it would be. One of `low`, `medium`, `high`, `critical`; more may come."""
    outcome: str
    """
    What the finding alone makes of the inference; allowed: it is excused. One of `allowed`, `flagged`,
    `blocked`; more may come.
    """
    action: str
    """What was done; ignore: it is excused. One of `ignore`, `flag`, `redact`, `block`; more may come."""
    rule_id: str | None
    """The policy's own rule that matched."""
    exception_id: str | None
    """The exception of the policy that excused it; it then counts for nothing."""
    detector: FindingDetector
    preview: str | None
    """A masked glimpse of what was found."""
    frameworks: list[str]
    """Entries of public lists of AI risks."""
    explanation: str
    """One sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingDetector(Model):
    """Who found it, and how; `probe`: a probe says so."""

    id: str
    version: str
    method: str
    """
    One of `pattern`, `pattern+checksum`, `pattern+entropy`, `pattern+context`, `heuristic`, `lexicon`,
    `classifier`, `judge`, `rule`, `limit`, `probe`; more may come.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap(Model):
    id: str
    what: str
    """What is missing or weak, in a sentence."""
    count: int | None
    """How many, where it can be counted."""
    endpoints: list[str]
    """Where to see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundednessSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    categories: HarmSettingsCategories | None
    """Actions by kind of harm, in place of `action` and `block_at`. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HarmSettingsCategories(Model):
    """Actions by kind of harm, in place of `action` and `block_at`."""

    hate: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    harassment: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    violence: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    sexual: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    minors: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    self_harm: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    illicit: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    profanity: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Health(Model):
    status: str
    """`ok`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartbeatAnswer(Model):
    server_time: str
    """Now."""
    policy: HeartbeatAnswerPolicy
    """In force."""
    next_heartbeat_s: int
    """When the next one is expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartbeatAnswerPolicy(Model):
    """In force."""

    version: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox(Model):
    id: str
    url: str
    """Takes POST. Whoever knows it may write, so it is a secret."""
    created_at: str
    """When it was made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxMessage(Model):
    id: str
    received_at: str
    """When it arrived."""
    headers: dict[str, str]
    """Signatures, and what else tells of the delivery."""
    body: str
    """As it arrived: the bytes that were signed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Integration(Model):
    id: str
    kind: str
    """One of `slack`, `pagerduty`, `teams`, `datadog`, `splunk`; more may come."""
    name: str
    events: list[str]
    config: dict[str, Any]
    """Without its secret members."""
    secrets: list[str]
    """Members of the config that are stored and never answered."""
    mode: str
    """`test`: of a test key; hears of test assessments alone. One of `live`, `test`; more may come."""
    status: str
    """
    Paused after 24 hours without a success: events wait for it and are sent once it answers again. One of
    `active`, `paused`; more may come.
    """
    failing_since: str | None
    """When it began to fail, if the last attempt did."""
    last_success_at: str | None
    """When it last answered 2xx; up to ten seconds late."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge(Model):
    id: str
    version: int
    """From 1, one more with each change. In the coverage and the findings of assessments."""
    name: str
    kind: str
    """One of `chat`, `gpt_oss_safeguard`, `llama_guard`; more may come."""
    url: str
    model: str
    has_api_key: bool
    """Whether a key is stored. The key itself is never answered."""
    timeout_ms: int
    instructions: str | None
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyQuantiles(Model):
    """Milliseconds that assessments took, each quantile within 5 %."""

    count: int
    """Assessments that it is of: those that the service decided and the trail has an event of."""
    p50: float | None
    p90: float | None
    p95: float | None
    p99: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    allow_hosts: list[str] | None
    """Hosts that are never reported, with their subdomains. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Location(Model):
    pointer: str
    """JSON Pointer of the text in the request."""
    start: int
    """Offset in UTF-16 units."""
    end: int
    """Offset in UTF-16 units, exclusive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedCounts(Model):
    name: str | None
    """null: none was told, or these are the others."""
    is_others: bool
    """True: names beyond what is counted by name, together."""
    total: int
    """Of this name."""
    flagged: int
    """Of them."""
    blocked: int
    """Of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoSso(Model):
    enabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ObfuscationSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization(Model):
    id: str
    name: str
    plan: str
    """One of `starter`, `growth`, `scale`, `enterprise`; more may come."""
    limits: OrganizationLimits
    created_at: str
    """When it was made."""
    credential: OrganizationCredential


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationCredential(Model):
    type: str
    """One of `api_key`, `service_account`, `user`; more may come."""
    id: str
    name: str
    mode: str
    """One of `live`, `test`; more may come."""
    scopes: list[str]
    """
    One of `assess:create`, `events:read`, `policy:read`, `policy:write`, `probes:read`, `probes:write`,
    `webhooks:read`, `webhooks:write`, `reports:read`, `admin:*`; more may come.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationLimits(Model):
    assessments_per_minute: int
    requests_per_minute: int
    batch_size: int
    """Items in a batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    entities: PiiSettingsEntities | None
    """Actions by type of personal data, in place of `action` and `block_at`. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PiiSettingsEntities(Model):
    """Actions by type of personal data, in place of `action` and `block_at`."""

    email: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    phone: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    credit_card: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    iban: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    bank_account: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    us_ssn: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    us_itin: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    us_ein: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    national_id: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    passport: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    driver_license: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    medical_record: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    vehicle_id: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    date_of_birth: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    ip_address: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    mac_address: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    geo_coordinates: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    crypto_wallet: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    username: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    address: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    person: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    location: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    organization: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    date_time: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    age: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    title: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    nrp: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    domain: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    zip_code: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Model):
    """What an organization decides about findings."""

    mode: str | None
    """
    monitor: report, but redact and block nothing. One of `enforce`, `monitor`; more may come. `None` where
    there is none.
    """
    on_error: PolicyOnError | None
    """
    What follows when a detector fails or runs out of time, on texts going to the model and coming from it.
    `None` where there is none.
    """
    deadline_ms: int | None
    """Time for one assessment. `None` where there is none."""
    stream: str | None
    """
    Of an answer that is assessed while it is written: whether text waits for what can only be decided at its
    end. release: it does not, and what is found then comes too late for it. One of `hold`, `release`; more
    may come. `None` where there is none.
    """
    detectors: PolicyDetectors | None
    """`None` where there is none."""
    rules: list[PolicyRule] | None
    """Conditions over the inference and its findings, decided after all else. `None` where there is none."""
    custom: PolicyCustom | None
    """The organization's own rules. `None` where there is none."""
    exceptions: list[PolicyException] | None
    """
    Findings that count for nothing, until a date. Of several that match, the first is named. `None` where
    there is none.
    """
    judges: list[PolicyJudge] | None
    """
    Models outside that are asked for their opinion. They add findings, and take none away. `None` where there
    is none.
    """
    drift: DriftSettings | None
    """`None` where there is none."""
    data: PolicyData | None
    """`None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyBundle(Model):
    version: int
    """Of the policy."""
    digest: str
    """Of the policy."""
    policy: Policy
    detector_versions: dict[str, str]
    """What the service decides with."""
    issued_at: str
    """When this bundle became what it is: at midnight UTC, or when the policy was stored."""
    expires_at: str
    """Seven days later. A probe that has no newer one goes on with it, and says that it is stale."""
    signature: PolicySignature


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyChange(Model):
    op: str
    """One of `add`, `remove`, `replace`; more may come."""
    path: str
    """JSON Pointer into the document of `to`; of what was removed, into that of `from`."""
    id: str | None
    """Of the entry, where the list is one of entries with ids. `None` where there is none."""
    from_: Any
    """What stood there. `None` where there is none."""
    to: Any
    """What stands there now. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyCustom(Model):
    """The organization's own rules."""

    patterns: list[CustomPattern] | None
    """`None` where there is none."""
    terms: list[CustomTerms] | None
    """`None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyData(Model):
    store: str | None
    """
    What is kept. metadata: findings without the texts. full: the texts too, encrypted. One of `metadata`,
    `full`; more may come. `None` where there is none.
    """
    retention_days: int | None
    """How long. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDetectors(Model):
    prompt_injection: PromptInjectionSettings | None
    """`None` where there is none."""
    protected_prompt: ProtectedPromptSettings | None
    """`None` where there is none."""
    obfuscation: ObfuscationSettings | None
    """`None` where there is none."""
    secrets: SecretsSettings | None
    """`None` where there is none."""
    pii: PiiSettings | None
    """`None` where there is none."""
    harm: HarmSettings | None
    """`None` where there is none."""
    groundedness: GroundednessSettings | None
    """`None` where there is none."""
    refusal: RefusalSettings | None
    """`None` where there is none."""
    unsafe_code: UnsafeCodeSettings | None
    """`None` where there is none."""
    links: LinksSettings | None
    """`None` where there is none."""
    size: SizeSettings | None
    """`None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDiff(Model):
    from_: PolicyVersionName
    to: PolicyVersionName
    changes: list[PolicyChange]


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyException(Model):
    id: str
    """The exception's name; findings that it excuses carry it as exception_id."""
    match: PolicyExceptionMatch
    """What it excuses: findings for which all of this holds."""
    reason: str
    """Why it is right to let these pass."""
    owner: str
    """Who answers for it."""
    expires_at: str
    """When it ends, ISO 8601 with an offset or Z. There are none without an end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyExceptionMatch(Model):
    """What it excuses: findings for which all of this holds."""

    category: str | None
    """A category, or a family for all of its categories. `None` where there is none."""
    type: str | None
    """The finding's type. `None` where there is none."""
    value: str | None
    """
    What was found, the whole of it, whatever its case. * stands for any characters, ? for one. `None` where
    there is none.
    """
    detector: str | None
    """The detector's id. `None` where there is none."""
    rule_id: str | None
    """The policy's own rule. `None` where there is none."""
    pointer: str | None
    """Where in the request, a JSON Pointer with * and ?. `None` where there is none."""
    target: str | None
    """
    Which kind of text. One of `input`, `output`, `context`, `tool`; more may come. `None` where there is
    none.
    """
    subject: PolicyExceptionMatchSubject | None
    """On whose behalf the model works; all that is named must be equal. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyExceptionMatchSubject(Model):
    """On whose behalf the model works; all that is named must be equal."""

    user: str | None
    """Exactly this user. `None` where there is none."""
    session: str | None
    """Exactly this session. `None` where there is none."""
    agent: str | None
    """Exactly this agent. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyExceptionState(Model):
    id: str
    """Of the exception, as the policy names it."""
    reason: str
    owner: str
    expires_at: str
    """When it stops excusing."""
    state: str
    """An expired one excuses nothing. One of `active`, `expired`; more may come."""
    hits: int
    """Findings that it has excused, of those that assessments list; those of test keys do not count."""
    last_hit_at: str | None
    """When it last excused one; null: never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyJudge(Model):
    judge_id: str
    """The judge, as `POST /v1/judges` answered it."""
    applies_to: list[str] | None
    """
    Which texts it is sent; no others are. Default: input and output. One of `input`, `output`, `context`,
    `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Opinions of a lower score are dropped. Default: 0.5. `None` where there is none."""
    block_at: float | None
    """Score from which its opinion blocks; null, the default: never. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyLintResult(Model):
    valid: bool
    errors: list[PolicyProblem]
    warnings: list[PolicyProblem]
    digest: str | None
    """The digest it would have; null where it is not valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOnError(Model):
    """
    What follows when a detector fails or runs out of time, on texts going to the model and coming from it.
    """

    input: str | None
    """
    allow: only the coverage tells. flag, block: a finding system.coverage. One of `allow`, `flag`, `block`;
    more may come. `None` where there is none.
    """
    output: str | None
    """
    allow: only the coverage tells. flag, block: a finding system.coverage. One of `allow`, `flag`, `block`;
    more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyProblem(Model):
    pointer: str
    """JSON Pointer into the document."""
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRule(Model):
    id: str
    """The rule's name; findings carry it as type and rule_id."""
    when: str
    """CEL over the inference and its findings; what it holds for is a finding."""
    outcome: str
    """What the inference becomes where the rule holds. One of `flagged`, `blocked`; more may come."""
    severity: str | None
    """
    Severity of its findings. One of `low`, `medium`, `high`, `critical`; more may come. `None` where there is
    none.
    """
    category: str | None
    """Category of its findings, under policy., brand., usage. or agency. `None` where there is none."""
    message: str | None
    """One sentence that stands in findings as their explanation. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadow(Model):
    digest: str
    """Of the candidate."""
    sample_rate: float
    """The share of assessments that it decides too. Which they are follows from their ids alone."""
    expires_at: str
    """When it ends by itself; at most 90 days ahead."""
    started_at: str
    """When it began."""
    started_by: str
    """The credential that began it."""
    tally: PolicyShadowTally
    policy: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadowTally(Model):
    assessed: int
    """Assessments that were compared: the sum of the four below."""
    unchanged: int
    """The outcome is the same."""
    newly_blocked: int
    """The candidate blocks what was not blocked."""
    newly_flagged: int
    """The candidate flags what was allowed, or what was blocked."""
    newly_allowed: int
    """The candidate allows what was flagged or blocked."""
    by_category: dict[str, PolicyShadowTallyByCategory]
    """Findings that differ, by category; beyond 200 categories in `other`."""
    samples: PolicyShadowTallySamples
    """Ids of some assessments for each change, to look at."""
    errors: int
    """Sampled, and not decided by the candidate: it ran out of time or failed."""
    skipped: int
    """Sampled, and not decided by the candidate because the node was busy."""
    judges_not_asked: int
    """
    Compared without the opinion of a judge that the candidate names and the policy in force does not ask.
    """
    since: str
    """When counting began."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadowTallyByCategory(Model):
    """Findings that differ, by category; beyond 200 categories in `other`."""

    added: int
    """Findings that only the candidate has."""
    removed: int
    """Findings that it has not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadowTallySamples(Model):
    """Ids of some assessments for each change, to look at."""

    newly_blocked: list[str]
    """Assessments that are newly blocked."""
    newly_flagged: list[str]
    """Assessments that are newly flagged."""
    newly_allowed: list[str]
    """Assessments that are newly allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadowVerdict(Model):
    policy: PolicyShadowVerdictPolicy
    """The candidate."""
    outcome: str | None
    """One of `allowed`, `flagged`, `blocked`; more may come."""
    changed: bool | None
    """Whether that is another outcome than the one in force."""
    added: list[PolicyShadowVerdictAdded]
    """Findings of the candidate that the policy in force has not, of those that both list."""
    removed: list[PolicyShadowVerdictRemoved]
    """Findings of the policy in force that the candidate has not, of those that both list."""
    judges_not_asked: int
    """Judges that only the candidate names, which are not asked."""
    error: str | None
    """One of `timed_out`, `failed`, `skipped`; more may come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadowVerdictAdded(Model):
    """Findings of the candidate that the policy in force has not, of those that both list."""

    category: str
    type: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadowVerdictPolicy(Model):
    """The candidate."""

    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyShadowVerdictRemoved(Model):
    """Findings of the policy in force that the candidate has not, of those that both list."""

    category: str
    type: str
    location: Location


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySignature(Model):
    algorithm: str
    """`ed25519`."""
    key_id: str
    """The same for as long as the key is the same."""
    public_key: str
    """Its 32 bytes in Base64. Keep it at first contact, and trust no other."""
    value: str
    """
    Base64 of the signature over `svc-policy-bundle-v1`, a line feed, and the other members as canonical JSON
    (RFC 8785).
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySimulation(Model):
    id: str
    state: str
    """One of `queued`, `running`, `succeeded`, `failed`; more may come."""
    progress: PolicySimulationProgress
    created_at: str
    """When it was asked for."""
    finished_at: str | None
    """When it succeeded or failed."""
    policy: PolicySimulationPolicy
    """The candidate."""
    error: str | None
    """Why it failed."""
    result: SimulationResult | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySimulationPolicy(Model):
    """The candidate."""

    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySimulationProgress(Model):
    done: int
    """Assessments looked at."""
    total: int | None
    """Assessments to look at; null: not counted yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyVersion(Model):
    version: int
    """From 1. A version never changes."""
    digest: str
    """`sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785)."""
    updated_at: str
    """When it was stored."""
    updated_by: str
    """The credential that stored it, or `system`."""
    policy: Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyVersionName(Model):
    version: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyVersionSummary(Model):
    version: int
    """From 1. A version never changes."""
    digest: str
    """`sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785)."""
    updated_at: str
    """When it was stored."""
    updated_by: str
    """The credential that stored it, or `system`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe(Model):
    id: str
    """Its own name."""
    mode: str
    """One of `live`, `test`; more may come."""
    status: str
    """
    `offline`: no heartbeat for three intervals. `skewed`: more than two heartbeats in a row told of an older
    policy than that in force. `stale`: no heartbeat for one and a half intervals, or the policy it has on
    disk has expired. A probe that never sends heartbeats is `stale` when it was not seen for three intervals,
    and `offline` only where `expected_interval_s` was set. One of `healthy`, `stale`, `offline`, `skewed`;
    more may come.
    """
    group: str
    """The label `group`, else `default`."""
    labels: dict[str, str]
    """What it says itself, and over that what was set here."""
    expected_interval_s: int
    """Between heartbeats."""
    registered_at: str
    """When it called for the first time."""
    last_seen_at: str
    """Its last call, known to some ten seconds."""
    last_heartbeat_at: str | None
    """Its last heartbeat; null: it never sent one."""
    offline_since: str | None
    """Since when the trail says that it is offline."""
    version: str | None
    started_at: str | None
    """When it was started."""
    policy_version: int | None
    """By which it decides."""
    queue: ProbeQueue | None
    rates: ProbeRates
    """Of its telemetry, on average over the last five minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeQueue(Model):
    depth: int
    dropped: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeRates(Model):
    """Of its telemetry, on average over the last five minutes."""

    accepted_per_minute: float
    """Events stored."""
    duplicates_per_minute: float
    """Events that had been stored before."""
    rejected_per_minute: float
    """Events refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptInjectionSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtectedPromptSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Provision(Model):
    id: str
    reference: str
    title: str
    binds: list[str]
    """Whom it binds."""
    requirement: str
    """A paraphrase; the text itself is what counts."""
    applies: str
    """To what it applies."""
    status: str
    """
    evidenced: there is evidence, no gap was found, and all that is asked for can be recorded here. partial:
    evidence with gaps, or of a part. none: the evidence that it takes was not found in the period.
    not_recorded_here: this service records nothing of it. It is no legal judgement. One of `evidenced`,
    `partial`, `none`, `not_recorded_here`; more may come.
    """
    covers: str
    """
    How much of what it asks for can be recorded here. Of a part the status is `partial` at best. One of
    `whole`, `part`, `nothing`; more may come.
    """
    limit: str | None
    """What is not recorded here; null: covers the whole."""
    evidence: list[Evidence]
    gaps: list[Gap]
    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered(Model):
    recovered: int
    """Deliveries that had failed and are sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redacted(Model):
    """The members of the request that changed, findings replaced, in the shape they were sent."""

    input: Any
    """`None` where there is none."""
    output: Any
    """`None` where there is none."""
    context: Any
    """`None` where there is none."""
    tool_calls: Any
    """`None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redaction(Model):
    event_id: str
    sequence: int
    """Of the event."""
    fields: list[str]
    """What was erased: what was asked for, and a kept text that repeats it."""
    basis: str
    redaction_event_id: str
    """The event `audit.redacted` that tells of it."""
    created_at: str
    """When it was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretsSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    types: dict[str, str] | None
    """Actions by type of credential, in place of `action` and `block_at`. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccount(Model):
    id: str
    name: str
    permissions: list[str]
    """
    One of `assess:create`, `events:read`, `policy:read`, `policy:write`, `probes:read`, `probes:write`,
    `webhooks:read`, `webhooks:write`, `reports:read`, `admin:*`; more may come.
    """
    ip_allowlist: list[str]
    type: str
    """One of `live`, `test`; more may come."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""
    deleted_at: str | None
    """When it was deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session(Model):
    id: str
    subject: str | None
    """The user, as the identity provider names him; null: opened with a key."""
    name: str
    """The user’s e-mail address or name, or the key’s name."""
    role: str | None
    """One of `viewer`, `operator`, `policy_editor`, `admin`; more may come."""
    scopes: list[str]
    """
    One of `assess:create`, `events:read`, `policy:read`, `policy:write`, `probes:read`, `probes:write`,
    `webhooks:read`, `webhooks:write`, `reports:read`, `admin:*`; more may come.
    """
    key_id: str | None
    """The key that opened it."""
    address: str
    """From where it was opened."""
    signed_in_at: str
    """When it was opened."""
    expires_at: str
    """When it ends at the latest: twelve hours after the sign-in."""
    ended_at: str | None
    """When it was ended before that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionToken(Model):
    token: str = field(repr=False)
    """The session token (JWT). Send it as `Authorization: Bearer`."""
    expires_at: str
    """When the token expires: an hour after its issue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationResult(Model):
    assessed: int
    """Assessments that were compared: the sum of the four below."""
    unchanged: int
    """The outcome is the same."""
    newly_blocked: int
    """The candidate blocks what was not blocked."""
    newly_flagged: int
    """The candidate flags what was allowed, or what was blocked."""
    newly_allowed: int
    """The candidate allows what was flagged or blocked."""
    by_category: dict[str, SimulationResultByCategory]
    """Findings that differ, by category; beyond 200 categories in `other`."""
    samples: SimulationResultSamples
    """Ids of some assessments for each change, to look at."""
    answered: SimulationResultAnswered
    """By what each assessment could be decided from."""
    unanswered: list[SimulationResultUnanswered]
    """What could not be known of assessments whose texts are not kept, or of judges, which are not asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationResultAnswered(Model):
    """By what each assessment could be decided from."""

    texts: int
    """Decided anew from the whole text."""
    findings: int
    """Decided from the findings that were kept, and certain."""
    partly: int
    """Compared as far as could be known; `unanswered` says what could not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationResultByCategory(Model):
    """Findings that differ, by category; beyond 200 categories in `other`."""

    added: int
    """Findings that only the candidate has."""
    removed: int
    """Findings that it has not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationResultSamples(Model):
    """Ids of some assessments for each change, to look at."""

    newly_blocked: list[str]
    """Assessments that are newly blocked."""
    newly_flagged: list[str]
    """Assessments that are newly flagged."""
    newly_allowed: list[str]
    """Assessments that are newly allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationResultUnanswered(Model):
    """What could not be known of assessments whose texts are not kept, or of judges, which are not asked."""

    question: str
    """Such as `detector_added`; more will come."""
    count: int
    """Assessments whose outcome may be another because of it."""
    explanation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """
    max_chars: int | None
    """UTF-16 units of all texts of one inference. `None` where there is none."""
    max_messages: int | None
    """Messages of one conversation. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sso(Model):
    issuer: str
    """
    The identity provider, exactly as its tokens name it (`iss`). Its discovery document is read when this is
    stored.
    """
    client_id: str
    """The client that stands for this service at the identity provider."""
    groups_claim: str
    """The claim that lists a user’s groups."""
    roles: dict[str, str]
    """
    The role of each group. Who is in several has the highest; who is in none is refused, unless there is a
    `default_role`.
    """
    default_role: str | None
    """One of `viewer`, `operator`, `policy_editor`, `admin`; more may come."""
    require: dict[str, str | float | bool]
    """Claims that a token must have with exactly this value, or, where the claim is a list, in it."""
    has_client_secret: bool
    """Whether one is stored. It is never answered."""
    redirect_uri: str
    """To be registered at the identity provider."""
    updated_at: str
    """When this was last changed."""
    updated_by: str
    """By whom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream(Model):
    id: str
    assessment: Assessment
    """
    Of the input. Its event is recorded when the stream ends, so `event_id` is null; where the input is
    blocked that is at once.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamChunkResult(Model):
    seq: int
    released: str
    """Text that is safe to show now, with what the policy redacts replaced."""
    tool_calls: list[StreamChunkResultToolCall]
    """Complete calls that are safe to make now."""
    held_chars: int
    """UTF-16 units that have come and are not released."""
    findings: list[Finding]
    """Those that are certain since this chunk. At most 200."""
    outcome: str
    """
    Of all that is certain so far. blocked: nothing more will be released; send the last chunk. One of
    `allowed`, `flagged`, `blocked`; more may come.
    """
    assessment: Assessment | None
    """Of the whole inference; null before the last chunk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamChunkResultToolCall(Model):
    """Complete calls that are safe to make now."""

    index: int
    name: str
    arguments: Any
    """An object; the text as it was written where that is no JSON object."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReport(Model):
    org_id: str
    since: str
    """The beginning of what was counted."""
    until: str
    """The end of it, exclusive."""
    interval: str
    """One of `hour`, `day`, `week`, `month`; more may come."""
    as_of: AsOf
    totals: SummaryReportTotals
    series: list[SummaryReportSeries]
    """Every point, also where there was nothing. Oldest first."""
    sources: SummaryReportSources
    categories: list[NamedCounts]
    """
    Inferences with findings, by category. One with several counts for each. The most frequent first; of each
    hour beyond 200 names together.
    """
    severities: list[NamedCounts]
    """
    Inferences that the trail has an event of, by severity. The most frequent first; of each hour beyond 200
    names together.
    """
    models: list[NamedCounts]
    """
    Inferences by model. `flagged` and `blocked` of a probe’s are those that have an event. The most frequent
    first; of each hour beyond 200 names together.
    """
    probes: list[NamedCounts]
    """
    Inferences that probes reported, by probe. The most frequent first; of each hour beyond 200 names
    together.
    """
    policies: list[SummaryReportPolicies]
    """By version of the policy, newest first. null: not told."""
    enforcement: SummaryReportEnforcement
    """Of assessments that the service decided and the trail has an event of."""
    detector_faults: list[SummaryReportDetectorFault]
    telemetry: SummaryReportTelemetry
    kinds: list[SummaryReportKind]
    """Events of the trail by kind."""
    drift: SummaryReportDrift
    deliveries: SummaryReportDeliveries
    """What became of deliveries of the period’s events."""
    usage: SummaryReportUsage
    """What was used of the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportDeliveries(Model):
    """What became of deliveries of the period’s events."""

    succeeded: int
    """Taken by their receiver."""
    failed: int
    """Given up after the last attempt."""
    cancelled: int
    """Their endpoint was deleted."""
    waiting: int
    """Under way, or parked with a paused endpoint."""
    retried: int
    """Those with more than one attempt."""
    is_complete: bool
    """
    False: there are more, or older ones are not kept any more. The newest 200000 are counted, of the last 30
    days.
    """
    attempt_ms: SummaryReportDeliveriesAttemptMs
    """How long attempts took, for the newest 10000 deliveries."""
    endpoints: SummaryReportDeliveriesEndpoints


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportDeliveriesAttemptMs(Model):
    """How long attempts took, for the newest 10000 deliveries."""

    p50: float | None
    p95: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportDeliveriesEndpoints(Model):
    active: int
    """Now."""
    paused: int
    """Now: without success for a day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportDetectorFault(Model):
    detector: str
    assessments: int
    """In which it failed or ran out of time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportDrift(Model):
    opened: int
    """Drifts that became sure in the period."""
    recovered: int
    """Drifts that recovered in it."""
    open: int
    """Drifts that persist now."""
    unacknowledged: int
    """Of them, those that nobody has acknowledged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportEnforcement(Model):
    """Of assessments that the service decided and the trail has an event of."""

    enforce: int
    """Decided with the policy enforced."""
    monitor: int
    """Decided in monitor mode."""
    suppressed: SummaryReportEnforcementSuppressed


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportEnforcementSuppressed(Model):
    redact: int
    """Would have been redacted."""
    block: int
    """Would have been blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportKind(Model):
    """Events of the trail by kind."""

    kind: str
    count: int
    """Events."""
    first_at: str
    """When the first was recorded."""
    last_at: str
    """When the last was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportPolicies(Model):
    """By version of the policy, newest first. null: not told."""

    version: int | None
    inferences: int
    """Decided under it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportSeries(Model):
    """Every point, also where there was nothing. Oldest first."""

    start: str
    """The first and the last point may be cut by the period."""
    end: str
    """Exclusive."""
    events: int
    """Events of the trail."""
    inferences: int
    """Inferences."""
    allowed: int
    """Let through."""
    flagged: int
    """With findings."""
    blocked: int
    """Stopped."""
    undecided: int
    """Reported by probes that decided nothing, and without a text to assess."""
    latency_ms: LatencyQuantiles
    coverage: CoverageCounts
    drift: SummaryReportSeriesDrift


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportSeriesDrift(Model):
    opened: int
    """`drift.sustained`."""
    recovered: int
    """`drift.recovered`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportSources(Model):
    api: SummaryReportSourcesApi
    probes: SummaryReportSourcesProbes


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportSourcesApi(Model):
    inferences: int
    """Assessed over the API."""
    allowed: int
    """Let through."""
    flagged: int
    """With findings."""
    blocked: int
    """Stopped."""
    undecided: int
    """Reported by probes that decided nothing, and without a text to assess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportSourcesProbes(Model):
    inferences: int
    """Reported by probes."""
    allowed: int
    """Let through."""
    flagged: int
    """With findings."""
    blocked: int
    """Stopped."""
    undecided: int
    """Reported by probes that decided nothing, and without a text to assess."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportTelemetry(Model):
    batches: int
    """`telemetry.received`."""
    accepted: int
    """Inferences that were stored."""
    duplicates: int
    """Known already."""
    rejected: int
    """Refused, to be sent again or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportTotals(Model):
    events: int
    """Events of the trail."""
    inferences: int
    """Inferences that were assessed or reported."""
    allowed: int
    """Let through."""
    flagged: int
    """With findings."""
    blocked: int
    """Stopped."""
    undecided: int
    """Reported by probes that decided nothing, and without a text to assess."""
    latency_ms: LatencyQuantiles
    coverage: CoverageCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryReportUsage(Model):
    """What was used of the plan."""

    assessments: int
    """That cost one of the plan: over the API, and texts that probes sent."""
    allowed: int
    """Of them."""
    flagged: int
    """Of them."""
    blocked: int
    """Of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryResult(Model):
    accepted: int
    """Events that are stored now and were not before."""
    duplicates: int
    """Events that were stored before, or stand in the body twice."""
    rejected: list[TelemetryResultRejected]
    """Events that are stored nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryResultRejected(Model):
    """Events that are stored nowhere."""

    index: int
    """Of the event, from 0."""
    error: TelemetryResultRejectedError


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryResultRejectedError(Model):
    code: str
    """`rate_limited` and `unavailable`: send the same event again. `invalid_request`: do not."""
    message: str
    details: list[TelemetryResultRejectedErrorDetail]
    retry_after_s: int | None
    """With `rate_limited`: when to send it again. `None` where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryResultRejectedErrorDetail(Model):
    pointer: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult(Model):
    delivered: bool
    """Whether the receiver took it."""
    event: str
    """The kind that was sent."""
    status: int | None
    """HTTP status of the answer; null: there was none."""
    latency_ms: float
    error: str | None
    """Why it was not delivered."""
    answer: str | None
    """The first 4 KiB of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsafeCodeSettings(Model):
    enabled: bool | None
    """Whether the detector runs. `None` where there is none."""
    applies_to: list[str] | None
    """
    Which texts are read: input and output messages, context items, tool results and arguments. One of
    `input`, `output`, `context`, `tool`; more may come. `None` where there is none.
    """
    flag_at: float | None
    """Findings of a lower score are dropped. `None` where there is none."""
    block_at: float | None
    """Score from which findings block; null: never. `None` where there is none."""
    action: str | None
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked. One of `ignore`, `flag`, `redact`, `block`; more may come. `None` where there is none.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage(Model):
    plan: str
    """One of `starter`, `growth`, `scale`, `enterprise`; more may come."""
    since: str
    """First day, UTC."""
    until: str
    """Last day, UTC."""
    total: UsageTotal
    days: list[UsageDay]
    """Days on which there were any, oldest first."""
    now: UsageNow


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageDay(Model):
    """Days on which there were any, oldest first."""

    day: str
    assessments: int
    """Assessments in all."""
    allowed: int
    flagged: int
    blocked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageNow(Model):
    assessments: BudgetState
    requests: BudgetState


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageTotal(Model):
    assessments: int
    """Assessments in all."""
    allowed: int
    flagged: int
    blocked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook(Model):
    webhook_id: str
    url: str
    events: list[str]
    description: str | None
    mode: str
    """`test`: of a test key; hears of test assessments alone. One of `live`, `test`; more may come."""
    status: str
    """
    Paused after 24 hours without a success: events wait for it and are sent once it answers again. One of
    `active`, `paused`; more may come.
    """
    failing_since: str | None
    """When it began to fail, if the last attempt did."""
    last_success_at: str | None
    """When it last answered 2xx; up to ten seconds late."""
    old_secret_until: str | None
    """Until when the secret before the last rotation signs too."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookWithSecret(Model):
    webhook_id: str
    url: str
    events: list[str]
    description: str | None
    mode: str
    """`test`: of a test key; hears of test assessments alone. One of `live`, `test`; more may come."""
    status: str
    """
    Paused after 24 hours without a success: events wait for it and are sent once it answers again. One of
    `active`, `paused`; more may come.
    """
    failing_since: str | None
    """When it began to fail, if the last attempt did."""
    last_success_at: str | None
    """When it last answered 2xx; up to ten seconds late."""
    old_secret_until: str | None
    """Until when the secret before the last rotation signs too."""
    created_at: str
    """When it was made."""
    updated_at: str
    """When it was last changed."""
    signing_secret: str | None = field(repr=False)
    """Signs deliveries. Only in this answer, and not when it is repeated. `None` where there is none."""
