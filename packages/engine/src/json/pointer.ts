// JSON Pointers (RFC 6901), by which findings and problems name a place in a document.

/** `pointer` extended by one member name or index. */
export function pointerTo(pointer: string, token: string | number): string {
  return `${pointer}/${typeof token === 'number' ? token : escapeToken(token)}`;
}

function escapeToken(token: string): string {
  if (!token.includes('~') && !token.includes('/')) return token;
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
