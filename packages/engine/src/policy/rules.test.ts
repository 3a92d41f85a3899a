// Promises of rules before they decide anything: a mistake is found when the policy is stored, and none takes longer than it may.

import { parse } from '@marcbachmann/cel-js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleDocument } from './document.ts';
import { RULE_BOUNDS, RULE_STEPS_MAX } from './rule-cost.ts';
import { compileRule, RuleFinding, RuleModel, ruleNeedsOutput, RuleSubject, RuleToolCall, type RuleVariables } from './rules.ts';

const rule = (when: string): RuleDocument => ({ id: 'r', when, outcome: 'flagged' });
const compile = (when: string) => compileRule(rule(when));

const SIZES = 'metadata.exists(k, metadata[k].split("").exists(c, c == "x"))';

describe('is refused:', () => {
  test.each([
    ['a name that is misspelt', 'modle.name == "x"', /there is no variable 'modle'; nearest: model/],
    ['a member that is misspelt', 'model.nme == "x"', /there is no member 'nme'; nearest: name/],
    [
      'a member of a finding that is misspelt',
      'findings.exists(f, f.kategory == "x")',
      /there is no member 'kategory'; nearest: category/,
    ],
    ['a method that is misspelt', 'input.contain("x")', /there is no method 'contain'; nearest: contains/],
    ['a function that is not for rules', 'timestamp("2026-01-01T00:00:00Z") == input', /there is no function 'timestamp'/],
    ['a function of ours', 'sizeOf(input) > 1', /there is no function 'sizeOf'/],
    ['what would hide its type', 'dyn(score) == 1', /there is no function 'dyn'/],
    ['what is not true or false', 'size(input)', /must be true or false, and is of type int/],
    ['what may be true or false', 'tool_calls[0].arguments.ok', /must be true or false, and is of type dyn/],
    [
      'a comparison of two types',
      'score > "high"',
      /is not CEL that fits its variables at character 1: no such overload: double > string/,
    ],
    ['a condition of another type', 'findings.exists(f, f.score)', /must return bool/],
    ['what does not parse', 'input.contains(', /is not CEL that fits its variables/],
    ['a pattern that is computed', 'model.name.matches(subject.agent)', /one pattern, written out as a text/],
    ['a pattern that does not compile', 'model.name.matches("(")', /does not compile as RE2 syntax: missing closing/],
    ['a pattern that only takes its time', String.raw`model.name.matches("(\\w+)\\1")`, /does not compile as RE2 syntax/],
    [
      'a pattern too large for its automaton',
      'model.name.matches("[ab]{100}c")',
      /has a pattern of \d+ instructions, at most 60/,
    ],
    ['a pattern over whole texts', 'output.matches("secret [a-z]+")', /may take \d+ steps .* use custom\.patterns/],
    ['loops in loops in loops', '[1].exists(a, [2].exists(b, [3].exists(c, a + b == c)))', /at most 2 may stand in one another/],
    [
      'loops over all findings for each tool call',
      'tool_calls.exists(t, findings.exists(f, f.tool == t.name))',
      /may take \d+ steps/,
    ],
    ['a loop over the letters of a text', 'input.split("").exists(c, c == "x")', /may take \d+ steps/],
    ['a loop over the letters of many', SIZES, /may take \d+ steps/],
    [
      'a search in a text for each of what a loop made',
      'findings.map(f, input).exists(x, x.contains("q"))',
      /may take \d+ steps/,
    ],
    [
      'a loop over what may be the longer of two lists',
      '(score > 0.5 ? [0.5] : findings.map(f, f.score)).exists(a, tool_calls.exists(t, score > a))',
      /may take \d+ steps/,
    ],
    ['a comparison of what may be deep', 'tool_calls[0].arguments.a == tool_calls[0].arguments.b', /compare their members/],
    ['a name that hides a variable', 'findings.exists(input, input.score > 0.5)', /the name 'input' is taken/],
    ['a size of what has none', 'size(score) > 1', /size\(\) takes a text, a list or a map/],
    ['nesting without end', `${'('.repeat(300)}true${')'.repeat(300)}`, /Exceeded maxDepth/],
  ])('%s', (_name, when, message) => {
    expect(() => compile(when)).toThrow(message);
  });
});

