import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EVENT_KINDS } from './kinds.ts';

const GUIDE = join(import.meta.dirname, '../../../../docs/guide/events.md');

test('the guide has a row for every kind of event, and for none that does not exist', () => {
  expect(kindsOfGuide().toSorted()).toEqual(EVENT_KINDS.toSorted());
});

/** What stands in the first cells of the table of kinds: `family.name`, and `.name` of the same family after it. */
function kindsOfGuide(): string[] {
  const rows = readFileSync(GUIDE, 'utf8').split('\n');
  const first = rows.findIndex((row) => /^\| kind +\| when/.test(row)) + 2;
  const end = rows.indexOf('', first);
  return rows.slice(first, end).flatMap((row) => {
    let family = '';
    return Array.from((row.split('|')[1] ?? '').matchAll(/`([a-z_]*)\.([a-z_]+)`/g), ([, named, name]) => {
      family = named || family;
      return `${family}.${name}`;
    });
  });
}
