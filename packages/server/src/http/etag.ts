// Entity tags (RFC 9110 §8.8.3).

/** True when a list of entity tags, or `*`, names this one. */
export function matchesTag(header: string, etag: string): boolean {
  return header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
