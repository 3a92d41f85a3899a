// What some words do to a sentence, whatever it is about: deny, count, hedge, speak of the speaker, ask, measure.

import { THESAURUS } from './thesaurus.ts';
import { tokensOf } from './tokens.ts';

/** Denies the word after it. */
export const NEGATION = 1;
/** Speaks of the speaker: no document can back it. */
export const SELF = 2;
/** Agreement, thanks, greetings, turns of talk: claims nothing about the subject. */
export const CHAT = 4;
/** Weakens what is claimed. */
export const HEDGE = 8;
/** Asks for a number or a date. */
export const ASKS_NUMBER = 16;
/** Asks for a person. */
export const ASKS_PERSON = 32;
/** Says that a thing is not known or not stated. */
export const UNKNOWN = 64;
/** What an answer rests on, when it says that it does not say something. */
export const SOURCE = 256;
/** Opens or closes a letter or a chat. */
export const GREETING = 512;
/** Grammar: carries no claim, however rare it is in short texts. */
export const GRAMMAR = 128;

const CLASSES: readonly (readonly [number, string])[] = [
  [
    GRAMMAR,
    `a about after again all also although am among an and any are as at be because been before being both but by can could did do does doing
    done down during each either else even ever few for from get gets getting got had has have having he her here hers herself him himself his
    how however i if in into is it its itself just let me might more most much my myself of off on once only onto or other our out over own per
    quite rather s same shall she should since so some such t than that the their them themselves then there these they this those though
    through thus to too toward towards under until up upon us very was we were what when where whether which while who whom whose why will
    with within would yet you your yours yourself re ve ll don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn still
    between across along around well really actually also therefore hence via
    aber als also am an auch auf aus bei bin bis da damit dann das dass dem den der des die dies diese dieser dieses doch du durch ein eine einem
    einen einer eines er es für hat hatte ihr im in ist ja kann man mit nach noch nur ob oder schon sehr sein seine sich sie sind so über um und
    unter vom von vor war waren was weil wenn wer wie wird wurde wurden zu zum zur zwischen
    au aux avec ce ces cet cette comme dans de des donc du elle elles en est et été être eu il ils la le les leur lui mais même où ou par plus
    pour qu que qui sa se ses si son sont sur ta te tu un une vous y à
    al como con cual cuando de del desde donde e el ella ellas ellos en entre era es esta este esto está están fue ha han hasta la las le les lo
    los más muy o para pero por porque que se ser si sido sin sobre su sus también tiene un una y ya
    ao aos as com da das do dos ele ela em essa esse esta este foi isso já mais mas na nas no nos num numa os ou pela pelo são seu sua também um uma
    che ci cui da dal dalla degli dei del della delle di e gli ha hanno il ed è era loro ma nel nella noi o per più questa questo si sono su sua sul
    suo tra tutto un una uno
    aan als bij dat de deze die dit door een en er haar heeft het hij hun is kan maar met naar niet nog of om onder ook op te tot uit van voor was
    wat werd worden wordt zich zij zijn zo
    а без бы был была были было быть в во вот все всех вы где да для до его ее если есть еще же за и из или им их к как когда которая которые
    который ли между на над него нее ни но о об он она они от по под при с со так также там то того тоже только у уже что чтобы это этого этой
    من في على إلى عن مع هذا هذه ذلك التي الذي كان كانت أن إن أو ثم قد ما كما بعد قبل بين كل و
    का की के को में से है हैं था थे थी और कि यह वह एक पर ने भी हो तो जो इस उस लिए साथ गया किया`,
  ],
  [
    NEGATION,
    `not no never none nobody nothing neither nor cannot without hardly n nicht kein keine keinen keinem keiner nie niemals ohne ne pas
    jamais aucun aucune sans nunca ningún ninguna ninguno sin jamás não nem nenhum nenhuma sem non mai nessuno senza niet geen nooit
    не нет никогда без ни nie bez żaden değil yok hiç ingen aldrig ikke aldri 不 没有 没 無 无 未 ない ません لا ليس لم لن غير नहीं न मत बिना không chưa`,
  ],
  [
    SELF,
    `i me my mine myself we us our ours im ive ich mir mich mein meine wir je moi mon ma mes nous yo mi eu meu minha io mio noi я мне мой мы 我 我们 मैं मुझे मेरा أنا`,
  ],
  [
    CHAT,
    `yes yeah yep yup no nope ok okay sure oh ah hi hello hey thanks thank please welcome sorry wow haha lol hmm well great nice cool
    agree agreed right indeed absolutely definitely course glad happy hope hopes hoping help helps helped helpful helping let know knows
    assist assists assistance question questions interesting awesome agrees appreciate pleasure anytime ask asking asked answer answers
    fun true exactly really think guess like love bet cool awesome amazing fantastic understand hear see mean believe wonder heard likes loves liked loved
    thinking thought said saying tell nice bad good too so do did does wait anything else question more feel free reach bye goodbye favorite favourite ja nein danke bitte gern gerne hallo helfen sonst weitere fragen oui non merci bonjour sí gracias hola sim obrigado
    olá grazie ciao prego да нет спасибо привет 谢谢 您好 你好 ありがとう शुक्रिया धन्यवाद नमस्ते شكرا مرحبا`,
  ],
  [
    HEDGE,
    `maybe perhaps possibly probably might may could seem seems seemingly appears likely believe suppose presumably apparently think guess
    vielleicht möglicherweise wahrscheinlich peut probablement quizás quizá probablemente talvez forse возможно вероятно 可能 也许 ربما शायद`,
  ],
  [
    ASKS_NUMBER,
    `when year years many much long old often percentage percent date century decade age wann viele viel jahr alt lange prozent quand
    combien année cuándo cuántos cuántas cuánto cuanto año porcentaje quando quantos quanto anno когда сколько год متى كم عام कब कितने कितना
    कितनी वर्ष 多少 几 何时 哪一 年份 什么时候 いつ ngày`,
  ],
  [ASKS_PERSON, `who whom whose wer wem wen qui quién quiénes quem chi кто 谁 من कौन किसने किस 誰`],
  [
    UNKNOWN,
    `know mention mentions mentioned specify specifies specified state states stated say says contain contains include includes provide provides
    provided find found see unclear unknown information details answer weiß steht erwähnt angegeben genannt enthält finde gefunden sais mentionne
    mentionné précisé contient trouvé sé menciona mencionado especificado contiene encontré información sei mencionado encontrei so menzionato
    specificato trovato знаю указано упомянуто сказано нашел 没有提到 未提及 不知道 तथ्य`,
  ],
  [
    SOURCE,
    `document documents context text passage article source sources evidence information material excerpt page dokument text kontext quelle
    informationen document texte contexte source documento texto contexto fuente documento testo contesto fonte документе тексте
    контексте источнике`,
  ],
  [
    GREETING,
    `hi hello hey dear thanks thank regards sincerely cheers bye goodbye best kind warm welcome hallo liebe lieber grüße gruß danke freundlichen
    bonjour salut merci cordialement bien hola gracias saludos cordiales olá obrigado obrigada abraços ciao grazie saluti hoi bedankt groeten
    привет здравствуйте спасибо уважением 您好 你好 谢谢 こんにちは 안녕하세요 مرحبا شكرا नमस्ते धन्यवाद`,
  ],
];

