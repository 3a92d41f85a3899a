"""What requests are made of. Generated from api/openapi.json by scripts/clients: change that, not this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
    "ContentPart",
    "ContextItem",
    "CustomPattern",
    "CustomTerms",
    "DatadogConfig",
    "DatadogConfigSite",
    "DeliveryState",
    "DriftSettings",
    "DriftSettingsSignals",
    "DriftSignal",
    "DriftSignalSettings",
    "EventKind",
    "EventKindOrAll",
    "GroundednessSettings",
    "HarmSettings",
    "HarmSettingsCategories",
    "HeartbeatLabels",
    "HeartbeatQueue",
    "Inference",
    "LinksSettings",
    "Message",
    "Model",
    "ObfuscationSettings",
    "PagerDutyConfig",
    "Permission",
    "PiiSettings",
    "PiiSettingsEntities",
    "Policy",
    "PolicyCustom",
    "PolicyData",
    "PolicyDetectors",
    "PolicyException",
    "PolicyExceptionMatch",
    "PolicyExceptionMatchSubject",
    "PolicyJudge",
    "PolicyOnError",
    "PolicyRule",
    "PromptInjectionSettings",
    "ProtectedPromptSettings",
    "RefusalSettings",
    "SecretsSettings",
    "SimulationSample",
    "SizeSettings",
    "SlackConfig",
    "SplunkConfig",
    "StreamChunkDelta",
    "Subject",
    "TeamsConfig",
    "TelemetryEvent",
    "TelemetryEventInput",
    "TelemetryEventInputContent",
    "TelemetryEventOutput",
    "TelemetryEventOutputContent",
    "TelemetryEventSubject",
    "TelemetryEventToolCall",
    "TelemetryFinding",
    "TestEventKind",
    "ToolCall",
    "ToolCallDelta",
    "ToolCallDeltaFunction",
    "UnsafeCodeSettings",
    "UpdateProbeLabels",
]

DatadogConfigSite: TypeAlias = Literal[
    "datadoghq.com",
    "us3.datadoghq.com",
    "us5.datadoghq.com",
    "datadoghq.eu",
    "ap1.datadoghq.com",
    "ap2.datadoghq.com",
    "uk1.datadoghq.com",
    "ddog-gov.com",
    "us2.ddog-gov.com",
]
DeliveryState: TypeAlias = Literal[
    "pending",
    "in_flight",
    "parked",
    "succeeded",
    "failed",
    "cancelled",
]
DriftSignal: TypeAlias = Literal[
    "flagged_rate",
    "blocked_rate",
    "error_rate",
    "refusal_rate",
    "score",
    "latency_ms",
    "time_to_first_token_ms",
    "input_tokens",
    "output_tokens",
    "category_mix",
    "finish_reason_mix",
    "model_version_mix",
]
EventKind: TypeAlias = Literal[
    "inference.allowed",
    "inference.flagged",
    "inference.blocked",
    "telemetry.received",
    "drift.sustained",
    "drift.recovered",
    "drift.baselined",
    "drift.acknowledged",
    "policy.updated",
    "policy.shadow_started",
    "policy.shadow_stopped",
    "policy.shadow_promoted",
    "probe.registered",
    "probe.updated",
    "probe.deleted",
    "probe.online",
    "probe.offline",
    "probe.skewed",
    "api_key.created",
    "api_key.revoked",
    "service_account.created",
    "service_account.updated",
    "service_account.deleted",
    "session.started",
    "session.ended",
    "sso.updated",
    "organization.created",
    "organization.updated",
    "webhook.created",
    "webhook.updated",
    "webhook.deleted",
    "webhook.paused",
    "webhook.recovered",
    "integration.created",
    "integration.updated",
    "integration.deleted",
    "judge.created",
    "judge.updated",
    "judge.deleted",
    "export.created",
    "audit.redacted",
    "audit.pruned",
    "audit.key_rotated",
    "audit.restored",
]
EventKindOrAll: TypeAlias = Literal[
    "*",
    "inference.allowed",
    "inference.flagged",
    "inference.blocked",
    "telemetry.received",
    "drift.sustained",
    "drift.recovered",
    "drift.baselined",
    "drift.acknowledged",
    "policy.updated",
    "policy.shadow_started",
    "policy.shadow_stopped",
    "policy.shadow_promoted",
    "probe.registered",
    "probe.updated",
    "probe.deleted",
    "probe.online",
    "probe.offline",
    "probe.skewed",
    "api_key.created",
    "api_key.revoked",
    "service_account.created",
    "service_account.updated",
    "service_account.deleted",
    "session.started",
    "session.ended",
    "sso.updated",
    "organization.created",
    "organization.updated",
    "webhook.created",
    "webhook.updated",
    "webhook.deleted",
    "webhook.paused",
    "webhook.recovered",
    "integration.created",
    "integration.updated",
    "integration.deleted",
    "judge.created",
    "judge.updated",
    "judge.deleted",
    "export.created",
    "audit.redacted",
    "audit.pruned",
    "audit.key_rotated",
    "audit.restored",
]
Permission: TypeAlias = Literal[
    "assess:create",
    "events:read",
    "policy:read",
    "policy:write",
    "probes:read",
    "probes:write",
    "webhooks:read",
    "webhooks:write",
    "reports:read",
    "admin:*",
]
TestEventKind: TypeAlias = Literal[
    "webhook.test",
    "inference.allowed",
    "inference.flagged",
    "inference.blocked",
    "telemetry.received",
    "drift.sustained",
    "drift.recovered",
    "drift.baselined",
    "drift.acknowledged",
    "policy.updated",
    "policy.shadow_started",
    "policy.shadow_stopped",
    "policy.shadow_promoted",
    "probe.registered",
    "probe.updated",
    "probe.deleted",
    "probe.online",
    "probe.offline",
    "probe.skewed",
    "api_key.created",
    "api_key.revoked",
    "service_account.created",
    "service_account.updated",
    "service_account.deleted",
    "session.started",
    "session.ended",
    "sso.updated",
    "organization.created",
    "organization.updated",
    "webhook.created",
    "webhook.updated",
    "webhook.deleted",
    "webhook.paused",
    "webhook.recovered",
    "integration.created",
    "integration.updated",
    "integration.deleted",
    "judge.created",
    "judge.updated",
    "judge.deleted",
    "export.created",
    "audit.redacted",
    "audit.pruned",
    "audit.key_rotated",
    "audit.restored",
]


class ContentPart(TypedDict):
    """One part of a message. Only its `text` is assessed."""

    type: str
    """`text`, or the kind of something else, such as `image_url`."""
    text: NotRequired[str]
    """The text. A part without it is not assessed and makes the coverage partial."""


class ContextItem(TypedDict):
    id: NotRequired[str]
    """Your name for the item."""
    content: str
    """The text handed to the model."""
    source: NotRequired[Literal["retrieval", "tool", "memory"]]
    """Where it came from. Default: retrieval."""


class CustomPattern(TypedDict):
    id: str
    """The rule's name; findings carry it as type and rule_id."""
    category: str
    """What it finds, under data., brand., policy. or content."""
    severity: NotRequired[Literal["low", "medium", "high", "critical"]]
    """Severity of its findings."""
    action: NotRequired[Literal["flag", "redact", "block"]]
    """What to do about a match."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    description: NotRequired[str]
    """One sentence that stands in findings as their explanation."""
    regex: str
    """RE2 syntax, matched in linear time."""


class CustomTerms(TypedDict):
    id: str
    """The rule's name; findings carry it as type and rule_id."""
    category: str
    """What it finds, under data., brand., policy. or content."""
    severity: NotRequired[Literal["low", "medium", "high", "critical"]]
    """Severity of its findings."""
    action: NotRequired[Literal["flag", "redact", "block"]]
    """What to do about a match."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    description: NotRequired[str]
    """One sentence that stands in findings as their explanation."""
    any: Sequence[str]
    """Whole words or phrases, whatever their case."""


class DatadogConfig(TypedDict):
    api_key: str
    """An API key of the Datadog organization. Kept encrypted and never answered."""
    site: DatadogConfigSite
    """The Datadog site, as in the address of its dashboard."""
    send: Literal["events", "logs"]
    """`events`: one by one into the event stream. `logs`: in batches, whole."""
    tags: NotRequired[Sequence[str]]
    """Added to those of the service."""
    service: NotRequired[str]
    """The service that it is shown under."""


class DriftSettings(TypedDict):
    """What is watched for drift, and how sure an alarm has to be."""

    enabled: NotRequired[bool]
    """Whether anything is watched for drift."""
    false_alarms_per_year: NotRequired[float]
    """The budget: how many false `drift.sustained` an organization accepts in a year, over all its series."""
    season: NotRequired[Literal["none", "day", "week"]]
    """
    What repeats and is no drift: the hours of a day, or of a week. Used once two whole periods were seen;
    until then alarms need ten times the evidence. Another season makes monitors learn anew.
    """
    signals: NotRequired[DriftSettingsSignals]
    """By signal; those that are left out have the defaults."""
    auto_rebaseline_days: NotRequired[int | None]
    """
    After so many days of drift its level becomes the new baseline; null, the default: only when somebody says
    so.
    """


class DriftSettingsSignals(TypedDict):
    """By signal; those that are left out have the defaults."""

    flagged_rate: NotRequired[DriftSignalSettings]
    blocked_rate: NotRequired[DriftSignalSettings]
    error_rate: NotRequired[DriftSignalSettings]
    refusal_rate: NotRequired[DriftSignalSettings]
    score: NotRequired[DriftSignalSettings]
    latency_ms: NotRequired[DriftSignalSettings]
    time_to_first_token_ms: NotRequired[DriftSignalSettings]
    input_tokens: NotRequired[DriftSignalSettings]
    output_tokens: NotRequired[DriftSignalSettings]
    category_mix: NotRequired[DriftSignalSettings]
    finish_reason_mix: NotRequired[DriftSignalSettings]
    model_version_mix: NotRequired[DriftSignalSettings]


class DriftSignalSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether it is watched."""
    tolerance: NotRequired[float]
    """
    Changes up to this count as none: of numbers in standard deviations (default 0.05), of rates and shares
    relative to the baseline (default 0.1).
    """


class GroundednessSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class HarmSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    categories: NotRequired[HarmSettingsCategories]
    """Actions by kind of harm, in place of `action` and `block_at`."""


class HarmSettingsCategories(TypedDict):
    """Actions by kind of harm, in place of `action` and `block_at`."""

    hate: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    harassment: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    violence: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    sexual: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    minors: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    self_harm: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    illicit: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    profanity: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class HeartbeatLabels(TypedDict):
    group: NotRequired[str]
    """Probes of one group are looked at together for drift. Without it the group is `default`."""


class HeartbeatQueue(TypedDict):
    depth: int
    """Events that wait to be sent."""
    dropped: int
    """Events that were given up since the start."""


class Inference(TypedDict):
    """One exchange with a model, or the part of it known so far."""

    input: NotRequired[str | Sequence[Message]]
    """What the model is asked. At least one of `input`, `output` is needed."""
    output: NotRequired[str | Sequence[Message] | None]
    """What the model answered."""
    context: NotRequired[Sequence[ContextItem]]
    """Documents, tool results and memories in the prompt."""
    tool_calls: NotRequired[Sequence[ToolCall]]
    """Calls that the model wants to make."""
    model: NotRequired[str | Model]
    """The model, by name or in parts."""
    subject: NotRequired[Subject]
    external_id: NotRequired[str]
    """Your own id, to find the assessment by."""
    deadline_ms: NotRequired[int]
    """Time to decide in. Default: the policy's."""
    occurred_at: NotRequired[str]
    """When the inference happened, ISO 8601 with an offset or Z. Default: now."""
    metadata: NotRequired[Mapping[str, str]]
    """Your own pairs, kept with the assessment."""


class LinksSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    allow_hosts: NotRequired[Sequence[str]]
    """Hosts that are never reported, with their subdomains."""


class Message(TypedDict):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    """Who speaks."""
    content: str | Sequence[ContentPart] | None
    """What is said: a text, parts, or null where a message holds only tool calls."""


class Model(TypedDict):
    provider: NotRequired[str]
    """Who serves the model."""
    name: NotRequired[str]
    """The model's name."""
    version: NotRequired[str]
    """The model's version."""


class ObfuscationSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class PagerDutyConfig(TypedDict):
    routing_key: str
    """The integration key of an Events API v2 integration. Kept encrypted and never answered."""
    region: NotRequired[Literal["us", "eu"]]
    """Where the PagerDuty account is."""


class PiiSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    entities: NotRequired[PiiSettingsEntities]
    """Actions by type of personal data, in place of `action` and `block_at`."""


class PiiSettingsEntities(TypedDict):
    """Actions by type of personal data, in place of `action` and `block_at`."""

    email: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    phone: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    credit_card: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    iban: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    bank_account: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    us_ssn: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    us_itin: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    us_ein: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    national_id: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    passport: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    driver_license: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    medical_record: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    vehicle_id: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    date_of_birth: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    ip_address: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    mac_address: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    geo_coordinates: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    crypto_wallet: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    username: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    address: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    person: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    location: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    organization: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    date_time: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    age: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    title: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    nrp: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    domain: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    zip_code: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class Policy(TypedDict):
    """What an organization decides about findings."""

    mode: NotRequired[Literal["enforce", "monitor"]]
    """monitor: report, but redact and block nothing."""
    on_error: NotRequired[PolicyOnError]
    """
    What follows when a detector fails or runs out of time, on texts going to the model and coming from it.
    """
    deadline_ms: NotRequired[int]
    """Time for one assessment."""
    stream: NotRequired[Literal["hold", "release"]]
    """
    Of an answer that is assessed while it is written: whether text waits for what can only be decided at its
    end. release: it does not, and what is found then comes too late for it.
    """
    detectors: NotRequired[PolicyDetectors]
    rules: NotRequired[Sequence[PolicyRule]]
    """Conditions over the inference and its findings, decided after all else."""
    custom: NotRequired[PolicyCustom]
    """The organization's own rules."""
    exceptions: NotRequired[Sequence[PolicyException]]
    """Findings that count for nothing, until a date. Of several that match, the first is named."""
    judges: NotRequired[Sequence[PolicyJudge]]
    """Models outside that are asked for their opinion. They add findings, and take none away."""
    drift: NotRequired[DriftSettings]
    data: NotRequired[PolicyData]


