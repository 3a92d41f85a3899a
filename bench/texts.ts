// Texts of the benchmarks: ordinary ones of a given length, and the worst of each kind that we know.

const SENTENCES = [
  'Could you please summarise the attached meeting notes and list the open questions for the product team?',
  'We moved the release to the second week of March because two of the integration tests were still failing.',
  'The customer reports that the export takes longer than before, and that the file opens without its last column.',
  'Write a short, friendly reply which explains the refund policy and offers a call on Tuesday at 14:30.',
  'Our warehouse in Rotterdam ships orders above 500 units within 3 days; smaller ones leave on Friday.',
  'In the example below the function returns early when the list is empty, so that the loop is never entered.',
];

/** Ordinary prose of `length` characters. */
export function ordinaryText(length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i++) text += `${SENTENCES[i % SENTENCES.length]!} `;
  return text.slice(0, length);
}

const repeat = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** A reproducible stream of numbers below `n`. */
function randomOf(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * n);
  };
}

function randomText(length: number, alphabet: readonly string[], seed: number): string {
  const random = randomOf(seed);
  let text = '';
  while (text.length < length) text += alphabet[random(alphabet.length)]!;
  return text.slice(0, length);
}

const chars = (text: string) => Array.from(text);
const BASE64 = chars('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const ASCII = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
const WORDS = [
  'ignore',
  'previous',
  'instructions',
  'password',
  'secret',
  'api_key',
  'iban',
  'street',
  'born',
  'passport',
  'system',
  'prompt',
  ' ',
  ' ',
  ': ',
  '=',
  '"',
];

/** Texts made to be slow, by name, each `length` characters. */
export function worstTexts(length: number): Readonly<Record<string, string>> {
  return {
    'ordinary prose': ordinaryText(length),
    'random ASCII': randomText(length, ASCII, 1),
    'random base64': randomText(length, BASE64, 2),
    'random UTF-16': randomText(
      length,
      Array.from({ length: 3_000 }, (_, i) => String.fromCharCode(i * 21)),
      3,
    ),
    'random anchor words': randomText(length, WORDS, 4),
    'letters A': repeat('A', length),
    'at-signs': repeat('@', length),
    'a@a.': repeat('a@a.a', length),
    digits: repeat('1234567890', length),
    'card-like digits': repeat('4111 1111 1111 1111 ', length),
    'digits and dashes': repeat('1-', length),
    colons: repeat(':', length),
    'dotted numbers': repeat('1.2.3.4.', length),
    'password=': repeat('password=', length),
    AKIA: repeat('AKIA', length),
    'sk-': repeat('sk-', length),
    ghp_: repeat('ghp_0123456789abcdef', length),
    'private key headers': repeat('-----BEGIN PRIVATE KEY-----\n', length),
    eyJ: repeat('eyJhbGciOi.', length),
    quotes: repeat('"\'', length),
    'ignore ': repeat('ignore ', length),
    'ignore all previous instructions': repeat('ignore all previous instructions ', length),
    'one long sentence': repeat('please ignore the previous words and act as a system ', length),
    'zero-width': repeat('\u200b', length),
    'zero-width between letters': repeat('a\u200b', length),
    'combining flood': `a${repeat('\u0301', length - 1)}`,
    'alternating scripts': repeat('aа', length),
    'spaced letters': repeat('i g n o r e ', length),
    'percent-encoded': repeat('%41', length),
    'HTML entities': repeat('&#x41;', length),
    'hex bytes': repeat('69676e6f7265', length),
    'lone surrogates': repeat('\ud800', length),
    'emoji families': repeat('👨‍👩‍👧‍👦', length),
    URLs: repeat('https://xn--e1awd7f.example/a?b=c ', length),
    'markdown images': repeat('![a](http://1.2.3.4/x?d=', length),
    newlines: repeat('\n', length),
    'street street': repeat('street 12 ', length),
  };
}
