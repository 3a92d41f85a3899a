// What a document comes to once its defaults are filled in: to tell a change of words from a change of what is done.

import type { Policy } from '@svc/client';
import { pathOf } from './editor/document.ts';
import { DEFAULTS } from './editor/reference.ts';

type Members = Readonly<Record<string, unknown>>;
/** Members by type, in detectors that have them. */
const BY_TYPE = ['entities', 'categories', 'types'] as const;
/** Members whose value is taken whole, or member by member. */
const FILLED = ['mode', 'on_error', 'deadline_ms', 'stream', 'data'] as const;

/** The value at a place once defaults are filled in. */
export function effectAt(policy: Policy, pointer: string): unknown {
  return pathOf(pointer).reduce<unknown>(
    (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    effectOf(policy),
  );
}

/** Whether nothing is done otherwise because of a change at this place. Said only where it is sure. */
export function isWithoutEffect(before: Policy, after: Policy, pointer: string): boolean {
  return isEqual(effectAt(before, pointer), effectAt(after, pointer));
}

function effectOf(policy: Policy): Members {
  const written = policy as Members;
  const filled = FILLED.map((name) => [name, merged(DEFAULTS[name], written[name])] as const);
  const own = isObject(written['detectors']) ? written['detectors'] : {};
  const detectors = Object.entries(DEFAULTS.detectors).map(
    ([id, usual]) => [id, detectorOf(usual as unknown as Members, own[id])] as const,
  );
  return { ...written, ...Object.fromEntries(filled), detectors: Object.fromEntries(detectors) };
}

function detectorOf(usual: Members, written: unknown): Members {
  const own = isObject(written) ? written : {};
  const settings: Record<string, unknown> = { ...usual, ...own };
  for (const name of BY_TYPE) {
    const chosen = isObject(own[name]) ? own[name] : {};
    // An action of the detector stands in place of the default of each type.
    const table = isObject(usual[name]) && own['action'] === undefined ? usual[name] : {};
    if (Object.keys(chosen).length + Object.keys(isObject(usual[name]) ? usual[name] : {}).length === 0) continue;
    const types = new Set([...Object.keys(isObject(usual[name]) ? usual[name] : {}), ...Object.keys(chosen)]);
    settings[name] = Object.fromEntries(
      [...types].map((type) => {
        const action = chosen[type] ?? table[type] ?? settings['action'];
        // What is written for a type holds also where a sure finding would block.
        return [type, chosen[type] !== undefined && settings['block_at'] !== null ? { action, isChosen: true } : action];
      }),
    );
  }
  return settings;
}

function merged(usual: unknown, written: unknown): unknown {
  if (written === undefined) return usual;
  return isObject(usual) && isObject(written) ? { ...usual, ...written } : written;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists and objects that hold nothing. */
function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.values(value).every(isEmpty));
}

function isEqual(a: unknown, b: unknown): boolean {
  if (isEmpty(a) && isEmpty(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => isEqual(each, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isEqual(a[name], b[name]));
}