class PolicyCustom(TypedDict):
    """The organization's own rules."""

    patterns: NotRequired[Sequence[CustomPattern]]
    terms: NotRequired[Sequence[CustomTerms]]


class PolicyData(TypedDict):
    store: NotRequired[Literal["metadata", "full"]]
    """What is kept. metadata: findings without the texts. full: the texts too, encrypted."""
    retention_days: NotRequired[int]
    """How long."""


class PolicyDetectors(TypedDict):
    prompt_injection: NotRequired[PromptInjectionSettings]
    protected_prompt: NotRequired[ProtectedPromptSettings]
    obfuscation: NotRequired[ObfuscationSettings]
    secrets: NotRequired[SecretsSettings]
    pii: NotRequired[PiiSettings]
    harm: NotRequired[HarmSettings]
    groundedness: NotRequired[GroundednessSettings]
    refusal: NotRequired[RefusalSettings]
    unsafe_code: NotRequired[UnsafeCodeSettings]
    links: NotRequired[LinksSettings]
    size: NotRequired[SizeSettings]


class PolicyException(TypedDict):
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


class PolicyExceptionMatch(TypedDict):
    """What it excuses: findings for which all of this holds."""

    category: NotRequired[str]
    """A category, or a family for all of its categories."""
    type: NotRequired[str]
    """The finding's type."""
    value: NotRequired[str]
    """What was found, the whole of it, whatever its case. * stands for any characters, ? for one."""
    detector: NotRequired[str]
    """The detector's id."""
    rule_id: NotRequired[str]
    """The policy's own rule."""
    pointer: NotRequired[str]
    """Where in the request, a JSON Pointer with * and ?."""
    target: NotRequired[Literal["input", "output", "context", "tool"]]
    """Which kind of text."""
    subject: NotRequired[PolicyExceptionMatchSubject]
    """On whose behalf the model works; all that is named must be equal."""


class PolicyExceptionMatchSubject(TypedDict):
    """On whose behalf the model works; all that is named must be equal."""

    user: NotRequired[str]
    """Exactly this user."""
    session: NotRequired[str]
    """Exactly this session."""
    agent: NotRequired[str]
    """Exactly this agent."""


class PolicyJudge(TypedDict):
    judge_id: str
    """The judge, as `POST /v1/judges` answered it."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts it is sent; no others are. Default: input and output."""
    flag_at: NotRequired[float]
    """Opinions of a lower score are dropped. Default: 0.5."""
    block_at: NotRequired[float | None]
    """Score from which its opinion blocks; null, the default: never."""


