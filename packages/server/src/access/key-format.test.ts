import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newKey, parseKey } from './key-format.ts';
import { KEY_TYPES } from './scopes.ts';

test.each(KEY_TYPES)('a new %s key has the form of the interface and passes its own checksum', (type) => {
  const key = newKey(type);
  expect(key).toMatch(new RegExp(`^svc_${type}_[0-9A-Za-z]{38}$`));
  expect(parseKey(key)).toBe(type);
});

test('the checksum is CRC-32 over all before it, in base62', () => {
  expect(parseKey('svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' + crcSuffix('svc_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'))).toBe(
    'live',
  );
});

test('one changed character, wherever it is, makes a key unreadable', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KEY_TYPES),
      fc.nat(47),
      fc.constantFrom('a', 'Z', '0', '_', '-', 'é', ' '),
      (type, at, char) => {
        const key = newKey(type);
        fc.pre(at < key.length && key[at] !== char);
        expect(parseKey(key.slice(0, at) + char + key.slice(at + 1))).toBeNull();
      },
    ),
  );
});

test('a test key edited to live is refused', () => {
  expect(parseKey(newKey('test').replace('svc_test_', 'svc_live_'))).toBeNull();
});

test('no text that is not a key is taken for one', () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => parseKey(text) === null));
});

/** An independent base62 CRC-32, bit by bit, as the oracle. */
function crcSuffix(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let value = BigInt((crc ^ 0xffffffff) >>> 0);
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let suffix = '';
  while (suffix.length < 6) {
    suffix = digits[Number(value % 62n)]! + suffix;
    value /= 62n;
  }
  return suffix;
}
