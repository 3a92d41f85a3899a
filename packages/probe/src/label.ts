// One-line labels from whatever clients and models send.

const CHARS_MAX = 200;

/** `value` without control characters, cut to `max` UTF-16 units; `undefined` where that leaves nothing. */
export function label(value: unknown, max = CHARS_MAX): string | undefined {
  if (typeof value !== 'string') return undefined;
  // oxlint-disable-next-line no-control-regex -- these are what a label may not hold
  const line = value.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line === '' ? undefined : line.slice(0, max).toWellFormed();
}
