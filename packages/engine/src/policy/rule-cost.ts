// What a rule's expression may cost at most, and what it reads: so that none is stored that could hold up an assessment.

import type { ASTNode } from '@marcbachmann/cel-js';
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { SET_SIZE_MAX } from '../detectors/patterns/compile.ts';
import { nearestNames } from './nearest.ts';

/** What a rule is given at most, in UTF-16 units and entries. Where an inference holds more, the rule that reads it counts as failed. */
export const RULE_BOUNDS = {
  /** Of each of input, output and context. */
  textChars: 262_144,
  /** Of the strings and names in all arguments of all tool calls together. */
  argumentChars: 262_144,
  /** Values in all arguments together. */
  argumentValues: 10_000,
  /** Of one list or object inside arguments, where a rule goes through it. */
  argumentEntries: 64,
  /** Of the pointer of a finding. */
  pointerChars: 500,
  findings: 200,
} as const;

// As the schema of an inference bounds them.
const TOOL_CALLS = 100;
const LABEL_CHARS = 200;
/** Of categories, types and ids. */
const NAME_CHARS = 64;
const METADATA_PAIRS = 50;
const METADATA_CHARS = 500;

/** A step is a node evaluated once, at most 15 ns: about 1 ms. */
export const RULE_STEPS_MAX = 65_000;
const LOOPS_MAX = 2;

/** What a rule reads. `lists`: what is inside of lists and objects in arguments of tool calls. */
export type RuleRead =
  | 'input'
  | 'output'
  | 'context'
  | 'tool_calls'
  | 'arguments'
  | 'lists'
  | 'model'
  | 'subject'
  | 'metadata'
  | 'findings'
  | 'score';

/** What can be said of an expression before it is evaluated. */
export interface RuleCost {
  /** Steps on the largest inference that is given to it whole. */
  readonly steps: number;
  readonly reads: ReadonlySet<RuleRead>;
}

/** Something wrong with an expression: `message` is a sentence for its author. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
}

/**
 * The size of what an expression gives. `most`: UTF-16 units at most. `chars`: the same, or inside of a loop over things that share one bound
 * what each has of it, so that the loop as a whole is charged that bound. Never multiplied by another share: loops count by `most`.
 */
type Shape =
  | { readonly kind: 'scalar' }
  | { readonly kind: 'text'; readonly chars: number; readonly most: number }
  | { readonly kind: 'list'; readonly length: number; readonly item: Shape }
  | { readonly kind: 'map'; readonly entries: number; readonly value: Shape }
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, Shape>> }
  /** The arguments of a call, and any value inside. */
  | { readonly kind: 'arguments' | 'json'; readonly chars: number; readonly most: number };

interface Measured {
  readonly shape: Shape;
  readonly steps: number;
}

const SCALAR: Shape = { kind: 'scalar' };
const text = (most: number): Shape => ({ kind: 'text', chars: most, most });
const label = text(LABEL_CHARS);
const name = text(NAME_CHARS);

const ARGUMENTS: Shape = {
  kind: 'arguments',
  chars: Math.ceil(RULE_BOUNDS.argumentChars / TOOL_CALLS),
  most: RULE_BOUNDS.argumentChars,
};

const VARIABLES: Readonly<Record<string, Shape>> = {
  input: text(RULE_BOUNDS.textChars),
  output: text(RULE_BOUNDS.textChars),
  context: text(RULE_BOUNDS.textChars),
  tool_calls: { kind: 'list', length: TOOL_CALLS, item: { kind: 'object', fields: { name: label, arguments: ARGUMENTS } } },
  model: { kind: 'object', fields: { provider: label, name: label, version: label } },
  subject: { kind: 'object', fields: { user: label, session: label, agent: label } },
  metadata: { kind: 'map', entries: METADATA_PAIRS, value: text(METADATA_CHARS) },
  findings: {
    kind: 'list',
    length: RULE_BOUNDS.findings,
    item: {
      kind: 'object',
      fields: {
        category: name,
        type: name,
        score: SCALAR,
        severity: name,
        outcome: name,
        action: name,
        detector: name,
        rule_id: name,
        pointer: text(RULE_BOUNDS.pointerChars),
        target: name,
        tool: label,
      },
    },
  },
  score: SCALAR,
};

