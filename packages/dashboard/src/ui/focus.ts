// The focus of who works by keyboard is never lost: when what had it goes (a row that was deleted, a step that was done), it goes to what stood around it.

const AROUND = '.table-wrap, section, dialog, main';
const FALLBACK = '#main';

/** From now on, for the whole document. */
export function keepFocus(): void {
  let last: Element | null = null;
  let around: readonly HTMLElement[] = [];
  /** Of what had the focus when a dialog was opened: there it goes when both are gone. */
  let aroundDialog: readonly HTMLElement[] = [];
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    const own = aroundOf(target);
    if (target.closest('dialog') === null) aroundDialog = own;
    around = target.closest('dialog') === null ? own : [...own, ...aroundDialog];
  });
  const look = () => {
    if (last === null || (last.isConnected && !last.matches(':disabled'))) return;
    const now = document.activeElement;
    const isLost = now === null || now === document.body || now === last;
    const next = around.find((element) => element !== last && isOpen(element)) ?? document.querySelector<HTMLElement>(FALLBACK);
    last = null;
    if (!isLost || next === null) return;
    if (next.tabIndex < 0) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}

/** From near to far. */
function aroundOf(element: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let at = element.parentElement?.closest<HTMLElement>(AROUND); at; at = at.parentElement?.closest<HTMLElement>(AROUND))
    found.push(at);
  return found;
}

function isOpen(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility();
}
