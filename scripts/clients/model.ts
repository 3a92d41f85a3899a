// The API as the generators of client libraries see it: resources with operations, and named types. Read from api/openapi.json.

/** A type on the wire. */
export type ApiType =
  | { readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'any' }
  /** One of these texts today. What is answered may have others tomorrow: `isOpen`. */
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'ref'; readonly name: string }
  | { readonly kind: 'array'; readonly items: ApiType }
  | { readonly kind: 'map'; readonly values: ApiType }
  | { readonly kind: 'union'; readonly members: readonly ApiType[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] };

export interface Member {
  /** As on the wire. */
  readonly name: string;
  readonly type: ApiType;
  readonly isRequired: boolean;
  readonly description: string;
}

export interface NamedType {
  /** PascalCase. */
  readonly name: string;
  readonly description: string;
  readonly type: ApiType;
}

export interface Operation {
  readonly operationId: string;
  /** Words of the method's name: `['create']`, `['list', 'deliveries']`. */
  readonly words: readonly string[];
  readonly httpMethod: string;
  /** With parameters in braces; one with a star, `{path*}`, keeps its slashes. */
  readonly path: string;
  readonly pathParameters: readonly Member[];
  readonly query: readonly Member[];
  /** What the query always says: `format=html`. */
  readonly fixedQuery: Readonly<Record<string, string>>;
  readonly body: { readonly type: ApiType; readonly isRequired: boolean } | null;
  /** `text` and `bytes`: not JSON. */
  readonly answer: ApiType | 'text' | 'bytes' | 'none';
  /** Of a list: what it lists. */
  readonly listed: ApiType | null;
  /** It takes an Idempotency-Key. */
  readonly isIdempotentByKey: boolean;
  readonly summary: string;
  readonly description: string;
  /** What the credential must hold; `null`: nothing in particular. */
  readonly scope: string | null;
}

export interface Resource {
  /** Words of its name: `['service', 'accounts']`. */
  readonly words: readonly string[];
  /** What it is, in a sentence. */
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface Api {
  readonly resources: readonly Resource[];
  /** Those that the operations need, in alphabetical order. */
  readonly types: readonly NamedType[];
}

/** Members with these names are texts that are not to be printed, or to end up in a log. */
export const SECRETS: ReadonlySet<string> = new Set([
  'key',
  'signing_secret',
  'token',
  'api_key',
  'client_secret',
  'sso_token',
  'routing_key',
]);
/** Addresses whoever knows which may write, by type and member. */
export const SECRET_ADDRESSES: ReadonlySet<string> = new Set(['Inbox.url', 'SlackConfig.url', 'TeamsConfig.url']);

/**
 * Members without which an answer decides nothing, by its type. Clients refuse such an answer: whoever guards a model by it would let everything through.
 * Other members may be missing, of a service that is older than the client.
 */
export const DECIDING: Readonly<Record<string, readonly string[]>> = {
  Assessment: ['id', 'outcome'],
  Stream: ['id', 'assessment'],
  StreamChunkResult: ['released', 'outcome'],
};

type Json = ReturnType<typeof JSON.parse>;

// What the resources of each tag are called in the names of operations.
const NOUNS: Readonly<Record<string, { readonly words: readonly string[]; readonly noun: string }>> = {
  Assessments: { words: ['assessments'], noun: 'Assessment' },
  Streams: { words: ['streams'], noun: 'Stream' },
  Events: { words: ['events'], noun: 'Event' },
  Audit: { words: ['audit'], noun: 'Audit' },
  Exports: { words: ['exports'], noun: 'Export' },
  Reports: { words: ['reports'], noun: 'Report' },
  Drift: { words: ['drift'], noun: 'DriftMonitor' },
  Policy: { words: ['policy'], noun: 'Policy' },
  Judges: { words: ['judges'], noun: 'Judge' },
  Probes: { words: ['probes'], noun: 'Probe' },
  Webhooks: { words: ['webhooks'], noun: 'Webhook' },
  Integrations: { words: ['integrations'], noun: 'Integration' },
  Inboxes: { words: ['inboxes'], noun: 'Inbox' },
  'API keys': { words: ['api', 'keys'], noun: 'ApiKey' },
  'Service accounts': { words: ['service', 'accounts'], noun: 'ServiceAccount' },
  Sessions: { words: ['sessions'], noun: 'Session' },
  'Single sign-on': { words: ['sso'], noun: 'Sso' },
  Organization: { words: ['organization'], noun: 'Organization' },
  Health: { words: ['health'], noun: 'Health' },
};
// For vendors' own clients, for browsers, which keep cookies, and for what other libraries speak.
const TAGS_LEFT_OUT = new Set(['Gateways']);
const LEFT_OUT = new Set([
  'openBrowserSession',
  'getBrowserSession',
  'endBrowserSession',
  'startSignIn',
  'finishSignIn',
  'getSigningKeys',
  'exportTraces',
]);
/** Parameters whose values hold slashes. */
const RESTS = new Set(['tile_path']);
const PLURALS: Readonly<Record<string, string>> = { Policy: 'Policies', Inbox: 'Inboxes' };

/** `written`: OpenAPI 3.1. Throws where it says something that the generators do not know. */
export function readApi(written: Json): Api {
  const document = withReferences(written);
  const byTag = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Json>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags[0] as string;
      if (TAGS_LEFT_OUT.has(tag) || LEFT_OUT.has(operation.operationId)) continue;
      if (NOUNS[tag] === undefined) throw new Error(`the tag ${tag} has no noun`);
      byTag.set(tag, [...(byTag.get(tag) ?? []), ...operationsOf(document, path, method, operation, NOUNS[tag].noun)]);
    }
  }
  const descriptions = new Map((document.tags as Json[]).map(({ name, description }) => [name as string, description as string]));
  const resources = [...byTag].map(([tag, operations]) => ({
    words: NOUNS[tag]!.words,
    description: descriptions.get(tag) ?? '',
    operations,
  }));
  return { resources, types: typesOf(document, resources) };
}

