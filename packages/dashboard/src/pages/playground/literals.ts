// Values as TypeScript and Python write them.

interface Language {
  readonly isTrue: string;
  readonly isFalse: string;
  readonly isNull: string;
  readonly indent: string;
  readonly nameOf: (name: string) => string;
}

const TYPESCRIPT: Language = {
  isTrue: 'true',
  isFalse: 'false',
  isNull: 'null',
  indent: '  ',
  // `__proto__` without brackets would be no member.
  nameOf: (name) => (name === '__proto__' ? '["__proto__"]' : /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)),
};
/** The escapes of JSON are escapes of Python too. */
const PYTHON: Language = {
  isTrue: 'True',
  isFalse: 'False',
  isNull: 'None',
  indent: '    ',
  nameOf: (name) => JSON.stringify(name),
};

export const typeScriptOf = (value: unknown, depth = 0): string => literal(value, TYPESCRIPT, depth);
export const pythonOf = (value: unknown, depth = 0): string => literal(value, PYTHON, depth);

function literal(value: unknown, language: Language, depth: number): string {
  if (value === null || value === undefined) return language.isNull;
  if (typeof value === 'boolean') return value ? language.isTrue : language.isFalse;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Array.isArray(value)
    ? value.map((item) => literal(item, language, depth + 1))
    : Object.entries(value).map(([name, member]) => `${language.nameOf(name)}: ${literal(member, language, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  const inner = language.indent.repeat(depth + 1);
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${language.indent.repeat(depth)}${close}`;
}
