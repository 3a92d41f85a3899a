// The editor of policies, as somebody uses it who types.

import type { Locator, Page } from 'playwright-core';

/** Where the document is typed. */
export function editorOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Policy document' });
}

/** Puts `text` in place of what is there. */
export async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

/** What stands in the editor, line by line, without blanks at the ends. */
export async function written(page: Page): Promise<string> {
  await editorOf(page).waitFor();
  const lines = await editorOf(page).locator('.cm-line').allTextContents();
  return lines.join('\n').trim();
}

/** The service has looked at what is there. */
export async function checked(page: Page): Promise<void> {
  await page
    .getByLabel('Problems', { exact: true })
    .getByText(/^.valid$/)
    .waitFor();
}
