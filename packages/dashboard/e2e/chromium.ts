// Finds a Chromium and starts it, silent towards its maker.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PATHS = [process.env['SVC_TEST_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where a browser is, or a sentence that says there is none. */
export function findChromium(): { readonly path: string } | { readonly missing: string } {
  const path = PATHS.find((each) => each !== undefined && existsSync(each)) ?? inPath();
  return path === undefined ? { missing: 'no Chromium was found: install it, or name it in SVC_TEST_CHROMIUM' } : { path };
}

/** Throws where there is none. `keepsPages`: as people's browsers do, pages that were left come back by the Back button as they were. */
export async function launchChromium({ keepsPages = false } = {}): Promise<Browser> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  return await chromium.launch({
    executablePath: found.path,
    args: ARGUMENTS,
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : [],
  });
}

function inPath(): string | undefined {
  try {
    return execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
