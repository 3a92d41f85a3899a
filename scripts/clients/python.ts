// Writes the types and resources of the Python client, formatted as ruff would.

import { DECIDING } from './model.ts';
import type { Api, ApiType, Member, NamedType, Operation, Resource } from './model.ts';

const NOTE = 'Generated from api/openapi.json by scripts/clients: change that, not this.';
const WIDTH = 110;
// Of bodies whose members are not named one by one: they are written elsewhere, as a whole.
const WHOLE = new Set(['Policy']);
// What is shown once: a repr, which ends up in logs, leaves it out.
const SECRETS = new Set(['key', 'signing_secret', 'token']);
/** Enumerations that are too long to be written where they are used. By their first value. */
const ENUMERATIONS: Readonly<Record<string, string>> = {
  'assess:create': 'Permission',
  'inference.allowed': 'EventKind',
  '*': 'EventKindOrAll',
  'webhook.test': 'TestEventKind',
  flagged_rate: 'DriftSignal',
  pending: 'DeliveryState',
};
/** The same in answers and requests. */
const PLAIN = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None', any: 'Any' } as const;
const INLINE_CHARS_MAX = 70;
const VALUES_TOLD_MAX = 12;
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Files of `clients/python/src/svc/_generated/`, by name. */
export function pythonFiles(api: Api): Record<string, string> {
  return {
    '__init__.py': `"""${NOTE}"""\n`,
    'deciding.py': decidingFile(),
    'types.py': typesFile(api),
    'params.py': paramsFile(api),
    'resources.py': resourcesFile(api, false),
    'async_resources.py': resourcesFile(api, true),
  };
}

function decidingFile(): string {
  const entries = Object.entries(DECIDING).map(
    ([name, members]) => `    "${name}": (${members.map((member) => `"${member}"`).join(', ')}),\n`,
  );
  return `"""${NOTE}"""

# Members without which an answer decides nothing, by its type.
DECIDING = {
${entries.join('')}}
`;
}

// ── Answers ──

function typesFile(api: Api): string {
  const answers = new Answers(api);
  const roots = api.resources
    .flatMap(({ operations }) => operations)
    .flatMap(({ answer, listed }) => (typeof answer === 'string' ? [] : [listed ?? answer]));
  roots.forEach((type) => answers.textOf(type, ''));
  const classes = [...answers.classes].sort(([a], [b]) => (a < b ? -1 : 1));
  return `"""Answers of the API. ${NOTE}"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .._models import Model

__all__ = [
${classes.map(([name]) => `    "${name}",\n`).join('')}]
${classes.map(([, text]) => `\n\n${text}`).join('')}`;
}

/** The classes that answers need; grows while types are asked for. */
class Answers {
  readonly #named: ReadonlyMap<string, NamedType>;
  readonly classes = new Map<string, string>();

  constructor(api: Api) {
    this.#named = new Map(api.types.map((named) => [named.name, named]));
  }

  /** `name`: of the class where the type is an object without a name. */
  textOf(type: ApiType, name: string, description = ''): string {
    switch (type.kind) {
      case 'enum':
        return 'str';
      case 'ref': {
        const named = this.#named.get(type.name)!;
        return this.textOf(named.type, named.name, named.description);
      }
      case 'array':
        return `list[${this.textOf(type.items, singular(name), description)}]`;
      case 'map':
        return `dict[str, ${this.textOf(type.values, singular(name), description)}]`;
      case 'union':
        return either(type.members.map((member) => this.textOf(member, name, description)));
      case 'object':
        this.#addClass(name, description, type.members);
        return name;
      default:
        return PLAIN[type.kind];
    }
  }

  #addClass(name: string, description: string, members: readonly Member[]): void {
    if (this.classes.has(name)) return;
    // Before its members, which may be of its own type.
    this.classes.set(name, '');
    const fields = members.map((member) => this.#field(name, member)).join('');
    const told = description === '' ? '' : `${docstring(description, '    ')}\n`;
    this.classes.set(name, `@dataclass(frozen=True, slots=True, kw_only=True)\nclass ${name}(Model):\n${told}${fields}`);
  }

  #field(parent: string, { name, type, isRequired, description }: Member): string {
    if (name === 'raw') throw new Error(`${parent}.raw: the name is taken`);
    const text = this.textOf(type, `${parent}${pascal(name)}`, description);
    const hint = isRequired ? text : either([text, 'None']);
    const shown = SECRETS.has(name) ? ` = field(repr=False)` : '';
    const told = sentences(description, valuesTold(type), isRequired ? '' : '`None` where there is none.');
    return `    ${identifier(name)}: ${hint}${shown}\n${told === '' ? '' : docstring(told, '    ')}`;
  }
}

