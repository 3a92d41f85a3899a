// Promises of what is printed: it fits, and it is harmless.

import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { Output, toned, type Column } from './output.ts';
import { ago, cut, harmless, nearest, oneLine, widthOf, wrap } from './text.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-output-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `write` prints to a terminal, or elsewhere. */
function printed(write: (output: Output) => void, { isTTY = false, columns = 80, hasColour = true, isJson = false } = {}) {
  const path = join(folder, 'out');
  const stdout = { fd: openSync(path, 'w'), isTTY, columns };
  write(new Output({ stdout, stderr: { fd: openSync(join(folder, 'err'), 'w') }, isJson, hasColour }));
  return readFileSync(path, 'utf8');
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly age: string;
}
const COLUMNS: readonly Column<Row>[] = [
  { name: 'ID', importance: 9, cell: ({ id }) => id },
  { name: 'NAME', importance: 8, widthMin: 8, cell: ({ name }) => name },
  { name: 'URL', importance: 3, widthMin: 20, cell: ({ url }) => url },
  { name: 'AGE', importance: 5, cell: ({ age }) => toned('dim', age) },
];
const ID = 'whk_01jd4t4ve9e0fs7m4c1ywz3qkd';
const row = (name: string, url: string): Row => ({ id: ID, name, url, age: '3 min ago' });

test('JSON never has a character that a terminal obeys or that hides, and is the same value', () => {
  const value = { text: 'a\x9b31m\x7f\u202e\u2028\u{e0041}é' };
  const text = printed((output) => output.json(value), { isTTY: true });
  expect(text).toContain(String.raw`a\u009b31m\u007f\u202e\u2028\udb40\udc41é`);
  expect(JSON.parse(text)).toEqual(value);
});

test('a table fits the terminal, whatever the data: what may be cut is, then the least important column is left out, and no id is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.webUrl()), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 30, max: 140 }),
      (rows, columns) => {
        const lines = printed(
          (output) =>
            output.table(
              COLUMNS,
              rows.map(([name, url]) => row(name, url)),
            ),
          { columns },
        )
          .trimEnd()
          .split('\n');
        expect(lines).toHaveLength(rows.length + 1);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        for (const line of lines.slice(1)) expect(line).toContain(ID);
      },
    ),
  );
  const lines = printed((output) => output.table(COLUMNS, [row('Orders', 'https://shop.example.com/webhooks/orders')]), {
    columns: 70,
  }).split('\n');
  expect(lines).toEqual([`${'ID'.padEnd(30)}  NAME    AGE`, `${ID}  Orders  3 min ago`, '']);
});

test('columns line up also under wide characters, emoji of several, and combining marks', () => {
  const names = ['Ascii', '日本語', '👩‍👩‍👧‍👦 family', '🇪🇺', 'e\u0301a\u0308', '한국어', '❤️'];
  const lines = printed(
    (output) =>
      output.table(
        COLUMNS,
        names.map((name) => row(name, 'https://a.example')),
      ),
    { columns: 120 },
  )
    .trimEnd()
    .split('\n');
  const places = lines.slice(1).map((line) => widthOf(line.slice(0, line.indexOf('https://'))));
  expect(new Set(places).size).toBe(1);
  expect(names.map(widthOf)).toEqual([5, 6, 9, 2, 2, 6, 2]);
});

test('data cannot steer the terminal: control, direction and hidden characters are written out, in lines, tables and blocks', () => {
  const evil = 'a\x1b]0;owned\x07\x1b[2Jb\r\u009bc\u202ed\u2066e\u{e0041}f\u200bg\u00adh';
  const shown = String.raw`a\x1b]0;owned\x07\x1b[2Jb\x0d\x9bc\u202ed\u2066e\u{e0041}f\u200bg\xadh`;
  expect(harmless(evil)).toBe(shown);
  expect(oneLine(`x\ny\tz`)).toBe('x↵y z');
  const all = printed(
    (output) => {
      output.line(evil, toned('bad', evil));
      output.fields([['Name', evil]]);
      output.table([{ name: 'NAME', importance: 1, cell: () => evil }], [1]);
    },
    { isTTY: true, columns: 200 },
  );
  // What is left are svc's own colours.
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(all.replace(/\x1b\[[0-9;]*m/g, '')).not.toMatch(/[^\P{C}\n]/u);
  expect(all.split(shown)).toHaveLength(5);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(oneLine(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u);
    }),
  );
});

test('colours are for terminals alone, and not where they are not wanted', () => {
  const write = (output: Output) => output.line(toned('bad', 'blocked'));
  expect(printed(write, { isTTY: true })).toBe('\x1b[31mblocked\x1b[0m\n');
  expect(printed(write, { isTTY: true, hasColour: false })).toBe('blocked\n');
  expect(printed(write)).toBe('blocked\n');
});

test('a list is one JSON value for programs, and a sentence where there is nothing', () => {
  const list = { data: [row('a', 'b')], next_cursor: 'x' };
  expect(JSON.parse(printed((output) => output.list(list, COLUMNS, 'None.'), { isJson: true }))).toEqual(list);
  expect(printed((output) => output.list({ data: [], next_cursor: null }, COLUMNS, 'None.'))).toBe('None.\n');
});

test('a text is cut and wrapped by the columns it takes', () => {
  expect(cut('abcdef', 4)).toBe('abc…');
  expect(cut('日本語', 5)).toBe('日本…');
  expect(cut('日本語', 6)).toBe('日本語');
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
});

test('times are told from now', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  const told = [
    '2026-11-22T11:56:30Z',
    '2026-11-22T12:00:00.4Z',
    '2026-11-22T14:00:01Z',
    '2026-11-20T11:00:00Z',
    '2026-01-01T00:00:00Z',
  ].map((time) => ago(time, now));
  expect(told).toEqual(['3 min ago', 'now', 'in 2 h', '2 d ago', '2026-01-01']);
  expect(ago(null)).toBe('–');
});

test('what was probably meant is near, and nothing is where nothing is', () => {
  const known = ['webhooks', 'events', 'policy', 'keys'];
  expect(['webhok', 'evnets', 'polcy', 'kes', 'web'].map((word) => nearest(word, known))).toEqual([
    'webhooks',
    'events',
    'policy',
    'keys',
    'webhooks',
  ]);
  expect(nearest('xyzzy', known)).toBeUndefined();
});
