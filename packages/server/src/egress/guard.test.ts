import { BlockList, isIPv4, SocketAddress } from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cidr, CidrList, parseCidr } from '../addresses/cidr.ts';
import { Guard } from './guard.ts';

const NONE = new CidrList([]);
const guard = new Guard(NONE, []);

function listOf(...texts: readonly string[]): CidrList {
  return new CidrList(texts.map((text) => parseCidr(text) as Cidr));
}

const RANGES = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
];

/** Every range of the list, and all that is not global unicast, as the platform understands them; to it `::/3` holds all of IPv4. */
const oracles = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const range of [...RANGES, '::/3', '4000::/2', '8000::/1']) {
  const [network, prefix] = range.split('/') as [string, string];
  oracles[familyOf(network)].addSubnet(network, Number(prefix), familyOf(network));
}

function oracleRefuses(address: string): boolean {
  return oracles[familyOf(address)].check(address, familyOf(address));
}

/** The least and the greatest address of a range, and those just outside. */
function edgesOf(range: string): { within: string[]; outside: string[] } {
  const [network, prefix] = range.split('/') as [string, string];
  const bits = isIPv4(network) ? 32n : 128n;
  const first = toInteger(network);
  const last = first + (1n << (bits - BigInt(prefix))) - 1n;
  const text = (value: bigint) => (bits === 32n ? v4Text(value) : v6Text(value));
  return {
    within: [text(first), text(last)],
    outside: [first - 1n, last + 1n].filter((value) => value >= 0n && value < 1n << bits).map(text),
  };
}

function toInteger(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  const { address: canonical } = new SocketAddress({ address, family: 'ipv6' });
  const [head = '', tail = ''] = canonical.split('::').map((half) => half.replace(/\d+\.\d+\.\d+\.\d+$/, dottedToHex));
  const groups = (half: string) => (half === '' ? [] : half.split(':'));
  const gap = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return [...groups(head), ...gap, ...groups(tail)].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function dottedToHex(dotted: string): string {
  const value = Number(toInteger(dotted));
  return `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
}

function v4Text(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function v6Text(value: bigint): string {
  return Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':');
}

test.each(RANGES)('nothing in %s may be called', (range) => {
  for (const address of edgesOf(range).within) expect(guard.refusalOf(address)).not.toBeNull();
});

test('what lies beside a refused range, and in no other, may be called', () => {
  const beside = RANGES.flatMap((range) => edgesOf(range).outside).filter((address) => !oracleRefuses(address));
  expect(beside.length).toBeGreaterThan(15);
  expect(beside.filter((address) => guard.refusalOf(address) !== null)).toEqual([]);
});

test('refuses exactly what the platform finds in the list', () => {
  const v6 = fc.tuple(
    fc.constantFrom(0x2000, 0x2001, 0x2002, 0x2606, 0x3fff, 0),
    fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 }),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        v6.map(([first, rest]) => [first, ...rest].map((group) => group.toString(16)).join(':')),
      ),
      (address) => {
        expect(guard.refusalOf(address) !== null).toBe(oracleRefuses(address));
      },
    ),
    { numRuns: 20_000 },
  );
});

test.each([
  ['127.0.0.1', 'is loopback'],
  ['169.254.169.254', 'is link-local'],
  ['fd00:ec2::254', 'is private'],
  ['::127.0.0.1', 'is a form that hides an IPv4 address'],
  ['::ffff:127.0.0.1', 'is a form that hides an IPv4 address'],
  ['::FFFF:0808:0808', 'is a form that hides an IPv4 address'],
  ['64:ff9b::8.8.8.8', 'is a form that hides an IPv4 address'],
  ['2002:0808:0808::1', 'is a form that hides an IPv4 address'],
  ['2606:4700::1%eth0', 'is not an address'],
  ['8.8.8', 'is not an address'],
  ['', 'is not an address'],
  ['4000::1', 'is not assigned to anyone'],
])('%j %s', (address, refusal) => {
  expect(guard.refusalOf(address)).toBe(refusal);
});

test.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2A00:1450::1'])('%s may be called', (address) => {
  expect(guard.refusalOf(address)).toBeNull();
});

test('addresses of this machine may not be called, public ones neither', () => {
  const own = new Guard(NONE, ['8.8.4.4', '2A00:1450:0::9']);
  expect(own.refusalOf('8.8.4.4')).toBe('is an address of this service');
  expect(own.refusalOf('2a00:1450::9')).toBe('is an address of this service');
  for (const { address } of Object.values(networkInterfaces()).flatMap((all = []) => all)) {
    expect(new Guard(NONE).refusalOf(address)).not.toBeNull();
  }
});

test("the operator's exceptions hold for exactly their addresses, also for this machine's", () => {
  const excepting = new Guard(listOf('10.1.0.0/16', 'fd00::/8', '8.8.4.4/32'), ['8.8.4.4']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1', '8.8.4.4']) expect(excepting.refusalOf(address)).toBeNull();
  for (const address of ['10.2.0.0', '127.0.0.1', '64:ff9b::10.1.2.3', 'fe80::1', 'fd00::1%eth0']) {
    expect(excepting.refusalOf(address)).not.toBeNull();
  }
});

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
