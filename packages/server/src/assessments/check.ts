// What is wrong with an inference, before it is assessed.

import { inferenceProblems, InferenceSchema, type Inference } from '@svc/engine';
import type { ErrorDetail } from '../http/errors.ts';
import { compileCheck } from '../http/validation.ts';

const checkSchema = compileCheck(InferenceSchema);

/** What is wrong with `body` as an inference: its schema first, then what the schema cannot say. Empty: nothing. */
export function checkInference(body: unknown): readonly ErrorDetail[] {
  const details = checkSchema(body);
  return details.length > 0 ? details : inferenceProblems(body as Inference);
}
