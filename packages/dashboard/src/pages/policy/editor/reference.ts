// What may stand in a policy, and what it means: as the service's own schema says it.

import reference from './reference.json' with { type: 'json' };

/** A part of a JSON Schema: what of it the editor reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Settings of a detector that all have. */
export interface DetectorDefaults {
  readonly enabled: boolean;
  readonly flag_at: number;
  readonly block_at: number | null;
  readonly action: string;
}

const SCHEMA = reference.schema as unknown as Schema;
export const DEFAULTS = reference.defaults as unknown as {
  readonly detectors: Readonly<Record<string, DetectorDefaults>>;
  readonly [member: string]: unknown;
};
/** What each finds, by id. */
export const DETECTORS: Readonly<Record<string, string>> = reference.detectors;
/** What each means. */
export const CATEGORIES: Readonly<Record<string, string>> = reference.categories;
/** Types of findings with their meaning, by detector. */
export const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = reference.types;

type Path = readonly (string | number)[];

/** What may stand at a place. */
export function schemaAt(path: Path): Schema | undefined {
  let schema: Schema | undefined = SCHEMA;
  for (const part of path) {
    if (schema === undefined) return undefined;
    schema = typeof part === 'number' ? schema.items : (schema.properties?.[part] ?? firstOf(schema.patternProperties));
  }
  return schema;
}

function firstOf(schemas: Readonly<Record<string, Schema>> | undefined): Schema | undefined {
  return schemas === undefined ? undefined : Object.values(schemas)[0];
}

/** The value that holds where the document says none. */
export function defaultAt(path: Path): unknown {
  let value: unknown = DEFAULTS;
  for (const part of path) value = (value as Record<string | number, unknown> | undefined)?.[part];
  return value === undefined ? schemaAt(path)?.default : value;
}

export interface Word {
  readonly label: string;
  /** What it is, in a word or two. */
  readonly detail: string;
  /** What it means. */
  readonly info: string;
}

/** Names of members that may stand in what is at `path`. */
export function membersAt(path: Path): Word[] {
  const schema = schemaAt(path);
  if (schema === undefined) return [];
  const named = Object.entries(schema.properties ?? {}).map(([label, member]) => wordOf(label, member, [...path, label]));
  if (schema.patternProperties === undefined) return named;
  const known = TYPES[String(path[1])] ?? {};
  return [...named, ...Object.entries(known).map(([label, info]) => ({ label, detail: 'type', info }))];
}

function wordOf(label: string, schema: Schema, path: Path): Word {
  const fallback = defaultAt(path);
  const isSimple = fallback !== undefined && (typeof fallback !== 'object' || fallback === null);
  const note = isSimple ? `Default: ${JSON.stringify(fallback)}.` : '';
  return { label, detail: kindOf(schema), info: [meaningOf(schema, path), note].filter(Boolean).join(' ') };
}

function meaningOf(schema: Schema, path: Path): string {
  const last = String(path.at(-1));
  if (path[0] === 'detectors' && path.length === 2) return DETECTORS[last] ?? '';
  const type = path[0] === 'detectors' && path.length === 4 ? TYPES[String(path[1])]?.[last] : undefined;
  return [type, schema.description].filter(Boolean).join(' ');
}

function kindOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.length <= 3 ? schema.enum.join(' | ') : 'one of several';
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => String(each.type)).join(' or ');
  if (schema.type === 'array') return 'list';
  return schema.type === undefined ? '' : String(schema.type);
}

/** Values that may stand at `path`. */
export function valuesAt(path: Path): Word[] {
  const schema = schemaAt(path);
  if (schema === undefined) return [];
  const word = (value: unknown): Word => ({
    label: String(value),
    detail: value === schema.default ? 'default' : '',
    info: sayingOf(schema, value),
  });
  const last = path.at(-1);
  if (last === 'category') return Object.entries(CATEGORIES).map(([label, info]) => ({ label, detail: 'category', info }));
  if (last === 'detector') return Object.entries(DETECTORS).map(([label, info]) => ({ label, detail: 'detector', info }));
  if (last === 'type' && path.includes('match'))
    return Object.entries(TYPES).flatMap(([detector, types]) =>
      Object.entries(types).map(([label, info]) => ({ label, detail: detector, info })),
    );
  if (schema.enum !== undefined) return schema.enum.map(word);
  if (schema.type === 'boolean') return [true, false].map(word);
  if (schema.anyOf?.some(({ type }) => type === 'null') === true) return [word(null)];
  return (schema.examples ?? []).filter((example) => typeof example === 'string').map(word);
}

/** A description such as `flag: reported. block: refused.` says of each value what it means. */
function sayingOf({ description = '', enum: values }: Schema, value: unknown): string {
  if (values === undefined) return description;
  const own = new RegExp(`(?:^|[ ,])${String(value)}(?:, [a-z]+)*: ([^.]*\\.)`).exec(description)?.[1];
  return own ?? description;
}