function valuesTold(type: ApiType): string {
  const of = type.kind === 'union' ? type.members.find(({ kind }) => kind === 'enum') : type.kind === 'array' ? type.items : type;
  if (of?.kind !== 'enum' || of.values.length > VALUES_TOLD_MAX) return '';
  return of.values.length === 1 ? `\`${of.values[0]}\`.` : `One of ${listed(of.values)}; more may come.`;
}

function listed(values: readonly string[]): string {
  return values.map((value) => `\`${value}\``).join(', ');
}

// ── Requests ──

function paramsFile(api: Api): string {
  const params = new Params(api, '');
  for (const { body, query, pathParameters } of api.resources.flatMap(({ operations }) => operations)) {
    if (body !== null && !isTakenApart(body.type)) params.textOf(body.type, '');
    else if (body !== null)
      for (const { type, name } of membersOf(api, body.type)) params.textOf(type, nameOf(body.type) + pascal(name));
    for (const { type, name } of [...query, ...pathParameters]) params.textOf(type, pascal(name));
  }
  const sorted = [...params.declarations].sort(([a], [b]) => (a < b ? -1 : 1));
  const aliases = sorted.filter(([, text]) => !text.startsWith('class'));
  const classes = sorted.filter(([, text]) => text.startsWith('class'));
  return `"""What requests are made of. ${NOTE}"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired

__all__ = [
${sorted.map(([name]) => `    "${name}",\n`).join('')}]

${aliases.map(([, text]) => text).join('')}${classes.map(([, text]) => `\n\n${text}`).join('')}`;
}

/** The dictionaries and enumerations that requests need; grows while types are asked for. `module`: before their names. */
class Params {
  readonly #named: ReadonlyMap<string, NamedType>;
  readonly #module: string;
  /** Of each enumeration that has a name. */
  readonly #enumerations = new Map<string, string>();
  readonly declarations = new Map<string, string>();

  constructor(api: Api, module: string) {
    this.#named = new Map(api.types.map((named) => [named.name, named]));
    this.#module = module;
  }

  textOf(type: ApiType, name: string, description = ''): string {
    switch (type.kind) {
      case 'enum':
        return this.#enumeration(type.values, name);
      case 'ref': {
        const named = this.#named.get(type.name)!;
        return this.textOf(named.type, named.name, named.description);
      }
      case 'array':
        return `Sequence[${this.textOf(type.items, singular(name), description)}]`;
      case 'map':
        return `Mapping[str, ${this.textOf(type.values, singular(name), description)}]`;
      case 'union':
        return either(type.members.map((member) => this.textOf(member, name, description)));
      case 'object':
        this.#addClass(name, description, type.members);
        return this.#module + name;
      default:
        return PLAIN[type.kind];
    }
  }

  #enumeration(values: readonly string[], name: string): string {
    const inline = `Literal[${values.map((value) => `"${value}"`).join(', ')}]`;
    if (inline.length <= INLINE_CHARS_MAX) return inline;
    const known = this.#enumerations.get(inline);
    if (known !== undefined) return this.#module + known;
    const own = ENUMERATIONS[values[0]!] ?? name;
    if (this.declarations.has(own)) throw new Error(`two enumerations are called ${own}`);
    this.#enumerations.set(inline, own);
    this.declarations.set(own, `${own}: TypeAlias = Literal[\n${values.map((value) => `    "${value}",\n`).join('')}]\n`);
    return this.#module + own;
  }

  #addClass(name: string, description: string, members: readonly Member[]): void {
    if (this.declarations.has(name)) return;
    this.declarations.set(name, '');
    const fields = members.map((member) => this.#field(name, member)).join('');
    const told = description === '' ? '' : `${docstring(description, '    ')}\n`;
    this.declarations.set(name, `class ${name}(TypedDict):\n${told}${fields}`);
  }

  #field(parent: string, { name, type, isRequired, description }: Member): string {
    if (identifier(name) !== name) throw new Error(`${parent}.${name}: a dictionary of Python cannot declare this name`);
    const text = this.textOf(type, `${parent}${pascal(name)}`, description);
    const line = `    ${name}: ${isRequired ? text : `NotRequired[${text}]`}\n`;
    return `${line.length <= WIDTH + 1 ? line : brokenHint(name, text, isRequired)}${description === '' ? '' : docstring(description, '    ')}`;
  }
}

