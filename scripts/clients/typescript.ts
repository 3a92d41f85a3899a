// Writes the types and resources of the TypeScript client.

import type { Api, ApiType, Member, NamedType, Operation, Resource } from './model.ts';

const NOTE = '// Generated from api/openapi.json by scripts/clients: change that, not this.\n';
const WIDTH = 130;

/** Files of `clients/typescript/src/generated/`, by name. */
export function typescriptFiles(api: Api): Record<string, string> {
  return { 'types.ts': typesFile(api), 'resources.ts': resourcesFile(api) };
}

function typesFile(api: Api): string {
  const sent = namesSent(api);
  const queries = api.resources.flatMap(({ words, operations }) =>
    operations.filter(({ query }) => query.length > 0).map((operation) => queryType(words, operation)),
  );
  const types = api.types.map((named) => typeDeclaration(named, !sent.has(named.name)));
  return `${NOTE}// Shapes on the wire, as they are named in the API reference.\n\n${[...types, ...queries].join('\n')}`;
}

/** Types that requests hold: their enumerations are closed, so that a slip of the pen is found. Those of answers are open: more will come. */
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

function typeDeclaration({ name, description, type }: NamedType, isOpen: boolean): string {
  const comment = docComment(description, '');
  if (type.kind !== 'object') return `${comment}export type ${name} = ${typeText(type, isOpen, '')};\n`;
  return `${comment}export interface ${name} ${objectText(type.members, isOpen, '')}\n`;
}

function queryType(words: readonly string[], { words: method, query }: Operation): string {
  return `export interface ${queryName(words, method)} ${objectText(query, false, '')}\n`;
}

function queryName(words: readonly string[], method: readonly string[]): string {
  return `${pascal(words)}${pascal(method)}Query`;
}

function typeText(type: ApiType, isOpen: boolean, indent: string): string {
  switch (type.kind) {
    case 'integer':
    case 'number':
      return 'number';
    case 'any':
      return 'unknown';
    case 'enum':
      return [...type.values.map((value) => `'${value}'`), ...(isOpen ? ['(string & {})'] : [])].join(' | ');
    case 'ref':
      return type.name;
    case 'array': {
      const items = typeText(type.items, isOpen, indent);
      return /^[\w.]+$/.test(items) ? `${items}[]` : `(${items})[]`;
    }
    case 'map':
      return `Record<string, ${typeText(type.values, isOpen, indent)}>`;
    case 'union':
      return type.members.map((member) => typeText(member, isOpen, indent)).join(' | ');
    case 'object':
      return objectText(type.members, isOpen, indent);
    default:
      return type.kind;
  }
}

