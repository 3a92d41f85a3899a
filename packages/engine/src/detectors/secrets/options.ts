// Command lines and lines of configuration that take a password by position.

import type { Clue } from './clue.ts';

const WORD = String.raw`["']?([^\s"'${'`'}$<>{}|()]{4,128})`;

/** By anchor, patterns of what starts there; the group is the password, and it ends the match. Sticky and bounded. */
export const OPTIONS: Readonly<Record<string, RegExp>> = {
  'echo ': new RegExp(
    String.raw`echo (?:-\w )?["']?(?:[\w.-]{1,32}:)?([^\s"'${'`'}$<>{}|():]{4,64})(?=["']?\s{0,3}\|\s{0,3}(?:sudo (?:-\w )?-S|sudo chpasswd|chpasswd|passwd --stdin|docker login|kinit))`,
    'iy',
  ),
  'htpasswd -': new RegExp(String.raw`htpasswd -\w{0,6}b\w{0,6} \S{1,100} \S{1,64} ${WORD}`, 'y'),
  'net use ': /net use \S{1,40} \\\\[^\s]{1,100} ([^\s/"*]{4,64})(?=\s\/)/iy,
  'net user ': /net user [\w.-]{1,40} ([^\s/"*%$]{4,64})(?=\s\/)/iy,
  'useradd ': new RegExp(String.raw`useradd [^\n|;]{0,80}-p ${WORD}`, 'y'),
  'add_user ': new RegExp(String.raw`add_user [\w.-]{1,64} ${WORD}`, 'y'),
  'snmp-server community ': new RegExp(String.raw`snmp-server community ${WORD}`, 'iy'),
  'enable secret ': new RegExp(String.raw`enable secret (?:\d )?${WORD}`, 'iy'),
  'enable password ': new RegExp(String.raw`enable password (?:\d )?${WORD}`, 'iy'),
  ' password 0 ': new RegExp(String.raw` password 0 ${WORD}`, 'iy'),
  ' password 7 ': new RegExp(String.raw` password 7 ${WORD}`, 'iy'),
  ' secret 5 ': new RegExp(String.raw` secret 5 ${WORD}`, 'iy'),
  ' secret 0 ': new RegExp(String.raw` secret 0 ${WORD}`, 'iy'),
  'identified by ': new RegExp(String.raw`identified by (?:password )?${WORD}`, 'iy'),
};

/** What the option at the anchor is given. */
export function findOption(anchor: string, text: string, start: number): Clue | null {
  const pattern = OPTIONS[anchor]!;
  pattern.lastIndex = start;
  const value = pattern.exec(text)?.[1];
  if (value === undefined) return null;
  const end = pattern.lastIndex;
  return {
    kind: 'password',
    place: 'option',
    word: anchor.trim(),
    head: '',
    tail: '',
    value,
    quoted: true,
    text,
    nameStart: start,
    start: end - value.length,
    end,
  };
}

/** Short options are passwords only after these programs. */
const TOOLS: Readonly<Record<string, RegExp>> = {
  p: toolBefore(
    String.raw`mysql\w{0,10}|mariadb|sshpass|ldapsearch|docker login|podman login|unzip|zip|7za?|rar|unrar|ipmitool|xfreerdp|mosquitto_\w{3}|sqlcmd|bcp|osql|helm registry login|az login|sqlplus`,
  ),
  a: toolBefore('redis-cli|ipmitool'),
  w: toolBefore(String.raw`ldap\w{3,9}|kinit`),
};

function toolBefore(names: string): RegExp {
  return new RegExp(String.raw`(?:^|[\s"'/;|&(${'`'}])(?:${names})\b[^\n|;]{0,100}$`);
}

const OPTION_VALUE = / ?\\?["']?([^\s"'$<>\\|;&]{4,128})/y;
const TOOL_REACH = 128;

/** `mysql -pPassword`, `sshpass -p password`, `redis-cli -a password`; the anchor ends after the letter. */
export function findShortOption(text: string, start: number, end: number): Clue | null {
  const letter = text[end - 1]!.toLowerCase();
  if (!TOOLS[letter]!.test(text.slice(Math.max(0, start - TOOL_REACH), start))) return null;
  OPTION_VALUE.lastIndex = end;
  const value = OPTION_VALUE.exec(text)?.[1];
  // `mysql -p shop` asks for the password and names a database.
  if (value === undefined || value.startsWith('-') || (letter === 'p' && asksFor(text, start, end))) return null;
  const last = OPTION_VALUE.lastIndex;
  return {
    kind: 'password',
    place: 'option',
    word: `-${letter}`,
    head: '',
    tail: '',
    value,
    quoted: true,
    text,
    nameStart: start,
    start: last - value.length,
    end: last,
  };
}

function asksFor(text: string, start: number, end: number): boolean {
  return (
    text.charCodeAt(end) === 32 &&
    /\b(?:mysql\w{0,10}|mariadb|7za?)\b[^\n|;]{0,100}$/.test(text.slice(Math.max(0, start - TOOL_REACH), start))
  );
}
