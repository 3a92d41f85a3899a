// What a policy says about drift: which signals are watched, and how often an alarm may be a false one.

import type { Problem } from '../inference.ts';
import { DEFAULT_POLICY } from './default.ts';
import type { PolicyDocument } from './document.ts';
import { DRIFT_SIGNALS, DRIFT_TOLERANCES, type DriftSeason, type DriftSignal } from './drift-signals.ts';

export interface DriftSignalSettings {
  readonly enabled: boolean;
  readonly tolerance: number;
}

/** The section with its defaults filled in. */
export interface DriftSettings {
  readonly enabled: boolean;
  readonly falseAlarmsPerYear: number;
  readonly season: DriftSeason;
  readonly autoRebaselineDays: number | null;
  readonly signals: Readonly<Record<DriftSignal, DriftSignalSettings>>;
}

/** What `document` says, and where it says nothing the default. */
export function driftSettings({ drift = {} }: Pick<PolicyDocument, 'drift'>): DriftSettings {
  const usual = DEFAULT_POLICY.drift;
  const isOn = drift.enabled ?? usual.enabled;
  const signalOf = (signal: DriftSignal): DriftSignalSettings => {
    const { enabled = true, tolerance = DRIFT_TOLERANCES[DRIFT_SIGNALS[signal]] } = drift.signals?.[signal] ?? {};
    return { enabled: isOn && enabled, tolerance };
  };
  return {
    enabled: isOn,
    falseAlarmsPerYear: drift.false_alarms_per_year ?? usual.false_alarms_per_year,
    season: drift.season ?? usual.season,
    autoRebaselineDays: drift.auto_rebaseline_days ?? null,
    signals: Object.fromEntries(Object.keys(DRIFT_SIGNALS).map((signal) => [signal, signalOf(signal as DriftSignal)])) as Record<
      DriftSignal,
      DriftSignalSettings
    >,
  };
}

// Beyond one a week nobody looks any more.
const FALSE_ALARMS_MANY = 52;

/** Things about drift that somebody may not have meant. */
export function driftWarnings({ drift }: PolicyDocument): Problem[] {
  const warnings: Problem[] = [];
  if (drift?.enabled === false) warnings.push({ pointer: '/drift/enabled', message: 'nothing is watched for drift' });
  const signals = Object.values(driftSettings({ drift: { ...drift, enabled: true } }).signals);
  if (drift?.enabled !== false && !signals.some(({ enabled }) => enabled))
    warnings.push({ pointer: '/drift/signals', message: 'no signal is left to watch for drift' });
  if ((drift?.false_alarms_per_year ?? 0) > FALSE_ALARMS_MANY)
    warnings.push({ pointer: '/drift/false_alarms_per_year', message: 'allows more than one false alarm a week' });
  if (drift?.auto_rebaseline_days != null)
    warnings.push({
      pointer: '/drift/auto_rebaseline_days',
      message: 'drift that nobody has looked at becomes the new baseline after this time',
    });
  return warnings;
}
