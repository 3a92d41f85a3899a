// Commands of POSIX shells that destroy, open or stay.

import { HARMFUL, INSECURE, RISKY, rule, type Rule, type Verdict } from '../rule.ts';

const FETCH = String.raw`\b(?:curl|wget|fetch|lwp-download)\b`;
const SYSTEM_FOLDER = String.raw`/(?:\*|etc|usr(?:/(?:lib|bin|sbin|share))?|var|boot|bin|sbin|lib(?:64)?|home|root|opt|srv|dev|sys)?`;
const DISK = String.raw`/dev/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|disk\d|r?disk\d|mapper/)\w{0,6}`;
const DELETE = 'Deletes the system or all files of the user.';
const WIPE = 'Overwrites a disk.';

/** Rules of what is destroyed, opened or made to stay. */
export const SYSTEM_RULES: readonly Rule[] = [
  rule(
    'destructive_delete',
    ['rm -', 'rm --'],
    String.raw`\brm (?:-[a-z]{1,8} |--[a-z-]{4,20} ){1,4}["']?(?:(?:~|\$HOME|\$\{HOME\})/?(?:\*|(?=["'\s;&|${'`'}]|$))|(?:[^\s;&|]{1,60} ){0,3}${SYSTEM_FOLDER}/?\*?(?=["'\s;&|${'`'})]|$))`,
    judgeRemove,
    DELETE,
    { before: 0 },
  ),
  rule(
    'destructive_delete',
    ['--no-preserve-root'],
    String.raw`\brm [^\n;|]{0,80}--no-preserve-root`,
    { score: 0.95, severity: 'critical' },
    DELETE,
  ),
  rule(
    'destructive_delete',
    ['find /'],
    String.raw`\bfind (?:/|/\*|/home|/etc|/usr|/var|~) [^\n;|]{0,60}-(?:delete|exec (?:rm|shred)\b)`,
    judgeFind,
    DELETE,
    { before: 0 },
  ),
  rule(
    'destructive_delete',
    [' /dev/null'],
    String.raw`\bmv (?:-\w+ )?(?:~|/|/home|/etc|\$HOME)(?:/\*|/)? /dev/null`,
    HARMFUL,
    DELETE,
  ),
  rule('disk_wipe', ['of=/dev/'], String.raw`\bdd [^\n]{0,120}\bof=${DISK}`, judgeDd, WIPE),
  rule('disk_wipe', ['> /dev/', '>/dev/'], String.raw`>\s?${DISK}`, HARMFUL, WIPE, { before: 0 }),
  rule(
    'disk_wipe',
    ['mkfs', 'wipefs', 'shred ', 'blkdiscard'],
    String.raw`\b(?:mkfs(?:\.\w{2,6})?|mke2fs|wipefs|shred|blkdiscard)\b[^\n;|]{0,60}${DISK}`,
    RISKY,
    WIPE,
    { before: 0 },
  ),
  rule('disk_wipe', ['diskutil '], String.raw`\bdiskutil (?:eraseDisk|zeroDisk|secureErase)\b[^\n]{0,80}`, RISKY, WIPE, {
    before: 0,
  }),
  rule(
    'fork_bomb',
    ['(){', '() {'],
    String.raw`([\w:.]{1,20})\s?\(\)\s?\{\s{0,4}\1\s?\|\s?\1\s?&\s{0,3};?\s?\}\s{0,2};\s?\1`,
    HARMFUL,
    'Starts processes without end until the machine stands still.',
  ),
  rule(
    'open_permissions',
    ['chmod '],
    String.raw`\bchmod (?:-\w+ )?(?:-R |--recursive )?(?:-\w+ )?(?:0?777|a\+rwx|ugo\+rwx) ["']?(?:/(?=[\s"';&|]|$)|/(?:etc|usr|bin|sbin|boot|lib|root|dev)\b|/\*)`,
    { score: 0.8, severity: 'high' },
    'Lets everybody change the files of the system.',
    { before: 0 },
  ),
  rule(
    'open_permissions',
    ['777'],
    String.raw`\bchmod (?:-\w+ ){0,2}0?777 [^\s;&|]{1,100}`,
    judgeChmod,
    'Lets everybody change these files.',
    { before: 40 },
  ),
  rule(
    'open_permissions',
    ['chmod '],
    String.raw`\bchmod (?:u?\+s|[42]7\d\d|[0-7]?4755) ["']?(?:/usr)?/bin/(?:ba|da|z)?sh\b`,
    HARMFUL,
    'Makes every user of the machine its administrator.',
    { before: 0 },
  ),
  rule(
    'security_disabled',
    ['setenforce 0', 'selinux=disabled', 'selinux=permissive'],
    String.raw`\bsetenforce 0\b|\bSELINUX=(?:disabled|permissive)\b`,
    { score: 0.45, severity: 'medium' },
    'Turns off the access control of the system.',
    { before: 0 },
  ),
  rule(
    'security_disabled',
    ['ufw disable', 'iptables -f', 'iptables --flush', 'firewalld', 'nft flush'],
    String.raw`\bufw disable\b|\biptables (?:-F|--flush)\b(?! ?\w)|\bsystemctl (?:stop|disable)(?: --now)? firewalld|\bnft flush ruleset`,
    { score: 0.45, severity: 'medium' },
    'Turns off the firewall.',
  ),
  rule(
    'security_disabled',
    [
      'auditd',
      'apparmor',
      'falcon-sensor',
      'clamav',
      'osqueryd',
      'auditctl -',
      'master-disable',
      'csrutil disable',
      'histfile',
      'history -c',
      '/var/log',
    ],
    String.raw`\b(?:systemctl (?:stop|disable)(?: --now)?|service|killall|pkill(?: -\w+)?) (?:auditd|falcon-sensor|clamav-daemon|osqueryd|rsyslog)(?: stop)?\b|\bauditctl -e ?0|\bspctl --master-disable|\bcsrutil disable|\bunset HISTFILE\b|\bHISTFILE=/dev/null|\bhistory -c\s?&&|\brm -rf? /var/log(?:/\*|/?(?=\s|$))`,
    RISKY,
    'Turns off what would notice or record an attack.',
  ),
  rule(
    'persistence',
    ['crontab', '/etc/cron', '@reboot', '* * * *'],
    String.raw`(?:(?:\*|\d{1,2}|\*/\d{1,2}) (?:\*|\d{1,2}|\*/\d{1,2}) \* \* [*\d]|@reboot|@hourly)\s[^\n]{0,60}(?:${FETCH}[^\n]{1,160}\|\s?(?:ba)?sh|/dev/tcp/|\bnc -e|/tmp/\.\w)[^\n]{0,60}`,
    HARMFUL,
    'Comes back by the scheduler and runs what it downloads.',
  ),
  rule(
    'persistence',
    ['.bashrc', '.profile', '.zshrc', 'rc.local', '/etc/profile'],
    String.raw`\becho [^\n]{0,160}(?:${FETCH}[^\n]{1,100}\|\s?(?:ba)?sh|/dev/tcp/|\bnc [^\n]{0,40}-e)[^\n]{0,60}>>\s?\S{0,40}(?:\.bashrc|\.profile|\.zshrc|rc\.local|/etc/profile)`,
    HARMFUL,
    'Comes back at every sign-in.',
  ),
  rule(
    'persistence',
    ['authorized_keys'],
    String.raw`\becho ["']?(?:ssh-(?:rsa|ed25519|dss)|ecdsa-\S{4,30}) [^\n]{10,120}>>\s?\S{0,60}authorized_keys`,
    judgeKeys,
    'Lets somebody in by a key of theirs.',
    { before: 700, after: 60 },
  ),
  rule(
    'persistence',
    ['useradd', 'adduser', '/etc/passwd'],
    String.raw`\buseradd [^\n]{0,60}(?:-o -u 0|-u 0 -o|-ou 0)\b|\becho ["'][\w.-]{1,32}:[^:\n]{0,100}:0:0:[^\n]{0,60}>>\s?/etc/passwd`,
    HARMFUL,
    'Adds a second administrator.',
  ),
  rule(
    'destructive_operation',
    ['git push'],
    String.raw`\bgit push (?:[^\n;&|]{0,40})?(?:--force(?!-with-lease)\b|-f\b|\+(?:main|master)\b)[^\n;&|]{0,60}`,
    judgePush,
    'Overwrites the history that others build on.',
    { before: 0 },
  ),
  rule(
    'destructive_operation',
    ['terraform destroy', 'terraform apply -destroy'],
    String.raw`\bterraform (?:destroy|apply -destroy)\b[^\n]{0,40}-auto-approve`,
    { score: 0.5, severity: 'medium' },
    'Takes down infrastructure without asking.',
    { before: 0 },
  ),
  rule(
    'destructive_operation',
    ['kubectl delete', 's3 rb', 's3 rm', 'prune -a', 'flushall'],
    String.raw`\bkubectl delete (?:ns|namespace|all|pods|pvc|deploy\w{0,8}) [^\n]{0,40}--all\b|\baws s3 (?:rb [^\n]{0,80}--force|rm s3://[\w.-]{1,64}/? --recursive)|\bdocker (?:system|volume) prune -a?f\w?[^\n]{0,20}|\bredis-cli [^\n]{0,40}flushall`,
    { score: 0.45, severity: 'medium' },
    'Deletes everything of its kind without asking.',
    { before: 60 },
  ),
  rule(
    'tls_verification_disabled',
    ['curl -k', 'curl --insecure', '--no-check-certificate', 'sslverify', 'stricthostkeychecking'],
    String.raw`\bcurl [^\n|;]{0,40}(?:-k\b|--insecure\b)|--no-check-certificate\b|\bhttp\.sslVerify["']?(?:[ =]{1,3})["']?false|\bStrictHostKeyChecking[= ]no\b`,
    INSECURE,
    'Talks to whoever answers: nobody checks who the other side is.',
  ),
  rule(
    'destructive_delete',
    ['cd /', 'cd ~'],
    String.raw`\bcd (?:/|~/?)\s?(?:&&|;)\s?(?:sudo )?rm -\w{0,4}r\w{0,4} (?:--no-preserve-root )?(?:\*|\.)(?=[\s;&|]|$)`,
    HARMFUL,
    DELETE,
    { before: 0 },
  ),
  rule(
    'persistence',
    ['/etc/sudoers'],
    String.raw`\becho [^\n]{0,20}\bALL ALL\s?=[^\n]{0,60}NOPASSWD[^\n]{0,40}(?:>>?|tee)[^\n]{0,20}/etc/sudoers`,
    RISKY,
    'Makes every user of the machine its administrator.',
  ),
];

