// Which methods a path takes: tells `not_found` from `method_not_allowed`.

import type { Route } from './route.ts';

export class MethodFinder {
  readonly #patterns: readonly { readonly pattern: RegExp; readonly method: string }[];

  constructor(routes: readonly Route[]) {
    this.#patterns = routes.map(({ method, path, takesRestOfPath }) => {
      const escaped = path.replaceAll('.', '\\.');
      const open = takesRestOfPath === true ? escaped.replace(/\{\w+\}$/, '.+') : escaped;
      return { method, pattern: new RegExp(`^${open.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
    });
  }

  methodsOf(url: string): string[] {
    const path = url.split('?', 1)[0]!;
    return this.#patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  }
}
