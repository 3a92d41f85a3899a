// The windows of one browser share the session's cookie: each tells the others when it changes, and none shows what is no longer its own.

const CHANNEL = 'svc-session';

/** `null`: the browser was signed out. */
type Message = { readonly sessionId: string | null };

const channel = new BroadcastChannel(CHANNEL);
let told: string | null = null;

/** The session that this window has. Said once for each. */
export function tellSession(sessionId: string): void {
  if (told === sessionId) return;
  told = sessionId;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  channel.postMessage({ sessionId } satisfies Message);
}

export function tellSignedOut(): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the same
  channel.postMessage({ sessionId: null } satisfies Message);
}

export function onOtherWindow(listener: (message: Message) => void): () => void {
  const onMessage = ({ data }: MessageEvent<Message>) => listener(data);
  channel.addEventListener('message', onMessage);
  return () => channel.removeEventListener('message', onMessage);
}

/**
 * A page that one has left may be kept by the browser as it was, and come back by its Back button: hidden until `check` resolves. It resolves with
 * whether what is there may be seen; else the page is loaded anew.
 */
export function onComeBack(check: () => Promise<boolean>): () => void {
  const root = document.documentElement;
  const onHide = ({ persisted }: PageTransitionEvent) => {
    if (persisted) root.hidden = true;
  };
  const onShow = async ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    if (await check().catch(() => false)) root.hidden = false;
    else location.reload();
  };
  const show = (event: PageTransitionEvent) => void onShow(event);
  addEventListener('pagehide', onHide);
  addEventListener('pageshow', show);
  return () => {
    removeEventListener('pagehide', onHide);
    removeEventListener('pageshow', show);
  };
}
