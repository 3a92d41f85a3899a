// Provision by provision: what the log holds that speaks to it, and what is missing.

import type { Static } from 'typebox';
import type { Principal } from '../access/principal.ts';
import { isoTime } from '../http/schemas.ts';
import type { Services } from '../services.ts';
import { VERSION } from '../version.ts';
import { evidenceOf, type Evidence, type EvidenceId } from './evidence.ts';
import { gatherFacts, type Facts } from './facts.ts';
import { STATUSES, type FrameworkId, type Provision, type Status } from './frameworks/framework.ts';
import { FRAMEWORKS } from './frameworks/index.ts';
import { gapOf, prunedGap, type Gap } from './gaps.ts';
import { daysOf } from './period.ts';
import type { ComplianceBody } from './schemas.ts';
import { findCoveringSizes } from './store.ts';
import { presentAsOf } from './summary.ts';

export type ComplianceReport = Static<typeof ComplianceBody>;
type PresentedProvision = ComplianceReport['provisions'][number];
type CoveringSizes = ReadonlyMap<number, number | null>;

/** Test credentials see test objects only, of which the log has none. Throws `invalid_request` for a time that cannot be. */
export async function reportCompliance(
  services: Pick<Services, 'db' | 'clock'>,
  principal: Principal,
  query: { readonly framework: FrameworkId; readonly since?: string | undefined; readonly until?: string | undefined },
): Promise<ComplianceReport> {
  const { id, title, version, url, about, dates, provisions } = FRAMEWORKS[query.framework];
  const period = daysOf(services.clock(), query.since, query.until);
  const facts = await gatherFacts(services, principal, period);
  const found = provisions.map((provision) => assembled(provision, facts));
  const sequences = found.flatMap(({ evidence }) => evidence.flatMap(({ lastSequence }) => lastSequence ?? []));
  const sizes = await findCoveringSizes(services.db.reader, principal.organization.uuid, [...new Set(sequences)]);
  const presented = found.map((one) => present(one, sizes));
  return {
    framework: { id, title, version, url, about, dates },
    org_id: principal.organization.id,
    org_name: principal.organization.name,
    software: { name: 'svc', version: VERSION },
    generated_at: isoTime(facts.nowMs),
    since: isoTime(period.sinceMs),
    until: isoTime(period.untilMs),
    as_of: presentAsOf(facts.asOf),
    summary: summaryOf(presented),
    provisions: presented,
  };
}

function summaryOf(provisions: readonly PresentedProvision[]): ComplianceReport['summary'] {
  return Object.fromEntries(
    STATUSES.map((status) => {
      const same = provisions.filter((provision) => provision.status === status);
      return [status, { count: same.length, of_a_part: same.filter(({ covers }) => covers === 'part').length }];
    }),
  ) as ComplianceReport['summary'];
}

interface Assembled {
  readonly provision: Provision;
  readonly evidence: readonly (Evidence & { readonly id: EvidenceId })[];
  readonly gaps: PresentedProvision['gaps'];
}

function assembled(provision: Provision, facts: Facts): Assembled {
  return {
    provision,
    evidence: provision.evidence.flatMap((id) => {
      const evidence = evidenceOf(id, facts);
      return evidence === null ? [] : [{ id, ...evidence }];
    }),
    gaps: [
      ...presentGap('pruned', prunedGap(provision.evidence, facts)),
      ...provision.gaps.flatMap((id) => presentGap(id, gapOf(id, facts))),
    ],
  };
}

function presentGap(id: string, gap: Gap | null): PresentedProvision['gaps'] {
  return gap === null ? [] : [{ id, ...gap, endpoints: [...gap.endpoints] }];
}

function present({ provision, evidence, gaps }: Assembled, sizes: CoveringSizes): PresentedProvision {
  const { id, reference, title, binds, requirement, applies, limit, note } = provision;
  return {
    id,
    reference,
    title,
    binds: [...binds],
    requirement,
    applies,
    status: statusOf(provision, evidence, gaps.length),
    covers: coversOf(provision),
    limit,
    evidence: evidence.map((one) => presentEvidence(one, sizes)),
    gaps,
    note,
  };
}

function statusOf(provision: Provision, found: Assembled['evidence'], gaps: number): Status {
  if (coversOf(provision) === 'nothing') return 'not_recorded_here';
  if (!found.some(({ id }) => provision.needs.includes(id))) return 'none';
  return gaps === 0 && coversOf(provision) === 'whole' ? 'evidenced' : 'partial';
}

/** How much of what it asks for can be recorded here. */
function coversOf({ evidence, limit }: Provision): PresentedProvision['covers'] {
  if (evidence.length === 0) return 'nothing';
  return limit === null ? 'whole' : 'part';
}

function presentEvidence(
  evidence: Evidence & { readonly id: string },
  sizes: CoveringSizes,
): PresentedProvision['evidence'][number] {
  const { id, what, count, firstAtMs, lastAtMs, firstSequence, lastSequence, endpoints } = evidence;
  return {
    id,
    what,
    count,
    first_at: timeOrNull(firstAtMs),
    last_at: timeOrNull(lastAtMs),
    first_sequence: firstSequence,
    last_sequence: lastSequence,
    checkpoint_size: lastSequence === null ? null : (sizes.get(lastSequence) ?? null),
    endpoints: [...endpoints],
  };
}

function timeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
