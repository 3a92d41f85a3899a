// What the dashboard's editor of policies knows of the document: its shape, its defaults, and the names that may stand in it with their meaning.
// Made of what the engine and its reference say, so that nobody keeps a second list.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_POLICY, PolicySchema, SECRET_TYPES } from '../packages/engine/src/index.ts';
import { KINDS } from '../packages/engine/src/detectors/pii/kinds.ts';
import { frameworksOf } from '../packages/engine/src/taxonomy.ts';
import type { Category } from '../packages/engine/src/types.ts';

/** A row of the table of detectors: id, version, categories. */
const DETECTOR_ROW = /^\| `([a-z_]+)` +\| \d+\.\d+\.\d+ +\| ([^|]+?) +\|/gm;
/** A row of the kinds of harm: type, category, what. */
const HARM_ROW = /^\| `([a-z_]+)` +\| `(content\.[a-z_]+)` +\| ([^|]+?) +\|/gm;

/** The file's text, as JSON. */
export function policyReference(): string {
  const reference = readFileSync(join(import.meta.dirname, '../docs/reference/detectors.md'), 'utf8');
  const detectors = [...reference.matchAll(DETECTOR_ROW)].map(([, id, categories]) => ({
    id: id!,
    categories: categories!,
  }));
  const harms = [...reference.matchAll(HARM_ROW)].map(([, type, category, what]) => ({
    type: type!,
    category: category!,
    what: what!,
  }));
  const found = {
    schema: PolicySchema,
    defaults: DEFAULT_POLICY,
    /** By id of the detector. */
    detectors: Object.fromEntries(
      detectors
        .filter(({ id }) => Object.hasOwn(DEFAULT_POLICY.detectors, id))
        .map(({ id, categories }) => [id, [saidOf(reference, id), ...categoriesSaid(categories)].join(' ')]),
    ),
    categories: {
      ...Object.fromEntries(
        Object.entries(findersOf(detectors)).map(([category, ids]) => [
          category,
          noteOf(category, `Found by ${ids.join(' and ')}.`),
        ]),
      ),
      ...Object.fromEntries(harms.map(({ category, what }) => [category, noteOf(category, sentence(what))])),
    },
    /** Of findings, by detector. */
    types: {
      secrets: Object.fromEntries(SECRET_TYPES.map((type) => [type, ''])),
      pii: Object.fromEntries(Object.entries(KINDS).map(([kind, { label }]) => [kind, sentence(label)])),
      harm: Object.fromEntries(harms.map(({ type, what }) => [type, sentence(what)])),
    },
  };
  return `${JSON.stringify(found, null, 1)}\n`;
}

/** What a detector finds: the first sentence of its section. */
function saidOf(reference: string, id: string): string {
  const [, said] = new RegExp(`^## ${id}\\n\\n([^|#]+?\\.)\\s`, 'm').exec(reference) ?? [];
  if (said === undefined) throw new Error(`docs/reference/detectors.md does not begin the section ${id} with a sentence.`);
  return said.replaceAll('\n', ' ');
}

/** Nothing for one that finds categories of a kind, which its settings name. */
function categoriesSaid(categories: string): string[] {
  return categories.includes('…') ? [] : [`Category: ${categories.replaceAll('`', '')}.`];
}

/** Detectors by each category that they find. */
function findersOf(detectors: readonly { readonly id: string; readonly categories: string }[]): Record<string, string[]> {
  const finders: Record<string, string[]> = {};
  for (const { id, categories } of detectors) {
    for (const [, category] of categories.matchAll(/`([a-z]+\.[a-z_]+)`/g)) (finders[category!] ??= []).push(id);
  }
  return finders;
}

function noteOf(category: string, note: string): string {
  const frameworks = frameworksOf(category as Category);
  return frameworks.length === 0 ? note : `${note} ${frameworks.join(', ')}.`;
}

function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
