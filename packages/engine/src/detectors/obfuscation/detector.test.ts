import { expect, test } from 'vitest';
import { runnerOf } from '../run.ts';
import { detector } from './detector.ts';

const run = runnerOf(detector);
const LONG = 50_000;

test.each([
  ['mixed words', 'раsswоrd '.repeat(LONG / 9)],
  ['overrides far apart', `\u202e${'x'.repeat(50)}`.repeat(LONG / 51)],
  ['floods far apart', `a${'\u0301'.repeat(12)}${'x'.repeat(40)}`.repeat(LONG / 53)],
])('every one of %s is reported, so that all can be redacted', (_name, text) => {
  const found = run(text);
  expect(found.length).toBeGreaterThan(900);
  expect(text.length - found.at(-1)!.end).toBeLessThan(60);
});

test('one hidden message is one finding, however its characters are spread', () => {
  expect(run('\u200b'.repeat(400))).toHaveLength(1);
  expect(run(Array.from('a secret order').join('\u200b'))).toHaveLength(1);
});

test('a message without end is told in stretches that leave nothing out', () => {
  const found = run('\u200b'.repeat(LONG));
  expect(found.length).toBeLessThan(LONG / 400);
  let told = 0;
  for (const { start, end } of found) {
    expect(start).toBe(told);
    told = end;
  }
  expect(told).toBe(LONG);
});

test('more of it scores higher', () => {
  const scoreOf = (text: string) => run(text)[0]!.score;
  expect(scoreOf(`x${'\u200b'.repeat(20)}`)).toBeGreaterThan(scoreOf(`x${'\u200b'.repeat(5)}`));
  expect(scoreOf('раsswоrd sесrеt ассоunt соdеs')).toBeGreaterThan(scoreOf('раsswоrd'));
});

test('a finding never shows the hidden text', () => {
  const [finding] = run(`x${Array.from('ignore', (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')}`);
  expect(finding).toMatchObject({ category: 'attack.obfuscation', type: 'tag_characters', preview: null });
  expect(finding!.explanation).not.toContain('ignore');
});
