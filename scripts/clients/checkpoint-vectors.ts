// The vectors of clients/conformance/checkpoints.json: logs that grow, and logs that do not tell the truth. `node
// scripts/clients/checkpoint-vectors.ts` writes them anew; they are the same each time.

import {
  consistencyRanges,
  formatCheckpoint,
  formatVerifier,
  Frontier,
  leafHash,
  noteSigner,
  signatureLine,
  signNote,
} from '@svc/trail';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VECTORS_FILE = join(import.meta.dirname, '../../clients/conformance/checkpoints.json');

/** What the service shows when a memory checks. */
interface ShownService {
  /** Of `GET /v1/audit/checkpoint`. */
  readonly note: string;
  /** Of `GET /v1/audit/consistency`, by `<from>-<to>`; another question is refused. */
  readonly consistency: Readonly<Record<string, readonly string[]>>;
  /** Of `GET /v1/audit/keys`, by status. */
  readonly keys: readonly { readonly verifier_key: string; readonly status: 'active' | 'overlap' | 'retired' }[];
}

/** One check, and what is to come of it. */
interface CheckpointStep {
  readonly service: ShownService;
  readonly expect: {
    readonly size?: number;
    readonly root?: string;
    readonly first?: boolean;
    readonly rule?: string;
    /** What was asked for. */
    readonly paths?: readonly string[];
    /** In the store afterwards; absent after a rule: it is as before. */
    readonly stored_keys?: readonly string[];
  };
}

export interface CheckpointCase {
  readonly name: string;
  /** `null`: those of the service are trusted at the first check. */
  readonly keys: readonly string[] | null;
  /** In the store at the beginning. */
  readonly stored?: string;
  readonly steps: readonly CheckpointStep[];
}

const ORIGIN = 'trail.example.com/org/org_01jd4t4ve9e0fs7m4c1ywz3qkd';
const OTHER_ORIGIN = 'trail.example.com/org/org_01jd4t4ve9e0fs7m4c1ywz3qke';
const SECOND = `${ORIGIN}/2-0123abcd`;
const THIRD = `${ORIGIN}/3-89ef4567`;
const [SEED, NEXT_SEED, STRANGE_SEED] = [7, 8, 9].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const GET = '/v1/audit/checkpoint';
const PROVE = '/v1/audit/consistency';
const KEYS = '/v1/audit/keys';

/** A log of made-up leaves. `fork`: those from this index on are others. */
class Log {
  readonly hashes: readonly Buffer[];

  constructor(size: number, fork = size) {
    this.hashes = Array.from({ length: size }, (_, i) => leafHash(Buffer.from(`${i < fork ? 'event' : 'other'} ${i}`)));
  }

  root(size: number): string {
    return this.#over(0, size).toString('base64');
  }