const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter'];
const METHODS = [
  ...LOOPS,
  'contains',
  'endsWith',
  'indexOf',
  'join',
  'lastIndexOf',
  'lowerAscii',
  'matches',
  'size',
  'split',
  'startsWith',
  'substring',
  'trim',
  'upperAscii',
];
const FUNCTIONS = ['has', 'size', 'int', 'double', 'string', 'bool'];

/** What one step pays for, in units of text, as measured. */
const CHARS_PER_STEP = {
  // Ordinary texts take a tenth of it. One made for it (a single letter, and a word that begins with many of it) takes 8 ns a unit: 30 times this.
  find: 64,
  // With letters beyond the first 65 536 it takes 3 ns a unit, three times this.
  size: 16,
  // Letters that become two in lower case take 16 ns a unit, eight times this.
  fold: 8,
  copy: 32,
  split: 4,
} as const;
/** Units of text times instructions of a pattern, where there are few enough of these: above, the automaton gives up and takes 100 times as long. */
const PATTERN_UNITS_PER_STEP = 8;
const PATTERN_SIZE_MAX = SET_SIZE_MAX;

/**
 * Measures an expression, and makes its patterns and sizes ready: `matches` gets its pattern compiled, which runs in linear time, and `size`
 * becomes one that counts a megabyte in a millisecond. So `ast` must not have been type-checked, and must be afterwards. Throws a `RuleError`
 * for what rules may not say. What has the wrong type passes: the type check tells.
 */
export function measureRule(ast: ASTNode): RuleCost {
  const walker = new Walker();
  const { steps } = walker.measure(ast, new Map(), 0);
  if (steps > RULE_STEPS_MAX) {
    throw new RuleError(
      `may take ${steps} steps on the largest inference, at most ${RULE_STEPS_MAX} are allowed; ` +
        'for a search in texts use custom.patterns or custom.terms and ask for findings with their rule_id',
    );
  }
  return { steps, reads: walker.reads };
}

type Scope = ReadonlyMap<string, Shape>;

class Walker {
  readonly reads = new Set<RuleRead>();

  measure(node: ASTNode, scope: Scope, loops: number): Measured {
    const measure = (inner: ASTNode) => this.measure(inner, scope, loops);
    switch (node.op) {
      case 'value':
        return { shape: literal(node.args), steps: 1 };
      case 'id':
        return { shape: this.variable(node.args, scope), steps: 1 };
      case '.':
        return this.member(measure(node.args[0]), node.args[1]);
      case '[]':
        return this.indexed(measure(node.args[0]), measure(node.args[1]), node.args[1]);
      case 'call':
        return this.called(node, scope, loops);
      case 'rcall':
        return this.method(node, scope, loops);
      case 'list':
        return listOf(node.args.map(measure));
      case 'map':
        return mapOf(node.args.flat().map(measure), node.args.length);
      case '?:':
        return either(node.args.map(measure) as [Measured, Measured, Measured]);
      case '!_':
      case '-_':
        return { shape: SCALAR, steps: 1 + measure(node.args).steps };
      case '.?':
      case '[?]':
        throw new RuleError('has no optional access; use has()');
      default:
        return this.binary(node.op, measure(node.args[0]), measure(node.args[1]));
    }
  }

  private variable(name: string, scope: Scope): Shape {
    const bound = scope.get(name);
    if (bound !== undefined) return bound;
    const shape = Object.hasOwn(VARIABLES, name) ? VARIABLES[name] : undefined;
    if (shape === undefined) throw new RuleError(`there is no variable '${name}'${didYouMean(name, Object.keys(VARIABLES))}`);
    this.reads.add(name as RuleRead);
    return shape;
  }

  private member({ shape, steps }: Measured, name: string): Measured {
    const inner = steps + 1;
    if (shape.kind === 'map') return { shape: shape.value, steps: inner };
    if (shape.kind === 'arguments' || shape.kind === 'json') return { shape: { ...shape, kind: 'json' }, steps: inner };
    if (shape.kind !== 'object') return { shape: SCALAR, steps: inner };
    const field = Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
    if (field === undefined) throw new RuleError(`there is no member '${name}'${didYouMean(name, Object.keys(shape.fields))}`);
    if (field.kind === 'arguments') this.reads.add('arguments');
    return { shape: field, steps: inner };
  }

