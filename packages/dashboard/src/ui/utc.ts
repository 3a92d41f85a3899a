/** A time of a field of date and time whose title says UTC, with or without seconds, as the API takes it. */
export function utcOf(field: string): string {
  return new Date(`${field}Z`).toISOString();
}
