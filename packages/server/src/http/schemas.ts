// Wire shapes that every resource shares.

import { LABEL_PATTERN } from '@svc/engine';
import { Type, type Static, type TSchema } from 'typebox';
import type { ErrorDetail } from './errors.ts';
import { ERRORS } from './errors.ts';

/** ISO 8601 UTC with milliseconds. */
export function isoTime(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
// Under load many answers carry the same millisecond.
let lastMs = Number.NaN;
let lastText = '';

export const Time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-21T10:00:00.000Z'] });

/** `schema` or `null`; one `type` list where possible, which serializes faster than alternatives. */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>(
    'type' in schema && typeof schema.type === 'string'
      ? { ...schema, type: [schema.type, 'null'] }
      : { anyOf: [schema, { type: 'null' }] },
  );
}

/** A one-line text for a database column: no control characters, no half characters. */
export const Line = (max: number, description: string, options: { minLength?: number } = {}) =>
  Type.String({ minLength: 1, maxLength: max, pattern: LABEL_PATTERN, description, ...options });

export const ErrorResponse = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(ERRORS) as (keyof typeof ERRORS)[], { description: 'Stable; see the list of errors.' }),
      message: Type.String({ description: 'One sentence a person can act on.' }),
      request_id: Type.String({ description: 'Also in `X-Svc-Request-Id` and in the log.' }),
      details: Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON Pointer into the body, `/query/<name>` or `/path/<name>`.' }),
          message: Type.String(),
        } satisfies Record<keyof ErrorDetail, TSchema>),
      ),
    }),
  },
  { title: 'Error' },
);

/** `{data, has_more, next_cursor}` of `item`. */
export const ListOf = (item: TSchema, title: string) =>
  Type.Object(
    {
      data: Type.Array(item),
      has_more: Type.Boolean({ description: 'More follow after the last one.' }),
      next_cursor: Nullable(Type.String({ description: 'Pass as `cursor` to go on.' })),
    },
    { title },
  );

export const PAGE_QUERY = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Items in a page.' })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: '`next_cursor` of the page before.' })),
};
export const PAGE_LIMIT_DEFAULT = 50;
