// Generated from api/openapi.json by scripts/clients: change that, not this.
// Shapes on the wire, as they are named in the API reference.

export interface ApiKey {
  id: string;
  name: string;
  type: 'live' | 'test' | 'admin' | (string & {});
  description: string | null;
  permissions: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
    | (string & {})
  )[];
  /** The service account it belongs to, whose permissions it has. */
  service_account_id: string | null;
  /** When it was made. */
  created_at: string;
  /** When it stops working. */
  expires_at: string | null;
  /** When it was last used; written every few seconds. */
  last_used_at: string | null;
  /** Since when it is refused. */
  revoked_at: string | null;
  /** It is older than 90 days and still in use: make another and revoke this one. */
  rotation_due: boolean;
  /** The last four characters of the key, to tell keys apart. */
  last4: string;
}

export interface ApiKeyList {
  data: ApiKey[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

/** The state of the log that the counts are tied to. `checkpoint` null: none is signed yet. */
export interface AsOf {
  /** The counts are of the events up to this sequence: all that the log had when they were read. */
  tree_size: number;
  checkpoint: {
    /** Its tree’s size. */
    size: number;
    /** When it was signed. */
    published_at: string;
    /** The signed note, as `GET /v1/audit/checkpoint` has it. */
    note: string;
  } | null;
}

export interface Assessment {
  id: string;
  external_id: string | null;
  /** When it was made. */
  created_at: string;
  /** Of the credential. `test`: not in the trail, kept 24 hours. */
  mode: 'live' | 'test' | (string & {});
  /** The worst finding that is not excused decides. */
  outcome: 'allowed' | 'flagged' | 'blocked' | (string & {});
  enforcement: Enforcement;
  /** The highest score of a finding that is not excused; 0 without. */
  score: number;
  /** The highest severity of a finding that is not excused. */
  severity: 'none' | 'low' | 'medium' | 'high' | 'critical' | (string & {});
  findings: Finding[];
  /** Findings before the list was cut to its bound, excused ones too. */
  findings_total: number;
  /** The texts with findings replaced; null when nothing was. */
  redacted: Redacted | null;
  coverage: Coverage;
  /** The policy that decided; null where a probe decided and did not say by which. */
  policy: {
    version: number | null;
    digest: string | null;
  };
  shadow: PolicyShadowVerdict;
  model: {
    provider: string | null;
    name: string | null;
    version: string | null;
  } | null;
  subject: {
    user: string | null;
    session: string | null;
    agent: string | null;
  } | null;
  metadata: Record<string, string>;
  /** The event in the trail, committed before this answer; null in test mode. */
  event_id: string | null;
  /** Time the decision took, without the commit; 0 where a probe decided. */
  latency_ms: number;
  /** The probe that reported the inference. Absent: it was assessed over the API. */
  probe?: {
    id: string;
    /** The probe’s own name for the inference. */
    event_id: string;
    /** `service`: the probe sent the texts. */
    decided_by: 'probe' | 'service' | (string & {});
    /** The batch that it came with named too many models: its `telemetry.received` counts this one in `models_other`. */
    model_counted_as?: 'other' | (string & {});
  };
  /** What the probe had decided, where the service did too. */
  probe_outcome?: 'allowed' | 'flagged' | 'blocked' | (string & {});
}

export interface AssessmentBatch {
  /** Up to the plan’s batch size. One that is not valid is answered with its error and fails no other. */
  items: Inference[];
}

export interface AssessmentBatchResult {
  /** In the order of the items; each has an `assessment` or an `error`. */
  data: {
    /** Of the item, from 0. */
    index: number;
    assessment?: Assessment;
    error?: {
      code:
        | 'invalid_request'
        | 'unauthorized'
        | 'token_expired'
        | 'insufficient_permissions'
        | 'ip_not_allowed'
        | 'not_found'
        | 'method_not_allowed'
        | 'not_acceptable'
        | 'conflict'
        | 'precondition_failed'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'idempotency_mismatch'
        | 'rate_limited'
        | 'internal_error'
        | 'unavailable'
        | (string & {});
      message: string;
      details: {
        pointer: string;
        message: string;
      }[];
    };
  }[];
  summary: {
    allowed: number;
    flagged: number;
    blocked: number;
    errors: number;
  };
}

export interface AssessmentList {
  data: Assessment[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface Attempt {
  /** From 1, without gaps. */
  number: number;
  /** `event`, `schedule` (a retry), `manual`, `recover` or `probe` (whether a paused endpoint answers again). */
  trigger: string;
  /** When it began. */
  started_at: string;
  /** Until the answer, or the end of the attempt. */
  latency_ms: number;
  /** HTTP status of the answer; null: there was none. */
  status: number | null;
  /** Why it failed; null: it did not. */
  error: string | null;
  /** The first 4 KiB of the answer. */
  answer: string | null;
}

export interface AuditKeys {
  /** The name of the organization’s log: the first line of its checkpoints. */
  origin: string;
  /** All that ever signed for it, newest first. */
  keys: {
    /** `<origin>+<key id>+<base64>`, as c2sp.org/signed-note has it. */
    verifier_key: string;
    /** `overlap`: another signs, and this one beside it. `retired`: it signs no more; what it has signed can be checked. */
    status: 'active' | 'overlap' | 'retired' | (string & {});
    /** When it was made. */
    created_at: string;
    /** Since when another signs. */
    replaced_at: string | null;
    /** When it stopped, or will stop, to sign. */
    retired_at: string | null;
  }[];
  /** The log over the checkpoints of all organizations of this service. */
  deployment: {
    origin: string;
    /** All that ever signed for it, newest first. */
    keys: {
      /** `<origin>+<key id>+<base64>`, as c2sp.org/signed-note has it. */
      verifier_key: string;
      /** `overlap`: another signs, and this one beside it. `retired`: it signs no more; what it has signed can be checked. */
      status: 'active' | 'overlap' | 'retired' | (string & {});
      /** When it was made. */
      created_at: string;
      /** Since when another signs. */
      replaced_at: string | null;
      /** When it stopped, or will stop, to sign. */
      retired_at: string | null;
    }[];
  };
}

export interface BudgetState {
  /** A minute. */
  limit: number;
  /** Left of the present minute. */
  remaining: number;
  /** When all of it is there again. */
  resets_at: string;
}

export interface ComplianceReport {
  framework: {
    id: 'eu-ai-act' | 'nist-ai-rmf' | 'iso-42001' | (string & {});
    title: string;
    /** The text that the report goes by. */
    version: string;
    /** Where the text is. */
    url: string;
    /** What this report can say about it and what not. */
    about: string;
    /** Since when it applies. */
    dates: string;
  };
  org_id: string;
  org_name: string;
  /** What made it. */
  software: {
    name: string;
    version: string;
  };
  /** When it was made. */
  generated_at: string;
  /** The beginning of the period. */
  since: string;
  /** Its end, exclusive. */
  until: string;
  as_of: AsOf;
  summary: {
    evidenced: {
      /** Provisions with this status. */
      count: number;
      /** Of them, those of which only a part can be recorded here. */
      of_a_part: number;
    };
    partial: {
      /** Provisions with this status. */
      count: number;
      /** Of them, those of which only a part can be recorded here. */
      of_a_part: number;
    };
    none: {
      /** Provisions with this status. */
      count: number;
      /** Of them, those of which only a part can be recorded here. */
      of_a_part: number;
    };
    not_recorded_here: {
      /** Provisions with this status. */
      count: number;
      /** Of them, those of which only a part can be recorded here. */
      of_a_part: number;
    };
  };
  provisions: Provision[];
}

export interface ConsistencyProof {
  from: number;
  to: number;
  /** As RFC 6962 §2.1.2 has them; none where the sizes are equal or `from` is 0. */
  hashes: string[];
}

/** One part of a message. Only its `text` is assessed. */
export interface ContentPart {
  /** `text`, or the kind of something else, such as `image_url`. */
  type: string;
  /** The text. A part without it is not assessed and makes the coverage partial. */
  text?: string;
}

export interface ContextItem {
  /** Your name for the item. */
  id?: string;
  /** The text handed to the model. */
  content: string;
  /** Where it came from. Default: retrieval. */
  source?: 'retrieval' | 'tool' | 'memory';
}

/** What was read, and by whom. */
export interface Coverage {
  /** failed: nothing could be read. */
  status: 'complete' | 'partial' | 'failed' | (string & {});
  /** UTF-16 units of all texts. */
  chars_total: number;
  /** Those of the texts that every detector concerned has read. */
  chars_scanned: number;
  detectors: DetectorRun[];
}

/** How far assessments got, of those that the service decided and the trail has an event of. */
export interface CoverageCounts {
  /** Everything was looked at by every detector. */
  complete: number;
  /** Something was not looked at, or a detector did not end. */
  partial: number;
  /** Nothing was. */
  failed: number;
}

export interface CreateApiKey {
  /** What the key is for. */
  name: string;
  /** `live` for production, `test` for CI and development, `admin` for management. */
  type: 'live' | 'test' | 'admin';
  /** Anything worth knowing about it. */
  description?: string | null;
  /** When it stops working; at most ten years ahead. Absent or null: never. */
  expires_at?: string | null;
  /** Scopes in place of those that its type holds by default. Nobody grants what they do not hold. */
  permissions?: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
  )[];
}

export interface CreateExport {
  /** What the bundle has beside the evidence, which is JSON lines. `jsonl`: nothing. */
  format: 'jsonl' | 'csv' | 'parquet' | 'ocsf' | 'cloudevents';
  /** Recorded at or after. Default: the oldest that is kept. */
  since?: string;
  /** Recorded before. Default: all that was committed when it was asked for. */
  until?: string;
  /**
   * Only events of these kinds are disclosed and in the view; of the others the bundle has the public facts, so that it can be
   * checked all the same.
   */
  kinds?: (
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored'
  )[];
  /** The size of a checkpoint that you hold: the bundle then has the proof that the log only grew since. */
  held_size?: number;
  /** False: without what leaves commit to without telling, such as subjects, addresses and data. */
  disclosures?: boolean;
}

export interface CreateIntegration {
  /** Where events go. */
  kind: 'slack' | 'pagerduty' | 'teams' | 'datadog' | 'splunk';
  /** What it is for. */
  name: string;
  /** Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every inference. */
  events: (
    | '*'
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored'
  )[];
  /** What the vendor needs. Secret members are kept encrypted and never answered. */
  config: SlackConfig | PagerDutyConfig | TeamsConfig | DatadogConfig | SplunkConfig;
}

export interface CreateJudge {
  /** What it is for. */
  name: string;
  /**
   * Base URL of an OpenAI-compatible API; `/chat/completions` is added. https to a public address, or one that the operator
   * allows.
   */
  url: string;
  /** The model’s name at that API. */
  model: string;
  /** Sent as `Authorization: Bearer`. Kept encrypted, never answered, and dropped when the url changes. */
  api_key?: string | null;
  /** Time for one answer. What is left of the assessment’s deadline may be less. */
  timeout_ms?: number;
  /**
   * How it is asked and understood. `chat`: any chat model. `gpt_oss_safeguard`: a model that judges by a policy it is given.
   * `llama_guard`: one that answers `safe` or `unsafe` and hazards, S1–S14.
   */
  kind?: 'chat' | 'gpt_oss_safeguard' | 'llama_guard';
  /** What it is to judge by, instead of the instructions built in. Not for `llama_guard`, which knows its own rules. */
  instructions?: string | null;
}

export interface CreateServiceAccount {
  /** What the account is for. */
  name: string;
  /** Scopes of the account and of all its keys. Nobody grants what they do not hold. */
  permissions: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
  )[];
  /** CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere. */
  ip_allowlist?: string[];
  /** Of its keys. With `admin:*` or `policy:write` a live account gets admin keys. */
  type?: 'live' | 'test';
}

export interface CreateServiceAccountKey {
  /** When the key stops working; at most ten years ahead. Absent or null: never. */
  expires_at?: string | null;
}

export interface CreateWebhook {
  /** Where events are sent: an https URL that leads to a public address. */
  url: string;
  /** Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every inference. */
  events: (
    | '*'
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored'
  )[];
  /** Anything worth knowing about it. */
  description?: string | null;
}

export interface CreatedApiKey {
  id: string;
  name: string;
  type: 'live' | 'test' | 'admin' | (string & {});
  description: string | null;
  permissions: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
    | (string & {})
  )[];
  /** The service account it belongs to, whose permissions it has. */
  service_account_id: string | null;
  /** When it was made. */
  created_at: string;
  /** When it stops working. */
  expires_at: string | null;
  /** When it was last used; written every few seconds. */
  last_used_at: string | null;
  /** Since when it is refused. */
  revoked_at: string | null;
  /** It is older than 90 days and still in use: make another and revoke this one. */
  rotation_due: boolean;
  /** The last four characters of the key, to tell keys apart. */
  last4: string;
  /** The key itself. Only in this answer, and not when it is repeated. */
  key?: string;
}

export interface CreatedServiceAccount {
  id: string;
  name: string;
  permissions: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
    | (string & {})
  )[];
  ip_allowlist: string[];
  type: 'live' | 'test' | (string & {});
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** When it was deleted. */
  deleted_at: string | null;
  /** Its first key. */
  key_id: string | null;
  /** The key itself. Only in this answer, and not when it is repeated. */
  key?: string;
}