/** How much of a set is spoken of: of the same things, different lines contradict each other. */
const QUANTIFIERS: readonly string[] = [
  'all every each always alle jeder jede jedes immer tous toutes toujours todos todas siempre sempre tutti tutte все всегда 所有 全部 总是 كل جميع सभी हमेशा',
  'some sometimes several few certain partly manche einige manchmal quelques parfois algunos algunas alguns alcuni некоторые иногда 有些 一些 有时 بعض कुछ',
  'none never nobody nothing neither kein keine nie aucun jamais ninguno nunca nenhum nessuno никто никогда',
  'most mostly mainly majority meisten meist plupart mayoría maioria maggior большинство 大多数 大部分 معظم अधिकांश अधिकतर',
];

/** Words of one unit a line. */
const UNITS = `
percent percentage prozent pourcent
hundred hundreds hundert cien
thousand tausend mille mil тысяч हज़ार ألف
million millions millionen millón millones milhões milioni миллион 百万 مليون
billion billions milliarde milliarden milliard milliards miliardi bilhões миллиард अरब مليار
trillion trillions billionen
dollar dollars usd
euro euros eur
pound pounds gbp
yen jpy
kilometre kilometer kilometers kilometres km
mile miles
metre meter meters metres
foot feet ft
inch inches
kilogram kilograms kg kilo
gram grams
tonne tonnes ton tons
second seconds sekunden
minute minutes minuten minutos
hour hours stunden stunde heures horas
day days tage tag jours días dias
week weeks wochen semaines semanas
month months monate mois meses
year years jahre jahr ans années años anos
decade decades
century centuries
bc bce
ad ce
am
pm
celsius
fahrenheit
`;