class PolicyOnError(TypedDict):
    """
    What follows when a detector fails or runs out of time, on texts going to the model and coming from it.
    """

    input: NotRequired[Literal["allow", "flag", "block"]]
    """allow: only the coverage tells. flag, block: a finding system.coverage."""
    output: NotRequired[Literal["allow", "flag", "block"]]
    """allow: only the coverage tells. flag, block: a finding system.coverage."""


class PolicyRule(TypedDict):
    id: str
    """The rule's name; findings carry it as type and rule_id."""
    when: str
    """CEL over the inference and its findings; what it holds for is a finding."""
    outcome: Literal["flagged", "blocked"]
    """What the inference becomes where the rule holds."""
    severity: NotRequired[Literal["low", "medium", "high", "critical"]]
    """Severity of its findings."""
    category: NotRequired[str]
    """Category of its findings, under policy., brand., usage. or agency."""
    message: NotRequired[str]
    """One sentence that stands in findings as their explanation."""


class PromptInjectionSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class ProtectedPromptSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class RefusalSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class SecretsSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    types: NotRequired[Mapping[str, Literal["ignore", "flag", "redact", "block"]]]
    """Actions by type of credential, in place of `action` and `block_at`."""


class SimulationSample(TypedDict):
    """Assessments of the organization, by when they were recorded."""

    since: NotRequired[str]
    """Recorded at or after. Default: from the beginning."""
    until: NotRequired[str]
    """Recorded before. Default: now."""
    limit: NotRequired[int]
    """At most so many, the newest."""


class SizeSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """
    max_chars: NotRequired[int]
    """UTF-16 units of all texts of one inference."""
    max_messages: NotRequired[int]
    """Messages of one conversation."""


class SlackConfig(TypedDict):
    url: str
    """The incoming webhook’s URL. It is a credential: it is kept encrypted and never answered."""


class SplunkConfig(TypedDict):
    url: str
    """The collector’s base: what stands before `/services/collector`."""
    token: str
    """A token of the HTTP Event Collector. Kept encrypted and never answered."""
    index: NotRequired[str]
    """The index to write to. Absent: the token’s own."""
    source: NotRequired[str]
    """Absent: `svc:` and the organization’s id."""
    sourcetype: NotRequired[str]
    """Absent: `svc:event`."""
    acknowledge: NotRequired[bool]
    """Take an event for delivered only when it is indexed. The token must have indexer acknowledgement on."""


class StreamChunkDelta(TypedDict):
    content: NotRequired[str | None]
    tool_calls: NotRequired[Sequence[ToolCallDelta] | None]


class Subject(TypedDict):
    """On whose behalf the model works."""

    user: NotRequired[str]
    """The person, by your own pseudonym."""
    session: NotRequired[str]
    """The conversation."""
    agent: NotRequired[str]
    """The application or agent."""


class TeamsConfig(TypedDict):
    url: str
    """The URL of a Workflows webhook. It is a credential: it is kept encrypted and never answered."""


class TelemetryEvent(TypedDict):
    """One inference that a probe has seen."""

    id: str
    """The probe's own name for the event. One that the probe has sent before counts once."""
    occurred_at: str
    """When the inference began, ISO 8601 with an offset or Z."""
    model: NotRequired[str | None]
    """The model that was asked for: `gen_ai.request.model`."""
    model_version: NotRequired[str | None]
    """The model that the provider says has answered: `gen_ai.response.model`."""
    provider: NotRequired[str | None]
    """`gen_ai.provider.name`."""
    operation: NotRequired[str | None]
    """`gen_ai.operation.name`."""
    input_tokens: NotRequired[int | None]
    """`gen_ai.usage.input_tokens`."""
    output_tokens: NotRequired[int | None]
    """`gen_ai.usage.output_tokens`."""
    latency_ms: NotRequired[float | None]
    """From the request to the end of the answer."""
    time_to_first_token_ms: NotRequired[float | None]
    """From the request to the first token of the answer."""
    finish_reason: NotRequired[str | None]
    """Why the model ended: `gen_ai.response.finish_reasons`."""
    error: NotRequired[str | None]
    """Why there is no answer: `error.type`."""
    outcome: NotRequired[Literal["allowed", "flagged", "blocked"] | None]
    """The probe's own decision. Where texts are sent too, the service's counts."""
    score: NotRequired[float | None]
    """The highest score of a finding; 0 without."""
    findings: NotRequired[Sequence[TelemetryFinding] | None]
    """What the probe found, the worst first."""
    coverage: NotRequired[Literal["complete", "partial", "failed"] | None]
    """How much of the texts the probe has read."""
    policy_version: NotRequired[int | None]
    """The policy that decided."""
    policy_digest: NotRequired[str | None]
    """Its digest."""
    input: NotRequired[str | Sequence[TelemetryEventInput] | None]
    """What the model was asked. The service assesses it."""
    output: NotRequired[str | Sequence[TelemetryEventOutput] | None]
    """What it answered. The service assesses it."""
    context: NotRequired[Sequence[ContextItem] | None]
    """Documents, tool results and memories in the prompt."""
    tool_calls: NotRequired[Sequence[TelemetryEventToolCall] | None]
    """Calls that the model wants to make."""
    subject: NotRequired[TelemetryEventSubject | None]
    """On whose behalf the model works."""
    attributes: NotRequired[Mapping[str, str | float | bool] | None]
    """
    Your own pairs, kept with the event. Where texts are assessed they are its metadata, which rules can ask
    for.
    """


