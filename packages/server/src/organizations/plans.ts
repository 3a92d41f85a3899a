// Plans and their limits, as the interface gives them.

import { PLANS } from '../config.ts';

export { PLANS };
export type Plan = (typeof PLANS)[number];

/** Per organization: assessments and API requests in a minute, items in a batch. */
export interface PlanLimits {
  readonly assessments_per_minute: number;
  readonly requests_per_minute: number;
  readonly batch_size: number;
}

const LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  starter: { assessments_per_minute: 100, requests_per_minute: 200, batch_size: 50 },
  growth: { assessments_per_minute: 1_000, requests_per_minute: 2_000, batch_size: 500 },
  scale: { assessments_per_minute: 10_000, requests_per_minute: 20_000, batch_size: 1_000 },
  enterprise: { assessments_per_minute: 1_000_000, requests_per_minute: 2_000_000, batch_size: 1_000 },
};

/** The limits of `plan`, with an organization's own numbers (enterprise) over them. */
export function limitsOf(plan: Plan, custom: Partial<PlanLimits> | null): PlanLimits {
  return { ...LIMITS[plan], ...custom };
}
