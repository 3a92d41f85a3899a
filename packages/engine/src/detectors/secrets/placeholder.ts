// Tells what stands for a credential in documents and code from a credential: placeholders, references, calls, words.

import { strangeness } from './strangeness.ts';

// Words that say "put yours here" or "not real". Whole segments only, so that random letters do not spell one by accident.
const PLACEHOLDER_WORD =
  /(?:^|[^A-Za-z])(?:example|sample|dummy|placeholder|change[_-]?me|changeit|replace[_-]?me|replace|redacted|removed|hidden|masked|insert|your|my|fake|mock|todo|fixme|foo|foobar|bar|none|null|undefined|nil|true|false|default|secret|password|token|key|here|test|demo|value|string|username|user|admin|root|guest|empty|unknown|required|optional|enter|not|invalid|wrong|bad)(?![A-Za-z])/i;
const STRONG_PLACEHOLDER =
  /change[_-]?me|changeit|replace[_-]?(?:me|with|this)|placeholder|redacted|your[_-]|[_-]here\b|insert[_-]|dummy|example[_-]|x{4}|\*{3}|\.{3}|…|not[_-]?(?:a|real|the)|fake|todo|goes[_-]?here/i;

/** True when `value` says of itself that it is not a credential: `your_api_key_here`, `xxxx`, `changeme`, `***`. */
export function isPlaceholder(value: string): boolean {
  return STRONG_PLACEHOLDER.test(value);
}

/** True when a whole segment of `value` is a word of examples: `test-token`, `my_password`. */
export function hasPlaceholderWord(value: string): boolean {
  return PLACEHOLDER_WORD.test(value);
}

const TEMPLATE = /\$\{|\$\(|\{\{|#\{|%\(|<%|^\{|^%[a-z]$|^%~|^%\w+%|^[A-Z]:\\|^\[|:\/\/|^[$%@&!*][({[]/;
/** `$dbPwd`: letters alone; a password that starts with a dollar sign has more. */
const VARIABLE = /^\$[A-Za-z_]{1,40}$/;
const NAMED = /^(?:[$%@&!*]|\.{0,2}\/|~\/)/;

/** True when `value` leads to a credential kept elsewhere: `${X}`, `{{ x }}`, `%s`, `!vault`, a path, a URL. */
export function isReference(value: string): boolean {
  return TEMPLATE.test(value) || VARIABLE.test(value) || (NAMED.test(value) && strangeness(value) < 0.35);
}

const CALL = /^[&*!]{0,2}[A-Za-z_$][\w$.:>-]{0,80}[([]|\)\.|=>|->|::|\(\)/;
const MEMBER = /^[A-Za-z_$][\w$]{0,60}(?:\??\.[\w$]{1,60}){1,8}$/;

/** True when `value` is a piece of a program: a call, an index, a member of an object. */
export function isCode(value: string): boolean {
  return CALL.test(value) || MEMBER.test(value);
}