  text(size: number, origin: string): string {
    return formatCheckpoint({ origin, size, root: this.#over(0, size) });
  }

  proof(from: number, to: number): string[] {
    return consistencyRanges(from, to).map((range) => this.#over(range.from, range.to).toString('base64'));
  }

  #over(from: number, to: number): Buffer {
    const frontier = Frontier.empty();
    for (const hash of this.hashes.slice(from, to)) frontier.append(hash);
    return frontier.root();
  }
}

const log = new Log(200);
const forked = new Log(200, 4);
const key = keyOf(SEED);
const nextKey = keyOf(NEXT_SEED);

export function checkpointVectors() {
  return {
    description:
      'Checkpoints of a log, checked one after another by one memory. `service`: what the service shows at a step; `consistency` by `<from>-<to>`. `expect`: size, root and whether it was the first, or the rule that is broken, after which the store is as it was. `paths`: what was asked for.',
    groups: [grows(), lies(), signatures(), malformed(), keys(), origins(), stores()],
  };
}

function grows() {
  const steps = (...sizes: number[]) =>
    sizes.map((size, i) =>
      ok(size, { from: sizes[i - 1], isFirst: i === 0, paths: i === 0 || size === sizes[i - 1] ? [GET] : [GET, PROVE] }),
    );
  return group('growth', 'Each checkpoint is of a log that begins with the one before.', [
    { name: 'a first one is remembered', keys: [key], steps: steps(11) },
    { name: 'the same again needs no proof', keys: [key], steps: steps(11, 11) },
    { name: 'one event more', keys: [key], steps: steps(7, 8, 9) },
    { name: 'from a power of two', keys: [key], steps: steps(4, 11, 64, 65) },
    { name: 'from one event', keys: [key], steps: steps(1, 2, 3) },
    { name: 'from an odd number', keys: [key], steps: steps(3, 7, 200) },
    { name: 'from none at all', keys: [key], steps: steps(0, 0, 5) },
  ]);
}

function lies() {
  const proof = log.proof(6, 11);
  const to11 = (name: string, hashes: readonly string[], rule = 'inconsistent') => ({
    name,
    keys: [key],
    steps: [ok(6, { isFirst: true }), broken(rule, { ...shown(11), consistency: { '6-11': hashes } }), ok(11, { from: 6 })],
  });
  return group('another history', 'What is remembered stays, so that an honest log is still accepted afterwards.', [
    {
      name: 'a shorter log',
      keys: [key],
      steps: [ok(11, { isFirst: true }), broken('rollback', shown(10)), ok(12, { from: 11 })],
    },
    { name: 'an empty log', keys: [key], steps: [ok(11, { isFirst: true }), broken('rollback', shown(0))] },
    {
      name: 'another root for the same size',
      keys: [key],
      steps: [ok(11, { isFirst: true }), broken('fork', shown(11, forked)), ok(11)],
    },
    {
      name: 'a larger log with another beginning',
      keys: [key],
      steps: [
        ok(6, { isFirst: true }),
        broken('inconsistent', { ...shown(11, forked), consistency: { '6-11': forked.proof(6, 11) } }),
      ],
    },
    {
      name: 'a larger log with another beginning, with the proof of the honest one',
      keys: [key],
      steps: [ok(6, { isFirst: true }), broken('inconsistent', { ...shown(11, forked), consistency: { '6-11': proof } })],
    },
    {
      name: 'a larger log with another beginning, from a power of two',
      keys: [key],
      steps: [
        ok(8, { isFirst: true }),
        broken('inconsistent', { ...shown(16, forked), consistency: { '8-16': forked.proof(8, 16) } }),
      ],
    },
    {
      name: 'a size that the proof does not lead to',
      keys: [key],
      steps: [
        ok(8, { isFirst: true }),
        broken('inconsistent', {
          ...shown(16),
          note: signNote(log.text(16, ORIGIN).replace('\n16\n', '\n32\n'), [noteSigner(ORIGIN, SEED)]),
          consistency: { '8-32': log.proof(8, 16) },
        }),
      ],
    },
    to11('a proof without its first hash', proof.slice(1)),
    to11('a proof without its last hash', proof.slice(0, -1)),
    to11('a proof with a hash too many', [...proof, proof[0]!]),
    to11('a proof in another order', proof.toReversed()),
    to11('no proof', []),
    to11('a proof with half a hash', [...proof.slice(0, -1), proof.at(-1)!.slice(0, 20)]),
    to11(
      'a proof that is no base64',
      proof.map(() => '%%%'),
    ),
    {
      name: 'growth from none with a proof that needs none',
      keys: [key],
      steps: [ok(0, { isFirst: true }), broken('inconsistent', { ...shown(5), consistency: { '0-5': [log.root(3)] } })],
    },
  ]);
}

function signatures() {
  const text = log.text(11, ORIGIN);
  const [own, next, strange] = [SEED, NEXT_SEED, STRANGE_SEED].map((seed) => noteSigner(ORIGIN, seed));
  const signed = signNote(text, [own!]);
  const first = (name: string, note: string, rule: string, keys: readonly string[] = [key]) => ({
    name,
    keys,
    steps: [broken(rule, { ...shown(11), note })],
  });
  const wrong = signatureLine(own!.verifier, Buffer.alloc(64, 1));
  const witness = signatureLine({ name: 'witness.example.com', keyId: '01234567' }, Buffer.alloc(72, 2));
  return group('signatures', 'By a key that is trusted, under the name of the log; lines of others do not count.', [
    first('a size that was not signed', signed.replace('\n11\n', '\n12\n'), 'signature_mismatch'),
    first('a root that was not signed', signed.replace(log.root(11), log.root(10)), 'signature_mismatch'),
    first('an origin that was not signed', signed.replace(`${ORIGIN}\n`, `${SECOND}\n`), 'unknown_key'),
    first('a signature of other bytes', `${text}\n${wrong}`, 'signature_mismatch'),
    first('a signature of a byte too few', `${text}\n${signatureLine(own!.verifier, Buffer.alloc(63, 1))}`, 'signature_mismatch'),
    first('another key', signNote(text, [strange!]), 'unknown_key'),
    first('another key under the id of ours', `${text}\n${underIdOf(text, strange!, own!.verifier.keyId)}`, 'signature_mismatch'),
    first('our key under another name', signNote(text, [noteSigner('trail.example.com', SEED)]), 'unknown_key'),
    first('our key and its id under another name', signed.replace(`— ${ORIGIN} `, '— trail.example.com '), 'unknown_key'),
    first('a witness alone', `${text}\n${witness}`, 'unknown_key'),
    first(
      'one that holds, and one under a key that is trusted too and does not',
      `${signNote(text, [own!])}${signatureLine(next!.verifier, Buffer.alloc(64))}`,
      'signature_mismatch',
      [key, nextKey],
    ),
    accepted('a witness beside it', signed + witness),
    accepted('another key beside it', signNote(text, [strange!, own!])),
    accepted('a line after the root, which is an extension', signNote(`${text}extension line\n`, [own!])),
  ]);
}

function malformed() {
  const text = log.text(11, ORIGIN);
  const own = noteSigner(ORIGIN, SEED);
  const line = signNote(text, [own]).slice(text.length + 1);
  const resigned = (changed: string) => signNote(changed, [own]);
  const one = (name: string, note: string) => ({ name, keys: [key], steps: [broken('malformed', { ...shown(11), note })] });
  return group('form', 'Told before who signed.', [
    one('nothing', ''),
    one('a page', '<html><body>Bad gateway</body></html>\n'),
    one('without an empty line', text + line),
    one('without signatures', `${text}\n`),
    one('without its last newline', `${text}\n${line}`.slice(0, -1)),
    one('a line among the signatures that is none', `${text}\n${line}no signature\n`),
    one('a signature that is no base64', `${text}\n— ${ORIGIN} %%%%\n`),
    one('a size with a zero before it', resigned(text.replace('\n11\n', '\n011\n'))),
    one('a size below zero', resigned(text.replace('\n11\n', '\n-11\n'))),
    one('a size that no number holds', resigned(text.replace('\n11\n', `\n${'9'.repeat(30)}\n`))),
    one('a size in hex', resigned(text.replace('\n11\n', '\n0xb\n'))),
    one('a root of 31 bytes', resigned(text.replace(log.root(11), Buffer.alloc(31).toString('base64')))),
    one('a root that is no base64', resigned(text.replace(log.root(11), 'root'))),
    one('no origin', resigned(text.replace(ORIGIN, ''))),
    one('two lines', resigned(`${ORIGIN}\n11\n`)),
  ]);
}

function keys() {
  const text = log.text(11, ORIGIN);
  const [own, next] = [SEED, NEXT_SEED].map((seed) => noteSigner(ORIGIN, seed));
  const both = signNote(text, [next!, own!]);
  const inOverlap = [
    { verifier_key: nextKey, status: 'active' },
    { verifier_key: key, status: 'overlap' },
  ] as const;
  const retired = [
    { verifier_key: nextKey, status: 'active' },
    { verifier_key: key, status: 'retired' },
  ] as const;
  const byNext = { ...shown(20), note: signNote(log.text(20, ORIGIN), [next!]), consistency: { '11-20': log.proof(11, 20) } };
  return group(
    'keys',
    'During an exchange of keys two sign. Without keys of one’s own those that the service has at first are trusted.',
    [
      accepted('two sign, the old one is known', both),
      accepted('two sign, the new one is known', both, [nextKey]),
      accepted('two sign, both are known', both, [key, nextKey]),
      {
        name: 'after the exchange the old one alone is not enough',
        keys: [key],
        steps: [ok(11, { isFirst: true }), broken('unknown_key', byNext)],
      },
      {
        name: 'who knows both sees it grow through the exchange',
        keys: [key, nextKey],
        steps: [
          ok(11, { isFirst: true }),
          {
            service: byNext,
            expect: { size: 20, root: log.root(20), first: false, paths: [GET, PROVE], stored_keys: [key, nextKey] },
          },
        ],
      },
      {
        name: 'first use without keys: those of the service are asked for and kept',
        keys: null,
        steps: [
          {
            ...ok(11, { isFirst: true }),
            expect: { size: 11, root: log.root(11), first: true, paths: [KEYS, GET], stored_keys: [key] },
          },
          ok(20, { from: 11, paths: [GET, PROVE] }),
        ],
      },
      {
        name: 'first use in an exchange: both are kept',
        keys: null,
        steps: [
          {
            service: { ...shown(11), note: both, keys: inOverlap },
            expect: { size: 11, root: log.root(11), first: true, stored_keys: [nextKey, key] },
          },
        ],
      },
      {
        name: 'first use after an exchange: one that signs no more is not trusted',
        keys: null,
        steps: [
          {
            service: { ...byNext, keys: retired },
            expect: { size: 20, root: log.root(20), first: true, stored_keys: [nextKey] },
          },
        ],
      },
      {
        name: 'what was trusted at first stays: a service with another key is found out',
        keys: null,
        steps: [
          ok(11, { isFirst: true }),
          broken('unknown_key', { ...byNext, keys: [{ verifier_key: nextKey, status: 'active' }] }),
        ],
      },
      {
        name: 'first use, and the service does not sign with the key that it shows',
        keys: null,
        steps: [broken('unknown_key', { ...shown(11), keys: [{ verifier_key: nextKey, status: 'active' }] })],
      },
      {
        name: 'a key of another organization does not count, though its bytes are the same',
        keys: [keyOf(SEED, OTHER_ORIGIN)],
        steps: [broken('unknown_key', shown(11))],
      },
    ],
  );
}

function origins() {
  const renamed = (size: number, origin: string, of = log, from?: number): ShownService => ({
    ...shown(size, of),
    note: signNote(of.text(size, origin), [noteSigner(origin, SEED)]),
    keys: [{ verifier_key: keyOf(SEED, origin), status: 'active' }],
    consistency: from === undefined ? {} : { [`${from}-${size}`]: of.proof(from, size) },
  });
  const grown = (size: number, origin: string, from: number): CheckpointStep => ({
    service: renamed(size, origin, log, from),
    expect: { size, root: log.root(size), first: false, paths: size === from ? [GET] : [GET, PROVE] },
  });
  const strange = { ...renamed(11, OTHER_ORIGIN), consistency: { '6-11': log.proof(6, 11) } };
  return group(
    'origins',
    'After a restore the log goes on under <origin>/<epoch>-<8 hex>; keys of the log go on to count. See docs/guide/audit-trail.md.',
    [
      {
        name: 'the log goes on under a new origin',
        keys: [key],
        steps: [ok(6, { isFirst: true }), grown(11, SECOND, 6), grown(20, SECOND, 11)],
      },
      { name: 'at the same size', keys: [key], steps: [ok(6, { isFirst: true }), grown(6, SECOND, 6)] },
      { name: 'twice', keys: [key], steps: [ok(6, { isFirst: true }), grown(11, SECOND, 6), grown(20, THIRD, 11)] },
      {
        name: 'keys that were trusted at first go on to count',
        keys: null,
        steps: [ok(6, { isFirst: true }), grown(11, SECOND, 6)],
      },
      {
        name: 'a key of the new origin counts for the old one',
        keys: [keyOf(SEED, SECOND)],
        steps: [ok(6, { isFirst: true })],
      },
      {
        name: 'it is shorter',
        keys: [key],
        steps: [ok(11, { isFirst: true }), broken('origin_changed', renamed(10, SECOND)), ok(12, { from: 11 })],
      },
      {
        name: 'it is another one of the same size',
        keys: [key],
        steps: [ok(11, { isFirst: true }), broken('origin_changed', renamed(11, SECOND, forked))],
      },
      {
        name: 'it is larger and begins otherwise',
        keys: [key],
        steps: [ok(6, { isFirst: true }), broken('origin_changed', renamed(11, SECOND, forked, 6))],
      },
      {
        name: 'the log of another organization',
        keys: [key, keyOf(SEED, OTHER_ORIGIN)],
        steps: [ok(6, { isFirst: true }), broken('origin_changed', strange)],
      },
      ...[`${ORIGIN}/2`, `${ORIGIN}/2-0123ABCD`, `${ORIGIN}/2-0123abc`, `${ORIGIN}/1-0123abcd`, `${ORIGIN}-2/2-0123abcd`].map(
        (origin) => ({
          name: `no later origin of the log: ${origin.slice(ORIGIN.length)}`,
          keys: [key, keyOf(SEED, origin)],
          steps: [ok(6, { isFirst: true }), broken('origin_changed', renamed(11, origin, log, 6))],
        }),
      ),
    ],
  );
}

function stores() {
  const stored = JSON.stringify({ keys: [key], note: shown(6).note });
  return group('stores', 'The text in a store is {"keys": […], "note": "…"}, for all languages.', [
    { name: 'what another language remembered', keys: [key], stored, steps: [ok(11, { from: 6, paths: [GET, PROVE] })] },
    { name: 'and its keys, where none are given', keys: null, stored, steps: [ok(11, { from: 6, paths: [GET, PROVE] })] },
    {
      name: 'with spaces and members of tomorrow',
      keys: null,
      stored: JSON.stringify({ version: 2, note: shown(6).note, keys: [key] }, null, 2),
      steps: [ok(11, { from: 6 })],
    },
    { name: 'and found out', keys: null, stored, steps: [broken('rollback', shown(5))] },
    ...[
      ['an empty text', ''],
      ['a word', 'garbage'],
      ['a list', '[]'],
      ['an empty object', '{}'],
      ['no note', JSON.stringify({ keys: [key] })],
      ['no keys', JSON.stringify({ note: shown(6).note })],
      ['a note that is none', JSON.stringify({ keys: [key], note: 'x' })],
    ].map(([name, text]) => ({
      name: `a store with ${name!} has not forgotten: it is broken`,
      keys: [key],
      stored: text!,
      steps: [broken('malformed', shown(11))],
    })),
  ]);
}

function accepted(name: string, note: string, trusted: readonly string[] = [key]): CheckpointCase {
  return {
    name,
    keys: trusted,
    steps: [{ service: { ...shown(11), note }, expect: { size: 11, root: log.root(11), first: true, stored_keys: trusted } }],
  };
}

/** A step that the honest log passes. */
function ok(
  size: number,
  { from, isFirst = false, paths }: { from?: number | undefined; isFirst?: boolean; paths?: string[] } = {},
): CheckpointStep {
  return {
    service: {
      ...shown(size),
      consistency: from === undefined || from === size ? {} : { [`${from}-${size}`]: log.proof(from, size) },
    },
    expect: { size, root: log.root(size), first: isFirst, ...(paths === undefined ? {} : { paths }) },
  };
}

function broken(rule: string, service: ShownService): CheckpointStep {
  return { service, expect: { rule } };
}

function shown(size: number, of = log): ShownService {
  return {
    note: signNote(of.text(size, ORIGIN), [noteSigner(ORIGIN, SEED)]),
    consistency: {},
    keys: [{ verifier_key: key, status: 'active' }],
  };
}

function group(name: string, about: string, cases: readonly CheckpointCase[]) {
  return { name, about, cases };
}

function keyOf(seed: Buffer, origin = ORIGIN): string {
  return formatVerifier(noteSigner(origin, seed).verifier);
}

/** A line by another key that claims to be ours. */
function underIdOf(text: string, signer: ReturnType<typeof noteSigner>, keyId: string): string {
  const line = signNote(text, [signer]).slice(text.length + 1);
  const bytes = Buffer.from(line.trimEnd().split(' ')[2]!, 'base64').subarray(4);
  return signatureLine({ name: ORIGIN, keyId }, bytes);
}

if (import.meta.main) writeFileSync(VECTORS_FILE, `${JSON.stringify(checkpointVectors(), null, 2)}\n`);