/** As ruff breaks a line that is too long. */
function brokenHint(name: string, text: string, isRequired: boolean): string {
  if (!isRequired) return `    ${name}: NotRequired[\n        ${text}\n    ]\n`;
  const inner = /^(\w+)\[(.*)\]$/.exec(text);
  if (inner === null) throw new Error(`${name}: ${text} is too long`);
  return `    ${name}: ${inner[1]}[\n        ${inner[2]}\n    ]\n`;
}

// ── Operations ──

function resourcesFile(api: Api, isAsync: boolean): string {
  const writer = new Resources(api, isAsync);
  const prefix = isAsync ? 'Async' : '';
  const names = api.resources.map(({ words }) => words);
  const root = `${prefix}Resources`;
  const classes = api.resources.map((resource) => `\n\n${writer.classOf(resource)}`).join('');
  const attributes = names.map((words) => `        self.${words.join('_')} = ${prefix}${pascalOf(words)}(transport)\n`).join('');
  return `"""
The operations of the API, one class a resource.

${NOTE}
"""

from __future__ import annotations

from collections.abc import ${isAsync ? 'AsyncIterable' : 'Iterable'}, Mapping, Sequence
from typing import Any, Literal

from .._guard_stream import ${prefix}GuardedStream
from .._omit import Omit, given, omit
from .._pages import ${prefix}Pages
from .._requests import Call, RequestOptions, segment, segments
from .._transport import ${isAsync ? 'AsyncDownload, AsyncTransport' : 'Download, Transport'}
from . import params, types


class ${root}:
    """All resources."""

    def __init__(self, transport: ${prefix}Transport) -> None:
        self._transport = transport
${attributes}
${writer.shortcuts()}${classes}`;
}

class Resources {
  readonly #api: Api;
  readonly #params: Params;
  readonly #isAsync: boolean;

  constructor(api: Api, isAsync: boolean) {
    this.#api = api;
    this.#params = new Params(api, 'params.');
    this.#isAsync = isAsync;
  }

  classOf({ words, operations }: Resource): string {
    const prefix = this.#isAsync ? 'Async' : '';
    const methods = operations.map((operation) => this.#method(operation, operation.words.join('_'))).join('\n');
    const name = words.map((word) => (word === 'api' ? 'API' : word)).join(' ');
    return `class ${prefix}${pascalOf(words)}:
    """Operations on ${name === 'sso' ? 'single sign-on' : name}."""

    def __init__(self, transport: ${prefix}Transport) -> None:
        self._transport = transport

${methods}`;
  }

  /** What the client itself offers. */
  shortcuts(): string {
    const assess = this.#operation('assessments', 'create');
    const stream = this.#operation('streams', 'create');
    const [prefix, source, go] = this.#isAsync ? ['Async', 'AsyncIterable', 'async for'] : ['', 'Iterable', 'for'];
    const about = {
      ...stream,
      summary: 'Release what a model writes as it turns out to be safe',
      description: `\`${go} text in client.guard_stream(model, input=question): show(text)\`. The source is left alone where the input is blocked.`,
    };
    const parameters = this.#parameters(stream);
    const told = [{ name: 'source', description: 'Pieces of text, as a model writes them.' }, ...parameters.told];
    const signature = signatureOf(
      'def',
      'guard_stream',
      ['self', `source: ${source}[str]`, ...parameters.texts],
      `${prefix}GuardedStream`,
    );
    const body = this.#mapping(membersOf(this.#api, stream.body!.type), '        ');
    return `${this.#method(assess, 'assess')}
${signature}${docstring(commentOf(about), '        ', told)}        return ${prefix}GuardedStream(
            self._transport,
            source,
            given(
${indented(body, '                ')}
            ),
            options,
        )
`;
  }

  #operation(resource: string, method: string): Operation {
    const { operations } = this.#api.resources.find(({ words }) => words.join('_') === resource)!;
    return operations.find(({ words }) => words.join('_') === method)!;
  }

  #method(operation: Operation, name: string): string {
    const { texts, told } = this.#parameters(operation);
    const isPlain = operation.listed !== null || operation.answer === 'bytes' || !this.#isAsync;
    const signature = signatureOf(isPlain ? 'def' : 'async def', name, ['self', ...texts], this.#answer(operation));
    const call = this.#call(operation);
    return `${signature}${docstring(commentOf(operation), '        ', told)}        return ${isPlain ? '' : 'await '}${call}`;
  }

