// Checks what comes in against the schema that documents it, and says in a person's words what is wrong where.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import type { ErrorDetail } from './errors.ts';

const DETAILS_MAX = 20;

/** Compiles `schema` into a function that lists what is wrong with a value; empty when nothing is. */
export function compileCheck(schema: TSchema): (value: unknown) => ErrorDetail[] {
  const compiled = Compile(schema);
  return (value) => (compiled.Check(value) ? [] : describe(compiled.Errors(value)));
}

function describe(errors: readonly TLocalizedValidationError[]): ErrorDetail[] {
  const details = new Map<string, string[]>();
  const add = (pointer: string, message: string) => {
    const messages = details.get(pointer) ?? [];
    if (!messages.includes(message)) messages.push(message);
    details.set(pointer, messages);
  };
  for (const error of errors) {
    if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties) add(`${error.instancePath}/${escapePointer(name)}`, 'is required');
    } else if (error.keyword === 'boolean') add(error.instancePath, 'unknown member');
    else if (!PARENTS.has(error.keyword)) add(error.instancePath, sentenceOf(error));
  }
  return [...details].slice(0, DETAILS_MAX).map(([pointer, messages]) => ({ pointer, message: joined(messages) }));
}

/** Keywords whose faults are told by the faults inside of them. */
const PARENTS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf', 'additionalProperties', 'unevaluatedProperties', 'if']);

function sentenceOf(error: TLocalizedValidationError): string {
  if (error.keyword === 'type')
    return `must be ${error.params.type === 'null' ? 'null' : `of type ${String(error.params.type)}`}`;
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.map(String).join(', ')}`;
  if (error.keyword === 'const') return `must be ${String(error.params.allowedValue)}`;
  if (error.keyword === 'pattern') return 'holds characters that are not allowed here, or has the wrong form';
  if (error.keyword === 'format') return `must be in the format ${error.params.format}`;
  return error.message;
}

/** Alternatives read as one sentence: `must be of type string or of type array`. */
function joined(messages: readonly string[]): string {
  const [first, ...others] = messages;
  return [first!, ...others.map((message) => message.replace(/^must be /, ''))].join(' or ');
}

/** RFC 6901 §3. */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
