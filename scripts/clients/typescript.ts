// Writes the types and resources of the TypeScript client.

import { DECIDING, type Api, type ApiType, type Member, type NamedType, type Operation, type Resource } from './model.ts';

const NOTE = '// Generated from api/openapi.json by scripts/clients: change that, not this.\n';
const WIDTH = 130;
const UNION_WIDTH = 100;

/** Files of `clients/typescript/src/generated/`, by name. */
export function typescriptFiles(api: Api): Record<string, string> {
  return { 'types.ts': typesFile(api), 'resources.ts': resourcesFile(api), 'deciding.ts': decidingFile(api) };
}

function typesFile(api: Api): string {
  const sent = namesSent(api);
  const queries = api.resources.flatMap(({ words, operations }) =>
    operations.filter(({ query }) => query.length > 0).map((operation) => queryType(words, operation)),
  );
  const types = api.types.map((named) => typeDeclaration(named, !sent.has(named.name)));
  return `${NOTE}// Shapes on the wire, as they are named in the API reference.\n\n${[...types, ...queries].join('\n')}`;
}

function decidingFile({ types }: Api): string {
  const byName = new Map(types.map((named) => [named.name, named.type]));
  const entries = Object.entries(DECIDING).map(([name, members]) => {
    const lines = members.map((member) => `    ${propertyName(member)}: ${nestedIn(byName.get(name), member)},\n`);
    return `  ${name}: {\n${lines.join('')}  },\n`;
  });
  return `${NOTE}
/** Members without which an answer decides nothing, by its type; and the type of those that decide themselves. */
export const DECIDING: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
${entries.join('')}};
`;
}

function nestedIn(type: ApiType | undefined, name: string): string {
  const member = type?.kind === 'object' ? type.members.find((each) => each.name === name)?.type : undefined;
  return member?.kind === 'ref' && Object.hasOwn(DECIDING, member.name) ? `'${member.name}'` : 'null';
}

/** Of an answer that is an object with a name. */
function answerName(answer: Operation['answer']): string | null {
  return typeof answer === 'object' && answer.kind === 'ref' ? answer.name : null;
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
  if (type.kind !== 'object') return `${comment}export type ${name} =${spaced(typeText(type, isOpen, ''))};\n`;
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
      return unionText([...type.values.map((value) => `'${value}'`), ...(isOpen ? ['(string & {})'] : [])], indent);
    case 'ref':
      return type.name;
    case 'array': {
      const items = typeText(type.items, isOpen, indent);
      if (items.startsWith('\n')) return `(${items}\n${indent})[]`;
      return items.includes(' | ') && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
    }
    case 'map':
      return `Record<string, ${typeText(type.values, isOpen, indent)}>`;
    case 'union':
      return unionText(
        type.members.map((member) => typeText(member, isOpen, indent)),
        indent,
      );
    case 'object':
      return objectText(type.members, isOpen, indent);
    default:
      return type.kind;
  }
}

/** In one line, or one member a line where that is too long to read. */
function unionText(members: readonly string[], indent: string): string {
  const line = members.join(' | ');
  if (line.includes('\n') || indent.length + line.length <= UNION_WIDTH) return line;
  return members.map((member) => `\n${indent}  | ${member}`).join('');
}

function objectText(members: readonly Member[], isOpen: boolean, indent: string): string {
  const inner = `${indent}  `;
  const lines = members.map(
    ({ name, type, isRequired, description }) =>
      `${docComment(description, inner)}${inner}${propertyName(name)}${isRequired ? '' : '?'}:${spaced(typeText(type, isOpen, inner))};\n`,
  );
  return `{\n${lines.join('')}${indent}}`;
}