describe('says what it reads:', () => {
  test.each([
    ['model.name == "x" && subject.agent != "" && !has(metadata.team)', ['metadata', 'model', 'subject'], false],
    ['input.contains("x") || context.contains("y")', ['context', 'input'], false],
    ['output.contains("x")', ['output'], true],
    ['score > 0.5', ['score'], true],
    ['findings.exists(f, f.score > 0.5)', ['findings'], true],
    ['tool_calls.exists(t, t.name == "x")', ['tool_calls'], true],
    ['tool_calls.exists(t, t.arguments.to == "x")', ['arguments', 'tool_calls'], true],
    ['tool_calls.exists(t, t.arguments.to.exists(r, r == "x"))', ['arguments', 'lists', 'tool_calls'], true],
    ['["a"].exists(output_name, model.name == output_name)', ['model'], false],
  ])('%s', (when, reads, needsOutput) => {
    const compiled = compile(when);
    expect([...compiled.reads].sort()).toEqual(reads);
    expect(ruleNeedsOutput(compiled)).toBe(needsOutput);
  });
});

test('a size counts code points, of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00') }), fc.nat(12), (input, count) => {
      const is = compile(`size(input) == ${count} && input.size() == ${count}`).holds({ input });
      expect(is).toBe([...input].length === count);
    }),
  );
});

test('a pattern finds what RE2 finds, in text of any kind', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('^ab', 'b$', 'a+b', '(?i)AB', '[^a]'),
      fc.string({ unit: fc.constantFrom('a', 'b', 'A', '\n') }),
      (regex, name) => {
        const model = new RuleModel({ provider: '', name, version: '' });
        const expected = regex.startsWith('(?i)') ? new RegExp(regex.slice(4), 'i') : new RegExp(regex);
        expect(compile(`model.name.matches("${regex}")`).holds({ model })).toBe(expected.test(name));
      },
    ),
  );
});