  /** With their star, before which come those that are given by their place. */
  #parameters({ pathParameters, query, body }: Operation) {
    const told: { name: string; description: string }[] = [];
    const tell = ({ name, description }: Pick<Member, 'name' | 'description'>) => {
      if (description !== '') told.push({ name: identifier(name), description });
    };
    const places = pathParameters.map((member) => {
      tell(member);
      return `${identifier(member.name)}: str`;
    });
    if (body !== null && !isTakenApart(body.type)) {
      const description = 'As a whole. One that was read is changed as `{**answer.policy.raw, …}`.';
      tell({ name: snake(nameOf(body.type)), description });
      places.push(`${snake(nameOf(body.type))}: ${this.#params.textOf(body.type, '')} | Mapping[str, Any]`);
    }
    const apart = body !== null && isTakenApart(body.type) ? membersOf(this.#api, body.type) : [];
    const prefix = body === null ? '' : nameOf(body.type);
    const named = [...apart, ...query].toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
    const keywords = named.map((member) => {
      tell(member);
      const name = identifier(member.name);
      if (name === 'options' || name === 'self') throw new Error(`the parameter ${name} has a name that is taken`);
      const text = this.#params.textOf(member.type, prefix + pascal(member.name));
      return member.isRequired ? `${name}: ${text}` : `${name}: ${either([text, 'Omit'])} = omit`;
    });
    return { texts: [...places, '*', ...keywords, 'options: RequestOptions | None = None'], told };
  }

  #answer({ answer, listed: items }: Operation): string {
    const prefix = this.#isAsync ? 'Async' : '';
    if (items !== null) return `${prefix}Pages[types.${nameOf(items)}]`;
    switch (answer) {
      case 'none':
        return 'None';
      case 'text':
        return 'str';
      case 'bytes':
        return `${prefix}Download`;
      default:
        return `types.${nameOf(answer)}`;
    }
  }

  #call({ httpMethod, path, query, fixedQuery, body, answer, listed: items, isIdempotentByKey }: Operation): string {
    const how = items !== null ? 'pages' : typeof answer === 'string' ? answer : 'json';
    const type = items ?? answer;
    const fixed = Object.entries(fixedQuery).map(([name, value]) => `"${name}": "${value}"`);
    const asked = [...query.map(({ name }) => `"${name}": ${identifier(name)}`), ...fixed];
    const parts = [
      [`"${httpMethod}"`],
      [pathText(path)],
      ...(asked.length === 0 ? [] : [['query={', ...asked, '}']]),
      ...(body === null ? [] : [this.#body(body.type)]),
      ...(isIdempotentByKey ? [['takes_key=True']] : []),
    ];
    const before = typeof type === 'string' ? [] : [`types.${nameOf(type)}`];
    return callText(`self._transport.${how}`, before, parts);
  }

  #body(type: ApiType): readonly string[] {
    if (!isTakenApart(type)) return [`body=${snake(nameOf(type))}`];
    const members = membersOf(this.#api, type).map(({ name }) => `"${name}": ${identifier(name)}`);
    return members.length === 0 ? ['body={}'] : ['body={', ...members, '}'];
  }

  #mapping(members: readonly Member[], indent: string): string {
    return `{\n${members.map(({ name }) => `${indent}    "${name}": ${identifier(name)},\n`).join('')}${indent}}`;
  }
}

/** One line where it fits; else the call's parts each on its own. */
function callText(called: string, before: readonly string[], parts: readonly (readonly string[])[]): string {
  const one = (part: readonly string[]) =>
    part.length === 1 ? part[0]! : `${part[0]}${part.slice(1, -1).join(', ')}${part.at(-1)}`;
  const inner = `Call(${parts.map(one).join(', ')})`;
  const line = `${called}(${[...before, inner, 'options'].join(', ')})`;
  if (`        return await ${line}`.length <= WIDTH) return `${line}\n`;
  const pad = '            ';
  const lines = parts.map((part) =>
    part.length === 1 || `${pad}    ${one(part)},`.length <= WIDTH
      ? `${pad}    ${one(part)},\n`
      : `${pad}    ${part[0]}\n${part
          .slice(1, -1)
          .map((each) => `${pad}        ${each},\n`)
          .join('')}${pad}    ${part.at(-1)},\n`,
  );
  const call = `${pad}${inner},`.length <= WIDTH ? `${pad}${inner},\n` : `${pad}Call(\n${lines.join('')}${pad}),\n`;
  return `${called}(\n${before.map((each) => `${pad}${each},\n`).join('')}${call}${pad}options,\n        )\n`;
}

