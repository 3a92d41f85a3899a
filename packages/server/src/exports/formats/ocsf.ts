// Events as OCSF 1.8: class API Activity (6003), an assessment with the profile AI Operation (schema.ocsf.io/1.8.0/classes/api_activity).

import {
  actorIdOf,
  categoriesOf,
  microsecondsOf,
  numberOrNull,
  subjectOf,
  textOrNull,
  type ExportFacts,
  type Row,
} from './row.ts';

const SCHEMA_VERSION = '1.8.0';
const CATEGORY_APPLICATION = 6;
const CLASS_API_ACTIVITY = 6003;

const CREATE = [1, 'Create'] as const;
const UPDATE = [3, 'Update'] as const;
const DELETE = [4, 'Delete'] as const;
const OTHER = 99;

/** By what a kind says happened; what is not here is an activity of its own (`Other`), such as an assessment. */
const ACTIVITIES: Readonly<Record<string, readonly [number, string]>> = {
  created: CREATE,
  registered: CREATE,
  started: CREATE,
  shadow_started: CREATE,
  updated: UPDATE,
  shadow_promoted: UPDATE,
  acknowledged: UPDATE,
  baselined: UPDATE,
  paused: UPDATE,
  redacted: UPDATE,
  key_rotated: UPDATE,
  deleted: DELETE,
  revoked: DELETE,
  ended: DELETE,
  shadow_stopped: DELETE,
  pruned: DELETE,
};

const SEVERITIES: Readonly<Record<string, readonly [number, string]>> = {
  none: [1, 'Informational'],
  low: [2, 'Low'],
  medium: [3, 'Medium'],
  high: [4, 'High'],
  critical: [5, 'Critical'],
};

const STATUSES: Readonly<Record<string, readonly [number, string]>> = {
  allowed: [1, 'Success'],
  flagged: [OTHER, 'Flagged'],
  blocked: [2, 'Failure'],
};

/** With its line end. */
export function ocsfLine(row: Row, { origin, treeSize, version }: Pick<ExportFacts, 'origin' | 'treeSize' | 'version'>): string {
  const { facts, disclosed, erased } = row;
  const { kind } = facts;
  const isInference = kind.startsWith('inference.');
  const [activityId, activity] = activityOf(kind, isInference);
  const [severityId, severity] = own(SEVERITIES, facts.severity) ?? SEVERITIES['none']!;
  const [statusId, status] = own(STATUSES, facts.outcome) ?? [1, 'Success'];
  const { session, agent } = subjectOf(row);
  const model = textOrNull(facts.model);
  const aiModel = model === null ? undefined : { name: model, model_name: model, ai_provider: providerOf(disclosed.data) };
  return `${JSON.stringify({
    activity_id: activityId,
    activity_name: activity,
    category_uid: CATEGORY_APPLICATION,
    category_name: 'Application Activity',
    class_uid: CLASS_API_ACTIVITY,
    class_name: 'API Activity',
    type_uid: CLASS_API_ACTIVITY * 100 + activityId,
    type_name: `API Activity: ${activity}`,
    time: millisecondsOf(facts.occurred_at),
    severity_id: severityId,
    severity,
    status_id: statusId,
    status,
    status_detail: textOrNull(facts.outcome) ?? undefined,
    message: kind,
    actor: actorOf(row),
    // The class requires one; it may be withheld, or there was none.
    src_endpoint: disclosed['actor.ip'] === undefined ? { name: 'unknown' } : { ip: disclosed['actor.ip'] },
    api: { operation: kind, service: { name: 'svc' } },
    metadata: {
      version: SCHEMA_VERSION,
      product: { name: 'svc', vendor_name: 'svc', version },
      profiles: isInference ? ['ai_operation'] : [],
      uid: facts.id,
      sequence: facts.sequence,
      log_name: origin,
      log_provider: 'svc',
      event_code: kind,
      logged_time: millisecondsOf(facts.recorded_at),
      tenant_uid: facts.org_id,
      correlation_uid: textOrNull(disclosed.external_id) ?? undefined,
    },
    ...(isInference
      ? {
          ai_model: agent === null ? aiModel : undefined,
          ai_agent: agent === null ? undefined : { uid: agent, ai_model: aiModel },
          message_context: {
            uid: session ?? undefined,
            ai_role_id: agent === null ? 2 : 4,
            service: { name: 'svc', uid: textOrNull(facts.probe_id) ?? undefined },
          },
        }
      : {}),
    unmapped: {
      index: row.index,
      leaf_hash: row.leafHash,
      checkpoint_size: treeSize,
      score: numberOrNull(facts.score) ?? undefined,
      categories: categoriesOf(row) ?? undefined,
      coverage: facts.coverage,
      policy: facts.policy,
      probe_id: facts.probe_id,
      subject: disclosed.subject,
      metadata: disclosed.metadata,
      previews: disclosed.previews,
      data: disclosed.data,
      erased: erased.length === 0 ? undefined : erased,
    },
  })}\n`;
}

function millisecondsOf(time: string): number {
  return Number(microsecondsOf(time) / 1_000n);
}

function activityOf(kind: string, isInference: boolean): readonly [number, string] {
  if (isInference) return [OTHER, 'Assess'];
  const word = kind.slice(kind.indexOf('.') + 1);
  return own(ACTIVITIES, word) ?? [OTHER, word];
}

function actorOf(row: Row): object {
  const { type } = row.facts.actor;
  const id = actorIdOf(row);
  if (type === 'user') return { user: id === null ? { name: 'unknown' } : { uid: id } };
  return { app_name: type, app_uid: id ?? undefined };
}

/** The profile requires one. Assessments seldom say who provides the model. */
function providerOf(data: unknown): string {
  const model = isObject(data) ? data['model'] : null;
  return (isObject(model) ? textOrNull(model['provider']) : null) ?? 'unknown';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function own<T>(table: Readonly<Record<string, T>>, key: unknown): T | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}
