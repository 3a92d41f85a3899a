// Circumstances in which the words of an attack are most likely talk about something else, or about attacks.

/** Looks like a question or a task about the words: "How do I make git ignore …", "Write a note asking a client to disregard …". */
const ASKS_ABOUT =
  /^[\s"'*\-\d.)]{0,6}(?:why|how (?:do|does|can|to|would|should)|what (?:does|do|happens|is (?:a|an|the difference)|are (?:the|some))|when (?:should|does)|is (?:there|it)|(?:can|may|should) i(?: safely)?|does|compare|could you show me how|explain|describe (?:how|what)|define|give me \w{1,8} reasons|write (?:a|an|the) (?:\w+ ){0,3}(?:note|article|story|essay|e-?mail|letter|blog|poem|test|function|script|song|report|regex|query|rule|classifier)|in (?:the|a|an) [\w ]{1,20}, new|summari[sz]e (?:the|this|our) \w+ \w+ and)\b/i;

/** Reports what someone says: "my colleague told me to …", "which lets users …". */
const REPORTS =
  /\b(?:told|asked|asks|asking|says?|said|advis\w{1,4}|lets?|allows?|managed|wanted|tried|able|decided|needs?|whether|has|had|how) (?:(?:me|us|him|her|them|users?|people|we|you|a \w+|the \w+) )?(?:to |may |can |should |must )?(?:\w+ ly )?$/i;

/** Talk about attacks as a subject. */
const SUBJECT =
  /\b(?:prompt[- ]injections?|jailbreak(?:s|ing)? (?:attacks?|attempts?|prompts?|techniques?)|red[- ]team\w{0,3}|adversarial (?:prompt|attack|input)s?|attackers?|owasp|vulnerabilit(?:y|ies)|guardrails?)\b/i;

/** What the speaker has said themself, or instructions of something else than the model: theirs to take back. */
const OWN_WORDS =
  /\b(?:(?:i|we)(?:'ve| have)? (?:just )?(?:said|wrote|told|asked|sent|mentioned)|(?:said|wrote|asked|sent) (?:about|earlier)|my (?:\w+ )?(?:messages?|mails?|questions?|texts?|e-?mails?|requests?|comments?)|was ich|mein\w{0,2} (?:\w+ )?(?:nachrichten?|fragen?|mails?|texte?)|lo que (?:te )?dije|ce que j'ai dit)\b|\b(?:instructions?|anweisungen|steps?) (?:in|on|of|im|auf|der|des) (?:the |your |dem |den |der )?(?:recipe|manual|packag\w+|box|leaflet|letter|label|rezept|handbuch|packung|anleitung)/i;

const QUOTES = '"\'“”‘’«»`';

/** How much of a wording match's weight remains, 0–1, for a match at `[start, end)` of a segment. */
export function remainder(segment: string, start: number, end: number): number {
  let share = 1;
  if (ASKS_ABOUT.test(segment)) share *= 0.45;
  const before = segment.slice(Math.max(0, start - 40), start);
  if (REPORTS.test(before)) share *= 0.5;
  if (SUBJECT.test(segment)) share *= 0.55;
  if (isQuoted(segment, start, end)) share *= 0.7;
  if (OWN_WORDS.test(segment)) share *= 0.5;
  return share;
}

/** True when a quotation mark stands right before the match and another one after it. */
function isQuoted(segment: string, start: number, end: number): boolean {
  const before = segment.slice(Math.max(0, start - 2), start + 1);
  const mark = Array.from(before).find((char) => QUOTES.includes(char));
  if (mark === undefined) return false;
  return Array.from(QUOTES).some((quote) => segment.indexOf(quote, end) >= 0);
}
