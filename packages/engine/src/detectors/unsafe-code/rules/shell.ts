// Commands of POSIX shells that fetch, hide, hand over or carry away.

import { isKnownInstaller } from '../installers.ts';
import { HARMFUL, RISKY, rule, type Rule, type Verdict } from '../rule.ts';

const SHELL = String.raw`(?:(?:/(?:usr/)?bin/)?(?:ba|z|da|k|a)?sh|python[23]?|perl|ruby|node|php)\b`;
const FETCH = String.raw`\b(?:curl|wget|fetch|lwp-download)\b`;
const REMOTE = 'Downloads a script and runs it unread.';
const SHELL_OUT = 'Hands a shell of the machine to somebody else.';

/** Rules of what is fetched, hidden, handed over or carried away. */
export const SHELL_RULES: readonly Rule[] = [
  rule(
    'remote_script',
    ['curl ', 'wget ', 'fetch '],
    String.raw`${FETCH} [^\n|;]{1,220}\|\s{0,4}(?:sudo (?:-\w+ ){0,2})?(?:env \S{1,40} )?${SHELL}[^\n]{0,20}`,
    judgeDownload,
    REMOTE,
    { before: 0 },
  ),
  rule(
    'remote_script',
    ['<(curl', '<(wget', '< <(curl', '$(curl', '$(wget', '`curl', '`wget'],
    String.raw`(?:\b(?:ba|z|da)?sh(?: -\w)?|\bsource|(?:^|\s)\.|\beval)\s{1,3}["']?(?:<\s?<?\(|\$\(|${'`'})\s?${FETCH}[^\n]{1,220}`,
    judgeDownload,
    REMOTE,
    { before: 12 },
  ),
  rule(
    'remote_script',
    ['wget ', 'curl '],
    String.raw`${FETCH} [^\n]{1,200}?(?:&&|;|\n)\s{0,4}(?:sudo )?chmod (?:\+x|a\+x|7\d\d|u\+x) (\S{1,100})\s{0,4}(?:&&|;|\n)\s{0,4}(?:sudo |nohup ){0,2}(?:\./|/tmp/|/var/tmp/|/dev/shm/)\S{1,100}`,
    judgeDownload,
    'Downloads a program and runs it.',
    { after: 400, before: 0 },
  ),
  rule(
    'remote_script',
    ['/tmp/'],
    String.raw`${FETCH} [^\n]{1,160}?-[oO]\s?/tmp/(\S{1,60})[^\n]{0,40}(?:&&|;|\n)\s{0,4}(?:sudo )?(?:${SHELL} )?/tmp/\1`,
    judgeDownload,
    'Downloads a program and runs it.',
  ),
  rule('reverse_shell', ['/dev/tcp/', '/dev/udp/'], String.raw`[^\n]{0,100}/dev/(?:tcp|udp)/[^\n]{1,80}`, judgeDevTcp, SHELL_OUT),
  rule(
    'reverse_shell',
    ['nc ', 'ncat ', 'netcat '],
    String.raw`\b(?:nc|ncat|netcat)(?:\.traditional|\.openbsd|\.exe)? [^\n;|]{0,80}(?:-\w{0,5}[ec]\s|--exec |--sh-exec |-c )["']?(?:(?:/usr)?/bin/)?(?:ba|z|da)?sh\b|\b(?:nc|ncat|netcat)(?:\.exe)? [^\n;|]{0,80}-\w{0,5}e\s?(?:cmd|powershell)(?:\.exe)?`,
    HARMFUL,
    SHELL_OUT,
    { before: 0 },
  ),
  rule(
    'reverse_shell',
    ['mkfifo', 'mknod'],
    String.raw`\bmk(?:fifo|nod) (\S{1,60})[^\n]{0,80}\|\s?(?:/bin/)?(?:ba)?sh\b[^\n]{0,60}\|\s?(?:nc|ncat|netcat|telnet|openssl)\b[^\n]{0,80}`,
    HARMFUL,
    SHELL_OUT,
    { before: 0 },
  ),
  rule('reverse_shell', ['socat '], String.raw`\bsocat [^\n]{0,100}exec:["']?(?:/bin/)?(?:ba|z|da)?sh\b`, HARMFUL, SHELL_OUT, {
    before: 0,
  }),
  rule(
    'reverse_shell',
    ['meterpreter', 'reverse_tcp', 'reverse_shell'],
    String.raw`\bmsfvenom [^\n]{1,160}|\b(?:windows|linux|php|python|java|android|osx|cmd)(?:/\w{2,12}){0,2}/(?:meterpreter|shell)[/_]reverse_\w{2,8}`,
    { score: 0.8, severity: 'high' },
    'Makes or uses a program that hands the machine to somebody else.',
  ),
  rule(
    'obfuscated_execution',
    ['base64 -', 'base64 --', 'xxd -r', 'openssl enc'],
    String.raw`(?:\bbase64 (?:-d|-D|--decode|-di)\b|\bxxd -r\b|\bopenssl (?:enc |base64 )[^\n|]{0,40}-d\b)[^\n|]{0,80}\|\s{0,3}(?:sudo )?(?:gunzip |gzip -d |zcat |rev )?\|?\s?${SHELL}|\b(?:ba|z|da)?sh (?:-c )?["']?(?:\$\(|<\(|${'`'})[^\n)]{1,160}base64 (?:-d|-D|--decode)|\beval ["']?(?:\$\(|${'`'})[^\n)]{1,160}base64 (?:-d|-D|--decode)`,
    HARMFUL,
    'Runs commands that it hides in an encoding.',
    { before: 180 },
  ),
  rule(
    'credential_theft',
    [
      '/etc/shadow',
      '.ssh/id_',
      '.aws/credentials',
      '.bash_history',
      '.kube/config',
      '.netrc',
      '.gnupg',
      'wallet.dat',
      '/etc/passwd',
    ],
    String.raw`(?:\b(?:curl|wget|nc|ncat|scp|rsync|ftp)\b [^\n]{0,160}(?:@|<|--data\S{0,12} |-d |-F |-T |--post-file=| )["']?\S{0,30}(?:/etc/(?:shadow|passwd)|\.ssh/id_\w{2,8}\b(?!\.pub)|\.aws/credentials|\.bash_history|\.kube/config|\.netrc|\.gnupg|wallet\.dat)|(?:/etc/(?:shadow|passwd)|\.ssh/id_\w{2,8}\b(?!\.pub)|\.aws/credentials|\.bash_history|\.kube/config|\.netrc|wallet\.dat)[^\n]{0,80}\|[^\n]{0,60}\b(?:curl|wget|nc|ncat|netcat|telnet|mail)\b)`,
    judgeExfil,
    'Sends credentials of the machine elsewhere.',
  ),
  rule(
    'credential_theft',
    ['env |', 'printenv', 'env|'],
    String.raw`\b(?:env|printenv|set)\s?\|[^\n]{0,60}\b(?:curl|wget|nc|ncat)\b[^\n]{0,80}`,
    HARMFUL,
    'Sends credentials of the machine elsewhere.',
  ),
  rule(
    'credential_theft',
    ['169.254.169.254'],
    String.raw`\b(?:curl|wget|requests\.get|fetch|urlopen|Invoke-\w+)\b[^\n]{0,80}169\.254\.169\.254/latest/meta-data/iam/security-credentials`,
    RISKY,
    'Reads the credentials of the cloud machine it runs on.',
  ),
  rule(
    'credential_theft',
    ['dump-keychain', 'mimipenguin', 'lazagne', 'linpeas', 'hashdump'],
    String.raw`\bsecurity dump-keychain\b[^\n]{0,40}|\b(?:mimipenguin|lazagne)(?:\.py|\.exe|\.sh)\b`,
    HARMFUL,
    'Takes the stored passwords of the machine.',
  ),
  rule(
    'crypto_miner',
    ['stratum+', 'xmrig', 'minerd ', 'coinhive', 'cryptonight', 'cpuminer'],
    String.raw`\bstratum\+(?:tcp|ssl|udp)://[^\s"']{3,100}|\b(?:\./)?xmrig(?:\.exe)? (?:-|--)[^\n]{1,120}|\bminerd -\w [^\n]{1,100}|\bcoinhive(?:\.min)?\.js|CoinHive\.Anonymous\(`,
    { score: 0.85, severity: 'high' },
    'Mines coins for somebody else.',
  ),
  rule('reverse_shell', ['/inet/tcp/'], String.raw`/inet/tcp/\d{1,5}/[^\s"']{3,60}`, HARMFUL, SHELL_OUT, { before: 0 }),
  rule(
    'reverse_shell',
    ['mkfifo', 'mknod'],
    String.raw`mk(?:fifo|nod) [^\n]{1,80}\b(?:nc|ncat|netcat|telnet)\b [^\n|]{1,80}\|\s?(?:/bin/)?(?:ba)?sh\b[^\n]{0,60}`,
    HARMFUL,
    SHELL_OUT,
    { before: 0 },
  ),
  rule(
    'credential_theft',
    ['.ssh', '.aws', '.gnupg'],
    String.raw`\b(?:tar|zip) [^\n|]{1,80}(?:\.ssh|\.aws|\.gnupg)\b[^\n|]{0,60}\|[^\n]{0,40}\b(?:curl|wget|nc|ncat|netcat)\b[^\n]{0,80}`,
    HARMFUL,
    'Sends credentials of the machine elsewhere.',
  ),
];

/** A script that nobody has read: worse from a bare address or without encryption, well known from the makers of tools. */
function judgeDownload([command]: RegExpExecArray): Verdict | null {
  if (isKnownInstaller(command)) return { score: 0.3, severity: 'low' };
  const isShady =
    /http:\/\/|\/\/\d{1,3}(?:\.\d{1,3}){3}|pastebin|paste\.|bit\.ly|tinyurl|transfer\.sh|ngrok|\.onion|\.tk\b|\.xyz\b|anonfiles/i.test(
      command,
    );
  // `curl … | python -m json.tool` reads data, it runs none.
  if (
    /\|\s{0,3}(?:python[23]?|node|php|ruby|perl) -\w/i.test(command) &&
    !/\|\s{0,3}(?:python[23]?|node|php|ruby|perl) -(?:\s|$)/i.test(command)
  )
    return null;
  return isShady ? HARMFUL : { score: 0.7, severity: 'high' };
}

function judgeDevTcp([line]: RegExpExecArray): Verdict {
  return /\b(?:ba|z|da)?sh -i|exec \d|0>&1|>&\s?\/dev\/(?:tcp|udp)|0<&|\|\s?(?:ba)?sh/i.test(line)
    ? { score: 0.95, severity: 'critical' }
    : { score: 0.45, severity: 'medium' };
}

function judgeExfil([command]: RegExpExecArray): Verdict | null {
  // Copies within one's own reach, and the public half of a key, are ordinary.
  return /^(?:scp|rsync)\b/i.test(command) && /-i\s/.test(command) ? null : /\/etc\/passwd/.test(command) ? RISKY : HARMFUL;
}