/** The same document, with a reference wherever it writes out a schema that has a name: so it is one type for the reader, too. */
function withReferences(document: Json): Json {
  const schemas = document.components.schemas as Record<string, Json>;
  const shapeOf = ({ properties, required }: Json) => JSON.stringify([properties, required]);
  const named = Object.entries(schemas).filter(([, { properties }]) => Object.keys((properties ?? {}) as object).length > 2);
  const names = new Map(named.map(([name, schema]) => [shapeOf(schema), name]));
  const visit = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(visit);
    const name = value.properties === undefined ? undefined : names.get(shapeOf(value));
    if (name === undefined) return membersOf(value);
    const $ref = `#/components/schemas/${name}`;
    const { description } = value;
    return Array.isArray(value.type) ? { description, anyOf: [{ $ref }, { type: 'null' }] } : { description, $ref };
  };
  const membersOf = (value: Json): Json =>
    Object.fromEntries(Object.entries(value as object).map(([key, member]) => [key, visit(member)]));
  const visited = Object.entries(schemas).map(([name, schema]) => [name, membersOf(schema)]);
  return { ...membersOf(document), components: { ...document.components, schemas: Object.fromEntries(visited) } };
}

/** Usually one; two where `format` asks for a page instead of JSON. */
function operationsOf(document: Json, path: string, method: string, operation: Json, noun: string): Operation[] {
  const made = operationOf(document, path, method, operation, noun);
  if (made.query.every(({ name }) => name !== 'format')) return [made];
  const query = made.query.filter(({ name }) => name !== 'format');
  const page = {
    words: [...made.words, 'page'],
    answer: 'text',
    fixedQuery: { format: 'html' },
    summary: `${made.summary}, as a page`,
  } as const;
  return [
    { ...made, query },
    { ...made, query, ...page },
  ];
}

function operationOf(document: Json, path: string, method: string, operation: Json, noun: string): Operation {
  const parameters = (operation.parameters ?? []) as Json[];
  const membersIn = (place: string) => parameters.filter((parameter) => parameter.in === place).map(parameterOf);
  const [status, answer] = Object.entries(operation.responses as Record<string, Json>).find(([code]) => code.startsWith('2'))!;
  const body = operation.requestBody;
  const type = status === '204' ? 'none' : answerOf(answer);
  return {
    operationId: operation.operationId as string,
    words: methodWords(operation.operationId as string, noun),
    httpMethod: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (RESTS.has(name) ? `{${name}*}` : whole)),
    pathParameters: membersIn('path'),
    query: membersIn('query'),
    fixedQuery: {},
    body:
      body === undefined ? null : { type: typeOf(body.content['application/json'].schema), isRequired: body.required === true },
    answer: type,
    listed: typeof type === 'string' ? null : listedBy(document, type),
    isIdempotentByKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    summary: operation.summary as string,
    description: (operation.description ?? '') as string,
    scope: (operation['x-scope'] ?? null) as string | null,
  };
}

