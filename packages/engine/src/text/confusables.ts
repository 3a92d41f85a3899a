// Letters that look like Latin ones, chosen by eye from the scripts that attackers mix with Latin.
// For background: Unicode Technical Standard 39, https://www.unicode.org/reports/tr39/.

// Pairs "look-alike, Latin letter". Upper and lower case are given apart because the shapes differ: Cyrillic Н is H, н is not n.
const CYRILLIC = 'аaеeоoрpсcхxуyіiјjѕsһhԁdԛqԝwкkмmтtвbгrпnѵvԍgАAВBЕEКKМMНHОOРPСCТTУYХXІIЈJЅSԚQԜWԌG';
const GREEK = 'αaοoνvρpιiκkτtυuεeηnωwχxγyϲcϳjσoβbΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹC';
const ARMENIAN = 'օoոnսuհhցgզqյjՕOՏSՍU';
const LATIN = 'ıiɑaɡgɩiʏyɪiᴀaʙbᴄcᴅdᴇeꜰfɢgʜhᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwᴢzɾrɯwƖlℓlⅼlꞮIɛeøołlđdħhŧt';
const CHEROKEE = 'ᎪAᎬEᎠDᎡRᎢTᎥiᎳWᎷMᎻHᏀGᏃZᏎ4ᏒRᏔWᏙVᏚSᏟCᏢPᏦKᏴB';

const TABLE = new Uint8Array(65_536);
for (const pairs of [CYRILLIC, GREEK, ARMENIAN, LATIN, CHEROKEE]) {
  for (let i = 0; i < pairs.length; i += 2) TABLE[pairs.charCodeAt(i)] = pairs.charCodeAt(i + 1);
}

// Letters on black squares and circles, which NFKC leaves alone: first code point of each alphabet.
const BADGE_ALPHABETS = [0x1f150, 0x1f170];

/** The Latin letter that a code point looks like, as a char code; 0 when it looks like none. */
export function latinLookAlike(codePoint: number): number {
  if (codePoint < 0x80) return 0;
  if (codePoint < 0x10000) return TABLE[codePoint]!;
  for (const first of BADGE_ALPHABETS) {
    if (codePoint >= first && codePoint < first + 26) return 0x61 + codePoint - first;
  }
  return 0;
}

const LEET = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b', 9: 'g', '@': 'a', $: 's', '!': 'i', '|': 'l' }),
);
const LEET_TABLE = new Uint8Array(128);
for (const [sign, letter] of LEET) LEET_TABLE[sign.charCodeAt(0)] = letter.charCodeAt(0);

/** The letter that a digit or sign stands for in leet spelling, as a char code; 0 for others. */
export function leetLetter(code: number): number {
  return code < 128 ? LEET_TABLE[code]! : 0;
}
