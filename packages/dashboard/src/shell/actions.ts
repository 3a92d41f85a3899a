// What the palette does beside going to pages.

import { navigate } from 'wouter/use-browser-location';
import { signOut } from '../session.tsx';
import { saveTheme } from './theme.ts';

export interface Action {
  readonly title: string;
  /** More words by which the palette finds it. */
  readonly words: string;
  /** The scope without which it cannot be done; `null`: everyone may. */
  readonly scope: string | null;
  readonly run: () => void;
}

const MAKE = 'create add make';

/** What is done. */
export const ACTIONS: readonly Action[] = [
  action('New API key', `${MAKE} token secret`, 'admin:*', () => navigate('/settings/keys?new=')),
  action('New webhook', `${MAKE} endpoint receiver`, 'webhooks:write', () => navigate('/webhooks?new=')),
  ...[
    ['slack', 'Slack'],
    ['pagerduty', 'PagerDuty'],
    ['teams', 'Teams'],
    ['datadog', 'Datadog'],
    ['splunk', 'Splunk'],
  ].map(([kind, title]) =>
    action(`New ${title} integration`, `${MAKE} alert notification`, 'webhooks:write', () =>
      navigate(`/integrations?new=${kind}`),
    ),
  ),
  action('New judge', `${MAKE} model llm`, 'admin:*', () => navigate('/settings/judges?new=')),
  action('New export', `${MAKE} download csv parquet evidence`, 'reports:read', () => navigate('/exports?new=')),
  action('New service account', `${MAKE} machine program`, 'admin:*', () => navigate('/settings/service-accounts?new=')),
  action('Light theme', 'mode appearance colours bright', null, () => saveTheme('light')),
  action('Dark theme', 'mode appearance colours night', null, () => saveTheme('dark')),
  action('Theme of the system', 'mode appearance colours auto', null, () => saveTheme('system')),
  action('First steps', 'welcome begin start tutorial help onboarding', null, () => navigate('/welcome')),
  action('Open the API reference', 'docs documentation openapi operations help', null, () => location.assign('/docs')),
  action('Sign out', 'log out logout leave end session', null, signOut),
];

function action(title: string, words: string, scope: string | null, run: () => void): Action {
  return { title, words, scope, run };
}

/** Where what has such an id is shown. */
const PAGES_OF_IDS: Readonly<Record<string, string>> = {
  evt: '/events',
  mon: '/drift',
  wh: '/webhooks',
  int: '/integrations',
  exp: '/exports',
};

/** The page of what is named by an id, such as `evt_…`; `null`: this is no id, or of something without a page. */
export function pageOfId(text: string): string | null {
  const prefix = /^([a-z]+)_[0-9a-z]{26}$/.exec(text)?.[1];
  const page = prefix === undefined ? undefined : PAGES_OF_IDS[prefix];
  return page === undefined ? null : `${page}/${text}`;
}
