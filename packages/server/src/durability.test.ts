// What was answered 200 survives kill -9.

import { expect, test } from 'vitest';
import { killDrill } from './testing/kill-drill.ts';

test(
  'no assessment that was answered is lost when the service and its database are killed under load',
  { timeout: 180_000 },
  async () => {
    const { lost, answered, events, lastSequence, kills } = await killDrill({ assessments: 2_000, kills: 4 });
    expect({ lost, kills }).toEqual({ lost: 0, kills: 4 });
    expect(answered).toBeGreaterThanOrEqual(2_000);
    expect(lastSequence).toBe(events);
  },
);
