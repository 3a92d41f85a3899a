// Promises of the answers: exporters read them, in the encoding they have asked in.

import { BinaryReader } from '@bufbuild/protobuf/wire';
import { describe, expect, test } from 'vitest';
import { rpcStatus, traceResponse } from './answer.ts';

describe('everything was taken', () => {
  test.each([
    ['json', '{}'],
    ['protobuf', ''],
  ] as const)('in %s', (encoding, text) => {
    expect(traceResponse(encoding, null).toString()).toBe(text);
  });
});

describe('spans were refused', () => {
  const partial = { rejectedSpans: 300, errorMessage: 'Grüße \ud800' };

  test('in JSON, with the count as a text', () => {
    expect(JSON.parse(traceResponse('json', partial).toString())).toEqual({
      partialSuccess: { rejectedSpans: '300', errorMessage: 'Grüße \ud800' },
    });
  });

  test('in Protobuf', () => {
    // partial_success = 1: rejected_spans = 1, error_message = 2.
    const message = Buffer.from('Grüße \ufffd');
    const inner = Buffer.concat([Buffer.from([0x08, 0xac, 0x02, 0x12, message.length]), message]);
    expect(traceResponse('protobuf', partial)).toEqual(Buffer.concat([Buffer.from([0x0a, inner.length]), inner]));
  });
});

describe('a refusal', () => {
  test.each([
    [400, 3],
    [401, 16],
    [403, 7],
    [404, 5],
    [405, 12],
    [413, 8],
    [415, 3],
    [429, 8],
    [500, 13],
    [503, 14],
    [418, 2],
  ])('with %d has the code %d', (httpStatus, code) => {
    expect(JSON.parse(rpcStatus('json', httpStatus, 'No.').toString())).toEqual({ code, message: 'No.' });
    const reader = new BinaryReader(rpcStatus('protobuf', httpStatus, 'No.'));
    expect([reader.tag(), reader.int32(), reader.tag(), reader.string(), reader.pos]).toEqual([
      [1, 0],
      code,
      [2, 2],
      'No.',
      reader.len,
    ]);
  });
});