  private indexed(of: Measured, by: Measured, key: ASTNode): Measured {
    const steps = of.steps + by.steps + 1;
    switch (of.shape.kind) {
      case 'object':
        if (key.op !== 'value' || typeof key.args !== 'string')
          throw new RuleError('members are named by a dot, as in model.name');
        return this.member({ shape: of.shape, steps }, key.args);
      case 'list':
        return { shape: alone(of.shape.item), steps };
      case 'map':
        return { shape: of.shape.value, steps };
      case 'arguments':
      case 'json':
        return { shape: { ...of.shape, kind: 'json' }, steps };
      default:
        return { shape: SCALAR, steps };
    }
  }

  private called(node: Extract<ASTNode, { op: 'call' }>, scope: Scope, loops: number): Measured {
    const [name, args] = node.args;
    if (!FUNCTIONS.includes(name)) throw new RuleError(`there is no function '${name}'${didYouMean(name, FUNCTIONS)}`);
    const measured = args.map((inner) => this.measure(inner, scope, loops));
    const steps = 1 + sumSteps(measured);
    const shape = measured[0]?.shape ?? SCALAR;
    if (name === 'has') return { shape: SCALAR, steps };
    if (name === 'size') {
      rename(node, SIZE_FUNCTION);
      return { shape: SCALAR, steps: steps + sizeSteps(shape) };
    }
    // What turns a text into a number reads it; what turns a number into a text writes a few units.
    const converted = name === 'string' ? asText(shape) : SCALAR;
    return { shape: converted, steps: steps + textSteps(shape, CHARS_PER_STEP.fold) };
  }

  private method(node: Extract<ASTNode, { op: 'rcall' }>, scope: Scope, loops: number): Measured {
    const [name, receiver, args] = node.args;
    if (!METHODS.includes(name)) throw new RuleError(`there is no method '${name}'${didYouMean(name, METHODS)}`);
    const of = this.measure(receiver, scope, loops);
    if (LOOPS.includes(name)) return this.loop(name, of, args, scope, loops);
    if (name === 'matches') return { shape: SCALAR, steps: of.steps + patternSteps(args, of.shape) };
    const measured = args.map((inner) => this.measure(inner, scope, loops));
    const steps = of.steps + 1 + sumSteps(measured);
    switch (name) {
      case 'size':
        rename(node, SIZE_FUNCTION);
        return { shape: SCALAR, steps: steps + sizeSteps(of.shape) };
      case 'lowerAscii':
      case 'upperAscii':
      case 'trim':
        // A letter may have up to three in another case.
        return { shape: widened(asText(of.shape), 3), steps: steps + textSteps(of.shape, CHARS_PER_STEP.fold) };
      case 'substring':
        return { shape: asText(of.shape), steps: steps + textSteps(of.shape, CHARS_PER_STEP.copy) };
      case 'split':
        return { shape: splitShape(of.shape, args), steps: steps + textSteps(of.shape, CHARS_PER_STEP.split) };
      case 'join':
        return joined(of.shape, measured[0]?.shape ?? text(0), steps);
      default: {
        const needle = measured.reduce((sum, { shape }) => sum + textSteps(shape, CHARS_PER_STEP.find), 0);
        return { shape: SCALAR, steps: steps + needle + textSteps(of.shape, CHARS_PER_STEP.find) };
      }
    }
  }

  private loop(name: string, of: Measured, args: readonly ASTNode[], scope: Scope, loops: number): Measured {
    if (loops === LOOPS_MAX) throw new RuleError(`has loops in loops in loops; at most ${LOOPS_MAX} may stand in one another`);
    const [variable, ...bodies] = args;
    // The parser has seen to it that there is a name.
    if (variable?.op !== 'id') throw new RuleError(`${name}() needs a name for what it goes through`);
    if (Object.hasOwn(VARIABLES, variable.args)) throw new RuleError(`the name '${variable.args}' is taken by a variable`);
    const { length, item } = this.range(of.shape);
    const inner = new Map(scope).set(variable.args, item);
    const measured = bodies.map((body) => this.measure(body, inner, loops + 1));
    // Beside what the bodies say, each turn has a condition, a result and the next item.
    const steps = of.steps + 3 + length * (3 + sumSteps(measured));
    if (name === 'filter') return { shape: { kind: 'list', length, item }, steps };
    if (name === 'map') return { shape: { kind: 'list', length, item: measured.at(-1)?.shape ?? SCALAR }, steps };
    return { shape: SCALAR, steps };
  }