describe('the cost of a rule', () => {
  /** As much as rules are given of anything. */
  const label = 'l'.repeat(200);
  const largest: RuleVariables = {
    input: 'i'.repeat(1_000),
    output: 'o'.repeat(1_000),
    context: 'c'.repeat(1_000),
    tool_calls: Array.from({ length: 100 }, () => {
      const to = Array.from({ length: RULE_BOUNDS.argumentEntries }, (_, i) => `to ${i}`);
      return new RuleToolCall({
        name: label,
        arguments: new Map<string, unknown>([['to', to], ...to.slice(1).map((one) => [one, 1] as const)]),
      });
    }),
    model: new RuleModel({ provider: label, name: label, version: label }),
    subject: new RuleSubject({ user: label, session: label, agent: label }),
    metadata: new Map(Array.from({ length: 50 }, (_, i) => [`key ${i}`, 'v'.repeat(500)])),
    findings: Array.from(
      { length: RULE_BOUNDS.findings },
      () =>
        new RuleFinding({
          category: 'data.pii',
          type: 'email',
          score: 0.5,
          severity: 'low',
          outcome: 'flagged',
          action: 'flag',
          detector: 'pii',
          rule_id: '',
          pointer: '/input',
          target: 'input',
          tool: '',
        }),
    ),
    score: 0.5,
  };

  interface Node {
    evaluate: (...args: unknown[]) => unknown;
  }

  /** How many nodes the library evaluates while `run` runs. It caches how to evaluate a node in the node, so that is where it is counted. */
  function countSteps(run: () => void): number {
    const proto = Object.getPrototypeOf(parse('true').ast) as Node;
    const original = Object.getOwnPropertyDescriptor(proto, 'evaluate')!;
    const resolved = new WeakMap<object, Node['evaluate']>();
    let steps = 0;
    Object.defineProperty(proto, 'evaluate', {
      configurable: true,
      get(this: Node) {
        const found = resolved.get(this);
        if (found === undefined) return (original.value as Node['evaluate']).bind(this);
        return (...args: unknown[]) => {
          steps++;
          return found.apply(this, args);
        };
      },
      set(this: Node, evaluate: Node['evaluate']) {
        resolved.set(this, evaluate);
      },
    });
    try {
      run();
    } finally {
      Object.defineProperty(proto, 'evaluate', original);
    }
    return steps;
  }

  const grammar = fc.letrec<{ bool: string; text: string; list: string; number: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('model.name', 'subject.agent', '"q"', 'v.category', 'w.tool', 'x', 'input'),
      tie('text').map((of) => `${of}.lowerAscii()`),
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a} + ${b})`),
      fc.tuple(tie('bool'), tie('text'), tie('text')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
      tie('text').map((of) => `${of}.split("-")[0]`),
    ),
    number: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom('score', '0.3', 'v.score'),
      fc.tuple(tie('number'), tie('number')).map(([a, b]) => `(${a} * ${b})`),
    ),
    list: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom('findings.map(f, f.type)', 'tool_calls.map(t, t.name)', '["a", "b"]', 'metadata.map(k, k)'),
      fc.tuple(tie('list'), tie('bool')).map(([of, c]) => `${of}.filter(x, ${c})`),
      fc.tuple(tie('list'), tie('text')).map(([of, c]) => `${of}.map(x, ${c})`),
      fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
      fc.tuple(tie('bool'), tie('list'), tie('list')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
    ),
    bool: fc.oneof(
      { maxDepth: 4 },
      fc.tuple(tie('text'), tie('text')).map(([a, b]) => `${a} == ${b}`),
      fc.tuple(tie('number'), tie('number')).map(([a, b]) => `${a} > ${b}`),
      fc
        .tuple(tie('text'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('text'))
        .map(([a, name, b]) => `${a}.${name}(${b})`),
      fc.tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool')).map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie('bool').map((of) => `!(${of})`),
      fc.tuple(fc.constantFrom('exists', 'all', 'exists_one'), tie('bool')).map(([name, c]) => `findings.${name}(v, ${c})`),
      fc
        .tuple(fc.constantFrom('exists', 'all', 'exists_one'), tie('bool'))
        .map(([name, c]) => `findings.filter(w, w.tool == "").${name}(v, ${c})`),
      fc
        .tuple(tie('list'), fc.constantFrom('exists', 'all', 'exists_one'), tie('bool'))
        .map(([of, name, c]) => `${of}.${name}(x, ${c})`),
      fc.tuple(tie('text'), tie('list')).map(([a, of]) => `${a} in ${of}`),
      tie('list').map((of) => `${of}.size() > 3`),
      fc.constantFrom('tool_calls.exists(t, t.arguments.to.exists(r, r == "q"))', 'tool_calls.all(t, t.arguments.size() > 3)'),
      fc.constantFrom('has(metadata.team)', 'model.name.matches("^q+$")', '"to" in tool_calls[0].arguments'),
    ),
  }));

  test('is never less than the steps it takes on the largest inference, and never more than it may be', () => {
    const seen = { accepted: 0, loops: 0, most: 0 };
    fc.assert(
      fc.property(grammar.bool, (when) => {
        const compiled = accepted(when);
        if (compiled === null) return;
        expect(compiled.steps).toBeLessThanOrEqual(RULE_STEPS_MAX);
        const steps = countSteps(() => settle(() => compiled.holds(largest)));
        expect(steps, when).toBeLessThanOrEqual(compiled.steps);
        seen.accepted++;
        if (steps > 200) seen.loops++;
        seen.most = Math.max(seen.most, steps);
      }),
      { numRuns: 3_000 },
    );
    // What is never accepted, or takes no steps, would promise nothing.
    expect(seen.accepted).toBeGreaterThan(300);
    expect(seen.loops).toBeGreaterThan(50);
    expect(seen.most).toBeGreaterThan(2_000);
  });

  function accepted(when: string): ReturnType<typeof compile> | null {
    try {
      return compile(when);
    } catch {
      return null;
    }
  }

  function settle(run: () => unknown): void {
    try {
      run();
    } catch {
      // A rule that has no value takes its steps too.
    }
  }
});
