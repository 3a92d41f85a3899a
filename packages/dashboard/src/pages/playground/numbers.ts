/** Where a number stands that JSON would send as null, such as 1e400: a JSON Pointer. `null`: nowhere. */
export function notFiniteIn(value: unknown, pointer = ''): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : pointer;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const found = notFiniteIn(member, `${pointer}/${partOf(name)}`);
    if (found !== null) return found;
  }
  return null;
}

/** Of a JSON Pointer. */
export function partOf(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