  /** What a loop goes through. Of a map it is the keys. */
  private range(shape: Shape): { length: number; item: Shape } {
    switch (shape.kind) {
      case 'list':
        return shape;
      case 'map':
        return { length: shape.entries, item: label };
      case 'arguments':
      case 'json':
        this.reads.add('lists');
        return { length: RULE_BOUNDS.argumentEntries, item: entryOf(shape) };
      default:
        return { length: 1, item: SCALAR };
    }
  }

  private binary(op: string, left: Measured, right: Measured): Measured {
    const steps = left.steps + right.steps + 1;
    const [a, b] = [left.shape, right.shape];
    switch (op) {
      case '+':
        return sum(a, b, steps);
      case 'in':
        return { shape: SCALAR, steps: steps + this.memberSteps(a, b) };
      case '==':
      case '!=':
        return { shape: SCALAR, steps: steps + equalSteps(a, b) };
      case '<':
      case '<=':
      case '>':
      case '>=':
        return { shape: SCALAR, steps: steps + Math.min(textSteps(a, CHARS_PER_STEP.copy), textSteps(b, CHARS_PER_STEP.copy)) };
      default:
        return { shape: SCALAR, steps };
    }
  }

  private memberSteps(item: Shape, of: Shape): number {
    if (of.kind === 'json') {
      this.reads.add('lists');
      return RULE_BOUNDS.argumentEntries * equalSteps(item, { ...of, kind: 'text' });
    }
    // A comparison inside of a list is a fourth of a step.
    return of.kind === 'list' ? Math.ceil((of.length * equalSteps(item, of.item)) / 4) : 1;
  }
}

/** An entry of a list or a name in an object shares with the others what arguments may hold. */
function entryOf({ kind, chars, most }: Extract<Shape, { kind: 'arguments' | 'json' }>): Shape {
  return { kind: kind === 'json' ? kind : 'text', chars: Math.ceil(chars / RULE_BOUNDS.argumentEntries), most };
}

function literal(value: unknown): Shape {
  return typeof value === 'string' ? text(value.length) : SCALAR;
}

function listOf(items: readonly Measured[]): Measured {
  const item = items.map(({ shape }) => shape).reduce(wider, SCALAR);
  return { shape: { kind: 'list', length: items.length, item }, steps: 1 + sumSteps(items) };
}

/** `parts`: keys and values in turn. */
function mapOf(parts: readonly Measured[], entries: number): Measured {
  const value = parts
    .filter((_part, i) => i % 2 === 1)
    .map(({ shape }) => shape)
    .reduce(wider, SCALAR);
  return { shape: { kind: 'map', entries, value }, steps: 1 + sumSteps(parts) };
}

function either([condition, yes, no]: readonly [Measured, Measured, Measured]): Measured {
  return { shape: wider(yes.shape, no.shape), steps: 1 + condition.steps + Math.max(yes.steps, no.steps) };
}

function sumSteps(all: readonly Measured[]): number {
  return all.reduce((sum, { steps }) => sum + steps, 0);
}

/** One that is as large as either. Of two kinds the type check allows `json` and another at most. */
function wider(a: Shape, b: Shape): Shape {
  if (a.kind === 'list' && b.kind === 'list')
    return { kind: 'list', length: Math.max(a.length, b.length), item: wider(a.item, b.item) };
  if (a.kind === 'map' && b.kind === 'map')
    return { kind: 'map', entries: Math.max(a.entries, b.entries), value: wider(a.value, b.value) };
  if ('most' in a && 'most' in b) {
    const kind = a.kind === b.kind ? a.kind : 'json';
    return { kind, chars: Math.max(a.chars, b.chars), most: Math.max(a.most, b.most) };
  }
  return a.kind === 'scalar' ? b : a;
}

/** What is taken out of a loop's range by its index may have all that the range shares. */
function alone(shape: Shape): Shape {
  if ('most' in shape) return { ...shape, chars: shape.most };
  if (shape.kind === 'list') return { ...shape, item: alone(shape.item) };
  if (shape.kind !== 'object') return shape;
  return {
    kind: 'object',
    fields: Object.fromEntries(Object.entries(shape.fields).map(([name, field]) => [name, alone(field)])),
  };
}

/** Of what is used as a text: of numbers, what they are written in. */
function asText(shape: Shape): Extract<Shape, { kind: 'text' }> {
  return 'most' in shape ? { kind: 'text', chars: shape.chars, most: shape.most } : { kind: 'text', chars: 32, most: 32 };
}

