// Events as CloudEvents 1.0 in JSON, one a line.

import { textOrNull, type ExportFacts, type Row } from './row.ts';

/** With its line end. */
export function cloudEventLine(row: Row, { origin }: Pick<ExportFacts, 'origin'>): string {
  const { facts, disclosed, erased } = row;
  const { id, kind, occurred_at: time, actor, model, probe_id: probeId } = facts;
  return `${JSON.stringify({
    specversion: '1.0',
    id,
    source: origin,
    type: kind,
    // Not empty where it is there.
    subject: [textOrNull(model), textOrNull(probeId)].find((text) => text !== null && text !== ''),
    time,
    datacontenttype: 'application/json',
    // Texts: an Integer of CloudEvents ends at 2^31, which an index may pass.
    auditindex: String(row.index),
    auditleaf: row.leafHash,
    data: {
      sequence: facts.sequence,
      org_id: facts.org_id,
      recorded_at: facts.recorded_at,
      actor: { type: actor.type, id: actor.id ?? disclosed['actor.id'], ip: disclosed['actor.ip'] },
      model,
      probe_id: probeId,
      outcome: facts.outcome,
      severity: facts.severity,
      score: facts.score,
      categories: facts.categories,
      coverage: facts.coverage,
      policy: facts.policy,
      subject: disclosed.subject,
      external_id: disclosed.external_id,
      metadata: disclosed.metadata,
      previews: disclosed.previews,
      data: disclosed.data,
      erased: erased.length === 0 ? undefined : erased,
    },
  })}\n`;
}