/** After a colon or an equals sign. */
function spaced(text: string): string {
  return text.startsWith('\n') ? text : ` ${text}`;
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function resourcesFile({ resources }: Api): string {
  const list = resources.map((resource) => resourceClass(resource)).join('\n');
  const members = resources.map(({ words }) => `  readonly ${camel(words)}: ${pascal(words)};\n`).join('');
  const made = resources.map(({ words }) => `    this.${camel(words)} = new ${pascal(words)}(transport);\n`).join('');
  return `${NOTE}// The operations of the API, one class a resource.

import type { Pages } from '../pages.ts';
import { segment, segments, type RequestOptions, type Transport } from '../transport.ts';
import type * as types from './types.ts';

/** All resources. */
export class Resources {
${members}
  constructor(transport: Transport) {
${made}  }
}

${list}`;
}

function resourceClass({ words, description, operations }: Resource): string {
  const methods = operations.map((operation) => methodText(words, operation)).join('\n');
  return `${docComment(description, '')}export class ${pascal(words)} {
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
  ];
  const isList = operation.listed !== null;
  const comment = docComment(commentOf(operation), '  ');
  const head = listed(`  ${camel(words)}(`, parameters, `): ${answerText(operation, isList)} {`, '  ');
  const [called, given] = isList ? listParts(operation) : callParts(operation);
  return `${comment}${head}\n${listed(`    return this.#transport.${called}(`, given, ');', '    ')}\n  }\n`;
}

/** In one line where it has room. */
function listed(before: string, parts: readonly string[], after: string, indent: string): string {
  const line = `${before}${parts.join(', ')}${after}`;
  if (line.length <= WIDTH) return line;
  return `${before}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${after}`;
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

/** The method of the transport, and what it is given. */
function callParts({ httpMethod, path, query, fixedQuery, body, answer, isIdempotentByKey }: Operation): [string, string[]] {
  const parts = [
    `method: '${httpMethod}'`,
    `path: ${pathText(path)}`,
    ...(query.length === 0 ? [] : [queryText(fixedQuery)]),
    ...(body === null ? [] : ['body']),
    ...(isIdempotentByKey ? ['takesKey: true'] : []),
    ...(answerName(answer) === null ? [] : [`answer: '${answerName(answer)}'`]),
  ];
  return [typeof answer === 'string' ? answer : 'json', [`{ ${parts.join(', ')} }`, 'options']];
}

function queryText(fixed: Readonly<Record<string, string>>): string {
  const added = Object.entries(fixed).map(([name, value]) => `, ${name}: '${value}'`);
  return added.length === 0 ? 'query' : `query: { ...query${added.join('')} }`;
}

function listParts({ path, query }: Operation): [string, string[]] {
  return ['list', [pathText(path), query.length === 0 ? '{}' : 'query', 'options']];
}

function pathText(path: string): string {
  if (!path.includes('{')) return `'${path}'`;
  // Looked at when it is sent, so that an id that cannot be is told as every other fault.
  return `() => \`${path.replaceAll(/\{(\w+)\*?\}/g, (whole, name: string) => {
    const variable = camel(name.split('_'));
    // A rest parameter keeps its slashes.
    return whole.includes('*') ? `\${segments(${variable})}` : `\${segment(${variable})}`;
  })}\``;
}

/** What it does in a line, and more about it below. */
function commentOf({ summary, description, scope }: Operation): string {
  const more = [description, scope === null ? '' : `Needs \`${scope}\`.`].filter((text) => text !== '').join(' ');
  return description === '' ? `${summary}. ${more}` : `${summary}.\n\n${more}`;
}

/** Paragraphs have an empty line between them. */
function docComment(text: string, indent: string): string {
  if (text === '') return '';
  const paragraphs = text
    .replaceAll('*/', '* /')
    .split('\n\n')
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim());
  const one = `${indent}/** ${paragraphs[0]} */`;
  if (paragraphs.length === 1 && one.length <= WIDTH) return `${one}\n`;
  const lines = paragraphs
    .map((paragraph) => wrapped(paragraph, WIDTH - indent.length - 3).join('\n'))
    .join('\n\n')
    .split('\n');
  return `${indent}/**\n${lines.map((line) => `${`${indent} * ${line}`.trimEnd()}\n`).join('')}${indent} */\n`;
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

function pascal(words: readonly string[]): string {
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function camel(words: readonly string[]): string {
  const text = pascal(words);
  return text[0]!.toLowerCase() + text.slice(1);
}
