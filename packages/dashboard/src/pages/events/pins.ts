// Verifier keys that a person has pinned for an organization: they came by another way than from the service that is checked. They are public.

const FORM = /^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/;
const PINS_MAX = 20;

function nameOf(orgId: string): string {
  return `svc.verifier-keys.${orgId}`;
}

/** None where nothing was pinned, or the browser keeps nothing. */
export function readPins(orgId: string): readonly string[] {
  try {
    return (localStorage.getItem(nameOf(orgId)) ?? '').split('\n').filter((key) => FORM.test(key));
  } catch {
    return [];
  }
}

/** Without keys the pins are taken away. */
export function savePins(orgId: string, keys: readonly string[]): void {
  if (keys.length === 0) localStorage.removeItem(nameOf(orgId));
  else localStorage.setItem(nameOf(orgId), keys.join('\n'));
}

/** The keys of a text with one in each line. Throws with a sentence for what is none. */
export function parsePins(text: string): string[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wrong = keys.find((key) => !FORM.test(key));
  if (wrong !== undefined) throw new Error(`Not a verifier key: ${wrong.slice(0, 80)}. It is <name>+<8 hex digits>+<base64>.`);
  if (keys.length > PINS_MAX) throw new Error(`At most ${PINS_MAX} keys can be pinned.`);
  return [...new Set(keys)];
}
