// Writes the types and resources of the Java client.

import type { Api, ApiType, Member, Operation, Resource } from './model.ts';
import { DECIDING } from './model.ts';

const NOTE = '// Generated from api/openapi.json by scripts/clients: change that, not this.\n';
const WIDTH = 110;

/** Holders of constants that many types share, each known by values that only it has. The others are nested in their type. */
const SHARED: readonly { readonly name: string; readonly has: readonly string[]; readonly about: string }[] = [
  { name: 'EventKind', has: ['inference.allowed'], about: 'Kinds of events.' },
  { name: 'Outcome', has: ['allowed', 'flagged'], about: 'What an assessment came to.' },
  { name: 'Scope', has: ['assess:create'], about: 'What a credential may do.' },
  { name: 'ErrorCode', has: ['invalid_request'], about: 'Codes of errors.' },
  { name: 'Severity', has: ['critical'], about: 'How bad a finding is.' },
  { name: 'Action', has: ['redact', 'block'], about: 'What the policy does about a finding.' },
  { name: 'Target', has: ['input', 'tool'], about: 'Parts of an inference.' },
  { name: 'Mode', has: ['live', 'test'], about: 'What a credential is for.' },
];
/** Not in a `toString`. */
const SECRETS = new Set(['key', 'signing_secret', 'token', 'api_key', 'client_secret', 'sso_token', 'routing_key']);
// Words of the language, and methods that a record has already.
const TAKEN = new Set(
  `abstract assert boolean break byte case catch char class const continue default do double else enum extends final finally float for
  goto if implements import instanceof int interface long native new package private protected public return short static strictfp super
  switch synchronized this throw throws transient try void volatile while true false null
  hashCode toString getClass notify notifyAll wait clone finalize build`.split(/\s+/),
);

/** A record to write: a named type, a query, or what is nested in one. */
interface JavaRecord {
  readonly name: string;
  readonly about: string;
  readonly fields: readonly Field[];
  readonly isSent: boolean;
}

interface Field {
  readonly wireName: string;
  readonly name: string;
  readonly type: JavaType;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly about: string;
}

/** `choices`: what a builder takes where there is a choice; the member is then an `Object`. */
interface JavaType {
  readonly text: string;
  readonly choices: readonly string[];
}

/** Files of `clients/java/src/main/java/svc/client/`, by path. */
export function javaFiles(api: Api): Record<string, string> {
  return filesOf(renamed(api));
}

/** A type that is called as one of the platform makes both ambiguous where a whole package is imported. */
function renamed(api: Api): Api {
  return JSON.parse(JSON.stringify(api), (key, value: unknown) => (key === 'name' ? javaName(value as string) : value)) as Api;
}

function javaName(type: string): string {
  return type === 'Stream' ? 'OpenedStream' : type;
}

function filesOf(api: Api): Record<string, string> {
  const writer = new Writer(api);
  for (const resource of api.resources) writer.addResource(resource);
  // What webhooks bring, and what the client itself reads.
  writer.typeName('Event');
  return { 'Resources.java': resourcesFile(api), 'RequiredMembers.java': requiredMembersFile(), ...writer.files() };
}

class Writer {
  readonly #named: ReadonlyMap<string, { readonly description: string; readonly type: ApiType }>;
  readonly #byShape: ReadonlyMap<string, string>;
  readonly #sent: ReadonlySet<string>;
  readonly #shared = new Map<string, Set<string>>();
  readonly #files: Record<string, string> = {};
  readonly #begun = new Set<string>();

