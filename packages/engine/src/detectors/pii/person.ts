// Names of people, only where a cue makes them near certain: "my name is …", "Dear Mr. …", a signature.

import { isWord } from './chars.ts';
import type { Find } from './finds.ts';

/** What must follow a cue for it to count. */
type Sort = 'name' | 'self' | 'greeting' | 'title' | 'signature' | 'field' | 'record' | 'holder';

const CUES: Readonly<Record<Sort, string>> = {
  name: "name is|mein name ist|ich heiße|je m'appelle|je m’appelle|mon nom est|me llamo|mi nombre es|mi chiamo|il mio nome è|meu nome é|me chamo|mijn naam is|ik heet|jag heter|mitt namn är|jeg heter|jeg hedder|nazywam się|меня зовут",
  self: "i am|i'm|this is|soy|ich bin|je suis|ik ben|sono|eu sou|jag är",
  greeting:
    'dear|hello|hi|hallo|hola|bonjour|sehr geehrter|sehr geehrte|cher|chère|estimado|estimada|gentile|caro|cara|beste|geachte',
  title:
    'mr.|mrs.|ms.|mr|mrs|dr.|prof.|herr|frau|mme|mlle|monsieur|madame|señor|señora|sr.|sra.|signor|signora|dott.|mevrouw|meneer',
  signature:
    'sincerely|regards|best wishes|yours truly|faithfully|grüßen|cordialement|saludos|cordiali saluti|signed|signed by|groeten',
  field:
    'from:|to:|cc:|attn:|attention:|beneficiary:|patient:|customer:|employee:|applicant:|recipient:|full name:|account holder:|contact:|guest:|passenger:|tenant:|hr record:|surname:',
  record: '"name":|name:|name=',
  holder:
    'patient|customer|account holder|belongs to|issued to|contact is|owner|employee|passenger|flight for|codice fiscale di|cpf de|nif de|dni de|application of|prescribed to|married to',
};

interface PersonCue {
  readonly literal: string;
  readonly sort: Sort;
}

const PERSON_CUES: readonly PersonCue[] = (Object.entries(CUES) as [Sort, string][]).flatMap(([sort, list]) =>
  list.split('|').map((literal) => ({ literal, sort })),
);

/** Anchors that can stand before a name. */
export const PERSON_ANCHORS: readonly string[] = PERSON_CUES.map((cue) => cue.literal);

const WORD = String.raw`\p{Lu}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*`;
const PARTICLE = String.raw`(?:van|von|de|da|der|den|del|della|di|la|le|el|al|bin|ben|ten|ter|dos|das|du|af|zu|zum)`;
const FULL = new RegExp(String.raw`^${WORD}(?: \p{Lu}\.)?(?: ${PARTICLE}){0,2}(?: ${WORD}){1,2}`, 'u');
const ONE = new RegExp(String.raw`^(?:${PARTICLE} ){0,2}${WORD}(?: \p{Lu}\.)?(?:(?: ${PARTICLE}){0,2} ${WORD}){0,2}`, 'u');
const REVERSED = new RegExp(String.raw`^${WORD}, ${WORD}`, 'u');
const TITLE =
  /^(?:(?:Mr|Mrs|Ms|Mx|Dr|Prof|Sir|Herrn?|Frau|Mme|Mlle|Monsieur|Madame|Señora?|Sra?|Signora?|Dott|Mevrouw|Meneer)\.? )+/u;
const BETWEEN: Readonly<Record<Sort, RegExp>> = {
  name: /^[ :,]{1,2}"?/,
  self: /^ /,
  greeting: /^ /,
  title: /^ /,
  signature: /^,? ?:? ?\n{1,2} {0,4}|^: |^ by:? /,
  field: /^ ?"?/,
  record: /^ ?"?/,
  holder: /^ /,
};
const SCORES: Readonly<Record<Sort, number>> = {
  name: 0.85,
  self: 0.6,
  greeting: 0.65,
  title: 0.7,
  signature: 0.75,
  field: 0.65,
  record: 0.6,
  holder: 0.6,
};

