// What the proxy does with a request, by its method and path. Only what is known to carry nothing that has to be assessed passes unread.

/** How a path is treated. */
export type Treatment =
  /** The request is assessed, and its answer: chat, completions, responses. */
  | { readonly kind: 'exchange'; readonly operation: string; readonly stream: 'chat' | 'responses' }
  /** The request is assessed, its answer is no text: embeddings, pictures. */
  | { readonly kind: 'question'; readonly operation: string }
  /** An answer that the server has kept. */
  | { readonly kind: 'answer'; readonly operation: string }
  | { readonly kind: 'pass' }
  | { readonly kind: 'unknown' };

interface Rule {
  readonly method: RegExp;
  readonly path: RegExp;
  readonly treatment: Treatment;
}

const rule = (method: string, path: RegExp, treatment: Treatment): Rule => ({
  method: new RegExp(`^(?:${method})$`),
  path,
  treatment,
});

const chat = { kind: 'exchange', operation: 'chat', stream: 'chat' } as const;
const pass = { kind: 'pass' } as const;

const RULES: readonly Rule[] = [
  rule('POST', /^\/v1\/chat\/completions$/, chat),
  rule('POST', /^\/v1\/completions$/, { ...chat, operation: 'text_completion' }),
  rule('POST', /^\/v1\/responses$/, { ...chat, stream: 'responses' }),
  rule('POST', /^\/v1\/embeddings$/, { kind: 'question', operation: 'embeddings' }),
  rule('POST', /^\/v1\/moderations$/, { kind: 'question', operation: 'moderation' }),
  rule('POST', /^\/v1\/images\/generations$/, { kind: 'question', operation: 'image_generation' }),
  rule('POST', /^\/v1\/audio\/speech$/, { kind: 'question', operation: 'speech' }),
  // Answers that were given in the background, or kept, were not assessed on their way.
  rule('GET', /^\/v1\/(?:responses|chat\/completions)\/[^/]+$/, { kind: 'answer', operation: 'chat' }),
  rule('DELETE', /^\/v1\/(?:responses|chat\/completions)\/[^/]+$/, pass),
  rule('POST', /^\/v1\/responses\/[^/]+\/cancel$/, { kind: 'answer', operation: 'chat' }),
  rule('GET|HEAD|DELETE', /^\/v1\/models(?:\/.*)?$/, pass),
  rule('GET|HEAD|DELETE|POST', /^\/v1\/(?:files|uploads)(?:\/.*)?$/, pass),
  rule('GET|HEAD|DELETE', /^\/v1\/(?:vector_stores|fine_tuning|containers)(?:\/.*)?$/, pass),
  // What a browser asks before it sends anything.
  rule('OPTIONS', /^\/v1\/.*$/, pass),
];

/** Parts of names without a second meaning for anyone: no dots alone, nothing encoded twice, no parameters. */
const PLAIN_PATH = /^\/v1(?:\/(?!\.+(?:\/|$))[\w.:@-]+)*\/?$/;

/** The treatment of a request. `null`: its path could be read in more than one way, or is none below `/v1`. */
export function treatmentOf(method: string, path: string): Treatment | null {
  const plain = decoded(path);
  if (plain === null || !PLAIN_PATH.test(plain)) return null;
  return RULES.find((each) => each.method.test(method) && each.path.test(path))?.treatment ?? { kind: 'unknown' };
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
