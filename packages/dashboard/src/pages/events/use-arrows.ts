// Up and down go from line to line. While an event is open beside the list, the one of the next line is opened.

import { useEffect, type RefObject } from 'react';
import type { Row } from './rows.ts';

interface Options {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly selectedId: string | null;
  readonly onOpen: (id: string) => void;
}

export function useArrows({ scroller, rows, rowHeight, selectedId, onOpen }: Options): void {
  useEffect(() => {
    const onKey = (pressed: KeyboardEvent) => {
      if (pressed.key !== 'ArrowDown' && pressed.key !== 'ArrowUp') return;
      if (pressed.defaultPrevented || pressed.altKey || pressed.ctrlKey || pressed.metaKey || pressed.shiftKey) return;
      const list = scroller.current;
      const focused = document.activeElement?.closest<HTMLElement>('.events-body [data-id]')?.dataset['id'];
      // Without a line in focus the open event is the place, unless the key is for something else, or the list is not shown.
      const isFree = focused !== undefined || document.activeElement === document.body || document.activeElement?.id === 'main';
      if (list === null || list.clientHeight === 0 || !isFree || document.querySelector('dialog[open]') !== null) return;
      const from = rows.findIndex(({ id }) => id === (focused ?? selectedId));
      const to = from + (pressed.key === 'ArrowDown' ? 1 : -1);
      const next = rows[to];
      if (from < 0 || next === undefined) return;
      pressed.preventDefault();
      bringIntoView(list, to * rowHeight, rowHeight);
      if (selectedId !== null) onOpen(next.id);
      const focusNext = () => {
        const link = list.querySelector<HTMLElement>(`[data-id="${next.id}"] a`);
        link?.focus({ preventScroll: true });
        return link !== null;
      };
      // At once, so that the next key is for it. A line that was out of view is there in the next frame.
      if (!focusNext()) requestAnimationFrame(focusNext);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [scroller, rows, rowHeight, selectedId, onOpen]);
}

/** Scrolls as little as is needed. The titles stay on top of the lines. */
function bringIntoView(list: HTMLElement, top: number, height: number): void {
  const head = list.querySelector<HTMLElement>('.events-head')?.offsetHeight ?? 0;
  const room = list.clientHeight - head;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + room) list.scrollTop = top + height - room;
}