function widened({ chars, most }: Extract<Shape, { kind: 'text' }>, times: number): Shape {
  return { kind: 'text', chars: chars * times, most: most * times };
}

function textSteps(shape: Shape, charsPerStep: number): number {
  return 'most' in shape ? Math.ceil(shape.chars / charsPerStep) : 0;
}

function sizeSteps(shape: Shape): number {
  if (shape.kind === 'scalar' || shape.kind === 'object') throw new RuleError('size() takes a text, a list or a map');
  return textSteps(shape, CHARS_PER_STEP.size);
}

function sum(a: Shape, b: Shape, steps: number): Measured {
  if (a.kind === 'list' && b.kind === 'list') {
    const length = a.length + b.length;
    return { shape: { kind: 'list', length, item: wider(a.item, b.item) }, steps: steps + length };
  }
  if (!('most' in a || 'most' in b)) return { shape: SCALAR, steps };
  const [x, y] = [asText(a), asText(b)];
  const both: Shape = { kind: 'text', chars: x.chars + y.chars, most: x.most + y.most };
  return { shape: both, steps: steps + textSteps(both, CHARS_PER_STEP.copy) };
}

function splitShape(of: Shape, [, limit]: readonly ASTNode[]): Shape {
  const { chars, most } = asText(of);
  const isLimited = limit?.op === 'value' && typeof limit.args === 'bigint' && limit.args > 0n;
  // Split by nothing, a text gives its units.
  return {
    kind: 'list',
    length: isLimited ? Math.min(Number(limit.args), most + 1) : most + 1,
    item: { kind: 'text', chars, most },
  };
}

function joined(of: Shape, separator: Shape, steps: number): Measured {
  if (of.kind !== 'list') return { shape: SCALAR, steps };
  const [item, between] = [asText(of.item), asText(separator)];
  const all = text(of.length * (item.most + between.most));
  return { shape: all, steps: steps + of.length + textSteps(all, CHARS_PER_STEP.copy) };
}

/** Only what is surely flat is compared: how deep two values go together is not known before. */
function equalSteps(a: Shape, b: Shape): number {
  const unknown = [a, b].filter(({ kind }) => kind !== 'scalar' && kind !== 'text');
  if (unknown.length > 1 || unknown.some(({ kind }) => kind !== 'json'))
    throw new RuleError('compares lists, maps or two values of unknown kind; compare their members');
  return 1 + Math.min(textSteps(a, CHARS_PER_STEP.copy), textSteps(b, CHARS_PER_STEP.copy));
}

/** Compiles the pattern in its place. */
function patternSteps(args: readonly ASTNode[], of: Shape): number {
  const [pattern] = args;
  if (pattern?.op !== 'value' || typeof pattern.args !== 'string' || args.length !== 1)
    throw new RuleError('matches() takes one pattern, written out as a text');
  const compiled = compilePattern(pattern.args);
  (pattern as { args: unknown }).args = compiled;
  return 2 + Math.ceil((asText(of).chars * compiled.programSize()) / PATTERN_UNITS_PER_STEP);
}

function compilePattern(regex: string): RE2JS {
  const compiled = compileSyntax(regex);
  const size = compiled.programSize();
  if (size > PATTERN_SIZE_MAX)
    throw new RuleError(
      `has a pattern of ${size} instructions, at most ${PATTERN_SIZE_MAX} are allowed; shorten its repetitions`,
    );
  return compiled;
}

function compileSyntax(regex: string): RE2JS {
  try {
    return RE2JS.compile(regex);
  } catch (error) {
    // Its `message` repeats the expression; the author knows it, and logs need not.
    const reason = error instanceof RE2JSSyntaxException ? error.error : 'it is too large';
    throw new RuleError(`has a pattern that does not compile as RE2 syntax: ${reason}`, { cause: error });
  }
}

/** The function that stands for `size` after measuring: of any value that has one. */
export const SIZE_FUNCTION = 'sizeOf';

function rename(node: Extract<ASTNode, { op: 'call' | 'rcall' }>, name: string): void {
  (node.args as [string, ...unknown[]])[0] = name;
}

function didYouMean(name: string, known: readonly string[]): string {
  return `; nearest: ${nearestNames(name, known).join(', ')}`;
}
