// The promise of streams, at the proxy: however a model's answer is cut, the client is shown what the engine would show of the whole, and never
// a character that the policy takes out.

import { assess, compilePolicy, redactInference, type Inference, type PolicyDocument } from '@svc/engine';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decider, type Deciding } from '../decide.ts';
import { Exchange } from '../exchange.ts';
import { chunksOf, messageItem, responseEvents } from '../testing/model.ts';
import { ChatStream, type StreamFilter } from './chat-stream.ts';
import { Measures } from './measures.ts';
import { ResponsesStream } from './responses-stream.ts';
import { SseReader, type SseEvent } from './sse.ts';

const PARTS = [
  'The meeting moved to Thursday because the room was taken. ',
  'Die Rechnung liegt bei; wir bitten um Überweisung bis Monatsende. ',
  '会議は木曜日に変更されました。ご確認ください。',
  'She read 1,204 pages in 3 weeks — más o menos. 👩‍👩‍👧 😀 é x̂ ',
  'mail ann.lee@example.com now ',
  'card 4111 1111 1111 1111 ',
  'AKIAQ3EGRIXPPTBMLXYZ ',
  'password = "hunter2-Correct-9Horse" ',
  'unlike Acme Corp ',
];
const FORBIDDEN = ['ann.lee@example.com', '4111 1111 1111 1111', 'AKIAQ3EGRIXPPTBMLXYZ', 'Acme'];

const texts = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 90, size: 'max' }).map((parts) => parts.join(''));
const lengths = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 });
const policies = fc
  .record({ terms: fc.constantFrom('redact', 'block', 'flag' as const), email: fc.constantFrom('redact', 'block' as const) })
  .map(({ terms, email }): PolicyDocument => ({
    detectors: { pii: { entities: { email } } },
    custom: { terms: [{ id: 'rivals', category: 'brand.competitor', any: ['Acme'], action: terms }] },
  }));

const OPENED: Inference = { input: [{ role: 'user', content: 'tell me' }] };
const decider = new Decider(() => {
  throw new Error('no text of these is that long');
}, 'on_error');

function cut(text: string, sizes: readonly number[]): string[] {
  const found: string[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const end = at + sizes[i % sizes.length]!;
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

async function through(filter: StreamFilter, bytes: Uint8Array, sizes: readonly number[]): Promise<SseEvent[]> {
  const reader = new SseReader();
  const shown = new SseReader();
  let text = '';
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const end = at + sizes[i % sizes.length]!;
    for (const event of reader.push(bytes.subarray(at, end))) {
      const step = await filter.push(event);
      text += step.text;
      if (step.isOver) return shown.push(Buffer.from(text));
    }
    at = end;
  }
  return shown.push(Buffer.from(text + (await filter.end(false))));
}

function expectedOf(text: string, policy: ReturnType<typeof compilePolicy>): { whole: string; isBlocked: boolean } {
  const inference = { ...OPENED, output: text };
  const evaluation = assess(inference, policy, { clock: () => 0, nowMs: 0, deadlineMs: 1_000 });
  const output = redactInference(inference, evaluation.findings)?.output ?? text;
  return { whole: output as string, isBlocked: evaluation.outcome === 'blocked' };
}

function check(shown: string, text: string, document: PolicyDocument, policy: ReturnType<typeof compilePolicy>): void {
  const { whole, isBlocked } = expectedOf(text, policy);
  if (!isBlocked) expect(shown).toBe(whole);
  for (const forbidden of FORBIDDEN) {
    const isFree = forbidden === 'Acme' && document.custom!.terms![0]!.action === 'flag';
    if (!isFree) expect(shown).not.toContain(forbidden);
  }
}

async function begin(document: PolicyDocument): Promise<{ exchange: Exchange; policy: ReturnType<typeof compilePolicy> }> {
  // The machine may be busy: time is not what this is about.
  const policy = compilePolicy({ ...document, deadline_ms: 30_000 }, 1);
  const deciding: Deciding = { policy: { compiled: policy, bundle: null, isRefusal: false }, nowMs: 0 };
  return { exchange: await Exchange.begin({ decider, deciding, keep: async () => {} }, OPENED), policy };
}

test('a chat shows of an answer what the engine shows of the whole, however it is cut', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(texts, lengths, lengths, policies, async (text, sizes, packets, document) => {
      const { exchange, policy } = await begin(document);
      const chunks = chunksOf(
        'gpt-x',
        cut(text, sizes).map((content) => ({ content })),
      );
      const bytes = Buffer.from(
        [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`).join(''),
      );
      const events = await through(new ChatStream(exchange, new Measures({}), 1), bytes, packets);
      const deltas = events.filter(({ data }) => data !== '[DONE]').map(({ data }) => JSON.parse(data).choices[0]);
      const shown = deltas.map((choice) => choice?.delta?.content ?? '').join('');
      check(shown.replace(/Blocked by policy: [a-z., ]+$/, ''), text, document, policy);
      const { isBlocked } = expectedOf(text, policy);
      expect(deltas.at(-1).finish_reason).toBe(isBlocked ? 'content_filter' : 'stop');
      expect(exchange.verdict.outcome === 'blocked').toBe(isBlocked);
      expect(events.at(-1)!.data).toBe('[DONE]');
    }),
    { numRuns: 60 },
  );
});

test('so does a response', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.integer({ min: 1, max: 300 }), lengths, policies, async (text, size, packets, document) => {
      const { exchange, policy } = await begin(document);
      const written = responseEvents([messageItem(text)], size);
      const bytes = Buffer.from(written.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
      const events = (await through(new ResponsesStream(exchange, new Measures({})), bytes, packets)).map(({ data }) =>
        JSON.parse(data),
      );
      const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta as string);
      check(deltas.join(''), text, document, policy);
      const { isBlocked, whole } = expectedOf(text, policy);
      const last = events.at(-1);
      expect(last.type).toBe(isBlocked ? 'response.incomplete' : 'response.completed');
      if (!isBlocked) expect(last.response.output[0].content[0].text).toBe(whole);
      for (const forbidden of FORBIDDEN.slice(0, 3)) expect(JSON.stringify(events)).not.toContain(forbidden);
    }),
    { numRuns: 40 },
  );
});

test('events are read alike, however their bytes are cut', () => {
  const event = fc.record({ name: fc.option(fc.constantFrom('a', 'response.created')), data: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(fc.array(event), fc.constantFrom('\n', '\r\n'), lengths, (events, newline, sizes) => {
      const plain = events.map(({ name, data }) => ({ name, data: data.replaceAll(/[\r\n]/g, ' ') }));
      const text = plain
        .map(({ name, data }) => `${name === null ? '' : `event: ${name}${newline}`}data: ${data}${newline}${newline}`)
        .join('');
      const bytes = Buffer.from(text);
      const reader = new SseReader();
      const read: SseEvent[] = [];
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const end = at + sizes[i % sizes.length]!;
        read.push(...reader.push(bytes.subarray(at, end)));
        at = end;
      }
      read.push(...reader.end());
      expect(read).toEqual(plain.map(({ name, data }) => ({ name, data: Buffer.from(data).toString() })));
    }),
  );
});