function objectText(members: readonly Member[], isOpen: boolean, indent: string): string {
  const inner = `${indent}  `;
  const lines = members.map(
    ({ name, type, isRequired, description }) =>
      `${docComment(description, inner)}${inner}${propertyName(name)}${isRequired ? '' : '?'}: ${typeText(type, isOpen, inner)};\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function resourcesFile({ resources }: Api): string {
  const list = resources.map((resource) => resourceClass(resource)).join('\n');
  const members = resources.map(({ words }) => `  readonly ${camel(words)}: ${pascal(words)};\n`).join('');
  const made = resources.map(({ words }) => `    this.${camel(words)} = new ${pascal(words)}(transport);\n`).join('');
  return `${NOTE}// The operations of the API, one class a resource.

import { Pages } from '../pages.ts';
import type { RequestOptions, Transport } from '../transport.ts';
import type * as types from './types.ts';

/** All resources. */
export class Resources {
${members}
  constructor(transport: Transport) {
${made}  }
}

${list}`;
}

function resourceClass({ words, operations }: Resource): string {
  const methods = operations.map((operation) => methodText(words, operation)).join('\n');
  return `export class ${pascal(words)} {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

${methods}}
`;
}

function methodText(resource: readonly string[], operation: Operation): string {
  const { words, pathParameters, query, body } = operation;
  const parameters = [
    ...pathParameters.map(({ name, type }) => `${camel(name.split('_'))}: ${typeText(type, false, '')}`),
    ...(body === null ? [] : [`body: ${sentType(body.type)}${body.isRequired ? '' : ' = {}'}`]),
    ...(query.length === 0 ? [] : [queryParameter(resource, operation)]),
    'options?: RequestOptions',
  ].join(', ');
  const isList = operation.listed !== null && query.some(({ name }) => name === 'cursor');
  const comment = docComment(commentOf(operation), '  ');
  return `${comment}  ${camel(words)}(${parameters}): ${answerText(operation, isList)} {
    return ${isList ? listText(operation) : callText(operation)};
  }
`;
}

function queryParameter(resource: readonly string[], { words, query }: Operation): string {
  const isNeeded = query.some(({ isRequired }) => isRequired);
  return `query: types.${queryName(resource, words)}${isNeeded ? '' : ' = {}'}`;
}

function sentType(type: ApiType): string {
  return qualified(typeText(type, false, '  '));
}

function qualified(text: string): string {
  return text.replaceAll(/\b([A-Z]\w+)\b/g, (name) => (name === 'Record' ? name : `types.${name}`));
}

function answerText({ answer, listed }: Operation, isList: boolean): string {
  if (isList) return `Pages<${qualified(typeText(listed!, true, ''))}>`;
  switch (answer) {
    case 'none':
      return 'Promise<void>';
    case 'text':
      return 'Promise<string>';
    case 'bytes':
      return 'Promise<ReadableStream<Uint8Array>>';
    default:
      return `Promise<${qualified(typeText(answer, true, ''))}>`;
  }
}

function callText({ httpMethod, path, query, fixedQuery, body, answer, isIdempotentByKey }: Operation): string {
  const how = typeof answer === 'string' ? answer : 'json';
  const parts = [
    `method: '${httpMethod}'`,
    `path: ${pathText(path)}`,
    ...(query.length === 0 ? [] : [queryText(fixedQuery)]),
    ...(body === null ? [] : ['body']),
    ...(isIdempotentByKey ? ['takesKey: true'] : []),
  ];
  return `this.#transport.${how}({ ${parts.join(', ')} }, options)`;
}

function queryText(fixed: Readonly<Record<string, string>>): string {
  const added = Object.entries(fixed).map(([name, value]) => `, ${name}: '${value}'`);
  return added.length === 0 ? 'query' : `query: { ...query${added.join('')} }`;
}

function listText(operation: Operation): string {
  return `new Pages((cursor) => ${callText(operation).replace(', query', ', query: cursor === null ? query : { ...query, cursor }')})`;
}

function pathText(path: string): string {
  if (!path.includes('{')) return `'${path}'`;
  return `\`${path.replaceAll(/\{(\w+)\*?\}/g, (whole, name: string) => {
    const variable = camel(name.split('_'));
    // A rest parameter keeps its slashes.
    return whole.includes('*') ? `\${${variable}}` : `\${encodeURIComponent(${variable})}`;
  })}\``;
}

function commentOf({ summary, description, scope }: Operation): string {
  const needs = scope === null ? '' : ` Needs \`${scope}\`.`;
  return `${summary}.${description === '' ? '' : ` ${description}`}${needs}`;
}

function docComment(text: string, indent: string): string {
  if (text === '') return '';
  const clean = text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ').trim();
  const one = `${indent}/** ${clean} */\n`;
  if (one.length <= WIDTH) return one;
  const lines: string[] = [];
  let line = '';
  for (const word of clean.split(' ')) {
    if (`${indent} * ${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return `${indent}/**\n${lines.map((each) => `${indent} * ${each}\n`).join('')}${indent} */\n`;
}

function pascal(words: readonly string[]): string {
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function camel(words: readonly string[]): string {
  const text = pascal(words);
  return text[0]!.toLowerCase() + text.slice(1);
}
