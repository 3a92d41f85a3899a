import { BlockList, isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cidr, CidrList, parseCidr } from './cidr.ts';

const RUNS = 20_000;

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  if ('fault' in parsed) throw new Error(`${text} ${parsed.fault}`);
  return parsed;
}

function faultOf(text: string): string | null {
  const parsed = parseCidr(text);
  return 'fault' in parsed ? parsed.fault : null;
}

/** A base address, a prefix, and an address that agrees with the base in about as many bits as the prefix has. */
function pairs(groups: number, groupMax: number) {
  return fc.record({
    base: fc.array(fc.nat(groupMax), { minLength: groups, maxLength: groups }),
    prefix: fc.nat(groups * Math.log2(groupMax + 1)),
    flip: fc.option(fc.nat(groups * Math.log2(groupMax + 1) - 1)),
  });
}

function flipped(groups: readonly number[], groupBits: number, bit: number | null): number[] {
  return groups.map((group, i) =>
    bit !== null && Math.floor(bit / groupBits) === i ? group ^ (1 << (groupBits - 1 - (bit % groupBits))) : group,
  );
}

/** The range around `base`, by way of the sentence that corrects host bits. */
function rangeAround(base: string, prefix: number): Cidr {
  const text = `${base}/${prefix}`;
  const fault = faultOf(text);
  return cidr(fault === null ? text : /did you mean (\S+)\?$/.exec(fault)![1]!);
}

