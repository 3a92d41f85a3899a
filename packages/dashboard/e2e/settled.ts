import type { Page } from 'playwright-core';

/** All that loads has loaded: a heading is there, and nothing stands for what is to come. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}
