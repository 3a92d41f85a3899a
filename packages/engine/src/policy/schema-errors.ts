// Turns what a JSON Schema validator says into sentences that a policy's author can act on.

import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import type { Problem } from '../inference.ts';
import { pointerTo } from '../json/pointer.ts';

/** A document with more mistakes than this is no policy; listing on would help nobody. */
const ERRORS_MAX = 200;

/** Nouns for members by their place: `unknown detector 'foo'` says more than `unknown member 'foo'`. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['/detectors', 'detector'],
  ['/detectors/pii/entities', 'type of personal data'],
]);

/** Makes a checker of `schema` that names every violation by its place, each place once. */
export function createSchemaChecker(schema: TSchema): (document: unknown) => Problem[] {
  let validator: Validator | null = null;
  return (document) => {
    validator ??= Compile(schema);
    return validator.Check(document) ? [] : describe(errorsOf(validator, document), schema);
  };
}

/** The library stops at 8 errors unless told otherwise, and can only be told for the whole process: so for this call. */
function errorsOf(validator: Validator, document: unknown): TLocalizedValidationError[] {
  const before = Settings.Get().maxErrors;
  Settings.Set({ maxErrors: ERRORS_MAX });
  try {
    return validator.Errors(document);
  } finally {
    Settings.Set({ maxErrors: before });
  }
}

function describe(errors: readonly TLocalizedValidationError[], schema: TSchema): Problem[] {
  const problems = new Map<string, Problem>();
  for (const error of errors) {
    for (const problem of problemsOf(error, schema)) {
      if (!problems.has(problem.pointer)) problems.set(problem.pointer, problem);
    }
  }
  return [...problems.values()];
}

function problemsOf(error: TLocalizedValidationError, schema: TSchema): Problem[] {
  const pointer = error.instancePath;
  const at = (message: string): Problem[] => [{ pointer, message }];
  switch (error.keyword) {
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => unknownMember(pointer, name, membersAt(schema, error.schemaPath)));
    case 'required':
      return error.params.requiredProperties.map((name) => ({ pointer, message: `needs the member '${name}'` }));
    case 'propertyNames':
      return error.params.propertyNames.map((name) => ({
        pointer: pointerTo(pointer, name),
        message: 'is not a valid name here',
      }));
    case 'boolean':
      return []; // Said again, with names, by `additionalProperties`.
    case 'enum':
      return at(`must be one of: ${error.params.allowedValues.join(', ')}`);
    case 'type':
      return at(`must be ${withArticle([error.params.type].flat().join(' or '))}`);
    case 'minimum':
      return at(`must be at least ${error.params.limit}`);
    case 'maximum':
      return at(`must be at most ${error.params.limit}`);
    case 'minLength':
    case 'minItems':
      return at(error.params.limit === 1 ? 'must not be empty' : `must hold at least ${error.params.limit}`);
    case 'maxLength':
      return at(`must be at most ${error.params.limit} characters long`);
    case 'maxItems':
    case 'maxProperties':
      return at(`must hold at most ${error.params.limit}`);
    case 'uniqueItems':
      return at('must not name anything twice');
    case 'pattern':
      return at(`must match ${String(error.params.pattern)}`);
    default:
      return at(error.message);
  }
}

function unknownMember(parent: string, name: string, known: readonly string[]): Problem {
  const noun = NOUNS.get(parent) ?? 'member';
  // The name comes from the document: bounded, as everything repeated in an answer is.
  return {
    pointer: pointerTo(parent, name),
    message: `unknown ${noun} '${name.slice(0, 64).toWellFormed()}'; known: ${known.join(', ')}`,
  };
}

/** Member names of the object schema at a JSON Pointer fragment such as `#/properties/detectors`. */
function membersAt(schema: TSchema, schemaPath: string): string[] {
  let node: unknown = schema;
  for (const token of schemaPath.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    node = (node as Record<string, unknown> | undefined)?.[key];
  }
  return Object.keys((node as { properties?: object } | undefined)?.properties ?? {});
}

function withArticle(type: string): string {
  if (type === 'null') return type;
  return `${/^[aeio]/.test(type) ? 'an' : 'a'} ${type}`;
}