/** Words for numbers. "One" is there to be matched by `1`; in an answer it rarely counts. */
const NUMBER_WORDS: readonly (readonly [number, string])[] = [
  [0, 'zero null cero'],
  [1, 'one first ein eins erste un premier uno primero um один एक واحد'],
  [2, 'two zwei deux dos dois due два две दो اثنان'],
  [3, 'three third drei trois три तीन ثلاثة ثلاث'],
  [4, 'four fourth vier quatre cuatro quatro quattro четыре चार أربعة أربع'],
  [5, 'five fifth fünf cinq cinco cinque пять पांच पाँच خمسة خمس'],
  [6, 'six sixth sechs seis шесть ستة ست'],
  [7, 'seven sieben sept siete семь सात سبعة سبع'],
  [8, 'eight acht huit ocho oito otto восемь आठ ثمانية'],
  [9, 'nine neun neuf nueve nove девять تسعة تسع'],
  [10, 'ten tenth zehn dix diez dez dieci десять दस عشرة عشر'],
  [11, 'eleven elf onze undici'],
  [12, 'twelve zwölf douze doce doze dodici'],
  [13, 'thirteen dreizehn treize trece'],
  [14, 'fourteen vierzehn quatorze catorce'],
  [15, 'fifteen fünfzehn quinze quince'],
  [16, 'sixteen sechzehn seize'],
  [17, 'seventeen siebzehn'],
  [18, 'eighteen achtzehn'],
  [19, 'nineteen neunzehn'],
  [20, 'twenty zwanzig vingt veinte vinte venti двадцать बीस'],
  [30, 'thirty dreißig trente treinta trinta trenta'],
  [40, 'forty vierzig quarante cuarenta'],
  [50, 'fifty fünfzig cinquante cincuenta'],
  [60, 'sixty sechzig soixante sesenta'],
  [70, 'seventy siebzig setenta'],
  [80, 'eighty achtzig ochenta'],
  [90, 'ninety neunzig noventa'],
];

/** What is known of a word as it is written. */
export interface Entry {
  /** Bits of the classes above. */
  classes: number;
  /** Bits by line of quantifiers. */
  quantifiers: number;
  /** 1-based line of units, 0 for none. */
  unit: number;
  /** `NaN` for words that are no number. */
  value: number;
}

const ENTRIES = new Map<number, Entry>();
/** Most words are in no list: one bit tells, by the low bits of the hash, and saves the look into the map. */
const FILTER_BITS = 16;
const KNOWN_EXACT = new Uint8Array(1 << FILTER_BITS);
const KNOWN_STEM = new Uint8Array(1 << FILTER_BITS);
const FILTER_MASK = (1 << FILTER_BITS) - 1;

for (const [bit, words] of CLASSES) for (const entry of entriesOf(words)) entry.classes |= bit;
QUANTIFIERS.forEach((words, line) => {
  for (const entry of entriesOf(words)) entry.quantifiers |= 1 << line;
});
UNITS.trim()
  .split('\n')
  .forEach((words, line) => {
    for (const entry of entriesOf(words)) entry.unit = line + 1;
  });
for (const [value, words] of NUMBER_WORDS) for (const entry of entriesOf(words)) entry.value = value;

const MEANINGS = new Map<number, number[]>();
const LINES = THESAURUS.trim().split('\n');
LINES.forEach((line, index) => {
  line.split('|').forEach((words, side) => {
    const { stems, count } = tokensOf([words], words.length);
    for (const stem of new Set(stems.subarray(0, count))) {
      KNOWN_STEM[(stem >>> 1) & FILTER_MASK] = 1;
      const known = MEANINGS.get(stem);
      if (known === undefined) MEANINGS.set(stem, [index * 2 + side]);
      else known.push(index * 2 + side);
    }
  });
});

/** One more than the highest meaning. */
export const MEANINGS_COUNT = LINES.length * 2;

const NO_MEANINGS: readonly number[] = [];

/** What is known of the word with this exact hash; `undefined` for most. */
export function entryOf(exact: number): Entry | undefined {
  return KNOWN_EXACT[(exact >>> 1) & FILTER_MASK] === 0 ? undefined : ENTRIES.get(exact);
}

/** The meanings that words with this stem may have; the opposite of meaning `m` is `m ^ 1`. */
export function meaningsOf(stem: number): readonly number[] {
  return KNOWN_STEM[(stem >>> 1) & FILTER_MASK] === 0 ? NO_MEANINGS : (MEANINGS.get(stem) ?? NO_MEANINGS);
}

function entriesOf(words: string): Entry[] {
  const { exacts, count } = tokensOf([words], words.length);
  return [...new Set(exacts.subarray(0, count))].map((exact) => {
    const known = ENTRIES.get(exact);
    if (known !== undefined) return known;
    const entry = { classes: 0, quantifiers: 0, unit: 0, value: Number.NaN };
    ENTRIES.set(exact, entry);
    KNOWN_EXACT[(exact >>> 1) & FILTER_MASK] = 1;
    return entry;
  });
}
