// What is wrong with an inference, before it is assessed.

import { createSchemaChecker, inferenceProblems, InferenceSchema, type Inference } from '@svc/engine';
import type { TSchema } from 'typebox';
import type { ErrorDetail } from '../http/errors.ts';

// No member of an inference holds more; the largest bound is on messages and parts of content.
const MEMBERS_MAX = 200;

/** A body that is far beyond its bounds is not walked: telling all that is wrong with 80 000 pairs would take half a second. */
function widthProblem(body: unknown): ErrorDetail | null {
  if (isTooWide(body)) return { pointer: '', message: TOO_WIDE };
  if (typeof body !== 'object' || body === null) return null;
  const wide = Object.entries(body).find(([, member]) => isTooWide(member));
  return wide === undefined ? null : { pointer: `/${wide[0]}`, message: TOO_WIDE };
}

const TOO_WIDE = `must not have more than ${MEMBERS_MAX} members`;

function isTooWide(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > MEMBERS_MAX;
}

/** A check of bodies that are inferences of this shape: what is wrong with the schema first, then what that cannot say. Empty: nothing. */
export function inferenceChecker(schema: TSchema): (body: unknown) => readonly ErrorDetail[] {
  const checkSchema = createSchemaChecker(schema);
  return (body) => {
    const tooWide = widthProblem(body);
    if (tooWide !== null) return [tooWide];
    const details = checkSchema(body);
    return details.length > 0 ? details : inferenceProblems(body as Inference);
  };
}

export const checkInference = inferenceChecker(InferenceSchema);