function signatureOf(keyword: string, name: string, parameters: readonly string[], answer: string): string {
  const line = `    ${keyword} ${name}(${parameters.join(', ')}) -> ${answer}:`;
  if (line.length <= WIDTH) return `${line}\n`;
  return `    ${keyword} ${name}(\n${parameters.map((each) => `${brokenParameter(each)},\n`).join('')}    ) -> ${answer}:\n`;
}

/** As ruff breaks a line that is too long: before each alternative. */
function brokenParameter(text: string): string {
  const line = `        ${text}`;
  return `${line},`.length <= WIDTH ? line : line.replaceAll(' | ', '\n        | ');
}

function pathText(path: string): string {
  if (!path.includes('{')) return `"${path}"`;
  const text = path.replaceAll(/\{(\w+)\*?\}/g, (whole, name: string) => {
    const quoted = whole.includes('*') ? 'segments' : 'segment';
    return `{${quoted}(${identifier(name)})}`;
  });
  return `f"${text}"`;
}

function isTakenApart(type: ApiType): boolean {
  return type.kind === 'ref' && !WHOLE.has(type.name);
}

function nameOf(type: ApiType): string {
  if (type.kind !== 'ref') throw new Error(`a ${type.kind} without a name`);
  return type.name;
}

function membersOf({ types }: Api, type: ApiType): readonly Member[] {
  const named = types.find(({ name }) => name === nameOf(type))!;
  if (named.type.kind !== 'object') throw new Error(`the body ${named.name} is no object`);
  return named.type.members;
}

// ── Texts ──

function commentOf({ summary, description, scope }: Pick<Operation, 'summary' | 'description' | 'scope'>): string {
  return `${summary}.\n\n${sentences(description, scope === null ? '' : `Needs \`${scope}\`.`)}`.trim();
}

function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** Paragraphs, and what is told of the arguments. */
function docstring(
  text: string,
  indent: string,
  told: readonly { readonly name: string; readonly description: string }[] = [],
): string {
  const paragraphs = text.split('\n\n').map(clean);
  const one = `${indent}"""${paragraphs.join(' ')}"""\n`;
  if (paragraphs.length === 1 && told.length === 0 && one.length <= WIDTH + 1) return one;
  const parts = paragraphs.map((paragraph) => wrapped(paragraph, indent, indent));
  const argument = ({ name, description }: (typeof told)[number]) =>
    wrapped(`${name}: ${clean(description)}`, `${indent}    `, `${indent}        `);
  if (told.length > 0) parts.push(`${indent}Args:\n${told.map(argument).join('')}`);
  return `${indent}"""\n${parts.join('\n')}${indent}"""\n`;
}

function clean(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();
}

function wrapped(text: string, first: string, rest: string): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && `${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line = isEmpty ? `${line}${word}` : `${line} ${word}`;
    isEmpty = false;
  }
  return `${[...lines, line].join('\n')}\n`;
}

function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => `${indent}${line.replace(/^ {8}/, '')}`)
    .join('\n');
}

/** `A | B | Omit | None`: what says nothing comes last. */
function either(texts: readonly string[]): string {
  const all = [...new Set(texts.flatMap((text) => split(text)))];
  if (all.includes('Any')) return 'Any';
  const nothing = ['Omit', 'None'].filter((name) => all.includes(name));
  return [...all.filter((text) => !nothing.includes(text)), ...nothing].join(' | ');
}

/** Its alternatives, not those within brackets. */
function split(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of text) {
    depth += char === '[' ? 1 : char === ']' ? -1 : 0;
    if (char === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}

/** A name that Python reserves has an underscore behind it. */
function identifier(name: string): string {
  if (!/^[a-z_][a-z0-9_]*$/i.test(name) || name.endsWith('_')) throw new Error(`${name} is no name of Python`);
  return KEYWORDS.has(name) ? `${name}_` : name;
}

/** Of one of them: `findings` is of `Finding`. */
function singular(name: string): string {
  return /[^s]s$/.test(name) && !name.endsWith('ies') ? name.slice(0, -1) : name;
}

function pascal(snakeCase: string): string {
  return pascalOf(snakeCase.split('_'));
}

function pascalOf(words: readonly string[]): string {
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

function snake(pascalCase: string): string {
  return pascalCase.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
