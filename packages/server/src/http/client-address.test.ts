import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { clientAddress } from './client-address.ts';

const PROXIES = new CidrList(['10.0.0.0/8', 'fd00::/8'].map((text) => parseCidr(text) as Cidr));
const NONE = new CidrList([]);

interface Case {
  readonly title: string;
  readonly peer: string | undefined;
  readonly header: string | undefined;
  readonly client: string;
}

test.each<Case>([
  { title: 'without a header it is the peer', peer: '10.0.0.1', header: undefined, client: '10.0.0.1' },
  { title: 'the header of an untrusted peer is not read', peer: '198.51.100.9', header: '203.0.113.7', client: '198.51.100.9' },
  { title: 'one proxy: the entry it added', peer: '10.0.0.1', header: '203.0.113.7', client: '203.0.113.7' },
  {
    title: 'two proxies: the entry before the inner one',
    peer: '10.0.0.1',
    header: '203.0.113.7, 10.0.0.2',
    client: '203.0.113.7',
  },
  {
    title: 'what the client itself claimed is not read',
    peer: '10.0.0.1',
    header: '10.9.9.9, 1.1.1.1, 203.0.113.7, 10.0.0.2',
    client: '203.0.113.7',
  },
  { title: 'all trusted: the leftmost', peer: '10.0.0.1', header: '10.0.0.3, 10.0.0.2', client: '10.0.0.3' },
  { title: 'an IPv6 proxy and client', peer: 'fd00::1', header: '2001:DB8:0:0::7', client: '2001:db8::7' },
  { title: 'a mapped peer is its IPv4 address', peer: '::ffff:198.51.100.9', header: undefined, client: '198.51.100.9' },
  { title: 'a mapped proxy is trusted as IPv4', peer: '::ffff:10.0.0.1', header: '203.0.113.7', client: '203.0.113.7' },
  { title: 'a mapped hop is trusted as IPv4', peer: '10.0.0.1', header: '203.0.113.7, ::FFFF:0a00:0002', client: '203.0.113.7' },
  { title: 'a mapped client is its IPv4 address', peer: '10.0.0.1', header: '::FFFF:cb00:7107', client: '203.0.113.7' },
  { title: 'a port is left out, IPv4', peer: '10.0.0.1', header: '203.0.113.7:443', client: '203.0.113.7' },
  { title: 'a port is left out, IPv6', peer: '10.0.0.1', header: '[2001:db8::1]:443', client: '2001:db8::1' },
  { title: 'brackets without a port', peer: '10.0.0.1', header: '[2001:db8::1]', client: '2001:db8::1' },
  {
    title: 'digits after IPv6 without brackets are of the address',
    peer: '10.0.0.1',
    header: '2001:db8::1:443',
    client: '2001:db8::1:443',
  },
  { title: 'spaces and tabs around entries', peer: '10.0.0.1', header: ' \t203.0.113.7 \t,10.0.0.2\t', client: '203.0.113.7' },
  { title: 'an empty header', peer: '10.0.0.1', header: '', client: '10.0.0.1' },
  { title: 'commas alone', peer: '10.0.0.1', header: ',,,', client: '10.0.0.1' },
  { title: 'a comma at the end', peer: '10.0.0.1', header: '203.0.113.7,', client: '10.0.0.1' },
  { title: 'a comma at the front', peer: '10.0.0.1', header: ',10.0.0.2', client: '10.0.0.2' },
  { title: 'an empty entry between', peer: '10.0.0.1', header: '203.0.113.7,,10.0.0.2', client: '10.0.0.2' },
  { title: 'a malformed entry ends the walk', peer: '10.0.0.1', header: '203.0.113.7, unknown, 10.0.0.2', client: '10.0.0.2' },
  {
    title: 'a malformed entry left of the client is not read',
    peer: '10.0.0.1',
    header: 'unknown, 203.0.113.7',
    client: '203.0.113.7',
  },
  { title: 'a zone id', peer: '10.0.0.1', header: 'fe80::1%eth0', client: '10.0.0.1' },
  { title: 'a zone id in brackets', peer: '10.0.0.1', header: '[fe80::1%25eth0]:80', client: '10.0.0.1' },
  { title: 'octal', peer: '10.0.0.1', header: '0313.0.113.7', client: '10.0.0.1' },
  { title: 'quotes', peer: '10.0.0.1', header: '"203.0.113.7"', client: '10.0.0.1' },
  { title: 'a port without digits', peer: '10.0.0.1', header: '203.0.113.7:', client: '10.0.0.1' },
  { title: 'a port that is none', peer: '10.0.0.1', header: '203.0.113.7:65536', client: '10.0.0.1' },
  { title: 'an open bracket', peer: '10.0.0.1', header: '[2001:db8::1', client: '10.0.0.1' },
  { title: 'words after brackets', peer: '10.0.0.1', header: '[2001:db8::1]x', client: '10.0.0.1' },
  { title: 'IPv4 in brackets', peer: '10.0.0.1', header: '[203.0.113.7]', client: '10.0.0.1' },
  { title: 'a line break within', peer: '10.0.0.1', header: '203.0.113.7\n', client: '10.0.0.1' },
  { title: 'a peer of the link, by its address alone', peer: 'fe80::1%eth0', header: '203.0.113.7', client: 'fe80::1' },
  { title: 'a socket that is gone', peer: undefined, header: '203.0.113.7', client: '0.0.0.0' },
])('the client, $title: $client', ({ peer, header, client }) => {
  expect(clientAddress(peer, header, PROXIES)).toBe(client);
});

test('without trusted proxies it is the peer, whatever the header says', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.oneof(fc.ipV4(), fc.string()), (peer, header) => clientAddress(peer, header, NONE) === peer),
  );
});

test('at most 32 hops are walked', () => {
  const hops = Array.from({ length: 50 }, (_, i) => `10.0.1.${i + 1}`);
  expect(clientAddress('10.0.0.1', hops.join(', '), PROXIES)).toBe('10.0.1.19');
  expect(clientAddress('10.0.0.1', ['203.0.113.7', ...hops.slice(0, 31)].join(', '), PROXIES)).toBe('203.0.113.7');
  expect(clientAddress('10.0.0.1', ['203.0.113.7', ...hops.slice(0, 32)].join(', '), PROXIES)).toBe('10.0.1.1');
});

test('nothing a client writes left of its own address changes the answer', () => {
  fc.assert(
    fc.property(fc.string(), fc.ipV6(), (claimed, peer) => {
      const real = '203.0.113.7';
      expect(clientAddress('10.0.0.1', `${claimed},${real}, 10.0.0.2`, PROXIES)).toBe(real);
      expect(clientAddress('198.51.100.9', `${claimed}, ${peer}`, PROXIES)).toBe('198.51.100.9');
    }),
  );
});

test('the answer is always an address, in its one spelling', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('10.0.0.3'))), (entries) => {
      const client = clientAddress('10.0.0.1', entries.join(','), PROXIES);
      expect(clientAddress(client, undefined, PROXIES)).toBe(client);
      expect(isIP(client)).not.toBe(0);
    }),
  );
});
