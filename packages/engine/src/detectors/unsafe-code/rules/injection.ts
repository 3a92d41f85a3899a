// Code that hands what strangers send to a shell, a database, a page or an interpreter, or that opens a door to them.

import { RISKY, rule, STRANGER, type Rule, type Verdict } from '../rule.ts';

const RUN = String.raw`(?:os\.(?:system|popen)|subprocess\.(?:call|run|Popen|check_output|check_call|getoutput)|commands\.getoutput|child_process\.exec(?:Sync)?|\bexecSync|\bexec|\bshell_exec|\bsystem|\bpassthru|Runtime\.getRuntime\(\)\.exec|exec\.Command|Process\.Start)`;

/** Code that lets what a stranger sends become part of a command, a query, a page or an object. */
export const INJECTION_RULES: readonly Rule[] = [
  rule(
    'command_injection',
    ['os.system(', 'os.popen(', 'subprocess.', 'exec(', 'execsync(', 'system(', 'shell_exec('],
    String.raw`${RUN}\(\s?[^\n;]{0,120}${STRANGER}[^\n]{0,40}`,
    judgeCommand,
    'Puts what a stranger sends into a command of the shell.',
    { before: 40 },
  ),
  rule(
    'command_injection',
    ['os.system(', 'os.popen('],
    String.raw`\bos\.(?:system|popen)\(\s?(?:f["'][^"'\n]{0,120}\{\w|["'][^"'\n]{0,120}["']\s?(?:\+|%|\.format\()\s?)[^\n]{0,80}`,
    { score: 0.4, severity: 'low' },
    'Builds a command of the shell from a variable.',
    { before: 0 },
  ),
  rule(
    'command_injection',
    ['shell=true'],
    String.raw`\bsubprocess\.\w{3,14}\(\s?(?:f["'][^"'\n]{0,120}\{\w|["'][^"'\n]{0,120}["']\s?(?:\+|%|\.format\()|\w{1,30},)[^\n]{0,120}shell\s?=\s?True`,
    { score: 0.4, severity: 'low' },
    'Builds a command of the shell from a variable.',
  ),
  rule(
    'command_injection',
    ['exec(', 'execsync('],
    String.raw`\b(?:exec|execSync)\(\s?(?:${'`'}[^${'`'}\n]{0,120}\$\{|["'][a-z][^"'\n]{0,80} ["']\s?\+\s?\w)[^\n]{0,80}`,
    { score: 0.4, severity: 'low' },
    'Builds a command of the shell from a variable.',
    { before: 4 },
  ),
  rule(
    'code_injection',
    ['eval(', 'exec(', 'new function('],
    String.raw`\b(?:eval|exec|new Function|Function|vm\.runInNewContext)\(\s?(?:str\()?(?:${STRANGER})[^\n]{0,60}`,
    judgeCode,
    'Runs what a stranger sends as code.',
    { before: 24 },
  ),
  rule(
    'sql_injection',
    ['select ', 'insert into', 'update ', 'delete from'],
    String.raw`["'${'`'}]\s?(?:SELECT\b|INSERT INTO\b|UPDATE\b|DELETE FROM\b)[^\n]{1,200}?${STRANGER}[^\n]{0,40}`,
    { score: 0.55, severity: 'medium' },
    'Puts what a stranger sends into a query of the database.',
    { before: 2 },
  ),
  rule(
    'sql_injection',
    ['select ', 'insert into', 'update ', 'delete from'],
    String.raw`["'${'`'}]\s?(?:SELECT\b[^"'\n]{1,120}\bFROM\b|INSERT INTO\b|UPDATE\b[^"'\n]{1,60}\bSET\b|DELETE FROM\b)[^"${'`'}\n]{0,160}(?:["']\s?(?:\+|\.|\|\||&)\s?\$?\w|\$\{\w|\{\w{1,30}\}|%s["'][^\n]{0,10}%\s?\(?\w|["']\s?\.format\(|\$\w{2,30}["'\s])[^\n]{0,40}`,
    { score: 0.35, severity: 'low' },
    'Builds a query of the database from a variable.',
    { before: 2 },
  ),
  rule(
    'cross_site_scripting',
    ['innerhtml', 'outerhtml', 'document.write', 'insertadjacenthtml', '.html('],
    String.raw`(?:\.(?:innerHTML|outerHTML)\s?\+?=|document\.writeln?\(|insertAdjacentHTML\(|\$\([^\n)]{1,40}\)\.html\()[^\n;]{0,160}(?:${STRANGER}|location\.(?:hash|search|href)|URLSearchParams|decodeURIComponent\(|event\.data\b|userInput|user_input)`,
    { score: 0.5, severity: 'medium' },
    'Puts what a stranger sends into a page as markup.',
    { before: 50 },
  ),
  rule(
    'cross_site_scripting',
    ['dangerouslysetinnerhtml', 'v-html', 'mark_safe(', '|safe', 'bypasssecuritytrusthtml'],
    String.raw`dangerouslySetInnerHTML=\{\{\s?__html:\s?[^}\n]{1,80}|\bv-html=["'][^"'\n]{1,60}|\bmark_safe\([^\n]{1,60}|bypassSecurityTrustHtml\([^\n]{1,60}`,
    { score: 0.25, severity: 'low' },
    'Puts a variable into a page as markup.',
  ),
  rule(
    'cross_site_scripting',
    ['$_get', '$_post', '$_request', '$_cookie'],
    String.raw`(?:\becho|\bprint|<\?=)\s?(?:["'][^"'\n]{0,60}["']\s?\.\s?)?\$_(?:GET|POST|REQUEST|COOKIE)\b[^\n]{0,40}`,
    { score: 0.5, severity: 'medium' },
    'Shows what a stranger sends as part of the page.',
    { before: 80 },
  ),
  rule(
    'unsafe_deserialization',
    ['objectinputstream('],
    String.raw`new ObjectInputStream\(\s?(?:request|req|socket|\w{1,20}[sS]ocket|exchange)\.get(?:InputStream|RequestBody)\(`,
    { score: 0.6, severity: 'medium' },
    'Builds objects from what a stranger sends, which can run code.',
    { before: 4 },
  ),
  rule(
    'unsafe_deserialization',
    [
      'pickle.load',
      'yaml.load(',
      'unserialize(',
      'marshal.load',
      'readobject(',
      'jsonpickle.decode',
      'dill.load',
      'yaml.unsafe_load',
    ],
    String.raw`\b(?:c?pickle\.loads?|dill\.loads?|marshal\.loads|yaml\.(?:load|unsafe_load)|jsonpickle\.decode|unserialize|YAML\.load|Marshal\.load)\([^\n]{0,100}(?:${STRANGER}|\.recv\(|urlopen\(|requests\.get\(|b64decode\()[^\n]{0,40}`,
    { score: 0.6, severity: 'medium' },
    'Builds objects from what a stranger sends, which can run code.',
    { before: 12 },
  ),
  rule(
    'unsafe_deserialization',
    ['pickle.load', 'yaml.load(', 'yaml.unsafe_load'],
    String.raw`\b(?:c?pickle\.loads?\(\w{1,40}|yaml\.load\((?![^\n]{0,80}(?:SafeLoader|CSafeLoader|safe))[^\n)]{1,60}\)|yaml\.unsafe_load\()`,
    { score: 0.25, severity: 'low' },
    'Builds objects from data, which can run code when the data comes from others.',
    { before: 12 },
  ),
  rule(
    'tls_verification_disabled',
    [
      'verify=false',
      'verify = false',
      'rejectunauthorized',
      'tls_reject_unauthorized',
      'insecureskipverify',
      'ssl_verifypeer',
      'ssl_verifyhost',
      '_create_unverified_context',
      'cert_none',
      'servercertificatevalidationcallback',
      'allowallhostnameverifier',
      'noophostnameverifier',
      'verify_none',
      'danger_accept_invalid_certs',
    ],
    String.raw`\bverify\s?=\s?False\b|\brejectUnauthorized\s?:\s?false|NODE_TLS_REJECT_UNAUTHORIZED["'\]]{0,2}\s?=\s?["']?0|InsecureSkipVerify\s?:\s?true|CURLOPT_SSL_VERIFY(?:PEER|HOST)\s?(?:,|=>)\s?(?:false|0)|_create_unverified_context\b|\bssl\.CERT_NONE\b|ServerCertificateValidationCallback\s?\+?=[^\n]{0,80}true|ALLOW_ALL_HOSTNAME_VERIFIER|AllowAllHostnameVerifier|NoopHostnameVerifier|VERIFY_NONE\b|danger_accept_invalid_certs\(true\)`,
    { score: 0.4, severity: 'low' },
    'Talks to whoever answers: nobody checks who the other side is.',
  ),
  rule(
    'destructive_sql',
    ['drop database', 'drop schema', 'dropdatabase('],
    String.raw`\bDROP (?:DATABASE|SCHEMA)\b(?: IF EXISTS)? ["'${'`'}[]?[\w.$-]{1,64}|\bdb\.dropDatabase\(\)`,
    judgeDrop,
    'Deletes a whole database.',
  ),
  rule(
    'destructive_sql',
    ['delete from', 'truncate table'],
    String.raw`\bDELETE FROM ["'${'`'}[]?[\w.]{1,64}["'${'`'}\]]?\s{0,2};|\bTRUNCATE TABLE ["'${'`'}[]?[\w.]{1,64}`,
    { score: 0.4, severity: 'medium' },
    'Deletes all rows of a table.',
  ),
  rule(
    'path_traversal',
    ['open(', 'sendfile(', 'readfile', 'file_get_contents(', 'include'],
    String.raw`(?:\bopen\(|\bsendFile\(|\breadFile(?:Sync)?\(|\bfile_get_contents\(|\b(?:include|require)(?:_once)?[ (])\s?[^\n;]{0,80}(?:\brequest\.(?:args|GET|form|query)\b|\breq\.(?:query|params|body)\b|\$_(?:GET|POST|REQUEST)\b)[^\n]{0,40}`,
    { score: 0.5, severity: 'medium' },
    'Lets a stranger choose which file is read.',
    { before: 12 },
  ),
  rule(
    'open_service',
    ['debug=true', 'bind_address', '0.0.0.0/0'],
    String.raw`\bapp\.run\([^\n]{0,60}host\s?=\s?["']0\.0\.0\.0["'][^\n]{0,60}debug\s?=\s?True|\bapp\.run\([^\n]{0,60}debug\s?=\s?True[^\n]{0,60}host\s?=\s?["']0\.0\.0\.0["']`,
    { score: 0.4, severity: 'low' },
    'Opens a debugger that runs code to the whole network.',
  ),
];

function judgeCommand([code]: RegExpExecArray): Verdict | null {
  // Reading arguments of the own command line is how tools are made.
  if (/\b(?:sys\.argv|argv\[|input\(|readline\(|gets\b)/.test(code)) return { score: 0.4, severity: 'low' };
  // `cursor.exec(` and `regex.exec(` run no command; neither does a list of arguments.
  if (/^exec\([^\n]{0,40}(?:SELECT|INSERT|UPDATE|DELETE)\b/i.test(code) || /\(\s?\[/.test(code)) return null;
  return RISKY;
}

function judgeCode([code]: RegExpExecArray): Verdict {
  return /\b(?:input\(|sys\.argv|argv\[|gets\b|readline\()/.test(code)
    ? { score: 0.4, severity: 'low' }
    : { score: 0.65, severity: 'high' };
}

function judgeDrop([statement]: RegExpExecArray): Verdict {
  return /IF EXISTS|test|tmp|temp|demo|example|sample/i.test(statement)
    ? { score: 0.3, severity: 'low' }
    : { score: 0.45, severity: 'medium' };
}
