// Checks a value against a JSON Schema, and says in sentences a person can act on what is wrong where.

import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import type { TLocalizedValidationError } from 'typebox/error';
import { Settings } from 'typebox/system';
import type { Problem } from '../inference.ts';
import { createCutter } from './cut.ts';
import { pointerTo } from './pointer.ts';

/** Beyond this, listing on would help nobody. */
const ERRORS_MAX = 200;
/**
 * Names of one object that are told to be unknown. The library counts each twice, and tells none of an object where it stops before its end: so
 * fewer than half of the errors, else a document with nothing but unknown members would have no problem.
 */
const UNKNOWN_NAMES_MAX = 99;

/** Nouns for members by their place: `unknown detector 'foo'` says more than `unknown member 'foo'`. */
const NOUNS: ReadonlyMap<string, string> = new Map([
  ['/detectors', 'detector'],
  ['/detectors/pii/entities', 'type of personal data'],
]);

/**
 * Makes a checker of `schema` that names violations by their place, each place once, at most 200 places. What is beyond the bounds of the schema
 * is not looked at, only told to be too much.
 */
export function createSchemaChecker(schema: TSchema): (document: unknown) => Problem[] {
  const cut = createCutter(schema, UNKNOWN_NAMES_MAX);
  let validator: Validator | null = null;
  return (document) => {
    validator ??= Compile(schema);
    if (validator.Check(document)) return [];
    const problems = describe(errorsOf(validator, cut(document)), schema);
    // What does not fit is never let through for want of words.
    return problems.length > 0 ? problems : [{ pointer: '', message: 'does not fit the schema' }];
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

/** One problem a place. Alternatives read as one sentence: `must be a string or an array`. */
function describe(errors: readonly TLocalizedValidationError[], schema: TSchema): Problem[] {
  const messages = new Map<string, Set<string>>();
  for (const { pointer, message } of errors.flatMap((error) => problemsOf(error, schema))) {
    const known = messages.get(pointer);
    if (known !== undefined) known.add(message);
    else if (messages.size < ERRORS_MAX) messages.set(pointer, new Set([message]));
  }
  return [...messages].map(([pointer, alternatives]) => ({ pointer, message: joined([...alternatives]) }));
}

function joined([first, ...others]: readonly string[]): string {
  return [first!, ...others.map((message) => message.replace(/^must be /, ''))].join(' or ');
}

function problemsOf(error: TLocalizedValidationError, schema: TSchema): Problem[] {
  const pointer = error.instancePath;
  const at = (message: string): Problem[] => [{ pointer, message }];
  switch (error.keyword) {
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => unknownMember(pointer, name, membersAt(schema, error.schemaPath)));
    case 'required':
      return error.params.requiredProperties.map((name) => ({ pointer: pointerTo(pointer, name), message: 'is required' }));
    case 'propertyNames':
      return error.params.propertyNames.map((name) => ({
        pointer: pointerTo(pointer, name),
        message: 'is not a valid name here',
      }));
    case 'boolean':
    case 'anyOf':
      return []; // Said again, with names, by `additionalProperties`; and by what is wrong with each alternative.
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
      // A list of forbidden characters says nothing to a person.
      return at(
        String(error.params.pattern).startsWith('^(?:[^')
          ? 'holds characters that are not allowed here'
          : `must match ${String(error.params.pattern)}`,
      );
    case 'const':
      return at(`must be ${String(error.params.allowedValue)}`);
    case 'format':
      return at(`must be in the format ${error.params.format}`);
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
