import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatId, newUuid, parseId, uuidText } from './ids.ts';

test('any 16 bytes come back from their identifier', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const uuid = Buffer.from(bytes);
      expect(parseId('evt', formatId('evt', uuid))).toEqual(uuid);
    }),
  );
});

test('encodes the published TypeID examples', () => {
  // jetify-com/typeid spec/valid.yml: "decode/valid" rows.
  expect(formatId('evt', Buffer.from('00000000000000000000000000000000', 'hex'))).toBe('evt_00000000000000000000000000');
  expect(formatId('evt', Buffer.from('0110c8531d0952d8d73e1194e95b5f19', 'hex'))).toBe('evt_0123456789abcdefghjkmnpqrs');
  expect(formatId('evt', Buffer.from('ffffffffffffffffffffffffffffffff', 'hex'))).toBe('evt_7zzzzzzzzzzzzzzzzzzzzzzzzz');
});

test.each([
  ['another prefix', 'key_01h455vb4pex5vsknk084sn02q'],
  ['no prefix', '01h455vb4pex5vsknk084sn02q'],
  ['too short', 'evt_01h455vb4pex5vsknk084sn02'],
  ['over 128 bits', 'evt_8zzzzzzzzzzzzzzzzzzzzzzzzz'],
  ['upper case', 'evt_01H455VB4PEX5VSKNK084SN02Q'],
  ['a letter that is not in the alphabet', 'evt_01h455vb4pex5vsknk084sn02u'],
  ['not ASCII', 'evt_01h455vb4pex5vsknk084sn02é'],
])('refuses %s', (_name, id) => {
  expect(parseId('evt', id)).toBeNull();
});

test('new identifiers are UUIDv7, unique and ascending, also when the clock goes back', () => {
  const now = Date.now();
  const made = Array.from({ length: 10_000 }, (_, i) => uuidText(newUuid(i % 3 === 0 ? now - 5_000 : now)));
  expect(new Set(made).size).toBe(made.length);
  expect(made.toSorted()).toEqual(made);
  for (const uuid of made) expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
