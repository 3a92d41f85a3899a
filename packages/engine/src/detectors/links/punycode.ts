// Decodes the labels of internationalized host names (RFC 3492), so that look-alikes can be seen through.

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 128;
/** DNS allows 63; a longer label is no host name. */
const LABEL_CHARS_MAX = 63;

/** The Unicode form of a label that starts with `xn--`; `null` when it is malformed. */
export function decodeLabel(label: string): string | null {
  const encoded = label.slice('xn--'.length).toLowerCase();
  if (encoded.length === 0 || label.length > LABEL_CHARS_MAX) return null;
  const split = encoded.lastIndexOf('-');
  const decoded = split > 0 ? Array.from(encoded.slice(0, split), (char) => char.charCodeAt(0)) : [];
  return insertAll(decoded, encoded.slice(split + 1));
}

function insertAll(decoded: number[], digits: string): string | null {
  let code = INITIAL_CODE;
  let bias = INITIAL_BIAS;
  let position = 0;
  for (let at = 0; at < digits.length;) {
    const delta = readDelta(digits, at, bias);
    if (delta === null) return null;
    const length = decoded.length + 1;
    bias = adapt(delta.value, length, at === 0);
    position += delta.value;
    code += Math.floor(position / length);
    position %= length;
    if (code > 0x10_ff_ff) return null;
    decoded.splice(position++, 0, code);
    at = delta.end;
  }
  return String.fromCodePoint(...decoded);
}

/** One variable-length integer (RFC 3492, 3.3). */
function readDelta(digits: string, start: number, bias: number): { value: number; end: number } | null {
  let value = 0;
  let weight = 1;
  for (let at = start, k = BASE; at < digits.length; at++, k += BASE) {
    const digit = parseInt(digits[at]!, BASE);
    if (Number.isNaN(digit)) return null;
    // In Punycode letters come first: a–z are 0–25, 0–9 are 26–35; parseInt has digits first.
    const amount = digit < 10 ? digit + 26 : digit - 10;
    value += amount * weight;
    const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias));
    if (amount < threshold) return { value, end: at + 1 };
    weight *= BASE - threshold;
    if (weight > 0xff_ff_ff_ff) return null;
  }
  return null;
}

function adapt(value: number, length: number, isFirst: boolean): number {
  let delta = isFirst ? Math.floor(value / DAMP) : value >> 1;
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}