class TelemetryEventInput(TypedDict):
    """What the model was asked. The service assesses it."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    """Who speaks."""
    content: str | Sequence[TelemetryEventInputContent] | None
    """What is said: a text, parts, or null where a message holds only tool calls."""


class TelemetryEventInputContent(TypedDict):
    """What is said: a text, parts, or null where a message holds only tool calls."""

    type: str
    """`text`, or the kind of something else, such as `image_url`."""
    text: NotRequired[str]
    """The text. A part without it is not assessed and makes the coverage partial."""


class TelemetryEventOutput(TypedDict):
    """What it answered. The service assesses it."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    """Who speaks."""
    content: str | Sequence[TelemetryEventOutputContent] | None
    """What is said: a text, parts, or null where a message holds only tool calls."""


class TelemetryEventOutputContent(TypedDict):
    """What is said: a text, parts, or null where a message holds only tool calls."""

    type: str
    """`text`, or the kind of something else, such as `image_url`."""
    text: NotRequired[str]
    """The text. A part without it is not assessed and makes the coverage partial."""


class TelemetryEventSubject(TypedDict):
    """On whose behalf the model works."""

    user: NotRequired[str | None]
    """The person, by your own pseudonym."""
    session: NotRequired[str | None]
    """The conversation."""
    agent: NotRequired[str | None]
    """The application or agent."""


class TelemetryEventToolCall(TypedDict):
    """Calls that the model wants to make."""

    name: str
    """The tool."""
    arguments: NotRequired[Mapping[str, Any]]
    """The call's arguments; every string inside is assessed. At most 32 levels deep."""


class TelemetryFinding(TypedDict):
    """What the probe found. Never the text it stands in."""

    category: str
    """What kind of thing was found."""
    type: str
    """What exactly."""
    score: float
    """How sure the detector is."""
    severity: NotRequired[Literal["low", "medium", "high", "critical"] | None]
    """How bad it would be."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"] | None]
    """What was done about it."""
    outcome: NotRequired[Literal["allowed", "flagged", "blocked"] | None]
    """What the finding alone makes of the inference."""


class ToolCall(TypedDict):
    name: str
    """The tool."""
    arguments: NotRequired[Mapping[str, Any]]
    """The call's arguments; every string inside is assessed. At most 32 levels deep."""


class ToolCallDelta(TypedDict):
    index: int
    """Of the call, from 0. A call is complete when the next one begins."""
    function: NotRequired[ToolCallDeltaFunction]


class ToolCallDeltaFunction(TypedDict):
    name: NotRequired[str | None]
    arguments: NotRequired[str | None]
    """The next piece of the arguments’ JSON."""


class UnsafeCodeSettings(TypedDict):
    enabled: NotRequired[bool]
    """Whether the detector runs."""
    applies_to: NotRequired[Sequence[Literal["input", "output", "context", "tool"]]]
    """Which texts are read: input and output messages, context items, tool results and arguments."""
    flag_at: NotRequired[float]
    """Findings of a lower score are dropped."""
    block_at: NotRequired[float | None]
    """Score from which findings block; null: never."""
    action: NotRequired[Literal["ignore", "flag", "redact", "block"]]
    """
    ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is
    blocked.
    """


class UpdateProbeLabels(TypedDict):
    group: NotRequired[str]
    """Probes of one group are looked at together for drift. Without it the group is `default`."""