export interface CustomPattern {
  /** The rule's name; findings carry it as type and rule_id. */
  id: string;
  /** What it finds, under data., brand., policy. or content. */
  category: string;
  /** Severity of its findings. */
  severity?: 'low' | 'medium' | 'high' | 'critical';
  /** What to do about a match. */
  action?: 'flag' | 'redact' | 'block';
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** One sentence that stands in findings as their explanation. */
  description?: string;
  /** RE2 syntax, matched in linear time. */
  regex: string;
}

export interface CustomTerms {
  /** The rule's name; findings carry it as type and rule_id. */
  id: string;
  /** What it finds, under data., brand., policy. or content. */
  category: string;
  /** Severity of its findings. */
  severity?: 'low' | 'medium' | 'high' | 'critical';
  /** What to do about a match. */
  action?: 'flag' | 'redact' | 'block';
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** One sentence that stands in findings as their explanation. */
  description?: string;
  /** Whole words or phrases, whatever their case. */
  any: string[];
}

export interface DatadogConfig {
  /** An API key of the Datadog organization. Kept encrypted and never answered. */
  api_key: string;
  /** The Datadog site, as in the address of its dashboard. */
  site:
    | 'datadoghq.com'
    | 'us3.datadoghq.com'
    | 'us5.datadoghq.com'
    | 'datadoghq.eu'
    | 'ap1.datadoghq.com'
    | 'ap2.datadoghq.com'
    | 'uk1.datadoghq.com'
    | 'ddog-gov.com'
    | 'us2.ddog-gov.com';
  /** `events`: one by one into the event stream. `logs`: in batches, whole. */
  send: 'events' | 'logs';
  /** Added to those of the service. */
  tags?: string[];
  /** The service that it is shown under. */
  service?: string;
}

export interface DeletedExport {
  deleted: boolean;
}

export interface DeletedInbox {
  deleted: boolean;
}

export interface Delivery {
  id: string;
  event_id: string;
  /** Of the event in the trail; null: of a test key. */
  sequence: number | null;
  kind: string;
  /**
   * `pending`: due at `next_attempt_at`. `in_flight`: being sent. `parked`: waits for its paused endpoint. `failed`: given up
   * after the last attempt; can be recovered for 30 days.
   */
  state: 'pending' | 'in_flight' | 'parked' | 'succeeded' | 'failed' | 'cancelled' | (string & {});
  /** Attempts that were begun. */
  attempts: number;
  /** When it is due. */
  next_attempt_at: string | null;
  /** When the event was recorded. */
  created_at: string;
  /** When it was delivered or given up. */
  finished_at: string | null;
}

export interface DeliveryDetail {
  id: string;
  event_id: string;
  /** Of the event in the trail; null: of a test key. */
  sequence: number | null;
  kind: string;
  /**
   * `pending`: due at `next_attempt_at`. `in_flight`: being sent. `parked`: waits for its paused endpoint. `failed`: given up
   * after the last attempt; can be recovered for 30 days.
   */
  state: 'pending' | 'in_flight' | 'parked' | 'succeeded' | 'failed' | 'cancelled' | (string & {});
  /** Attempts that were begun. */
  attempts: number;
  /** When it is due. */
  next_attempt_at: string | null;
  /** When the event was recorded. */
  created_at: string;
  /** When it was delivered or given up. */
  finished_at: string | null;
  /** The bytes that are signed and sent. Needs `events:read`, and the event still being kept. */
  body: string | null;
  /** Attempts that have ended, oldest first; the last 100. */
  attempt_log: Attempt[];
}

