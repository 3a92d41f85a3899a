const format = new Intl.NumberFormat('en');

/** `12,345`. */
export function number(value: number): string {
  return format.format(value);
}

/** `8.1 ms`; a dash where nothing was measured. */
export function milliseconds(value: number | null): string {
  return value === null ? '–' : `${value < 10 ? value.toFixed(1) : format.format(Math.round(value))} ms`;
}

/** `1.5 % of inferences`. */
export function share(part: number, whole: number): string {
  if (whole === 0) return 'of none';
  const percent = (part / whole) * 100;
  return `${percent.toFixed(percent > 0 && percent < 1 ? 2 : 1)} % of inferences`;
}
