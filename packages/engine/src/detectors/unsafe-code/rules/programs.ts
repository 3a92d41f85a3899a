// Code of general-purpose languages that attacks the machine it runs on.

import { HARMFUL, rule, type Rule, type Verdict } from '../rule.ts';

const SHELL_OUT = 'Hands a shell of the machine to somebody else.';
const ENCODED = 'Runs code that it hides in an encoding.';
const FETCHED = 'Runs code that it has just downloaded.';

/** Rules of programs in general-purpose languages. */
export const PROGRAM_RULES: readonly Rule[] = [
  rule('reverse_shell', ['dup2('], String.raw`\bsocket\b|\bSOCK_STREAM\b`, HARMFUL, SHELL_OUT, {
    before: 500,
    after: 400,
    following: [String.raw`\bdup2\(`, String.raw`/bin/(?:ba|z|da)?sh|pty\.spawn|["'](?:ba)?sh["']`],
  }),
  rule(
    'reverse_shell',
    ['fsockopen('],
    String.raw`\bfsockopen\([\s\S]{1,300}?(?:/bin/(?:ba)?sh|proc_open|\bexec\(|shell_exec)`,
    HARMFUL,
    SHELL_OUT,
    { after: 600, before: 0 },
  ),
  rule(
    'reverse_shell',
    ['tcpsocket'],
    String.raw`\bTCPSocket\.(?:new|open)\([\s\S]{1,300}?(?:/bin/(?:ba)?sh|IO\.popen|\bexec\b)`,
    HARMFUL,
    SHELL_OUT,
    { after: 500, before: 0 },
  ),
  rule(
    'reverse_shell',
    ['/bin/sh', '/bin/bash', 'cmd.exe'],
    String.raw`\bnet\.Dial\([\s\S]{1,400}?exec\.Command\([\s\S]{0,20}(?:/bin/(?:ba)?sh|cmd(?:\.exe)?)`,
    HARMFUL,
    SHELL_OUT,
    { before: 500, after: 40 },
  ),
  rule(
    'reverse_shell',
    ['/bin/sh', '/bin/bash', 'cmd.exe'],
    String.raw`(?:net\.(?:Socket|connect|createConnection)\b[\s\S]{1,400}?spawn\(["'](?:/bin/(?:ba)?sh|cmd\.exe)|spawn\(["'](?:/bin/(?:ba)?sh|cmd\.exe)["'][\s\S]{1,400}?(?:net\.Socket|net\.connect|\.connect\())`,
    HARMFUL,
    SHELL_OUT,
    { before: 460, after: 450 },
  ),
  rule(
    'reverse_shell',
    ['socket('],
    String.raw`\bSocket;[\s\S]{0,300}?\bexec\s?[({]?["']/bin/(?:ba)?sh|\bsocket\(S,PF_INET[\s\S]{0,300}?exec`,
    HARMFUL,
    SHELL_OUT,
    { before: 300, after: 500 },
  ),
  rule(
    'reverse_shell',
    ['new socket('],
    String.raw`(?:ProcessBuilder|getRuntime\(\)\.exec)\([\s\S]{0,100}?(?:/bin/(?:ba)?sh|cmd(?:\.exe)?)[\s\S]{0,200}?new Socket\(|new Socket\([\s\S]{1,200}?(?:ProcessBuilder|getRuntime\(\)\.exec)\([\s\S]{0,80}?(?:/bin/(?:ba)?sh|cmd(?:\.exe)?)`,
    HARMFUL,
    SHELL_OUT,
    { before: 400, after: 400 },
  ),
  rule('reverse_shell', ['recv('], String.raw`\.connect\(\(?`, HARMFUL, 'Waits for commands from elsewhere and runs them.', {
    before: 400,
    after: 500,
    following: [
      String.raw`\.recv\(`,
      String.raw`(?:subprocess\.(?:Popen|run|check_output|getoutput)|os\.(?:popen|system))\(`,
      String.raw`\.send`,
    ],
  }),
  rule(
    'remote_code',
    ['exec(', 'eval('],
    String.raw`\b(?:exec|eval)\(\s{0,4}(?:compile\()?\s?(?:requests\.get\(|(?:\w{1,20}\.){0,3}urlopen\(|httpx\.get\(|await \(?await fetch\(|\(await fetch\()[^\n]{1,200}`,
    HARMFUL,
    FETCHED,
    { before: 0 },
  ),
  rule(
    'remote_code',
    ['exec(', 'eval('],
    String.raw`(\w{1,30})\s?=\s?(?:requests\.get\(|(?:\w{1,20}\.){0,3}urlopen\(|httpx\.get\()[^\n]{1,160}\n[^\n]{0,160}\b(?:exec|eval)\(\s?\1\b`,
    HARMFUL,
    FETCHED,
    { before: 400, after: 60 },
  ),
  rule(
    'remote_code',
    ['eval('],
    String.raw`\bfetch\([^\n]{1,160}\)(?:\s{0,8}\.then\([^\n]{1,60}\)){1,2}\s{0,8}\.then\([^\n]{0,40}(?:\beval\b|new Function)`,
    HARMFUL,
    FETCHED,
    { before: 400, after: 40 },
  ),
  rule(
    'remote_code',
    ['file_get_contents(', 'include'],
    String.raw`\beval\([^\n]{0,40}file_get_contents\(["']https?:|\b(?:include|require)(?:_once)?[ (]{1,2}["']https?://`,
    HARMFUL,
    FETCHED,
  ),
  rule(
    'obfuscated_execution',
    ['b64decode(', 'marshal.loads(', 'decompress(', 'fromhex(', '__import__('],
    String.raw`\b(?:exec|eval)\(\s{0,4}(?:compile\()?[^\n]{0,80}(?:b64decode\(|marshal\.loads\(|decompress\(|bytes\.fromhex\(|codecs\.decode\(|__import__\(["']base64)[^\n]{0,200}`,
    HARMFUL,
    ENCODED,
    { after: 500, before: 100 },
  ),
  rule(
    'obfuscated_execution',
    ['atob(', 'fromcharcode(', 'unescape('],
    String.raw`\b(?:eval|new Function|Function|setTimeout)\(\s?(?:atob\(|String\.fromCharCode\((?:\d{2,3},\s?){4}|unescape\(["']%)[^\n]{0,200}`,
    HARMFUL,
    ENCODED,
    { before: 20 },
  ),
  rule(
    'obfuscated_execution',
    ['base64_decode(', 'gzinflate(', 'str_rot13('],
    String.raw`\b(?:eval|assert|create_function)\(\s?(?:@?\w{4,20}\(){0,3}(?:base64_decode|gzinflate|gzuncompress|str_rot13)\([^\n]{0,200}`,
    HARMFUL,
    ENCODED,
    { before: 60 },
  ),
  rule(
    'web_shell',
    ['$_get', '$_post', '$_request', '$_cookie'],
    String.raw`\b(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|create_function)\(\s?(?:@|base64_decode\(|stripslashes\(){0,2}\s?\$_(?:GET|POST|REQUEST|COOKIE)\b|${'`'}\s?\$_(?:GET|POST|REQUEST)\b[^\n]{0,40}${'`'}`,
    judgeWebShell,
    'Lets every visitor run commands on the server.',
    { before: 60 },
  ),
  rule(
    'web_shell',
    ['getruntime().exec(', 'request("cmd")', "request('cmd')"],
    String.raw`getRuntime\(\)\.exec\(\s?request\.getParameter\(|\beval\s?\(?\s?request\(["']\w{1,20}["']\)`,
    HARMFUL,
    'Lets every visitor run commands on the server.',
  ),
  rule(
    'destructive_delete',
    ['rmtree(', 'rm_rf', 'removeall(', 'rmsync(', 'rm(', 'rimraf'],
    String.raw`\bshutil\.rmtree\(\s?(?:["'](?:/|~|/home|/etc|/usr|C:\\{1,2}|C:/)["']|os\.path\.expanduser\(["']~/?["']\))|\bFileUtils\.rm_rf\(?\s?["'](?:/|~|/\*)["']|\bos\.RemoveAll\("(?:/|/home|/etc|/usr)"\)|\bfs\.(?:rmSync|rm|rmdirSync)\(["'](?:/|~|/home|C:\\{1,2})["'],?[^\n]{0,60}recursive|\brimraf\(?(?:\.sync\()?["']/["']`,
    HARMFUL,
    'Deletes the system or all files of the user.',
  ),
  rule(
    'fork_bomb',
    ['fork'],
    String.raw`\bwhile\s?\(?(?:True|1|true)\)?\s?:?\{?\s{0,12}(?:os\.)?fork\(\)|\bfork while fork\b|\bfor\s?\(;;\)\s?\{?\s{0,8}fork\(\)|\bloop\s?(?:do|\{)\s{0,8}fork\b`,
    { score: 0.8, severity: 'high' },
    'Starts processes without end until the machine stands still.',
  ),
  rule(
    'credential_theft',
    ['.ssh/id_', '.aws/credentials', 'login data', '/etc/shadow', 'os.environ', 'process.env'],
    String.raw`(?:\bopen\([^\n]{0,60}|readFileSync\([^\n]{0,60}|expanduser\([^\n]{0,40})(?:\.ssh/id_\w{2,8}|\.aws/credentials|/etc/shadow|Login Data)[\s\S]{1,300}?(?:requests\.(?:post|put|get)\(|urlopen\(|fetch\(|axios\.\w{3,4}\(|\.sendto?\()|(?:requests\.post|fetch|axios\.post)\([^\n]{1,120}(?:json|data|body)\s?[=:]\s?(?:JSON\.stringify\()?(?:dict\()?(?:os\.environ\b(?![.[])|process\.env\b(?![.[]))`,
    HARMFUL,
    'Sends credentials of the machine elsewhere.',
    { before: 300, after: 500 },
  ),
  rule(
    'credential_theft',
    ['pynput', 'getasynckeystate(', 'import keyboard'],
    String.raw`(?:pynput|GetAsyncKeyState\(|import keyboard)`,
    { score: 0.75, severity: 'high' },
    'Records what is typed and carries it away.',
    {
      before: 0,
      after: 900,
      following: [String.raw`smtplib|requests\.post|webhook|\bfopen\(|ofstream|fprintf|\bsend(?:all)?\(`],
    },
  ),
  rule(
    'ransomware',
    ['.encrypt('],
    String.raw`\b(?:os\.walk|rglob|glob\.glob)\(`,
    { score: 0.7, severity: 'high' },
    'Encrypts the files of a person and asks for money.',
    {
      before: 480,
      after: 440,
      following: [String.raw`\.encrypt\(`, String.raw`ransom|bitcoin|\bBTC\b|to decrypt|your files (?:have been|are) encrypted`],
    },
  ),
  rule('persistence', ['ld.so.preload'], String.raw`>\s?/etc/ld\.so\.preload`, HARMFUL, 'Loads its own code into every program.'),
  rule(
    'remote_code',
    ['npm install http', 'pip install http', 'pip install git+http', '--trusted-host', '--extra-index-url http://'],
    String.raw`\b(?:npm (?:i|install)|pip3? install) (?:-\S{1,20} ){0,3}(?:git\+)?http://[^\s]{1,160}|\bpip3? install [^\n]{0,100}(?:--trusted-host \S{1,80}|--extra-index-url http://\S{1,80})`,
    { score: 0.4, severity: 'low' },
    'Installs software over a line that anybody may change.',
  ),
  rule('reverse_shell', ['os.execute('], String.raw`socket\.tcp\(\)[\s\S]{1,200}?os\.execute\([^\n]{0,60}`, HARMFUL, SHELL_OUT, {
    before: 260,
    after: 80,
  }),
  rule('remote_code', ['eval(', 'new function('], String.raw`\bhttps?["']?\)?\.get\(`, HARMFUL, FETCHED, {
    before: 300,
    after: 20,
    following: [String.raw`\beval\(|new Function\(`],
  }),
  rule(
    'obfuscated_execution',
    ['buffer.from(', 'join('],
    String.raw`\beval\(\s?Buffer\.from\([^\n]{1,200}?["'](?:base64|hex)["']|\b(?:exec|eval)\(\s?["']{2}\.join\(\s?(?:map\(\s?chr|\[?\s?chr\()[^\n]{0,100}`,
    HARMFUL,
    ENCODED,
    { before: 20 },
  ),
  rule(
    'web_shell',
    ['$_get', '$_post', '$_request'],
    String.raw`\$(\w{1,20})\s?=\s?\$_(?:GET|POST|REQUEST)\[[^\]\n]{1,30}\];\s{0,4}(?:echo )?\$\1\([^\n]{0,60}`,
    HARMFUL,
    'Lets every visitor run commands on the server.',
    { before: 30 },
  ),
];

function judgeWebShell([code]: RegExpExecArray): Verdict {
  // `exec($_POST` may also be a query; commands and eval may not.
  return /^(?:exec|popen)\b/.test(code) ? { score: 0.7, severity: 'high' } : HARMFUL;
}
