// The model scores in TypeScript as it was measured in Python, and ranks what people write.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runnerOf } from '../run.ts';
import { detector } from './detector.ts';
import { SLOTS } from './features.ts';
import { probabilityOf } from './model.ts';

const FOLDER = join(import.meta.dirname, '../../../models/secret-values');

describe('parity', () => {
  const rows = JSON.parse(readFileSync(join(FOLDER, 'parity.json'), 'utf8')) as { slots: number[]; score: number }[];

  test('scores as the training did, to six decimals', () => {
    expect(rows.length).toBeGreaterThanOrEqual(300);
    for (const { slots, score } of rows) expect(probabilityOf(slots)).toBeCloseTo(score, 6);
  });

  test('knows only slots that have a weight', () => {
    expect(rows.every(({ slots }) => slots.every((slot) => slot >= 0 && slot < SLOTS))).toBe(true);
  });
});

describe('own lines', () => {
  const run = runnerOf(detector);
  const lines = readFileSync(join(import.meta.dirname, '../../../../../training/secrets/lines.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string; label: number });
  const isFound = ({ text }: { text: string }) => run(text).some(({ score }) => score >= 0.5);

  test('at least nine of ten credentials are found', () => {
    const credentials = lines.filter(({ label }) => label === 1);
    expect(credentials.filter(isFound).length / credentials.length).toBeGreaterThan(0.9);
  });

  test('no more than one of a hundred look-alikes is taken for one', () => {
    const lookalikes = lines.filter(({ label }) => label === 0);
    expect(lookalikes.filter(isFound).length / lookalikes.length).toBeLessThanOrEqual(0.01);
  });
});
