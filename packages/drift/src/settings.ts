// A monitor's settings with their defaults and bounds.

import { SAMPLE_MAX } from './sample.ts';
import type { MonitorSettings } from './types.ts';

const DAY_MS = 24 * 3_600_000;

const NUMERIC_TOLERANCE = 0.05;
const SHARE_TOLERANCE = 0.1;
const LEARN_FROM = 2000;
const LEARN_FROM_MIN = 50;
const LEARN_UNTIL = 50_000;
const LEARN_FOR_MS = 7 * DAY_MS;
const BLOCK_MS = 180_000;
const COOLDOWN_MS = DAY_MS;
const LATE_MS = 600_000;

export type Settings = Required<MonitorSettings>;

/** @throws RangeError naming the setting that is out of bounds. */
export function resolveSettings(given: MonitorSettings): Settings {
  const settings: Settings = {
    kind: given.kind,
    tolerance: given.tolerance ?? (given.kind === 'numeric' ? NUMERIC_TOLERANCE : SHARE_TOLERANCE),
    season: given.season ?? 'none',
    learnFrom: given.learnFrom ?? LEARN_FROM,
    learnUntil: given.learnUntil ?? LEARN_UNTIL,
    learnForMs: given.learnForMs ?? LEARN_FOR_MS,
    blockMs: given.blockMs ?? BLOCK_MS,
    cooldownMs: given.cooldownMs ?? COOLDOWN_MS,
    lateMs: given.lateMs ?? LATE_MS,
  };
  check('kind', ['rate', 'numeric', 'categorical'].includes(settings.kind));
  check('season', ['none', 'day', 'week'].includes(settings.season));
  check('tolerance', settings.tolerance >= 0 && settings.tolerance <= 10);
  check(
    'learnFrom',
    Number.isInteger(settings.learnFrom) && settings.learnFrom >= LEARN_FROM_MIN && settings.learnFrom <= SAMPLE_MAX,
  );
  check('learnUntil', settings.learnUntil >= 0);
  check('learnForMs', settings.learnForMs >= 0);
  check('blockMs', settings.blockMs >= 0);
  check('cooldownMs', settings.cooldownMs >= 0);
  check('lateMs', settings.lateMs >= 0);
  return settings;
}

function check(name: keyof MonitorSettings, isRight: boolean): void {
  if (!isRight) throw new RangeError(`Monitor: the setting ${name} is out of bounds`);
}