export interface DeliveryList {
  data: Delivery[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface DeploymentLog {
  /** Of the deployment’s log. */
  origin: string;
  /** What its checkpoints are signed with, newest first: those that sign no more, too. Compare them with what you hold. */
  verifier_keys: string[];
  /** Its checkpoint: a signed note, with the cosignatures of witnesses. */
  checkpoint: string;
  /** Leaves in the tree of the checkpoint. */
  size: number;
  /** The newest of your organization’s checkpoints that is in the tree. */
  leaf: {
    /** Where it is in the tree, from 0. */
    index: number;
    /** 16 bytes, base64. */
    salt: string;
    /** The checkpoint of your organization’s log. The leaf is SHA-256(salt, these bytes). */
    checkpoint: string;
    /** That the leaf is in the tree (RFC 6962), from the leaf up. */
    hashes: string[];
  };
  /** Whose cosignatures are in the checkpoint. */
  witnesses: {
    name: string;
    /** As the service was told. Take it from the witness’s operator instead. */
    verifier_key: string;
    /** When the witness says it saw the checkpoint. */
    cosigned_at: string;
  }[];
}

export interface DetectorRun {
  id: string;
  version: string;
  /** skipped: off by policy, or nothing to read for it. */
  status: 'ok' | 'skipped' | 'error' | 'timed_out' | (string & {});
  latency_ms: number;
}

export type DriftBaseline = {
  id: string;
  /** Of all that the baseline says, as `drift.baselined` has it. */
  sha256: string;
  /** Observations it was learned from. */
  n: number;
  /** Its first observation. */
  from: string;
  /** Its last observation. */
  to: string;
  /** Of a rate the rate, of a mix the share of its most frequent name, of numbers the mean rank (0.5). */
  value: number | null;
} | null;

export interface DriftEpisode {
  /** The `drift.sustained` event, which tells all about it. */
  event_id: string;
  /** One sentence. */
  summary: string;
  severity: string;
  direction: 'up' | 'down' | (string & {});
  /** What changed most clearly. */
  feature: string;
  /** Of a mix: the name whose share changed. */
  label: string | null;
  /** When it began. */
  onset: string;
  /** When it was sure. */
  sustained_at: string;
  /** When it ended; null: it persists. */
  ended_at: string | null;
  resolution: 'recovered' | 'rebaselined' | 'disabled' | 'superseded' | (string & {}) | null;
  /** What else happened when it began. */
  coincides_with: string[];
  /** When somebody said to care for it. */
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  note: string | null;
}

export interface DriftMonitor {
  id: string;
  /** `unknown`: it was not named; `other`: beyond the 200 that are watched apart. */
  model: string;
  /** Of the probes that report; `api`: what is assessed over the API. */
  group: string;
  /**
   * One of flagged_rate, blocked_rate, error_rate, refusal_rate, score, latency_ms, time_to_first_token_ms, input_tokens,
   * output_tokens, category_mix, finish_reason_mix, model_version_mix; more may come.
   */
  signal: string;
  kind: 'rate' | 'numeric' | 'categorical' | (string & {});
  /**
   * learning: what is usual is being learned. watching: nothing has changed. suspect: something may have, and is being confirmed.
   * sustained: it has, and persists.
   */
  state: 'learning' | 'watching' | 'suspect' | 'sustained' | (string & {});
  /** False: the policy does not watch it at the moment. */
  enabled: boolean;
  /** When the drift that persists, or is suspected, began; null: there is none. */
  since: string | null;
  /** When a whole season will have been seen, which a baseline needs; null: it has one, or the policy names no season. */
  learning_until: string | null;
  /** When somebody said to care for the drift that persists. */
  acknowledged_at: string | null;
  baseline: DriftBaseline;
  /** The last observations that were looked at together. */
  current: {
    /** Observations. */
    n: number;
    /** As the baseline’s. */
    value: number;
  } | null;
  /** Decimal logarithms. */
  evidence: {
    /** How much speaks for a change. */
    log10_m: number;
    /** How much must, for it to be suspected. */
    log10_threshold: number;
  };
  /** True while the season is not known yet: alarms need ten times the evidence. */
  provisional: boolean;
  /** Changes up to this count as none. */
  tolerance: number;
  season: 'none' | 'day' | 'week' | (string & {});
  /** That were counted. */
  observations: number;
  /** That came too late to be counted. */
  late: number;
  observations_needed: {
    /** Until anything is judged; 0: there is a baseline. */
    baseline: number;
    /** Of a rate: after a doubling, until it is suspected; null: other kinds, or more than this baseline can show. */
    doubling: number | null;
  };
  /** Of the last observation. */
  last_observed_at: string | null;
  /** When the first observation was counted. */
  created_at: string;
  /** When it was kept last. */
  updated_at: string;
}

export interface DriftMonitorDetail {
  id: string;
  /** `unknown`: it was not named; `other`: beyond the 200 that are watched apart. */
  model: string;
  /** Of the probes that report; `api`: what is assessed over the API. */
  group: string;
  /**
   * One of flagged_rate, blocked_rate, error_rate, refusal_rate, score, latency_ms, time_to_first_token_ms, input_tokens,
   * output_tokens, category_mix, finish_reason_mix, model_version_mix; more may come.
   */
  signal: string;
  kind: 'rate' | 'numeric' | 'categorical' | (string & {});
  /**
   * learning: what is usual is being learned. watching: nothing has changed. suspect: something may have, and is being confirmed.
   * sustained: it has, and persists.
   */
  state: 'learning' | 'watching' | 'suspect' | 'sustained' | (string & {});
  /** False: the policy does not watch it at the moment. */
  enabled: boolean;
  /** When the drift that persists, or is suspected, began; null: there is none. */
  since: string | null;
  /** When a whole season will have been seen, which a baseline needs; null: it has one, or the policy names no season. */
  learning_until: string | null;
  /** When somebody said to care for the drift that persists. */
  acknowledged_at: string | null;
  baseline: DriftBaseline;
  /** The last observations that were looked at together. */
  current: {
    /** Observations. */
    n: number;
    /** As the baseline’s. */
    value: number;
  } | null;
  /** Decimal logarithms. */
  evidence: {
    /** How much speaks for a change. */
    log10_m: number;
    /** How much must, for it to be suspected. */
    log10_threshold: number;
  };
  /** True while the season is not known yet: alarms need ten times the evidence. */
  provisional: boolean;
  /** Changes up to this count as none. */
  tolerance: number;
  season: 'none' | 'day' | 'week' | (string & {});
  /** That were counted. */
  observations: number;
  /** That came too late to be counted. */
  late: number;
  observations_needed: {
    /** Until anything is judged; 0: there is a baseline. */
    baseline: number;
    /** Of a rate: after a doubling, until it is suspected; null: other kinds, or more than this baseline can show. */
    doubling: number | null;
  };
  /** Of the last observation. */
  last_observed_at: string | null;
  /** When the first observation was counted. */
  created_at: string;
  /** When it was kept last. */
  updated_at: string;
  /** All that is looked at. */
  features: {
    feature: string;
    label: string | null;
    baseline: number;
    /** From here … */
    low: number;
    /** … to here it counts as unchanged. */
    high: number;
    current: number | null;
  }[];
  /** Of the baseline, in the signal’s own unit; null: it is no number, or being learned. */
  percentiles: {
    p10: number;
    p50: number;
    p90: number;
    p99: number;
  } | null;
  /** How many observations in a row tell the same; 1: each tells something of its own. */
  dependence: number;
  /** The last 50, newest first. */
  episodes: DriftEpisode[];
  /** For a chart. */
  series: {
    interval_s: number;
    /** Of a mix: the names; the last one is all others. */
    labels: string[];
    /** The band within which an hour’s value counts as unchanged, if the hour has many observations. */
    baseline: {
      value: number;
      low: number;
      high: number;
    } | null;
    /** Up to 90 days, oldest first; hours without observations are left out. */
    points: DriftPoint[];
  };
}

export interface DriftMonitorList {
  data: DriftMonitor[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface DriftNote {
  /** Why; it stands in the trail. */
  note?: string;
}

export interface DriftPoint {
  /** When the hour begins. */
  from: string;
  /** Observations. */
  n: number;
  /** The rate, or the mean; null: it is a mix. */
  value: number | null;
  /** Lower bound of the 95 % interval of `value`. */
  low: number | null;
  /** Its upper bound. */
  high: number | null;
  /** Of a mix: by index of `labels`. */
  shares: number[] | null;
}

/** What is watched for drift, and how sure an alarm has to be. */
export interface DriftSettings {
  /** Whether anything is watched for drift. */
  enabled?: boolean;
  /** The budget: how many false `drift.sustained` an organization accepts in a year, over all its series. */
  false_alarms_per_year?: number;
  /**
   * What repeats and is no drift: the hours of a day, or of a week. Used once two whole periods were seen; until then alarms need
   * ten times the evidence. Another season makes monitors learn anew.
   */
  season?: 'none' | 'day' | 'week';
  /** By signal; those that are left out have the defaults. */
  signals?: {
    flagged_rate?: DriftSignalSettings;
    blocked_rate?: DriftSignalSettings;
    error_rate?: DriftSignalSettings;
    refusal_rate?: DriftSignalSettings;
    score?: DriftSignalSettings;
    latency_ms?: DriftSignalSettings;
    time_to_first_token_ms?: DriftSignalSettings;
    input_tokens?: DriftSignalSettings;
    output_tokens?: DriftSignalSettings;
    category_mix?: DriftSignalSettings;
    finish_reason_mix?: DriftSignalSettings;
    model_version_mix?: DriftSignalSettings;
  };
  /** After so many days of drift its level becomes the new baseline; null, the default: only when somebody says so. */
  auto_rebaseline_days?: number | null;
}

export interface DriftSignalSettings {
  /** Whether it is watched. */
  enabled?: boolean;
  /**
   * Changes up to this count as none: of numbers in standard deviations (default 0.05), of rates and shares relative to the
   * baseline (default 0.1).
   */
  tolerance?: number;
}

export interface EndedSessions {
  /** Sessions that ended. */
  ended: number;
}

export interface Enforcement {
  mode: 'enforce' | 'monitor' | (string & {});
  /** What was done to the inference. */
  action: 'none' | 'redact' | 'block' | (string & {});
  /** In monitor mode, what the policy would have done. */
  would: 'redact' | 'block' | (string & {}) | null;
  /** One sentence for a person; null when nothing was done. */
  message: string | null;
}

export interface Error {
  error: {
    /** Stable; see the list of errors. */
    code:
      | 'invalid_request'
      | 'unauthorized'
      | 'token_expired'
      | 'insufficient_permissions'
      | 'ip_not_allowed'
      | 'not_found'
      | 'method_not_allowed'
      | 'not_acceptable'
      | 'conflict'
      | 'precondition_failed'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_mismatch'
      | 'rate_limited'
      | 'internal_error'
      | 'unavailable'
      | (string & {});
    /** One sentence a person can act on. */
    message: string;
    /** Also in `X-Svc-Request-Id` and in the log. */
    request_id: string;
    details: {
      /** JSON Pointer into the body, `/query/<name>` or `/path/<name>`. */
      pointer: string;
      message: string;
    }[];
  };
}

export interface Event {
  id: string;
  /** Gap-free in the organization, from 1, in the order of the commits. */
  sequence: number;
  /**
   * One of inference.allowed, inference.flagged, inference.blocked, telemetry.received, drift.sustained, drift.recovered,
   * drift.baselined, drift.acknowledged, policy.updated, policy.shadow_started, policy.shadow_stopped, policy.shadow_promoted,
   * probe.registered, probe.updated, probe.deleted, probe.online, probe.offline, probe.skewed, api_key.created, api_key.revoked,
   * service_account.created, service_account.updated, service_account.deleted, session.started, session.ended, sso.updated,
   * organization.created, organization.updated, webhook.created, webhook.updated, webhook.deleted, webhook.paused,
   * webhook.recovered, integration.created, integration.updated, integration.deleted, judge.created, judge.updated,
   * judge.deleted, export.created, audit.redacted, audit.pruned, audit.key_rotated, audit.restored; more will come.
   */
  kind: string;
  /** Events of the trail are `live`. */
  mode: 'live' | 'test' | (string & {});
  /** When it happened. */
  occurred_at: string;
  /** When it was committed. */
  recorded_at: string;
  org_id: string;
  actor: {
    /** `api_key`, `service_account`, `user` or `system`. */
    type: string;
    id: string | null;
    /** The address the request came from. */
    ip: string | null;
  };
  /** What happened, by kind. For `inference.*` the assessment without `redacted`. */
  data: Record<string, unknown>;
  /** The hash of its leaf in the log of the organization, in base64; null until the log has it, which takes a second at most. */
  leaf_hash: string | null;
  /** What was erased of it (`subject`, `data`, …). Absent: nothing was. */
  erased?: string[];
}

export interface EventList {
  data: Event[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface EventProof {
  event_id: string;
  sequence: number;
  /** `sequence` less one. */
  leaf_index: number;
  /** What the log holds: SHA-256 of a zero byte and the envelope, in base64. */
  leaf_hash: string;
  /** Whether the envelope has this hash. `false`: the event was changed in the database after it was logged. */
  leaf_matches: boolean;
  /** The leaf, byte for byte: canonical JSON (RFC 8785). */
  envelope: string;
  /**
   * What the envelope commits to: texts `["salt","name",value]`. The SHA-256 of each, in base64, is in its `private`. Kept texts
   * are never disclosed.
   */
  disclosures: string[];
  /** Names of what is committed to and was erased. */
  erased: string[];
  tree_size: number;
  /** Of the tree of this size, in base64. */
  root: string;
  /** From the leaf to the root, as RFC 6962 §2.1.1 has them. */
  hashes: string[];
  /** The signed note that vouches for size and root. */
  checkpoint: string;
}

export interface Evidence {
  id: string;
  /** What there is, in a sentence. */
  what: string;
  /** How many. */
  count: number;
  /** When the first was recorded. */
  first_at: string | null;
  /** When the last was. */
  last_at: string | null;
  /** Its event’s; the leaf of the log is one less. */
  first_sequence: number | null;
  /** Of the last. */
  last_sequence: number | null;
  /** The smallest checkpoint that is kept and covers them all; null: none does yet. */
  checkpoint_size: number | null;
  /** Where to see it. Of events one for each kind, which together list as many as `count`. */
  endpoints: string[];
}

export interface ExchangeToken {
  /**
   * An ID token (OpenID Connect) of the organization’s identity provider, at most ten minutes old. It is good for one exchange.
   */
  sso_token: string;
}

export interface Export {
  id: string;
  state: 'queued' | 'running' | 'ready' | 'failed' | 'expired' | (string & {});
  format: 'jsonl' | 'csv' | 'parquet' | 'ocsf' | 'cloudevents' | (string & {});
  /** As it was asked for. */
  since: string | null;
  /** As it was asked for. */
  until: string | null;
  /** As they were asked for; null: all. */
  kinds: string[] | null;
  /** As it was asked for. */
  held_size: number | null;
  disclosures: boolean;
  progress: {
    /** Leaves that are written. */
    done: number;
    /** Leaves to write; null: it has not begun. */
    total: number | null;
    /** 100 once it is ready. */
    percent: number;
  };
  /** Events that are in it by now. */
  events: number;
  /** Of the checkpoint that proves it; null: it has not begun. */
  tree_size: number | null;
  /** When it was asked for. */
  created_at: string;
  /** Id of the credential. */
  created_by: string;
  /** Until when it can be downloaded; null: it is not ready. */
  expires_at: string | null;
  download: {
    /** Takes the same credential. */
    url: string;
    /** Length of the zip. */
    bytes: number;
    /** Of the zip, in hex. */
    sha256: string;
  } | null;
  /** Why it failed, or expired before its time. */
  error: string | null;
}

export interface ExportList {
  data: Export[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface Finding {
  /** Names the finding within its assessment. */
  id: string;
  /** What kind of thing was found. */
  category: string;
  /** What exactly. */
  type: string;
  location: Location;
  /** How sure the detector is. */
  score: number;
  /** How bad it would be. */
  severity: 'low' | 'medium' | 'high' | 'critical' | (string & {});
  /** What the finding alone makes of the inference; allowed: it is excused. */
  outcome: 'allowed' | 'flagged' | 'blocked' | (string & {});
  /** What was done; ignore: it is excused. */
  action: 'ignore' | 'flag' | 'redact' | 'block' | (string & {});
  /** The policy's own rule that matched. */
  rule_id: string | null;
  /** The exception of the policy that excused it; it then counts for nothing. */
  exception_id: string | null;
  detector: FindingDetector;
  /** A masked glimpse of what was found. */
  preview: string | null;
  /** Entries of public lists of AI risks. */
  frameworks: string[];
  /** One sentence for a person. */
  explanation: string;
}

/** Who found it, and how; `probe`: a probe says so. */
export interface FindingDetector {
  id: string;
  version: string;
  method:
    | 'pattern'
    | 'pattern+checksum'
    | 'pattern+entropy'
    | 'pattern+context'
    | 'heuristic'
    | 'lexicon'
    | 'classifier'
    | 'judge'
    | 'rule'
    | 'limit'
    | 'probe'
    | (string & {});
}

export interface Gap {
  id: string;
  /** What is missing or weak, in a sentence. */
  what: string;
  /** How many, where it can be counted. */
  count: number | null;
  /** Where to see it. */
  endpoints: string[];
}

export interface GroundednessSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
}

export interface HarmSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
  /** Actions by kind of harm, in place of `action` and `block_at`. */
  categories?: {
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    hate?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    harassment?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    violence?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    sexual?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    minors?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    self_harm?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    illicit?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    profanity?: 'ignore' | 'flag' | 'redact' | 'block';
  };
}

export interface Health {
  status: 'ok' | (string & {});
}

export interface Heartbeat {
  /** Of the probe’s software. */
  version?: string | null;
  /** When the probe was started. */
  started_at?: string | null;
  /** By which it decides. */
  policy_version?: number | null;
  /** What is not sent yet. */
  queue?: {
    /** Events that wait to be sent. */
    depth: number;
    /** Events that were given up since the start. */
    dropped: number;
  } | null;
  /** In place of those that it said before. */
  labels?: {
    /** Probes of one group are looked at together for drift. Without it the group is `default`. */
    group?: string;
  } | null;
  /** The policy by which it decides has expired. */
  stale?: boolean | null;
}

export interface HeartbeatAnswer {
  /** Now. */
  server_time: string;
  /** In force. */
  policy: {
    version: number;
    digest: string;
  };
  /** When the next one is expected. */
  next_heartbeat_s: number;
}

export interface Inbox {
  id: string;
  /** Takes POST. Whoever knows it may write, so it is a secret. */
  url: string;
  /** When it was made. */
  created_at: string;
}

export interface InboxList {
  data: Inbox[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface InboxMessage {
  id: string;
  /** When it arrived. */
  received_at: string;
  /** Signatures, and what else tells of the delivery. */
  headers: Record<string, string>;
  /** As it arrived: the bytes that were signed. */
  body: string;
}

export interface InboxMessageList {
  data: InboxMessage[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

/** One exchange with a model, or the part of it known so far. */
export interface Inference {
  /** What the model is asked. At least one of `input`, `output` is needed. */
  input?: string | Message[];
  /** What the model answered. */
  output?: string | Message[] | null;
  /** Documents, tool results and memories in the prompt. */
  context?: ContextItem[];
  /** Calls that the model wants to make. */
  tool_calls?: ToolCall[];
  /** The model, by name or in parts. */
  model?: string | Model;
  subject?: Subject;
  /** Your own id, to find the assessment by. */
  external_id?: string;
  /** Time to decide in. Default: the policy's. */
  deadline_ms?: number;
  /** When the inference happened, ISO 8601 with an offset or Z. Default: now. */
  occurred_at?: string;
  /** Your own pairs, kept with the assessment. */
  metadata?: Record<string, string>;
}

export interface Integration {
  id: string;
  kind: 'slack' | 'pagerduty' | 'teams' | 'datadog' | 'splunk' | (string & {});
  name: string;
  events: string[];
  /** Without its secret members. */
  config: Record<string, unknown>;
  /** Members of the config that are stored and never answered. */
  secrets: string[];
  /** `test`: of a test key; hears of test assessments alone. */
  mode: 'live' | 'test' | (string & {});
  /** Paused after 24 hours without a success: events wait for it and are sent once it answers again. */
  status: 'active' | 'paused' | (string & {});
  /** When it began to fail, if the last attempt did. */
  failing_since: string | null;
  /** When it last answered 2xx; up to ten seconds late. */
  last_success_at: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
}

export interface IntegrationList {
  data: Integration[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface Judge {
  id: string;
  /** From 1, one more with each change. In the coverage and the findings of assessments. */
  version: number;
  name: string;
  kind: 'chat' | 'gpt_oss_safeguard' | 'llama_guard' | (string & {});
  url: string;
  model: string;
  /** Whether a key is stored. The key itself is never answered. */
  has_api_key: boolean;
  timeout_ms: number;
  instructions: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
}

export interface JudgeList {
  data: Judge[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

/** Milliseconds that assessments took, each quantile within 5 %. */
export interface LatencyQuantiles {
  /** Assessments that it is of: those that the service decided and the trail has an event of. */
  count: number;
  p50: number | null;
  p90: number | null;
  p95: number | null;
  p99: number | null;
}

export interface LinksSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
  /** Hosts that are never reported, with their subdomains. */
  allow_hosts?: string[];
}

export interface Location {
  /** JSON Pointer of the text in the request. */
  pointer: string;
  /** Offset in UTF-16 units. */
  start: number;
  /** Offset in UTF-16 units, exclusive. */
  end: number;
}

export interface Message {
  /** Who speaks. */
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  /** What is said: a text, parts, or null where a message holds only tool calls. */
  content: string | null | ContentPart[];
}

export interface Model {
  /** Who serves the model. */
  provider?: string;
  /** The model's name. */
  name?: string;
  /** The model's version. */
  version?: string;
}

export interface NamedCounts {
  /** null: none was told, or these are the others. */
  name: string | null;
  /** True: names beyond what is counted by name, together. */
  is_others: boolean;
  /** Of this name. */
  total: number;
  /** Of them. */
  flagged: number;
  /** Of them. */
  blocked: number;
}

export interface NewRedaction {
  /** The event’s id, `evt_…`. */
  event_id: string;
  /**
   * Of every event `actor.id` (of a user) and `actor.ip`; of `inference.*` also `subject`, `external_id`, `metadata`, `previews`
   * and `text`; of keys, accounts, sessions, sign-in, webhooks, integrations, judges, probes and the organization also `data`.
   * Where the text is kept, `subject`, `external_id`, `metadata` and `previews` take `text` along.
   */
  fields: string[];
  /** Why: the request or the law. It stays in the trail, so it names nobody. */
  basis: string;
}

export interface NoSso {
  enabled: boolean;
}

export interface ObfuscationSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
}

export interface Organization {
  id: string;
  name: string;
  plan: 'starter' | 'growth' | 'scale' | 'enterprise' | (string & {});
  limits: {
    assessments_per_minute: number;
    requests_per_minute: number;
    /** Items in a batch. */
    batch_size: number;
  };
  /** When it was made. */
  created_at: string;
  credential: {
    type: 'api_key' | 'service_account' | 'user' | (string & {});
    id: string;
    name: string;
    mode: 'live' | 'test' | (string & {});
    scopes: (
      | 'assess:create'
      | 'events:read'
      | 'policy:read'
      | 'policy:write'
      | 'probes:read'
      | 'probes:write'
      | 'webhooks:read'
      | 'webhooks:write'
      | 'reports:read'
      | 'admin:*'
      | (string & {})
    )[];
  };
}

export interface PagerDutyConfig {
  /** The integration key of an Events API v2 integration. Kept encrypted and never answered. */
  routing_key: string;
  /** Where the PagerDuty account is. */
  region?: 'us' | 'eu';
}

export interface PatchIntegration {
  /** What it is for. */
  name?: string;
  /** Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every inference. */
  events?: (
    | '*'
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored'
  )[];
  /** What the vendor needs. Secret members are kept encrypted and never answered. */
  config?: SlackConfig | PagerDutyConfig | TeamsConfig | DatadogConfig | SplunkConfig;
}

export interface PatchJudge {
  /** What it is for. */
  name?: string;
  /**
   * Base URL of an OpenAI-compatible API; `/chat/completions` is added. https to a public address, or one that the operator
   * allows.
   */
  url?: string;
  /** The model’s name at that API. */
  model?: string;
  /** Sent as `Authorization: Bearer`. Kept encrypted, never answered, and dropped when the url changes. */
  api_key?: string | null;
  /** Time for one answer. What is left of the assessment’s deadline may be less. */
  timeout_ms?: number;
  /**
   * How it is asked and understood. `chat`: any chat model. `gpt_oss_safeguard`: a model that judges by a policy it is given.
   * `llama_guard`: one that answers `safe` or `unsafe` and hazards, S1–S14.
   */
  kind?: 'chat' | 'gpt_oss_safeguard' | 'llama_guard';
  /** What it is to judge by, instead of the instructions built in. Not for `llama_guard`, which knows its own rules. */
  instructions?: string | null;
}

export interface PatchServiceAccount {
  /** What the account is for. */
  name?: string;
  /** Scopes of the account and of all its keys. Nobody grants what they do not hold. */
  permissions?: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
  )[];
  /** CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere. */
  ip_allowlist?: string[];
}

export interface PatchWebhook {
  /** Where events are sent: an https URL that leads to a public address. */
  url?: string;
  /** Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every inference. */
  events?: (
    | '*'
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored'
  )[];
  /** Anything worth knowing about it. */
  description?: string | null;
}

export interface PiiSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
  /** Actions by type of personal data, in place of `action` and `block_at`. */
  entities?: {
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    email?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    phone?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    credit_card?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    iban?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    bank_account?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    us_ssn?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    us_itin?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    us_ein?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    national_id?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    passport?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    driver_license?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    medical_record?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    vehicle_id?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    date_of_birth?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    ip_address?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    mac_address?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    geo_coordinates?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    crypto_wallet?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    username?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    address?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    person?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    location?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    organization?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    date_time?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    age?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    title?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    nrp?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    domain?: 'ignore' | 'flag' | 'redact' | 'block';
    /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
    zip_code?: 'ignore' | 'flag' | 'redact' | 'block';
  };
}

/** What an organization decides about findings. */
export interface Policy {
  /** monitor: report, but redact and block nothing. */
  mode?: 'enforce' | 'monitor';
  /** What follows when a detector fails or runs out of time, on texts going to the model and coming from it. */
  on_error?: {
    /** allow: only the coverage tells. flag, block: a finding system.coverage. */
    input?: 'allow' | 'flag' | 'block';
    /** allow: only the coverage tells. flag, block: a finding system.coverage. */
    output?: 'allow' | 'flag' | 'block';
  };
  /** Time for one assessment. */
  deadline_ms?: number;
  /**
   * Of an answer that is assessed while it is written: whether text waits for what can only be decided at its end. release: it
   * does not, and what is found then comes too late for it.
   */
  stream?: 'hold' | 'release';
  detectors?: {
    prompt_injection?: PromptInjectionSettings;
    protected_prompt?: ProtectedPromptSettings;
    obfuscation?: ObfuscationSettings;
    secrets?: SecretsSettings;
    pii?: PiiSettings;
    harm?: HarmSettings;
    groundedness?: GroundednessSettings;
    refusal?: RefusalSettings;
    unsafe_code?: UnsafeCodeSettings;
    links?: LinksSettings;
    size?: SizeSettings;
  };
  /** Conditions over the inference and its findings, decided after all else. */
  rules?: PolicyRule[];
  /** The organization's own rules. */
  custom?: {
    patterns?: CustomPattern[];
    terms?: CustomTerms[];
  };
  /** Findings that count for nothing, until a date. Of several that match, the first is named. */
  exceptions?: PolicyException[];
  /** Models outside that are asked for their opinion. They add findings, and take none away. */
  judges?: PolicyJudge[];
  drift?: DriftSettings;
  data?: {
    /** What is kept. metadata: findings without the texts. full: the texts too, encrypted. */
    store?: 'metadata' | 'full';
    /** How long. */
    retention_days?: number;
  };
}

export interface PolicyBundle {
  /** Of the policy. */
  version: number;
  /** Of the policy. */
  digest: string;
  policy: Policy;
  /** What the service decides with. */
  detector_versions: Record<string, string>;
  /** When this bundle became what it is: at midnight UTC, or when the policy was stored. */
  issued_at: string;
  /** Seven days later. A probe that has no newer one goes on with it, and says that it is stale. */
  expires_at: string;
  signature: PolicySignature;
}

export interface PolicyChange {
  op: 'add' | 'remove' | 'replace' | (string & {});
  /** JSON Pointer into the document of `to`; of what was removed, into that of `from`. */
  path: string;
  /** Of the entry, where the list is one of entries with ids. */
  id?: string;
  /** What stood there. */
  from?: unknown;
  /** What stands there now. */
  to?: unknown;
}

export interface PolicyDiff {
  from: PolicyVersionName;
  to: PolicyVersionName;
  changes: PolicyChange[];
}

export interface PolicyException {
  /** The exception's name; findings that it excuses carry it as exception_id. */
  id: string;
  /** What it excuses: findings for which all of this holds. */
  match: {
    /** A category, or a family for all of its categories. */
    category?: string;
    /** The finding's type. */
    type?: string;
    /** What was found, the whole of it, whatever its case. * stands for any characters, ? for one. */
    value?: string;
    /** The detector's id. */
    detector?: string;
    /** The policy's own rule. */
    rule_id?: string;
    /** Where in the request, a JSON Pointer with * and ?. */
    pointer?: string;
    /** Which kind of text. */
    target?: 'input' | 'output' | 'context' | 'tool';
    /** On whose behalf the model works; all that is named must be equal. */
    subject?: {
      /** Exactly this user. */
      user?: string;
      /** Exactly this session. */
      session?: string;
      /** Exactly this agent. */
      agent?: string;
    };
  };
  /** Why it is right to let these pass. */
  reason: string;
  /** Who answers for it. */
  owner: string;
  /** When it ends, ISO 8601 with an offset or Z. There are none without an end. */
  expires_at: string;
}

export interface PolicyExceptionList {
  data: PolicyExceptionState[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface PolicyExceptionState {
  /** Of the exception, as the policy names it. */
  id: string;
  reason: string;
  owner: string;
  /** When it stops excusing. */
  expires_at: string;
  /** An expired one excuses nothing. */
  state: 'active' | 'expired' | (string & {});
  /** Findings that it has excused, of those that assessments list; those of test keys do not count. */
  hits: number;
  /** When it last excused one; null: never. */
  last_hit_at: string | null;
}

export interface PolicyJudge {
  /** The judge, as `POST /v1/judges` answered it. */
  judge_id: string;
  /** Which texts it is sent; no others are. Default: input and output. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Opinions of a lower score are dropped. Default: 0.5. */
  flag_at?: number;
  /** Score from which its opinion blocks; null, the default: never. */
  block_at?: number | null;
}

export interface PolicyLintResult {
  valid: boolean;
  errors: PolicyProblem[];
  warnings: PolicyProblem[];
  /** The digest it would have; null where it is not valid. */
  digest: string | null;
}

export interface PolicyProblem {
  /** JSON Pointer into the document. */
  pointer: string;
  message: string;
}

export interface PolicyRule {
  /** The rule's name; findings carry it as type and rule_id. */
  id: string;
  /** CEL over the inference and its findings; what it holds for is a finding. */
  when: string;
  /** What the inference becomes where the rule holds. */
  outcome: 'flagged' | 'blocked';
  /** Severity of its findings. */
  severity?: 'low' | 'medium' | 'high' | 'critical';
  /** Category of its findings, under policy., brand., usage. or agency. */
  category?: string;
  /** One sentence that stands in findings as their explanation. */
  message?: string;
}

export interface PolicyShadow {
  /** Of the candidate. */
  digest: string;
  /** The share of assessments that it decides too. Which they are follows from their ids alone. */
  sample_rate: number;
  /** When it ends by itself; at most 90 days ahead. */
  expires_at: string;
  /** When it began. */
  started_at: string;
  /** The credential that began it. */
  started_by: string;
  tally: PolicyShadowTally;
  policy: Policy;
}

export interface PolicyShadowTally {
  /** Assessments that were compared: the sum of the four below. */
  assessed: number;
  /** The outcome is the same. */
  unchanged: number;
  /** The candidate blocks what was not blocked. */
  newly_blocked: number;
  /** The candidate flags what was allowed, or what was blocked. */
  newly_flagged: number;
  /** The candidate allows what was flagged or blocked. */
  newly_allowed: number;
  /** Findings that differ, by category; beyond 200 categories in `other`. */
  by_category: Record<string, {
    /** Findings that only the candidate has. */
    added: number;
    /** Findings that it has not. */
    removed: number;
  }>;
  /** Ids of some assessments for each change, to look at. */
  samples: {
    /** Assessments that are newly blocked. */
    newly_blocked: string[];
    /** Assessments that are newly flagged. */
    newly_flagged: string[];
    /** Assessments that are newly allowed. */
    newly_allowed: string[];
  };
  /** Sampled, and not decided by the candidate: it ran out of time or failed. */
  errors: number;
  /** Sampled, and not decided by the candidate because the node was busy. */
  skipped: number;
  /** Compared without the opinion of a judge that the candidate names and the policy in force does not ask. */
  judges_not_asked: number;
  /** When counting began. */
  since: string;
}

export type PolicyShadowVerdict = {
  /** The candidate. */
  policy: {
    digest: string;
  };
  outcome: 'allowed' | 'flagged' | 'blocked' | (string & {}) | null;
  /** Whether that is another outcome than the one in force. */
  changed: boolean | null;
  /** Findings of the candidate that the policy in force has not, of those that both list. */
  added: {
    category: string;
    type: string;
    location: Location;
  }[];
  /** Findings of the policy in force that the candidate has not, of those that both list. */
  removed: {
    category: string;
    type: string;
    location: Location;
  }[];
  /** Judges that only the candidate names, which are not asked. */
  judges_not_asked: number;
  error: 'timed_out' | 'failed' | 'skipped' | (string & {}) | null;
} | null;

export interface PolicySignature {
  algorithm: 'ed25519' | (string & {});
  /** The same for as long as the key is the same. */
  key_id: string;
  /** Its 32 bytes in Base64. Keep it at first contact, and trust no other. */
  public_key: string;
  /** Base64 of the signature over `svc-policy-bundle-v1`, a line feed, and the other members as canonical JSON (RFC 8785). */
  value: string;
}

export interface PolicySimulation {
  id: string;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | (string & {});
  progress: {
    /** Assessments looked at. */
    done: number;
    /** Assessments to look at; null: not counted yet. */
    total: number | null;
  };
  /** When it was asked for. */
  created_at: string;
  /** When it succeeded or failed. */
  finished_at: string | null;
  /** The candidate. */
  policy: {
    digest: string;
  };
  /** Why it failed. */
  error: string | null;
  result: SimulationResult;
}

export interface PolicyVersion {
  /** From 1. A version never changes. */
  version: number;
  /** `sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785). */
  digest: string;
  /** When it was stored. */
  updated_at: string;
  /** The credential that stored it, or `system`. */
  updated_by: string;
  policy: Policy;
}

export interface PolicyVersionList {
  data: PolicyVersionSummary[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface PolicyVersionName {
  version: number;
  digest: string;
}

export interface PolicyVersionSummary {
  /** From 1. A version never changes. */
  version: number;
  /** `sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785). */
  digest: string;
  /** When it was stored. */
  updated_at: string;
  /** The credential that stored it, or `system`. */
  updated_by: string;
}

export interface Probe {
  /** Its own name. */
  id: string;
  mode: 'live' | 'test' | (string & {});
  /**
   * `offline`: no heartbeat for three intervals. `skewed`: more than two heartbeats in a row told of an older policy than that in
   * force. `stale`: no heartbeat for one and a half intervals, or the policy it has on disk has expired. A probe that never sends
   * heartbeats is `stale` when it was not seen for three intervals, and `offline` only where `expected_interval_s` was set.
   */
  status: 'healthy' | 'stale' | 'offline' | 'skewed' | (string & {});
  /** The label `group`, else `default`. */
  group: string;
  /** What it says itself, and over that what was set here. */
  labels: Record<string, string>;
  /** Between heartbeats. */
  expected_interval_s: number;
  /** When it called for the first time. */
  registered_at: string;
  /** Its last call, known to some ten seconds. */
  last_seen_at: string;
  /** Its last heartbeat; null: it never sent one. */
  last_heartbeat_at: string | null;
  /** Since when the trail says that it is offline. */
  offline_since: string | null;
  version: string | null;
  /** When it was started. */
  started_at: string | null;
  /** By which it decides. */
  policy_version: number | null;
  queue: {
    depth: number;
    dropped: number;
  } | null;
  /** Of its telemetry, on average over the last five minutes. */
  rates: {
    /** Events stored. */
    accepted_per_minute: number;
    /** Events that had been stored before. */
    duplicates_per_minute: number;
    /** Events refused. */
    rejected_per_minute: number;
  };
}

export interface ProbeList {
  data: Probe[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface PromotePolicyShadow {
  /** Of the candidate that is meant. Where another one runs by now, nothing is promoted: 412. */
  digest?: string;
}

export interface PromptInjectionSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
}

export interface ProtectedPromptSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
}

export interface Provision {
  id: string;
  reference: string;
  title: string;
  /** Whom it binds. */
  binds: string[];
  /** A paraphrase; the text itself is what counts. */
  requirement: string;
  /** To what it applies. */
  applies: string;
  /**
   * evidenced: there is evidence, no gap was found, and all that is asked for can be recorded here. partial: evidence with gaps,
   * or of a part. none: the evidence that it takes was not found in the period. not_recorded_here: this service records nothing
   * of it. It is no legal judgement.
   */
  status: 'evidenced' | 'partial' | 'none' | 'not_recorded_here' | (string & {});
  /** How much of what it asks for can be recorded here. Of a part the status is `partial` at best. */
  covers: 'whole' | 'part' | 'nothing' | (string & {});
  /** What is not recorded here; null: covers the whole. */
  limit: string | null;
  evidence: Evidence[];
  gaps: Gap[];
  note: string | null;
}

export interface PutPolicyShadow {
  policy: Policy;
  /** The share of assessments that it decides too. Which they are follows from their ids alone. */
  sample_rate: number;
  /** When it ends by itself; at most 90 days ahead. */
  expires_at: string;
}

export interface PutSso {
  /** The identity provider, exactly as its tokens name it (`iss`). Its discovery document is read when this is stored. */
  issuer: string;
  /** The client that stands for this service at the identity provider. */
  client_id: string;
  /** For a sign-in through this service. Absent: the stored one stays, if issuer and client do. Null: none. */
  client_secret?: string | null;
  /** The claim that lists a user’s groups. */
  groups_claim?: string;
  /** The role of each group. Who is in several has the highest; who is in none is refused, unless there is a `default_role`. */
  roles: Record<string, 'viewer' | 'operator' | 'policy_editor' | 'admin'>;
  default_role?: 'viewer' | 'operator' | 'policy_editor' | 'admin' | null;
  /** Claims that a token must have with exactly this value, or, where the claim is a list, in it. */
  require?: Record<string, string | number | boolean>;
}

export interface Recover {
  /** Deliveries of events recorded at or after. */
  since: string;
}

export interface Recovered {
  /** Deliveries that had failed and are sent again. */
  recovered: number;
}

/** The members of the request that changed, findings replaced, in the shape they were sent. */
export interface Redacted {
  input?: unknown;
  output?: unknown;
  context?: unknown;
  tool_calls?: unknown;
}

export interface Redaction {
  event_id: string;
  /** Of the event. */
  sequence: number;
  /** What was erased: what was asked for, and a kept text that repeats it. */
  fields: string[];
  basis: string;
  /** The event `audit.redacted` that tells of it. */
  redaction_event_id: string;
  /** When it was done. */
  created_at: string;
}

export interface RefusalSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
}

export interface RotateSecret {
  /** For how long the old secret signs beside the new one. 0: it ends at once. */
  grace_s?: number;
}

export interface SecretsSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
  /** Actions by type of credential, in place of `action` and `block_at`. */
  types?: Record<string, 'ignore' | 'flag' | 'redact' | 'block'>;
}

export interface ServiceAccount {
  id: string;
  name: string;
  permissions: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
    | (string & {})
  )[];
  ip_allowlist: string[];
  type: 'live' | 'test' | (string & {});
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** When it was deleted. */
  deleted_at: string | null;
}

export interface ServiceAccountList {
  data: ServiceAccount[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface Session {
  id: string;
  /** The user, as the identity provider names him; null: opened with a key. */
  subject: string | null;
  /** The user’s e-mail address or name, or the key’s name. */
  name: string;
  role: 'viewer' | 'operator' | 'policy_editor' | 'admin' | (string & {}) | null;
  scopes: (
    | 'assess:create'
    | 'events:read'
    | 'policy:read'
    | 'policy:write'
    | 'probes:read'
    | 'probes:write'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'reports:read'
    | 'admin:*'
    | (string & {})
  )[];
  /** The key that opened it. */
  key_id: string | null;
  /** From where it was opened. */
  address: string;
  /** When it was opened. */
  signed_in_at: string;
  /** When it ends at the latest: twelve hours after the sign-in. */
  expires_at: string;
  /** When it was ended before that. */
  ended_at: string | null;
}

export interface SessionList {
  data: Session[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface SessionToken {
  /** The session token (JWT). Send it as `Authorization: Bearer`. */
  token: string;
  /** When the token expires: an hour after its issue. */
  expires_at: string;
}

/** With one of `sample` and `items`. */
export interface SimulatePolicy {
  policy: Policy;
  sample?: SimulationSample;
  /** Inferences, up to the plan’s batch size, in place of `sample`. Each costs one assessment and is recorded nowhere. */
  items?: Inference[];
}

export type SimulationResult = {
  /** Assessments that were compared: the sum of the four below. */
  assessed: number;
  /** The outcome is the same. */
  unchanged: number;
  /** The candidate blocks what was not blocked. */
  newly_blocked: number;
  /** The candidate flags what was allowed, or what was blocked. */
  newly_flagged: number;
  /** The candidate allows what was flagged or blocked. */
  newly_allowed: number;
  /** Findings that differ, by category; beyond 200 categories in `other`. */
  by_category: Record<string, {
    /** Findings that only the candidate has. */
    added: number;
    /** Findings that it has not. */
    removed: number;
  }>;
  /** Ids of some assessments for each change, to look at. */
  samples: {
    /** Assessments that are newly blocked. */
    newly_blocked: string[];
    /** Assessments that are newly flagged. */
    newly_flagged: string[];
    /** Assessments that are newly allowed. */
    newly_allowed: string[];
  };
  /** By what each assessment could be decided from. */
  answered: {
    /** Decided anew from the whole text. */
    texts: number;
    /** Decided from the findings that were kept, and certain. */
    findings: number;
    /** Compared as far as could be known; `unanswered` says what could not. */
    partly: number;
  };
  /** What could not be known of assessments whose texts are not kept, or of judges, which are not asked. */
  unanswered: {
    /** Such as `detector_added`; more will come. */
    question: string;
    /** Assessments whose outcome may be another because of it. */
    count: number;
    explanation: string;
  }[];
} | null;

/** Assessments of the organization, by when they were recorded. */
export interface SimulationSample {
  /** Recorded at or after. Default: from the beginning. */
  since?: string;
  /** Recorded before. Default: now. */
  until?: string;
  /** At most so many, the newest. */
  limit?: number;
}

export interface SizeSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
  /** UTF-16 units of all texts of one inference. */
  max_chars?: number;
  /** Messages of one conversation. */
  max_messages?: number;
}

export interface SlackConfig {
  /** The incoming webhook’s URL. It is a credential: it is kept encrypted and never answered. */
  url: string;
}

export interface SplunkConfig {
  /** The collector’s base: what stands before `/services/collector`. */
  url: string;
  /** A token of the HTTP Event Collector. Kept encrypted and never answered. */
  token: string;
  /** The index to write to. Absent: the token’s own. */
  index?: string;
  /** Absent: `svc:` and the organization’s id. */
  source?: string;
  /** Absent: `svc:event`. */
  sourcetype?: string;
  /** Take an event for delivered only when it is indexed. The token must have indexer acknowledgement on. */
  acknowledge?: boolean;
}

export interface Sso {
  /** The identity provider, exactly as its tokens name it (`iss`). Its discovery document is read when this is stored. */
  issuer: string;
  /** The client that stands for this service at the identity provider. */
  client_id: string;
  /** The claim that lists a user’s groups. */
  groups_claim: string;
  /** The role of each group. Who is in several has the highest; who is in none is refused, unless there is a `default_role`. */
  roles: Record<string, 'viewer' | 'operator' | 'policy_editor' | 'admin' | (string & {})>;
  default_role: 'viewer' | 'operator' | 'policy_editor' | 'admin' | (string & {}) | null;
  /** Claims that a token must have with exactly this value, or, where the claim is a list, in it. */
  require: Record<string, string | number | boolean>;
  /** Whether one is stored. It is never answered. */
  has_client_secret: boolean;
  /** To be registered at the identity provider. */
  redirect_uri: string;
  /** When this was last changed. */
  updated_at: string;
  /** By whom. */
  updated_by: string;
}

export interface Stream {
  id: string;
  /**
   * Of the input. Its event is recorded when the stream ends, so `event_id` is null; where the input is blocked that is at once.
   */
  assessment: Assessment;
}

export interface StreamChunk {
  /** Counts the chunks, from 0 or 1. */
  seq: number;
  /**
   * What the model has written since: a text, or `choices[0].delta` of a chunk of OpenAI’s chat completions, of which `content`
   * and `tool_calls` are read.
   */
  delta?: string | {
    content?: string | null;
    tool_calls?: ToolCallDelta[] | null;
  };
  /** Nothing follows. */
  final?: boolean;
}

export interface StreamChunkResult {
  seq: number;
  /** Text that is safe to show now, with what the policy redacts replaced. */
  released: string;
  /** Complete calls that are safe to make now. */
  tool_calls: {
    index: number;
    name: string;
    /** An object; the text as it was written where that is no JSON object. */
    arguments: unknown;
  }[];
  /** UTF-16 units that have come and are not released. */
  held_chars: number;
  /** Those that are certain since this chunk. At most 200. */
  findings: Finding[];
  /** Of all that is certain so far. blocked: nothing more will be released; send the last chunk. */
  outcome: 'allowed' | 'flagged' | 'blocked' | (string & {});
  /** Of the whole inference; null before the last chunk. */
  assessment: Assessment | null;
}

/** What a model is asked, before it answers. */
export interface StreamInference {
  /** What the model is asked. */
  input: string | Message[];
  /** Documents, tool results and memories in the prompt. */
  context?: ContextItem[];
  /** The model, by name or in parts. */
  model?: string | Model;
  subject?: Subject;
  /** Your own id, to find the assessment by. */
  external_id?: string;
  /** Time to decide in. Default: the policy's. */
  deadline_ms?: number;
  /** When the inference happened, ISO 8601 with an offset or Z. Default: now. */
  occurred_at?: string;
  /** Your own pairs, kept with the assessment. */
  metadata?: Record<string, string>;
}

/** On whose behalf the model works. */
export interface Subject {
  /** The person, by your own pseudonym. */
  user?: string;
  /** The conversation. */
  session?: string;
  /** The application or agent. */
  agent?: string;
}

export interface SummaryReport {
  org_id: string;
  /** The beginning of what was counted. */
  since: string;
  /** The end of it, exclusive. */
  until: string;
  interval: 'hour' | 'day' | 'week' | 'month' | (string & {});
  as_of: AsOf;
  totals: {
    /** Events of the trail. */
    events: number;
    /** Inferences that were assessed or reported. */
    inferences: number;
    /** Let through. */
    allowed: number;
    /** With findings. */
    flagged: number;
    /** Stopped. */
    blocked: number;
    /** Reported by probes that decided nothing, and without a text to assess. */
    undecided: number;
    latency_ms: LatencyQuantiles;
    coverage: CoverageCounts;
  };
  /** Every point, also where there was nothing. Oldest first. */
  series: {
    /** The first and the last point may be cut by the period. */
    start: string;
    /** Exclusive. */
    end: string;
    /** Events of the trail. */
    events: number;
    /** Inferences. */
    inferences: number;
    /** Let through. */
    allowed: number;
    /** With findings. */
    flagged: number;
    /** Stopped. */
    blocked: number;
    /** Reported by probes that decided nothing, and without a text to assess. */
    undecided: number;
    latency_ms: LatencyQuantiles;
    coverage: CoverageCounts;
    drift: {
      /** `drift.sustained`. */
      opened: number;
      /** `drift.recovered`. */
      recovered: number;
    };
  }[];
  sources: {
    api: {
      /** Assessed over the API. */
      inferences: number;
      /** Let through. */
      allowed: number;
      /** With findings. */
      flagged: number;
      /** Stopped. */
      blocked: number;
      /** Reported by probes that decided nothing, and without a text to assess. */
      undecided: number;
    };
    probes: {
      /** Reported by probes. */
      inferences: number;
      /** Let through. */
      allowed: number;
      /** With findings. */
      flagged: number;
      /** Stopped. */
      blocked: number;
      /** Reported by probes that decided nothing, and without a text to assess. */
      undecided: number;
    };
  };
  /**
   * Inferences with findings, by category. One with several counts for each. The most frequent first; of each hour beyond 200
   * names together.
   */
  categories: NamedCounts[];
  /** Inferences that the trail has an event of, by severity. The most frequent first; of each hour beyond 200 names together. */
  severities: NamedCounts[];
  /**
   * Inferences by model. `flagged` and `blocked` of a probe’s are those that have an event. The most frequent first; of each hour
   * beyond 200 names together.
   */
  models: NamedCounts[];
  /** Inferences that probes reported, by probe. The most frequent first; of each hour beyond 200 names together. */
  probes: NamedCounts[];
  /** By version of the policy, newest first. null: not told. */
  policies: {
    version: number | null;
    /** Decided under it. */
    inferences: number;
  }[];
  /** Of assessments that the service decided and the trail has an event of. */
  enforcement: {
    /** Decided with the policy enforced. */
    enforce: number;
    /** Decided in monitor mode. */
    monitor: number;
    suppressed: {
      /** Would have been redacted. */
      redact: number;
      /** Would have been blocked. */
      block: number;
    };
  };
  detector_faults: {
    detector: string;
    /** In which it failed or ran out of time. */
    assessments: number;
  }[];
  telemetry: {
    /** `telemetry.received`. */
    batches: number;
    /** Inferences that were stored. */
    accepted: number;
    /** Known already. */
    duplicates: number;
    /** Refused, to be sent again or not. */
    rejected: number;
  };
  /** Events of the trail by kind. */
  kinds: {
    kind: string;
    /** Events. */
    count: number;
    /** When the first was recorded. */
    first_at: string;
    /** When the last was. */
    last_at: string;
  }[];
  drift: {
    /** Drifts that became sure in the period. */
    opened: number;
    /** Drifts that recovered in it. */
    recovered: number;
    /** Drifts that persist now. */
    open: number;
    /** Of them, those that nobody has acknowledged. */
    unacknowledged: number;
  };
  /** What became of deliveries of the period’s events. */
  deliveries: {
    /** Taken by their receiver. */
    succeeded: number;
    /** Given up after the last attempt. */
    failed: number;
    /** Their endpoint was deleted. */
    cancelled: number;
    /** Under way, or parked with a paused endpoint. */
    waiting: number;
    /** Those with more than one attempt. */
    retried: number;
    /** False: there are more, or older ones are not kept any more. The newest 200000 are counted, of the last 30 days. */
    is_complete: boolean;
    /** How long attempts took, for the newest 10000 deliveries. */
    attempt_ms: {
      p50: number | null;
      p95: number | null;
    };
    endpoints: {
      /** Now. */
      active: number;
      /** Now: without success for a day. */
      paused: number;
    };
  };
  /** What was used of the plan. */
  usage: {
    /** That cost one of the plan: over the API, and texts that probes sent. */
    assessments: number;
    /** Of them. */
    allowed: number;
    /** Of them. */
    flagged: number;
    /** Of them. */
    blocked: number;
  };
}

export interface TeamsConfig {
  /** The URL of a Workflows webhook. It is a credential: it is kept encrypted and never answered. */
  url: string;
}

export interface TelemetryBatch {
  /** One that is not valid is rejected by itself and fails no other. */
  events: TelemetryEvent[];
}

/** One inference that a probe has seen. */
export interface TelemetryEvent {
  /** The probe's own name for the event. One that the probe has sent before counts once. */
  id: string;
  /** When the inference began, ISO 8601 with an offset or Z. */
  occurred_at: string;
  /** The model that was asked for: `gen_ai.request.model`. */
  model?: string | null;
  /** The model that the provider says has answered: `gen_ai.response.model`. */
  model_version?: string | null;
  /** `gen_ai.provider.name`. */
  provider?: string | null;
  /** `gen_ai.operation.name`. */
  operation?: string | null;
  /** `gen_ai.usage.input_tokens`. */
  input_tokens?: number | null;
  /** `gen_ai.usage.output_tokens`. */
  output_tokens?: number | null;
  /** From the request to the end of the answer. */
  latency_ms?: number | null;
  /** From the request to the first token of the answer. */
  time_to_first_token_ms?: number | null;
  /** Why the model ended: `gen_ai.response.finish_reasons`. */
  finish_reason?: string | null;
  /** Why there is no answer: `error.type`. */
  error?: string | null;
  /** The probe's own decision. Where texts are sent too, the service's counts. */
  outcome?: 'allowed' | 'flagged' | 'blocked' | null;
  /** The highest score of a finding; 0 without. */
  score?: number | null;
  /** What the probe found, the worst first. */
  findings?: TelemetryFinding[] | null;
  /** How much of the texts the probe has read. */
  coverage?: 'complete' | 'partial' | 'failed' | null;
  /** The policy that decided. */
  policy_version?: number | null;
  /** Its digest. */
  policy_digest?: string | null;
  /** What the model was asked. The service assesses it. */
  input?: string | {
    /** Who speaks. */
    role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
    /** What is said: a text, parts, or null where a message holds only tool calls. */
    content: string | null | {
      /** `text`, or the kind of something else, such as `image_url`. */
      type: string;
      /** The text. A part without it is not assessed and makes the coverage partial. */
      text?: string;
    }[];
  }[] | null;
  /** What it answered. The service assesses it. */
  output?: string | {
    /** Who speaks. */
    role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
    /** What is said: a text, parts, or null where a message holds only tool calls. */
    content: string | null | {
      /** `text`, or the kind of something else, such as `image_url`. */
      type: string;
      /** The text. A part without it is not assessed and makes the coverage partial. */
      text?: string;
    }[];
  }[] | null;
  /** Documents, tool results and memories in the prompt. */
  context?: ContextItem[] | null;
  /** Calls that the model wants to make. */
  tool_calls?: {
    /** The tool. */
    name: string;
    /** The call's arguments; every string inside is assessed. At most 32 levels deep. */
    arguments?: Record<string, unknown>;
  }[] | null;
  /** On whose behalf the model works. */
  subject?: {
    /** The person, by your own pseudonym. */
    user?: string | null;
    /** The conversation. */
    session?: string | null;
    /** The application or agent. */
    agent?: string | null;
  } | null;
  /** Your own pairs, kept with the event. Where texts are assessed they are its metadata, which rules can ask for. */
  attributes?: Record<string, string | number | boolean> | null;
}

/** What the probe found. Never the text it stands in. */
export interface TelemetryFinding {
  /** What kind of thing was found. */
  category: string;
  /** What exactly. */
  type: string;
  /** How sure the detector is. */
  score: number;
  /** How bad it would be. */
  severity?: 'low' | 'medium' | 'high' | 'critical' | null;
  /** What was done about it. */
  action?: 'ignore' | 'flag' | 'redact' | 'block' | null;
  /** What the finding alone makes of the inference. */
  outcome?: 'allowed' | 'flagged' | 'blocked' | null;
}

export interface TelemetryResult {
  /** Events that are stored now and were not before. */
  accepted: number;
  /** Events that were stored before, or stand in the body twice. */
  duplicates: number;
  /** Events that are stored nowhere. */
  rejected: {
    /** Of the event, from 0. */
    index: number;
    error: {
      /** `rate_limited` and `unavailable`: send the same event again. `invalid_request`: do not. */
      code:
        | 'invalid_request'
        | 'unauthorized'
        | 'token_expired'
        | 'insufficient_permissions'
        | 'ip_not_allowed'
        | 'not_found'
        | 'method_not_allowed'
        | 'not_acceptable'
        | 'conflict'
        | 'precondition_failed'
        | 'payload_too_large'
        | 'unsupported_media_type'
        | 'idempotency_mismatch'
        | 'rate_limited'
        | 'internal_error'
        | 'unavailable'
        | (string & {});
      message: string;
      details: {
        pointer: string;
        message: string;
      }[];
      /** With `rate_limited`: when to send it again. */
      retry_after_s?: number;
    };
  }[];
}

export interface TestEvent {
  /** Of which kind a sample is sent. */
  event?:
    | 'webhook.test'
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored';
}

export interface TestResult {
  /** Whether the receiver took it. */
  delivered: boolean;
  /** The kind that was sent. */
  event: string;
  /** HTTP status of the answer; null: there was none. */
  status: number | null;
  latency_ms: number;
  /** Why it was not delivered. */
  error: string | null;
  /** The first 4 KiB of the answer. */
  answer: string | null;
}

export interface ToolCall {
  /** The tool. */
  name: string;
  /** The call's arguments; every string inside is assessed. At most 32 levels deep. */
  arguments?: Record<string, unknown>;
}

export interface ToolCallDelta {
  /** Of the call, from 0. A call is complete when the next one begins. */
  index: number;
  function?: {
    name?: string | null;
    /** The next piece of the arguments’ JSON. */
    arguments?: string | null;
  };
}

export interface UnsafeCodeSettings {
  /** Whether the detector runs. */
  enabled?: boolean;
  /** Which texts are read: input and output messages, context items, tool results and arguments. */
  applies_to?: ('input' | 'output' | 'context' | 'tool')[];
  /** Findings of a lower score are dropped. */
  flag_at?: number;
  /** Score from which findings block; null: never. */
  block_at?: number | null;
  /** ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked. */
  action?: 'ignore' | 'flag' | 'redact' | 'block';
}

export interface UpdateProbe {
  /** In place of those that were set before. They stand over what the probe says itself. */
  labels?: {
    /** Probes of one group are looked at together for drift. Without it the group is `default`. */
    group?: string;
  };
  /** How often the probe is to be heard. null: the usual 30 s. */
  expected_interval_s?: number | null;
}

export interface Usage {
  plan: 'starter' | 'growth' | 'scale' | 'enterprise' | (string & {});
  /** First day, UTC. */
  since: string;
  /** Last day, UTC. */
  until: string;
  total: {
    /** Assessments in all. */
    assessments: number;
    allowed: number;
    flagged: number;
    blocked: number;
  };
  /** Days on which there were any, oldest first. */
  days: {
    day: string;
    /** Assessments in all. */
    assessments: number;
    allowed: number;
    flagged: number;
    blocked: number;
  }[];
  now: {
    assessments: BudgetState;
    requests: BudgetState;
  };
}

export interface Webhook {
  webhook_id: string;
  url: string;
  events: string[];
  description: string | null;
  /** `test`: of a test key; hears of test assessments alone. */
  mode: 'live' | 'test' | (string & {});
  /** Paused after 24 hours without a success: events wait for it and are sent once it answers again. */
  status: 'active' | 'paused' | (string & {});
  /** When it began to fail, if the last attempt did. */
  failing_since: string | null;
  /** When it last answered 2xx; up to ten seconds late. */
  last_success_at: string | null;
  /** Until when the secret before the last rotation signs too. */
  old_secret_until: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
}

export interface WebhookList {
  data: Webhook[];
  /** More follow after the last one. */
  has_more: boolean;
  /** Pass as `cursor` to go on. */
  next_cursor: string | null;
}

export interface WebhookWithSecret {
  webhook_id: string;
  url: string;
  events: string[];
  description: string | null;
  /** `test`: of a test key; hears of test assessments alone. */
  mode: 'live' | 'test' | (string & {});
  /** Paused after 24 hours without a success: events wait for it and are sent once it answers again. */
  status: 'active' | 'paused' | (string & {});
  /** When it began to fail, if the last attempt did. */
  failing_since: string | null;
  /** When it last answered 2xx; up to ten seconds late. */
  last_success_at: string | null;
  /** Until when the secret before the last rotation signs too. */
  old_secret_until: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was last changed. */
  updated_at: string;
  /** Signs deliveries. Only in this answer, and not when it is repeated. */
  signing_secret?: string;
}

export interface AssessmentsListQuery {
  /** Assessments with this outcome. */
  outcome?: 'allowed' | 'flagged' | 'blocked';
  /** With a finding of this category or family: `data.pii`, `data`. */
  category?: string;
  /** The model’s name. */
  model?: string;
  /** Id of the credential that caused it. */
  actor?: string;
  /** User, session or agent of the inference. */
  subject?: string;
  /** The caller’s own id of the inference. */
  external_id?: string;
  /** The probe that it is about, or that saw the inference. */
  probe_id?: string;
  /** Recorded at or after. The time of the commit, which no caller chooses. */
  since?: string;
  /** Recorded before. */
  until?: string;
  /** Part of a kind, category, model, subject, actor or external id. */
  q?: string;
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface EventsListQuery {
  /** Events of this kind. */
  kind?:
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored';
  /** Assessments with this outcome. */
  outcome?: 'allowed' | 'flagged' | 'blocked';
  /** With a finding of this category or family: `data.pii`, `data`. */
  category?: string;
  /** The model’s name. */
  model?: string;
  /** Id of the credential that caused it. */
  actor?: string;
  /** User, session or agent of the inference. */
  subject?: string;
  /** The caller’s own id of the inference. */
  external_id?: string;
  /** The probe that it is about, or that saw the inference. */
  probe_id?: string;
  /** Recorded at or after. The time of the commit, which no caller chooses. */
  since?: string;
  /** Recorded before. */
  until?: string;
  /** Part of a kind, category, model, subject, actor or external id. */
  q?: string;
  /** Pull feed: events after this one, oldest first; 0: from the oldest that is kept. Not with `cursor`. */
  after_sequence?: number;
  /** With `after_sequence`: how long to wait for the first. */
  wait_s?: number;
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ExportsListQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface AuditGetCheckpointQuery {
  /** The checkpoint of exactly this size. Absent: the latest. */
  size?: number;
}

export interface AuditProveConsistencyQuery {
  /** Size of the older tree: that of the checkpoint you hold. */
  from: number;
  /** Size of the newer tree. Absent: that of the latest checkpoint. */
  to?: number;
}

export interface AuditProveEventQuery {
  /** Against the published checkpoint of this size. Absent: the latest. */
  size?: number;
}

export interface DriftListQuery {
  /** Monitors in this state. */
  state?: 'learning' | 'watching' | 'suspect' | 'sustained';
  /** Monitors of this model. */
  model?: string;
  /** Monitors of this group of probes; `api`: of what is assessed over the API. */
  group?: string;
  /** Monitors of this signal. */
  signal?:
    | 'flagged_rate'
    | 'blocked_rate'
    | 'error_rate'
    | 'refusal_rate'
    | 'score'
    | 'latency_ms'
    | 'time_to_first_token_ms'
    | 'input_tokens'
    | 'output_tokens'
    | 'category_mix'
    | 'finish_reason_mix'
    | 'model_version_mix';
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface PolicyListVersionsQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface PolicyDiffVersionsQuery {
  /** The version to begin with. Default: the one before `to`. */
  from?: number;
  /** The version to end with. Default: the one in force. */
  to?: number;
}

export interface PolicyListExceptionsQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface JudgesListQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ProbesListQuery {
  /** Probes that are so now. */
  status?: 'healthy' | 'stale' | 'offline' | 'skewed';
  /** Probes of this group. */
  group?: string;
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface WebhooksListQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface WebhooksListDeliveriesQuery {
  /** Deliveries in this state. */
  state?: 'pending' | 'in_flight' | 'parked' | 'succeeded' | 'failed' | 'cancelled';
  /** Of events of this kind. */
  kind?:
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored';
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface IntegrationsListQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface IntegrationsListDeliveriesQuery {
  /** Deliveries in this state. */
  state?: 'pending' | 'in_flight' | 'parked' | 'succeeded' | 'failed' | 'cancelled';
  /** Of events of this kind. */
  kind?:
    | 'inference.allowed'
    | 'inference.flagged'
    | 'inference.blocked'
    | 'telemetry.received'
    | 'drift.sustained'
    | 'drift.recovered'
    | 'drift.baselined'
    | 'drift.acknowledged'
    | 'policy.updated'
    | 'policy.shadow_started'
    | 'policy.shadow_stopped'
    | 'policy.shadow_promoted'
    | 'probe.registered'
    | 'probe.updated'
    | 'probe.deleted'
    | 'probe.online'
    | 'probe.offline'
    | 'probe.skewed'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'service_account.created'
    | 'service_account.updated'
    | 'service_account.deleted'
    | 'session.started'
    | 'session.ended'
    | 'sso.updated'
    | 'organization.created'
    | 'organization.updated'
    | 'webhook.created'
    | 'webhook.updated'
    | 'webhook.deleted'
    | 'webhook.paused'
    | 'webhook.recovered'
    | 'integration.created'
    | 'integration.updated'
    | 'integration.deleted'
    | 'judge.created'
    | 'judge.updated'
    | 'judge.deleted'
    | 'export.created'
    | 'audit.redacted'
    | 'audit.pruned'
    | 'audit.key_rotated'
    | 'audit.restored';
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ApiKeysListQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface ServiceAccountsListQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface SessionsListQuery {
  /** Items in a page. */
  limit?: number;
  /** `next_cursor` of the page before. */
  cursor?: string;
}

export interface OrganizationGetUsageQuery {
  /** First day, UTC. Without it the last 30 days. */
  since?: string;
  /** Last day, UTC. Without it today. */
  until?: string;
}

export interface ReportsGetSummaryQuery {
  /** Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30 days before `until`. */
  since?: string;
  /** Recorded before; the end of its day or hour. Absent: now. */
  until?: string;
  /** Of the points of the series, at most 1000. Hours reach back 100 days; weeks begin on Monday. Absent: by the length. */
  interval?: 'hour' | 'day' | 'week' | 'month';
}

export interface ReportsGetComplianceQuery {
  /** What the report is about. */
  framework: 'eu-ai-act' | 'nist-ai-rmf' | 'iso-42001';
  /** Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30 days before `until`. */
  since?: string;
  /** Recorded before; the end of its day or hour. Absent: now. */
  until?: string;
}

export interface ReportsGetCompliancePageQuery {
  /** What the report is about. */
  framework: 'eu-ai-act' | 'nist-ai-rmf' | 'iso-42001';
  /** Recorded at or after; the beginning of its day (UTC), with points of an hour of its hour. Absent: 30 days before `until`. */
  since?: string;
  /** Recorded before; the end of its day or hour. Absent: now. */
  until?: string;
}