  constructor(api: Api) {
    this.#named = new Map(api.types.map((named) => [named.name, named]));
    this.#byShape = new Map(
      api.types.filter(({ type }) => type.kind === 'object').map(({ name, type }) => [shapeOf(type), name]),
    );
    this.#sent = namesSent(api);
  }

  files(): Record<string, string> {
    for (const { name, about } of SHARED) {
      const values = this.#shared.get(name);
      if (values === undefined) continue;
      this.#files[`types/${name}.java`] = constantsFile(name, about, [...values]);
    }
    return this.#files;
  }

  addResource({ words, description, operations }: Resource): void {
    const methods = operations.map((operation) => this.#methods(words, operation)).join('\n');
    const name = resourceName(words);
    const imports = importsOf(methods, [
      ['Call', 'svc.client.Call'],
      ['Map', 'java.util.Map'],
      ['List', 'java.util.List'],
      ['InputStream', 'java.io.InputStream'],
      ['CallOptions', 'svc.client.CallOptions'],
      ['Pages', 'svc.client.Pages'],
      ...[...this.#begun].map((type) => [type, `svc.client.types.${type}`] as const),
    ]);
    this.#files[`resources/${name}.java`] = `${NOTE}package svc.client.resources;

${[...imports, 'import svc.client.Transport;'].sort().join('\n')}

${javadoc(`${description === '' ? `Operations of {@code ${words.join(' ')}}.` : description} Safe for use by many threads.`, '')}public final class ${name} {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public ${name}(Transport transport) {
    this.transport = transport;
  }

${methods}}
`;
  }

  /** The name of the record of a named type, which is written if it was not. */
  typeName(name: string): string {
    if (!this.#begun.has(name)) {
      this.#begun.add(name);
      const { description, type } = this.#named.get(name)!;
      const object = objectOf(type);
      if (object === null) throw new Error(`the type ${name} is no object`);
      this.#writeTypes(name, description, object.members, this.#sent.has(name));
    }
    return name;
  }

  #writeTypes(name: string, about: string, members: readonly Member[], isSent: boolean): void {
    const nested = new Nested(name);
    const records: JavaRecord[] = [];
    const waiting = [{ name, about, members }];
    // Breadth first: what is nearer to the surface has the shorter name.
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const owner = next.name;
      const fields = next.members.map((member): Field => {
        const isNullable = acceptsNull(this.#resolved(member.type));
        const place = { name, owner, member: member.name, nested, waiting, isSent };
        const type = this.#javaType(withoutNull(this.#resolved(member.type)), place);
        return {
          wireName: member.name,
          name: fieldName(member.name),
          type,
          isRequired: member.isRequired,
          isNullable,
          about: member.description,
        };
      });
      records.push({ name: next.name, about: next.about, fields, isSent });
    }
    this.#files[`types/${name}.java`] = typeFile(records, nested);
  }

  /** A type that is only a name for another is the other. */
  #resolved(type: ApiType): ApiType {
    if (type.kind !== 'ref') return type;
    const { type: target } = this.#named.get(type.name)!;
    if (target.kind === 'object') return type;
    if (target.kind === 'union' && objectOf(target) !== null) return { kind: 'union', members: [type, { kind: 'null' }] };
    return this.#resolved(target);
  }

  #javaType(type: ApiType, place: Place): JavaType {
    switch (type.kind) {
      case 'string':
        return plain('String');
      case 'integer':
        return plain('Long');
      case 'number':
        return plain('Double');
      case 'boolean':
        return plain('Boolean');
      case 'enum':
        this.#addConstants(type.values, place);
        return plain('String');
      case 'ref':
        return plain(qualified(this.typeName(type.name), place.nested));
      case 'array':
        return plain(`List<${this.#itemType(type.items, { ...place, member: singular(place.member) })}>`);
      case 'map':
        return plain(`Map<String, ${this.#itemType(type.values, place)}>`);
      case 'object':
        return plain(this.#objectName(type.members, place));
      case 'union':
        return { text: 'Object', choices: type.members.map((member) => this.#javaType(member, place).text) };
      default:
        return plain('Object');
    }
  }

  /** A choice in a list or map is read as Jackson reads JSON without a type. */
  #itemType(type: ApiType, place: Place): string {
    return this.#javaType(withoutNull(this.#resolved(type)), place).text;
  }

  #objectName(members: readonly Member[], { name, owner, member, nested, waiting }: Place): string {
    const same = this.#byShape.get(shapeOf({ kind: 'object', members }));
    if (same !== undefined && same !== name) return qualified(this.typeName(same), nested);
    const { made, isNew } = nested.take(
      pascal(member.split('_')),
      owner === name ? name : owner,
      shapeOf({ kind: 'object', members }),
    );
    if (isNew) waiting.push({ name: made, about: '', members });
    return made;
  }

  #addConstants(values: readonly string[], { owner, member, nested }: Place): void {
    const shared = SHARED.find(({ has }) => has.every((value) => values.includes(value)));
    if (shared !== undefined) {
      const all = this.#shared.get(shared.name) ?? new Set<string>();
      for (const value of values) all.add(value);
      this.#shared.set(shared.name, all);
    } else if (values.length > 1) nested.addConstants(pascal(member.split('_')), owner, values);
  }

  /** A parameter in the path or the type of a body or answer, outside any record. */
  #outerType(type: ApiType): string {
    const resolved = withoutNull(this.#resolved(type));
    if (resolved.kind === 'ref') return this.typeName(resolved.name);
    if (resolved.kind === 'string' || resolved.kind === 'enum') return 'String';
    if (resolved.kind === 'integer') return 'long';
    throw new Error(`a parameter, body or answer of kind ${resolved.kind} has no name`);
  }

  #methods(resource: readonly string[], operation: Operation): string {
    const { words, pathParameters, query, body, answer, listed } = operation;
    const isList = listed !== null && query.some(({ name }) => name === 'cursor');
    const given = [
      ...pathParameters.map(({ name, type }) => ({ type: this.#outerType(type), name: fieldName(name) })),
      ...(body === null ? [] : [{ type: this.#outerType(body.type), name: 'body' }]),
    ];
    const queryName = `${pascal(resource)}${pascal(words)}Query`;
    if (query.length > 0 && !this.#begun.has(queryName)) {
      this.#begun.add(queryName);
      this.#writeTypes(queryName, `What {@code ${camel(words)}} asks for.`, query, true);
    }
    const withQuery = [...given, { type: queryName, name: 'query' }];
    const all = [...(query.length === 0 ? given : withQuery), { type: 'CallOptions', name: 'options' }];
    const isQueryNeeded = query.some(({ isRequired }) => isRequired);
    const forms = [...(isQueryNeeded ? [] : [given]), ...(query.length === 0 ? [] : [withQuery])];
    const result = isList ? `Pages<${this.#outerType(listed)}>` : this.#answerText(answer);
    const name = methodName(words);
    const short = forms.map((form) => {
      const passed = all.map((one) => (form.some((other) => other.name === one.name) ? one.name : 'null')).join(', ');
      return `${javadoc(commentOf(operation), '  ')}${signature(result, name, form)} {
    ${result === 'void' ? '' : 'return '}${name}(${passed});
  }
`;
    });
    const what = isList ? this.#outerType(listed) : result;
    const noted = ` ${all
      .map(({ name: one }) => NOTES[one])
      .filter(Boolean)
      .join(' ')}`.trimEnd();
    return `${short.join('\n')}
${javadoc(`${commentOf(operation)}${noted}`, '  ')}${signature(result, name, all)} {
    ${callText(operation, isList, what)}
  }
`;
  }

  #answerText(answer: Operation['answer']): string {
    switch (answer) {
      case 'none':
        return 'void';
      case 'text':
        return 'String';
      case 'bytes':
        return 'InputStream';
      default:
        return this.#outerType(answer);
    }
  }
}

const NOTES: Readonly<Record<string, string>> = {
  query: '{@code query}: {@code null} for none.',
  options: '{@code options}: {@code null} for those of the client.',
};

interface Place {
  /** The type of the file. */
  readonly name: string;
  readonly owner: string;
  readonly member: string;
  readonly nested: Nested;
  readonly waiting: { name: string; about: string; members: readonly Member[] }[];
  readonly isSent: boolean;
}

/** Names within the record of a file. */
class Nested {
  readonly #file: string;
  readonly #shapes = new Map<string, string>();
  readonly #constants = new Map<string, { readonly about: string; readonly values: Set<string> }>();

  constructor(file: string) {
    this.#file = file;
  }

  get constants(): ReadonlyMap<string, { readonly about: string; readonly values: ReadonlySet<string> }> {
    return this.#constants;
  }

  has(name: string): boolean {
    return this.#shapes.has(name);
  }

  /** The name for an object: its member's, after that of its owner where another shape has it. */
  take(wanted: string, owner: string, shape: string): { readonly made: string; readonly isNew: boolean } {
    const isFree = (name: string) =>
      name !== this.#file && !this.#constants.has(name) && (this.#shapes.get(name) ?? shape) === shape;
    const made = [wanted, `${owner}${wanted}`].find(isFree);
    if (made === undefined) throw new Error(`no name for ${wanted} in ${this.#file}`);
    const isNew = !this.#shapes.has(made);
    this.#shapes.set(made, shape);
    return { made, isNew };
  }

  addConstants(wanted: string, owner: string, values: readonly string[]): void {
    const isFree = (name: string) =>
      name !== this.#file &&
      !this.#shapes.has(name) &&
      [...(this.#constants.get(name)?.values ?? values)].join() === values.join();
    const name = [wanted, `${owner}${wanted}`, `${wanted}Value`].find(isFree);
    if (name === undefined) throw new Error(`no name for the values of ${wanted} in ${this.#file}`);
    this.#constants.set(name, {
      about: `Values of {@code ${wanted[0]!.toLowerCase()}${wanted.slice(1)}}.`,
      values: new Set(values),
    });
  }
}

function typeFile(records: readonly JavaRecord[], nested: Nested): string {
  const [top, ...inner] = records as [JavaRecord, ...JavaRecord[]];
  const more = [
    ...inner.map((record) => recordText(record, '  ', [])),
    ...[...nested.constants].map(([name, { about, values }]) => constantsText(name, about, [...values], '  ')),
  ];
  const body = recordText(top, '', more);
  const imports = importsOf(body, [
    ['JsonInclude', 'com.fasterxml.jackson.annotation.JsonInclude'],
    ['JsonProperty', 'com.fasterxml.jackson.annotation.JsonProperty'],
    ['List', 'java.util.List'],
    ['Map', 'java.util.Map'],
    ['Objects', 'java.util.Objects'],
    ['OrNull', 'svc.client.OrNull'],
  ]);
  const importText = imports.length === 0 ? '' : `\n${imports.sort().join('\n')}\n`;
  return `${NOTE}package svc.client.types;\n${importText}\n${body}`;
}

function recordText({ name, about, fields, isSent }: JavaRecord, indent: string, more: readonly string[]): string {
  const inner = `${indent}  `;
  const params = fields.flatMap(javadocParam).join('\n');
  const head = about === '' ? `{@code ${name}} in an answer or request.` : about;
  const tail = isSent ? ' Made by {@link #builder()}.' : '';
  const components = fields.map((field) => `${indent}    ${componentText(field, isSent)}`).join(',\n');
  const parts = [
    ...compactConstructor(name, fields, inner),
    ...toStringText(name, fields, inner),
    ...(isSent ? [builderText(name, fields, inner)] : []),
    ...more,
  ];
  const inside = parts.length === 0 ? '' : `\n${parts.join('\n')}${indent}`;
  return `${javadoc(`${head}${tail}${params === '' ? '' : `\n${params}`}`, indent)}${indent}public record ${name}(${fields.length === 0 ? '' : `\n${components}`}) {${inside}}\n`;
}

/** Nothing where the name says it all. */
function javadocParam({ name, type, about, isRequired, isNullable }: Field): string[] {
  const choice = type.choices.length === 0 ? '' : `A ${type.choices.map((one) => `{@code ${one}}`).join(' or ')}.`;
  const absence = isNullable ? 'May be {@code null}.' : isRequired ? '' : '{@code null} where it is absent.';
  const texts = [about.replace(/[^.?!]$/, '$&.'), choice, absence].filter((text) => text !== '');
  return texts.length === 0 ? [] : [`@param ${name} ${texts.join(' ')}`];
}

/** Of the member of the record. */
function memberType({ type, isRequired, isNullable }: Field): string {
  if (isRequired && !isNullable) return UNBOXED[type.text] ?? type.text;
  return !isRequired && isNullable ? `OrNull<${type.text}>` : type.text;
}

const UNBOXED: Readonly<Record<string, string>> = { Long: 'long', Double: 'double', Boolean: 'boolean' };

function componentText(field: Field, _isSent: boolean): string {
  const annotations = [
    ...(field.name === field.wireName ? [] : [`@JsonProperty("${field.wireName}")`]),
    // A null that the wire has is written again.
    ...(field.isRequired && field.isNullable ? ['@JsonInclude(JsonInclude.Include.ALWAYS)'] : []),
  ];
  return [...annotations, `${memberType(field)} ${field.name}`].join(' ');
}

/** Lists and maps do not change. */
function compactConstructor(name: string, fields: readonly Field[], indent: string): string[] {
  const held = fields.filter((field) => /^(List|Map)</.test(memberType(field)));
  if (held.length === 0) return [];
  const lines = held.map((field) => `${indent}  ${field.name} = Fixed.copyOf(${field.name});\n`).join('');
  return [`${indent}/** Keeps copies of lists and maps that do not change. */\n${indent}public ${name} {\n${lines}${indent}}\n`];
}

function toStringText(name: string, fields: readonly Field[], indent: string): string[] {
  if (!fields.some((field) => SECRETS.has(field.wireName) && /String/.test(memberType(field)))) return [];
  const shown = fields.map((field, i) => {
    const before = `${i === 0 ? `${name}[` : ', '}${field.name}=`;
    return SECRETS.has(field.wireName) ? `"${before}***"` : `"${before}" + ${field.name}`;
  });
  return [
    `${indent}/** Without what is secret. */
${indent}@Override
${indent}public String toString() {
${indent}  return ${[...shown, '"]"'].join(`\n${indent}      + `)};
${indent}}
`,
  ];
}

function builderText(name: string, fields: readonly Field[], indent: string): string {
  const inner = `${indent}  `;
  const declared = fields.map((field) => `${inner}private ${boxedMember(field)} ${field.name};\n`).join('');
  const setters = fields.map((field) => setterText(field, inner)).join('\n');
  const passed = fields.map((field) => builtText(name, field)).join(`,\n${inner}      `);
  return `${indent}/** Begins one; what is not set is left out. */
${indent}public static Builder builder() {
${indent}  return new Builder();
${indent}}

${indent}/** Begins one with the members of this one. */
${indent}public Builder toBuilder() {
${indent}  Builder builder = new Builder();
${fields.map((field) => `${indent}  builder.${field.name} = ${field.name};\n`).join('')}${indent}  return builder;
${indent}}

${indent}/** Sets members of {@link ${name}}. Not for use by more than one thread. */
${indent}public static final class Builder {
${declared}
${inner}private Builder() {}

${setters}
${inner}/** Makes it. Throws a {@link NullPointerException} that names a member which is needed and not set. */
${inner}public ${name} build() {
${inner}  return new ${name}(
${inner}      ${passed});
${inner}}
${indent}}
`;
}

function builtText(record: string, field: Field): string {
  const isChecked = field.isRequired && !field.isNullable;
  return isChecked ? `Objects.requireNonNull(${field.name}, "${record}.${field.name} is needed")` : field.name;
}

function boxedMember(field: Field): string {
  return field.isRequired && !field.isNullable ? field.type.text : memberType(field);
}

function setterText(field: Field, indent: string): string {
  const isOrNull = !field.isRequired && field.isNullable;
  const types = field.type.choices.length > 0 ? field.type.choices : [field.type.text];
  const value = isOrNull ? 'OrNull.of(value)' : 'value';
  const setters = types.map(
    (
      type,
    ) => `${javadoc(field.about === '' ? `Sets {@code ${field.wireName}}.` : field.about, indent)}${indent}public Builder ${field.name}(${UNBOXED[type] ?? type} value) {
${indent}  ${field.name} = ${value};
${indent}  return this;
${indent}}
`,
  );
  const clear = `${indent}/** Says {@code null} for {@code ${field.wireName}}, which is not the same as leaving it out. */
${indent}public Builder clear${field.name[0]!.toUpperCase()}${field.name.slice(1)}() {
${indent}  ${field.name} = OrNull.none();
${indent}  return this;
${indent}}
`;
  return [...setters, ...(isOrNull ? [clear] : [])].join('\n');
}

function constantsFile(name: string, about: string, values: readonly string[]): string {
  return `${NOTE}package svc.client.types;\n\n${constantsText(name, about, values, '')}`;
}

function constantsText(name: string, about: string, values: readonly string[], indent: string): string {
  const lines = values.map(
    (value) =>
      `${indent}  /** {@code ${value}}. */\n${indent}  public static final String ${constantName(value)} = "${value}";\n`,
  );
  return `${javadoc(`${about} A later service may have others.`, indent)}${indent}public static final class ${name} {
${lines.join('')}
${indent}  private ${name}() {}
${indent}}
`.replace(indent === '' ? 'public static final class' : '\u0000', 'public final class');
}

function constantName(value: string): string {
  const name = value
    .replaceAll('*', 'all')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
  return /^\d/.test(name) ? `_${name}` : name;
}

function resourcesFile({ resources }: Api): string {
  const imports = resources.map(({ words }) => `import svc.client.resources.${resourceName(words)};`).sort();
  const fields = resources.map(({ words }) => `  private final ${resourceName(words)} ${fieldName(words.join('_'))};\n`).join('');
  const made = resources
    .map(({ words }) => `    ${fieldName(words.join('_'))} = new ${resourceName(words)}(transport);\n`)
    .join('');
  const accessors = resources.map(({ words, description }) => {
    const name = fieldName(words.join('_'));
    const about = description === '' ? `Operations of {@code ${words.join(' ')}}.` : description;
    return `${javadoc(about, '  ')}  public ${resourceName(words)} ${name}() {\n    return ${name};\n  }\n`;
  });
  return `${NOTE}package svc.client;

${imports.join('\n')}

/** The resources of the API: what {@link Svc} has beside its own methods. */
public abstract sealed class Resources permits Svc {
${fields}
  Resources(Transport transport) {
${made}  }

${accessors.join('\n')}}
`;
}

/** Of answers: what must be there, and not null, before anything may be decided by them. */
function requiredMembersFile(): string {
  const entries = Object.entries(DECIDING).map(
    ([name, members]) => [javaName(name), members.map((member) => `"${fieldName(member)}"`)] as const,
  );
  const text = entries.map(
    ([name, members]) => `          Map.entry(\n              ${name}.class,\n              List.of(${members.join(', ')}))`,
  );
  return `${NOTE}package svc.client;

import java.util.List;
import java.util.Map;
${entries
  .map(([name]) => `import svc.client.types.${name};`)
  .sort()
  .join('\n')}

/** Members without which an answer is not of its type. */
final class RequiredMembers {
  private static final Map<Class<?>, List<String>> BY_TYPE =
      Map.ofEntries(
${text.join(',\n')});

  private RequiredMembers() {}

  /** Names of accessors; none for what is no answer. */
  static List<String> of(Class<?> type) {
    return BY_TYPE.getOrDefault(type, List.of());
  }
}
`;
}

/** Not that of a type: there is a policy, and there are operations on it. */
function resourceName(words: readonly string[]): string {
  return `${pascal(words)}Api`;
}

function signature(
  result: string,
  name: string,
  parameters: readonly { readonly type: string; readonly name: string }[],
): string {
  const texts = parameters.map((parameter) => `${parameter.type} ${parameter.name}`);
  const one = `  public ${result} ${name}(${texts.join(', ')})`;
  return one.length + 2 <= WIDTH ? one : `  public ${result} ${name}(\n      ${texts.join(', ')})`;
}

function callText(operation: Operation, isList: boolean, result: string): string {
  const { httpMethod, path, query, fixedQuery, body, answer, isIdempotentByKey } = operation;
  const call = [
    `Call.of("${httpMethod}", ${pathText(operation, path)})`,
    ...(query.length > 0 ? ['.query(query)'] : []),
    ...Object.entries(fixedQuery).map(([name, value]) => `.with("${name}", "${value}")`),
    ...(body === null ? [] : ['.body(body)']),
    ...(isIdempotentByKey ? ['.takesKey()'] : []),
  ];
  const [begin, ...rest] = isList
    ? ['return new Pages<>(transport, ', `${result}.class, `]
    : typeof answer === 'string'
      ? [`${answer === 'none' ? '' : 'return '}transport.${answer}(`]
      : ['return transport.json(', `${result}.class, `];
  const one = `${begin}${call.join('')}, ${rest.join('')}options);`;
  if (one.length + 4 <= WIDTH) return one;
  return `${begin.trimEnd()}\n        ${call.join('\n            ')},\n        ${rest.join('')}options);`;
}

function pathText({ pathParameters }: Operation, path: string): string {
  if (pathParameters.length === 0) return `"${path}"`;
  const parts = path.split(/(\{\w+\*?\})/).filter((part) => part !== '');
  return parts
    .map((part) => {
      const match = /^\{(\w+)(\*?)\}$/.exec(part);
      if (match === null) return `"${part}"`;
      // A rest parameter keeps its slashes.
      return match[2] === '*' ? `Call.rest(${fieldName(match[1]!)})` : `Call.segment(${fieldName(match[1]!)})`;
    })
    .join(' + ');
}

function commentOf({ summary, description, scope }: Operation): string {
  const needs = scope === null ? '' : ` Needs \`${scope}\`.`;
  return `${summary}.${description === '' ? '' : ` ${description}`}${needs}`;
}

/** Markdown's code becomes that of Javadoc; `@param` lines begin after an empty one. */
function javadoc(text: string, indent: string): string {
  const [first, ...params] = text.split(/\n(?=@param )/);
  const lines = [...wrapped(clean(first!), indent), ...(params.length > 0 ? [''] : [])];
  for (const param of params) lines.push(...wrapped(clean(param), indent, '    '));
  const one = `${indent}/** ${lines[0]!} */\n`;
  if (lines.length === 1 && one.length <= WIDTH) return one;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd() + '\n').join('')}${indent} */\n`;
}

function clean(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(\{@(?:code|link)[^}]*\}|`[^`]*`)/)
    .map((part) => {
      if (part.startsWith('{@')) return part;
      if (part.startsWith('`')) return codeText(part.slice(1, -1));
      return part
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll(/(?<!^)@/g, '&#64;');
    })
    .join('')
    .replaceAll('*/', '*&#47;')
    .replaceAll('\\u', '\\\\u');
}

function codeText(code: string): string {
  const isBalanced = code.split('{').length === code.split('}').length;
  return isBalanced
    ? `{@code ${code}}`
    : `<code>${code.replaceAll('{', '&#123;').replaceAll('}', '&#125;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</code>`;
}

function wrapped(text: string, indent: string, hanging = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && `${indent} * ${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = `${hanging}${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines;
}

/** Types that requests hold: these have builders. */
function namesSent({ resources, types }: Api): Set<string> {
  const byName = new Map(types.map((named) => [named.name, named]));
  const sent = new Set<string>();
  const visit = (type: ApiType): void => {
    if (type.kind === 'ref' && !sent.has(type.name)) {
      sent.add(type.name);
      visit(byName.get(type.name)!.type);
    } else if (type.kind === 'array') visit(type.items);
    else if (type.kind === 'map') visit(type.values);
    else if (type.kind === 'union') type.members.forEach(visit);
    else if (type.kind === 'object') type.members.forEach((member) => visit(member.type));
  };
  for (const { body } of resources.flatMap(({ operations }) => operations)) if (body !== null) visit(body.type);
  return sent;
}

/** Equal for types that look the same, whatever is said about them. */
function shapeOf(type: ApiType): string {
  return JSON.stringify(type, (key, value: unknown) => (key === 'description' ? undefined : value));
}

/** The object of a type that is one, or one or null. */
function objectOf(type: ApiType): Extract<ApiType, { kind: 'object' }> | null {
  const bare = withoutNull(type);
  return bare.kind === 'object' ? bare : null;
}

function withoutNull(type: ApiType): ApiType {
  if (type.kind !== 'union') return type;
  const members = type.members.filter(({ kind }) => kind !== 'null');
  return members.length === 1 ? members[0]! : { kind: 'union', members };
}

function acceptsNull(type: ApiType): boolean {
  return type.kind === 'null' || (type.kind === 'union' && type.members.some(acceptsNull));
}

/** A name that a nested record hides is said in full. */
function qualified(name: string, nested: Nested): string {
  return nested.has(name) ? `svc.client.types.${name}` : name;
}

function importsOf(text: string, known: readonly (readonly [string, string])[]): string[] {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '').replaceAll(/"[^"\n]*"/g, '""');
  return known.filter(([name]) => new RegExp(`(?<![.\\w])${name}\\b`).test(code)).map(([, path]) => `import ${path};`);
}

function plain(text: string): JavaType {
  return { text, choices: [] };
}

function singular(name: string): string {
  if (name === 'series' || name.endsWith('ss') || !name.endsWith('s')) return name;
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  return name.endsWith('sses') ? name.slice(0, -2) : name.slice(0, -1);
}

function fieldName(wireName: string): string {
  const name = camel(wireName.split('_'));
  return TAKEN.has(name) ? `${name}_` : name;
}

function methodName(words: readonly string[]): string {
  const name = camel(words);
  return TAKEN.has(name) ? `${name}_` : name;
}

function pascal(words: readonly string[]): string {
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function camel(words: readonly string[]): string {
  const text = pascal(words);
  return text[0]!.toLowerCase() + text.slice(1);
}