/** Capitalised words that follow such cues and are no names. */
const NOT_NAMES = new Set(
  (
    'The A An This That There All Everyone Everybody Team Customer Customers Sir Madam Sirs Hiring Manager Recruiter World Friend Friends Valued Member User Users Colleague ' +
    'Colleagues Support Service Services Department Committee Company Inc Ltd Corp University College School Bank Group President Prime Minister Professor Doctor Guest Reader ' +
    'Editor Admin Board Sales Human Resources Santa Claus Kitty Python Java Javascript Assistant American German French Spanish British Chinese English Not Very Also New Big ' +
    'Happy Sorry Glad Looking Writing Good Great Day Morning Evening Afternoon My Your Our His Her Their It We You They If In On At To For And Or But What When Where How Why ' +
    'Client Director Officer Number Name Address Account Care Data System Project Experience Satisfaction Relationship Monday Tuesday Wednesday Thursday Friday Saturday Sunday ' +
    'January February March April June July August September October November December United States Kingdom North South East West Street Google Microsoft Amazon Apple OpenAI ' +
    'ChatGPT Claude GPT AI LLM Lord God Jesus Christ Mother Father Mom Dad Grandma Mama Papa Baby Success Stories Engagement Citizen Explorer Miss Dr Mr Mrs Ms'
  ).split(' '),
);

/** The longest name looked at, title included. */
const NAME_MAX = 72;

/** Judges the anchor `index` of `PERSON_ANCHORS` that ends at `end`. */
export function findPerson(text: string, index: number, end: number): Find | null {
  const { literal, sort } = PERSON_CUES[index]!;
  if (isWord(text.charCodeAt(end - literal.length - 1)) || isWord(text.charCodeAt(end))) return null;
  const gap = BETWEEN[sort].exec(text.slice(end, end + 8));
  if (gap === null) return null;
  const titleStart = end + gap[0].length;
  const title = TITLE.exec(text.slice(titleStart, titleStart + 24))?.[0] ?? '';
  const start = titleStart + title.length;
  const isTitled = sort === 'title' || title !== '';
  const name = nameAt(text, sort, start, isTitled);
  if (name === null || hasOtherWord(name)) return null;
  const last = start + name.length;
  if (isWord(text.charCodeAt(last)) || !fits(sort, text, end - literal.length, last, isTitled)) return null;
  const score = SCORES[sort] + (title === '' ? 0 : 0.1) - (sort === 'title' && !name.includes(' ') ? 0.15 : 0);
  return {
    kind: 'person',
    start: sort === 'title' ? end - literal.length : titleStart,
    end: last,
    score,
    method: 'pattern+context',
  };
}

/** The name at `start`, without the `'s` of what belongs to it. */
function nameAt(text: string, sort: Sort, start: number, isTitled: boolean): string | null {
  const slice = text.slice(start, start + NAME_MAX);
  const match = (isTitled ? ONE : FULL).exec(slice) ?? (REVERSED_SORTS.has(sort) ? REVERSED.exec(slice) : null);
  return match === null ? null : match[0].replace(/['’]s$/, '');
}

/** `Okafor, Ada`, where a form or a register is likely. */
const REVERSED_SORTS = new Set<Sort>(['name', 'field', 'record', 'holder']);

function hasOtherWord(name: string): boolean {
  return name
    .split(/[ -]/)
    .some((word) => NOT_NAMES.has(word) || (word.length > 3 && NOT_NAMES.has(word[0]! + word.slice(1).toLowerCase())));
}

/** Things have names too: a person's stands in a record with an address or a number. */
const RECORD_MAX = 64;

/** What must stand around, by the sort of cue. */
function fits(sort: Sort, text: string, cueStart: number, end: number, isTitled: boolean): boolean {
  const after = text.slice(end, end + 3);
  switch (sort) {
    case 'greeting':
      return isTitled || /^(?:[,!:;.]|$|\n)/.test(after);
    case 'self':
      return /^(?:[,.!;:\n]|$| \(| -| [–—]|,? and)/.test(text.slice(end, end + 5));
    case 'signature':
      return /^[ ,.]{0,2}(?:\n|$)/.test(after);
    case 'title':
      return isTitleWritten(text, cueStart);
    case 'field':
      return /^(?: ?[<(|\n,;]|$|"|\r)/.test(after) && /[\n"'|>\s]/.test(text[cueStart - 1] ?? '\n');
    case 'record':
      return (
        /^["\s,|;]/.test(after) &&
        /(?:e-?mail|phone|tel|address|birth|dob|ssn|passport)\b/i.test(text.slice(end, end + RECORD_MAX))
      );
    case 'holder':
      return /^(?:[,.;:)\n]|$| \(| (?:was|is|has|called|expires|reports|says|é|è|es)(?!\p{L}))/u.test(text.slice(end, end + 9));
    case 'name':
      return true;
  }
}

/** "mr" without a capital is most often something else. */
function isTitleWritten(text: string, cueStart: number): boolean {
  return /\p{Lu}/u.test(text[cueStart] ?? '');
}
