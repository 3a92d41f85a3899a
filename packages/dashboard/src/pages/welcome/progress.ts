// How far the first steps are, for the invitation of the overview. Two words in the browser, and nothing of what was done.

export type Progress = 'begun' | 'done';
const KEY = 'svc-first-steps';

/** `null`: not begun. */
export function savedProgress(): Progress | null {
  const saved = localStorage.getItem(KEY);
  return saved === 'begun' || saved === 'done' ? saved : null;
}

export function saveProgress(progress: Progress): void {
  localStorage.setItem(KEY, progress);
}
