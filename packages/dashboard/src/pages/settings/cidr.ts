// Ranges of addresses, checked while they are typed. The service has the last word.

const NOTATION = 'is not in CIDR notation, such as 203.0.113.0/24 or 2001:db8::/32';

/** What is wrong, as the rest of a sentence; `null`: nothing that can be seen from here. */
export function faultOfCidr(text: string): string | null {
  const slash = text.indexOf('/');
  const base = slash === -1 ? text : text.slice(0, slash);
  const isV6 = base.includes(':');
  const bits = isV6 ? 128 : 32;
  const words = isV6 ? wordsOfV6(base) : wordsOfV4(base);
  if (words === null) return NOTATION;
  if (slash === -1) return `needs a prefix; for this one address write ${base}/${bits}`;
  const prefixText = text.slice(slash + 1);
  if (!/^(0|[1-9]\d{0,2})$/.test(prefixText)) return NOTATION;
  const prefix = Number(prefixText);
  if (prefix > bits) return `has a prefix longer than the ${bits} bits of the address`;
  const width = isV6 ? 16 : 8;
  const network = words.map((word, i) => word & maskOf(prefix - i * width, width));
  if (network.every((word, i) => word === words[i])) return null;
  return isV6 ? 'has bits set beyond its prefix' : `has bits set beyond its prefix; did you mean ${network.join('.')}/${prefix}?`;
}

function wordsOfV4(text: string): number[] | null {
  const parts = text.split('.');
  const isWhole = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
  return isWhole ? parts.map(Number) : null;
}

function wordsOfV6(text: string): number[] | null {
  const [head = '', tail, ...rest] = text.split('::');
  if (rest.length > 0) return null;
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  if (before === null || after === null) return null;
  const missing = 8 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...before, ...Array<number>(missing).fill(0), ...after];
}

/** An IPv4 address may stand in the place of the last two. */
function groupsOf(text: string): number[] | null {
  if (text === '') return [];
  const groups = text.split(':').flatMap((group, i, all): (number | null)[] => {
    if (/^[0-9a-f]{1,4}$/i.test(group)) return [Number.parseInt(group, 16)];
    const v4 = i === all.length - 1 ? wordsOfV4(group) : null;
    return v4 === null ? [null] : [v4[0]! * 256 + v4[1]!, v4[2]! * 256 + v4[3]!];
  });
  return groups.some((group) => group === null) ? null : (groups as number[]);
}

/** The first `bits` bits of a word. */
function maskOf(bits: number, width: number): number {
  if (bits <= 0) return 0;
  const whole = 2 ** width - 1;
  return bits >= width ? whole : whole - (2 ** (width - bits) - 1);
}