function oracleContains(range: Cidr, address: string): boolean {
  const [network, prefix] = range.text.split('/') as [string, string];
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

test('IPv4 ranges contain what BlockList says, plain and mapped', () => {
  fc.assert(
    fc.property(pairs(4, 255), ({ base, prefix, flip }) => {
      const range = rangeAround(base.join('.'), prefix);
      const address = flipped(base, 8, flip);
      const list = new CidrList([range]);
      const expected = oracleContains(range, address.join('.'));
      const [a, b, c, d] = address as [number, number, number, number];
      const mapped = `::FFFF:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
      expect(list.contains(address.join('.'))).toBe(expected);
      expect(oracleContains(range, mapped)).toBe(expected);
      expect(list.contains(mapped)).toBe(expected);
    }),
    { numRuns: RUNS },
  );
});

test('IPv6 ranges contain what BlockList says', () => {
  fc.assert(
    fc.property(pairs(8, 0xffff), ({ base, prefix, flip }) => {
      const hex = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':');
      fc.pre(base.slice(0, 5).some((group) => group > 1)); // a mapped one, or a bit away from it, is IPv4
      const range = rangeAround(hex(base), prefix);
      const address = hex(flipped(base, 16, flip));
      expect(new CidrList([range]).contains(address)).toBe(oracleContains(range, address));
    }),
    { numRuns: RUNS },
  );
});

test('no text is both a range and not its own canonical form', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat(130), (base, prefix) => {
      const parsed = parseCidr(`${base}/${prefix}`);
      if (!('fault' in parsed)) expect(parseCidr(parsed.text)).toEqual(parsed);
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['203.0.113.7/32', '203.0.113.7/32'],
  ['2001:DB8:0::/32', '2001:db8::/32'],
  ['::/0', '::/0'],
  ['::1/128', '::1/128'],
  ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ['::FFFF:0a00:0/104', '10.0.0.0/8'],
  ['0:0:0:0:0:ffff:192.0.2.7/128', '192.0.2.7/32'],
  ['::ffff:0:0/96', '0.0.0.0/0'],
])('%s is the range %s', (text, canonical) => {
  expect(parseCidr(text)).toMatchObject({ text: canonical });
});

const NOTATION = 'is not in CIDR notation, e.g. 203.0.113.0/24 or 2001:db8::/32';

test.each([
  ['10.0.0.5/8', 'has host bits set; did you mean 10.0.0.0/8?'],
  ['2001:db8::1/32', 'has host bits set; did you mean 2001:db8::/32?'],
  ['::ffff:10.0.0.5/104', 'has host bits set; did you mean 10.0.0.0/8?'],
  ['255.255.255.255/0', 'has host bits set; did you mean 0.0.0.0/0?'],
  ['203.0.113.7', `${NOTATION}; for one address write 203.0.113.7/32`],
  ['2001:db8::7', `${NOTATION}; for one address write 2001:db8::7/128`],
  ['::ffff:10.0.0.1', `${NOTATION}; for one address write ::ffff:10.0.0.1/128`],
  ['10.0.0.0/33', 'has a prefix longer than the 32 bits of the address'],
  ['::/129', 'has a prefix longer than the 128 bits of the address'],
  ['::ffff:0:0/95', 'mixes IPv4 and IPv6 addresses; write the IPv4 range by itself, e.g. 10.0.0.0/8'],
  ['::ffff:10.0.0.0/8', 'mixes IPv4 and IPv6 addresses; write the IPv4 range by itself, e.g. 10.0.0.0/8'],
  ['fe80::1%eth0/64', 'has a zone id, which means something on one machine only'],
])('refuses %j: it %s', (text, fault) => {
  expect(faultOf(text)).toBe(fault);
});

test.each([
  '',
  '/',
  '/8',
  '10.0.0.0/',
  '10.0.0.0/08',
  '10.0.0.0/+8',
  '10.0.0.0/-0',
  '10.0.0.0/ 8',
  '10.0.0.0/8 ',
  ' 10.0.0.0/8',
  '10.0.0.0/8/8',

  '010.0.0.0/8',
  '10.0/8',
  '10/8',
  '0xa.0.0.0/8',
  '167772160/8',
  '10.0.0.256/32',
  '10.0.0.0/255.0.0.0',
  '10.0.0.0/1e1',
  '10.0.0.0/٨',
  ':::/0',
  '1::2::3/128',
  '12345::/16',
  'g::/16',
  '[::1]/128',
  '::1.2.3/128',
  '::01.2.3.4/128',
  'localhost/8',
  '*',
])('refuses %j, which is not in CIDR notation', (text) => {
  expect(faultOf(text)).toBe(NOTATION);
});

test.each([
  ['10.1.2.3', true],
  ['::ffff:10.1.2.3', true],
  ['::FFFF:0a01:0203', true],
  ['0:0:0:0:0:ffff:10.1.2.3', true],
  ['2001:0DB8:0000:0000:0000:0000:0000:0001', true],
  ['::10.1.2.3', false],
  ['64:ff9b::10.1.2.3', false],
  ['10.1.2.3%eth0', false],
  ['2001:db8::1%eth0', false],
  ['10.1.2', false],
  ['012.1.2.3', false],
  ['10.1.2.3 ', false],
  ['', false],
  ['unknown', false],
])('a list of 10.0.0.0/8 and 2001:db8::/32, asked for %j, says %s', (address, expected) => {
  expect(new CidrList([cidr('10.0.0.0/8'), cidr('2001:db8::/32')]).contains(address)).toBe(expected);
});

test('all of IPv6 holds no IPv4 address in any spelling, and all of IPv4 no IPv6 address', () => {
  const v6 = new CidrList([cidr('::/0')]);
  expect([v6.contains('::1'), v6.contains('192.0.2.1'), v6.contains('::ffff:192.0.2.1')]).toEqual([true, false, false]);
  const v4 = new CidrList([cidr('0.0.0.0/0')]);
  expect([v4.contains('::1'), v4.contains('192.0.2.1'), v4.contains('::ffff:192.0.2.1')]).toEqual([false, true, true]);
});

test('an empty list contains nothing and says that it is empty', () => {
  const list = new CidrList([]);
  expect([list.isEmpty, list.contains('192.0.2.1')]).toEqual([true, false]);
  expect(new CidrList([cidr('::1/128')]).isEmpty).toBe(false);
});
