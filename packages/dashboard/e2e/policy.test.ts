// Promises of the policy's document: what one types is checked, proposed, kept, compared and saved.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, findChromium, startPages, type Pages } from './browser.ts';
import { checked, editorOf, write, written } from './policy-editor.ts';
import { settled } from './settled.ts';

const found = findChromium();
if ('missing' in found) console.warn(`The tests of the dashboard are skipped: ${found.missing}.`);

/** So that a test that waits in vain says for what. */
const STEP_MS_MAX = 12_000;
const WITH_COMMENTS = `# Of the privacy team.
detectors:
  pii:
    entities:
      email: redact # since the audit
`;

describe.skipIf('missing' in found)('the document of the policy', () => {
  let pages: Pages;

  beforeAll(async () => {
    pages = await startPages();
  });
  beforeEach(() => store({ mode: 'enforce' }));
  afterEach(() => pages.check());
  afterAll(() => pages.close());

  const store = async (policy: unknown) => {
    const { status, text } = await pages.service.request('PUT', '/v1/policy', {
      key: pages.service.organization.keys.admin,
      body: policy,
    });
    if (status !== 200) throw new Error(text);
  };
  const inForce = async () => (await pages.service.request('GET', '/v1/policy')).body;
  const open = async (...options: Parameters<Pages['open']>) => {
    const page = await pages.open(...options);
    page.setDefaultTimeout(STEP_MS_MAX);
    await settled(page);
    await editorOf(page).waitFor();
    return page;
  };

  test('what is wrong is marked where it stands, listed below, and one goes there from the list', async () => {
    const page = await open('/policy');
    await checked(page);
    await write(page, 'mode: monitor\ndetectors:\n  prompt_injection:\n    flag_at: 0.95\n');
    const problems = page.getByLabel('Problems', { exact: true });
    const line = problems.getByRole('button', { name: /Line 4.*block_at \(0\.9\) must not be below/ });
    await line.waitFor();
    await page.locator('.cm-lintRange-error', { hasText: '0.95' }).waitFor();
    await page.getByRole('button', { name: 'Save …' }).and(page.locator(':disabled')).waitFor();
    await expectAccessible(page);
    await line.click();
    await page.keyboard.insertText('0.6');
    await problems.getByRole('button', { name: /Line 1.*nothing is redacted or blocked in monitor mode/ }).waitFor();
    expect(await written(page)).toContain('flag_at: 0.6');
    await write(page, 'mode: [');
    await problems.getByRole('button', { name: /Line 1/ }).waitFor();
    await page.getByText('The text cannot be read as it is.').waitFor();
    await expectAccessible(page);
  });

  test('what cannot be sent is marked, what is shared by an alias is left to the text, and nothing that was typed is lost', async () => {
    const page = await open('/policy');
    const problems = page.getByLabel('Problems', { exact: true });
    const save = page.getByRole('button', { name: 'Save …' });
    await write(page, 'detectors:\n  secrets:\n    block_at: .nan\n');
    await problems.getByRole('button', { name: /Line 3.*has to be finite/ }).waitFor();
    expect(await save.isDisabled()).toBe(true);
    await write(page, 'mode: monitor\nx: &x\n  b: *x\n');
    await problems.getByRole('button', { name: /Line 3.*that has no end/ }).waitFor();
    expect(await written(page)).toContain('b: *x');
    await write(page, 'detectors:\n  pii: &d {enabled: false}\n  secrets: *d\n');
    const secrets = page.getByRole('group', { name: 'secrets', exact: true });
    await secrets.getByText('The text shares this by the alias *d.').waitFor();
    expect(await secrets.getByRole('spinbutton', { name: 'Flag at' }).isDisabled()).toBe(true);
    expect(await secrets.getByRole('checkbox').isChecked()).toBe(false);
    await write(page, 'detectors: foo\n');
    await secrets.getByText('detectors has another shape in the text.').waitFor();
    await expectAccessible(page);
  });

  test('a document of 100 kB is typed into without waiting for its check', async () => {
    const page = await open('/policy');
    const exception = (i: number) =>
      `  - id: e${i}\n    match: {category: data.pii, value: "*@x${i}.example.com"}\n    reason: Ours.\n    owner: ann@example.com\n    expires_at: "2036-01-01T00:00:00Z"\n`;
    await write(page, `exceptions:\n${Array.from({ length: 700 }, (_, i) => exception(i)).join('')}`);
    await checked(page);
    // Each letter is a task of its own; the longest says how long somebody would wait to see one.
    await page.evaluate(() => {
      const seen = ((window as unknown as { longest: number }).longest = 0);
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          const kept = window as unknown as { longest: number };
          kept.longest = Math.max(kept.longest, duration, seen);
        }
      }).observe({ type: 'longtask' });
    });
    await editorOf(page).press('Control+End');
    await page.keyboard.type('# as agreed', { delay: 40 });
    expect(await page.evaluate(() => (window as unknown as { longest: number }).longest)).toBeLessThan(400);
    await checked(page);
    await page.getByRole('combobox', { name: /^Mode/ }).selectOption('monitor');
    await page
      .getByLabel('Problems', { exact: true })
      .getByText(/^.1 warning$/)
      .waitFor();
  });

  test('names and values are proposed with their meaning, at their place', async () => {
    const page = await open('/policy');
    await write(page, '');
    const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
    const option = (name: string) => options.filter({ hasText: new RegExp(`^${name}`) });
    await page.keyboard.type('dete');
    await option('detectors').click();
    await option('prompt_injection').waitFor();
    await page.locator('.cm-completionInfo', { hasText: 'Attempts to override' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('pii');
    await option('pii').click();
    await option('entities').waitFor();
    await page.keyboard.type('act');
    await option('action').click();
    await option('redact').waitFor();
    await page.locator('.cm-completionInfo', { hasText: 'no finding.' }).waitFor();
    await page.keyboard.type('red');
    await expect.poll(() => options.allTextContents()).toEqual([expect.stringMatching(/^redact/)]);
    await option('redact').click();
    expect(await written(page)).toBe('detectors:\n  pii:\n    action: redact');
    await checked(page);
  });

  test('the form edits the same text and keeps its comments; the difference is shown before it is saved', async () => {
    const page = await open('/policy');
    await write(page, WITH_COMMENTS);
    await checked(page);
    await page.getByRole('combobox', { name: /^Mode/ }).selectOption('monitor');
    await page.getByRole('spinbutton', { name: /^Keep for/ }).fill('200');
    const secrets = page.getByRole('group', { name: 'secrets', exact: true });
    await secrets.getByRole('combobox', { name: /^Action/ }).selectOption('block');
    await page.getByRole('checkbox', { name: /^refusal/ }).uncheck();
    const injection = page.getByRole('group', { name: 'prompt_injection' });
    await injection.getByText('What it finds').click();
    await injection.getByRole('button', { name: 'Never block' }).click();
    const text = await written(page);
    expect(text).toContain('# Of the privacy team.');
    expect(text).toContain('email: redact # since the audit');
    await page.getByRole('button', { name: 'Save …' }).click();
    const dialog = page.getByRole('dialog', { name: /^Save as version/ });
    await dialog.getByText('nothing is redacted or blocked in monitor mode').waitFor();
    expect(await dialog.locator('.diff-added').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining('mode: monitor'), expect.stringContaining('retention_days: 200')]),
    );
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save and put in force' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { version, policy } = await inForce();
    expect(policy).toEqual({
      mode: 'monitor',
      data: { retention_days: 200 },
      detectors: {
        pii: { entities: { email: 'redact' } },
        secrets: { action: 'block' },
        refusal: { enabled: false },
        prompt_injection: { block_at: null },
      },
    });
    await page.getByText(`version ${version} in force`).waitFor();
    expect(await written(page)).toContain('# since the audit');
    await page.getByRole('combobox', { name: /^Mode/ }).selectOption('');
    expect(await written(page)).not.toContain('mode:');
  });

  test('JSON by choice is the same document, and losing comments is asked first', async () => {
    const page = await open('/policy');
    await write(page, WITH_COMMENTS);
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.getByRole('dialog').getByText('JSON has no comments').waitFor();
    await page.getByRole('button', { name: 'Change to JSON' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(JSON.parse(await written(page))).toEqual({ detectors: { pii: { entities: { email: 'redact' } } } });
    await write(page, '{"mode": "monitor", "stream": ');
    await page
      .getByLabel('Problems', { exact: true })
      .getByRole('button', { name: /Line 1/ })
      .waitFor();
    await page.getByRole('button', { name: /missing at the end/ }).waitFor();
    // What can be undone begins anew with the format.
    await write(page, '{"mode": "monitor"}');
    await page.getByRole('button', { name: 'YAML' }).click();
    await expect.poll(() => written(page)).toBe('mode: monitor');
    await editorOf(page).press('Control+z');
    expect(await written(page)).toBe('mode: monitor');
    await page.getByRole('button', { name: 'JSON' }).click();
    await write(page, '{"mode": "bogus"}');
    await page.getByRole('button', { name: /Line 1.*\/mode/ }).waitFor();
    await expectAccessible(page);
  });

  test('who was slower sees what the other changed, loses nothing, and merges by hand', async () => {
    const page = await open('/policy');
    await write(page, '# mine\nmode: monitor\n');
    await page
      .getByLabel('Problems', { exact: true })
      .getByText(/^.1 warning$/)
      .waitFor();
    await page.getByRole('button', { name: 'Save …' }).click();
    const dialog = page.getByRole('dialog', { name: /^Save as version/ });
    await dialog.getByRole('button', { name: 'Save and put in force' }).and(page.locator(':enabled')).waitFor();
    await store({ mode: 'enforce', deadline_ms: 500 });
    const before = await inForce();
    await dialog.getByRole('button', { name: 'Save and put in force' }).click();
    const notice = page.getByRole('region', { name: 'Changed meanwhile' });
    await notice.getByText(`Version ${before.version} was stored while you were editing`).waitFor();
    await notice.getByTitle(before.updated_by).waitFor();
    await notice.locator('.diff-added', { hasText: 'deadline_ms: 500' }).waitFor();
    expect(await written(page)).toBe('# mine\nmode: monitor');
    await expectAccessible(page);
    // On every part of the page; and no version is promised that is taken.
    await page.getByRole('link', { name: 'Exceptions' }).click();
    await notice.waitFor();
    await page.getByRole('link', { name: 'Document' }).click();
    await notice.getByRole('button', { name: /^Merge by hand/ }).click();
    await notice.getByText('bring into your text what should stay').waitFor();
    await write(page, '# mine\nmode: monitor\ndeadline_ms: 500\n');
    await page.getByRole('button', { name: 'Save …' }).click();
    await dialog.getByRole('button', { name: 'Save and put in force' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await inForce()).policy).toEqual({ mode: 'monitor', deadline_ms: 500 });
    await notice.waitFor({ state: 'detached' });
    // Comments are nowhere but here: another version does not take them away.
    await store({ mode: 'enforce', deadline_ms: 700 });
    await notice.getByText('for its comments: they are nowhere else').waitFor();
    expect(await written(page)).toContain('# mine');
    await notice.getByRole('button', { name: /without my comments/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drop them' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(await written(page)).toBe('mode: enforce\ndeadline_ms: 700');
  });

  test('leaving with changes asks, and a tab of the page or the way back keeps them', async () => {
    const page = await open('/policy');
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    await write(page, 'deadline_ms: 900\n');
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByText('The document has changes that are not saved.').waitFor();
    await page.getByRole('button', { name: 'Look at the document' }).click();
    expect(await written(page)).toBe('deadline_ms: 900');
    await navigation.getByRole('link', { name: 'Events' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await written(page)).toBe('deadline_ms: 900');
    // The browser's own way back cannot be stopped: what was typed stays, and closing the window then asks.
    await page.evaluate(() => history.pushState(null, '', '/policy'));
    await page.evaluate(() => {
      history.replaceState(null, '', '/webhooks');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    const asksOnClosing = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await asksOnClosing()).toBe(true);
    await navigation.getByRole('link', { name: 'Policy' }).click();
    expect(await written(page)).toBe('deadline_ms: 900');
    await navigation.getByRole('link', { name: 'Events' }).click();
    await dialog.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    expect(await asksOnClosing()).toBe(false);
    await navigation.getByRole('link', { name: 'Policy' }).click();
    await editorOf(page).waitFor();
    expect(await written(page)).toBe('mode: enforce');
  });

  test('who may only read can write and check, and is told what saving needs', async () => {
    const page = await open('/policy', { role: 'viewer' });
    await page.getByText('Saving needs the scope').waitFor();
    await write(page, 'mode: bogus\n');
    await page.getByRole('button', { name: /Line 1.*\/mode/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Save …' }).count()).toBe(0);
  });

  test('fits 360 to 1920 px, in light and dark, with problems shown', async () => {
    const page = await open('/policy');
    await write(page, `detectors:\n  no_such_detector_of_a_very_long_name_${'x'.repeat(80)}: {}\nmode: monitor\n`);
    await page.getByLabel('Problems', { exact: true }).getByRole('button').first().waitFor();
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1280, 'light'],
      [1920, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
  });
});