function parameterOf(parameter: Json): Member {
  const { schema } = parameter;
  return {
    name: parameter.name as string,
    type: typeOf(schema),
    isRequired: parameter.required === true,
    description: (parameter.description ?? schema.description ?? '') as string,
  };
}

/** JSON where there is a choice. */
function answerOf({ content }: Json): ApiType | 'text' | 'bytes' | 'none' {
  if (content === undefined) return 'none';
  const json = content['application/json'];
  if (json !== undefined) return typeOf(json.schema);
  return Object.keys(content as object).some((type) => type.startsWith('text/')) ? 'text' : 'bytes';
}

/** `createWebhookDelivery` of the noun `Webhook` is `create delivery`. */
function methodWords(operationId: string, noun: string): string[] {
  const plural = PLURALS[noun] ?? `${noun}s`;
  const isAll = operationId.endsWith(plural) && !operationId.startsWith('list');
  const words = wordsOf(operationId.includes(plural) ? operationId.replace(plural, '') : operationId.replace(noun, ''));
  return isAll ? [...words, 'all'] : words;
}

/** `rotateSecret` is `rotate`, `secret`. */
export function wordsOf(camelCase: string): string[] {
  return camelCase
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);
}

function listedBy(document: Json, type: ApiType): ApiType | null {
  if (type.kind !== 'ref') return null;
  const { properties } = document.components.schemas[type.name];
  if (properties?.data === undefined || properties.next_cursor === undefined) return null;
  return typeOf(properties.data.items);
}

function typeOf(schema: Json): ApiType {
  if (schema.$ref !== undefined) return { kind: 'ref', name: String(schema.$ref).split('/').at(-1)! };
  if (schema.enum !== undefined) return enumOf(schema.enum as readonly unknown[]);
  if (schema.const !== undefined) return enumOf([schema.const]);
  const members = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (members !== undefined) return unionOf(members.map(typeOf));
  if (Array.isArray(schema.type)) return unionOf((schema.type as string[]).map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'array':
      return { kind: 'array', items: typeOf(schema.items ?? {}) };
    case 'object':
      return objectOf(schema);
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: schema.type as 'string' };
    default:
      return { kind: 'any' };
  }
}

function enumOf(values: readonly unknown[]): ApiType {
  if (values.every((value) => typeof value === 'string')) return { kind: 'enum', values };
  return { kind: typeof values[0] === 'boolean' ? 'boolean' : typeof values[0] === 'number' ? 'number' : 'any' };
}

function unionOf(members: readonly ApiType[]): ApiType {
  const flat = members.flatMap((member) => (member.kind === 'union' ? member.members : [member]));
  const unique = [...new Map(flat.map((member) => [JSON.stringify(member), member])).values()];
  return unique.length === 1 ? unique[0]! : { kind: 'union', members: unique };
}

function objectOf(schema: Json): ApiType {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>);
  if (properties.length > 0) {
    const required = new Set((schema.required ?? []) as string[]);
    return {
      kind: 'object',
      members: properties.map(([name, member]) => ({
        name,
        type: typeOf(member),
        isRequired: required.has(name),
        description: (member.description ?? '') as string,
      })),
    };
  }
  const patterns = Object.values((schema.patternProperties ?? {}) as Record<string, Json>);
  if (patterns.length === 1) return { kind: 'map', values: typeOf(patterns[0]) };
  const more = schema.additionalProperties;
  return { kind: 'map', values: typeof more === 'object' && more !== null ? typeOf(more) : { kind: 'any' } };
}

function typesOf(document: Json, resources: readonly Resource[]): NamedType[] {
  const schemas = document.components.schemas as Record<string, Json>;
  const found = new Map<string, NamedType>();
  const visit = (type: ApiType): void => {
    switch (type.kind) {
      case 'ref': {
        if (found.has(type.name)) return;
        const schema = schemas[type.name]!;
        const named = { name: type.name, description: (schema.description ?? '') as string, type: typeOf(schema) };
        found.set(type.name, named);
        return visit(named.type);
      }
      case 'array':
        return visit(type.items);
      case 'map':
        return visit(type.values);
      case 'union':
        return type.members.forEach(visit);
      case 'object':
        return type.members.forEach((member) => visit(member.type));
      default:
    }
  };
  visit({ kind: 'ref', name: 'Error' });
  for (const operation of resources.flatMap(({ operations }) => operations)) {
    for (const parameter of [...operation.pathParameters, ...operation.query]) visit(parameter.type);
    if (operation.body !== null) visit(operation.body.type);
    if (typeof operation.answer !== 'string') visit(operation.answer);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
