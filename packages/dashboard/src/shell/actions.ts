// What the palette does beside going to pages.

import { navigate } from 'wouter/use-browser-location';
import { signOut } from '../session.tsx';
import { saveTheme } from './theme.ts';

export interface Action {
  readonly title: string;
  /** More words by which the palette finds it. */
  readonly words: string;
  readonly run: () => void;
}

export const ACTIONS: readonly Action[] = [
  { title: 'Light theme', words: 'appearance colours bright', run: () => saveTheme('light') },
  { title: 'Dark theme', words: 'appearance colours night', run: () => saveTheme('dark') },
  { title: 'Theme of the system', words: 'appearance colours auto', run: () => saveTheme('system') },
  { title: 'First steps', words: 'welcome begin tutorial help', run: () => navigate('/welcome') },
  { title: 'Open the API reference', words: 'docs openapi operations help', run: () => location.assign('/docs') },
  { title: 'Sign out', words: 'log out leave end session', run: () => void signOut() },
];

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
