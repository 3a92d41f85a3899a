// The pages as the navigation and the palette list them.

export interface Place {
  readonly path: string;
  readonly title: string;
  readonly group: string;
  /** The scope without which the page shows nothing; `null`: everyone may see it. */
  readonly scope: string | null;
  /** More words by which the palette finds it. */
  readonly words: string;
}

export const PLACES: readonly Place[] = [
  { path: '/', title: 'Overview', group: 'Watch', scope: null, words: 'home start dashboard' },
];
