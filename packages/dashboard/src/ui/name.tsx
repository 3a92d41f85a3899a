// Names that people and programs gave. They may hold characters that nobody sees, and that turn the order of what stands beside them.

import type { ReactNode } from 'react';

/** Controls, what changes the direction of writing, what has no width, what breaks lines, and tags: none has a place in a name. */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** The name with a mark for each character that would not be seen, such as `[U+202E]`. For titles and labels. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`);
}

/** The same, and what stands beside it keeps its place, whichever way the name is written. */
export function Name({ text }: { readonly text: string }): ReactNode {
  return <bdi>{visible(text)}</bdi>;
}