function judgeRemove([command]: RegExpExecArray): Verdict | null {
  return /\s-\w*[rf]|--(?:recursive|force)/i.test(command) && /\s-\w*r|--recursive/i.test(command)
    ? { score: 0.9, severity: 'critical' }
    : null;
}

function judgeFind([command]: RegExpExecArray): Verdict {
  // With a name or an age it is housekeeping.
  return /-(?:name|iname|mtime|path|empty|ctime|atime|size|regex)\b/.test(command) ? { score: 0.3, severity: 'low' } : HARMFUL;
}

function judgeDd([command]: RegExpExecArray): Verdict {
  return /if=\/dev\/(?:zero|u?random)/i.test(command) ? { score: 0.8, severity: 'high' } : { score: 0.4, severity: 'medium' };
}

function judgeChmod([command]: RegExpExecArray): Verdict | null {
  return / ["']?\/(?:$|["']|etc|usr|bin|sbin|boot|lib|root|dev)/.test(command) ? null : { score: 0.3, severity: 'low' };
}

function judgeKeys([command]: RegExpExecArray): Verdict | null {
  return /\$\(|\$\{|\.pub|<|\.\.\./.test(command) ? null : { score: 0.4, severity: 'medium' };
}

function judgePush([command]: RegExpExecArray): Verdict {
  return /\b(?:main|master|trunk|production|--all|--mirror)\b/.test(command)
    ? { score: 0.5, severity: 'medium' }
    : { score: 0.25, severity: 'low' };
}
