// axe-core in a page whose content policy takes no foreign script: it is evaluated from outside.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/** A line for each violation. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Reading it costs more than a run: once for each document.
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(SOURCE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    // What is in order is not told in full.
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}): ${target.join(' ')}: ${failureSummary}`),
  );
}
