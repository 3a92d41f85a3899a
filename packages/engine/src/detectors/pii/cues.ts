// The words around values that tell what a number is: `IBAN`, `geboren`, `invoice`. They are the detector's anchors.

import type { AnchorHits } from '../../types.ts';
import { isAsciiLetter, isLetter } from './chars.ts';

/**
 * Words by what they announce, separated by `|`. A word stands alone in the text; `*` after it admits an ending
 * (`telefon*` is in `Telefonnummer`), `*` before it a beginning. Lower case.
 */
const WORDS = {
  card: 'card|cards|credit card|card number|cardnumber|card_number|creditcard*|kreditkarte*|carte bancaire|carte bleue|tarjeta|cartão|carta di credito|visa|mastercard|amex|pan|cc',
  iban: 'iban*',
  bank: '*bank account*|account number|account no|account_number|acct|a/c|kontonummer|konto-nr|kontonr|routing|sort code|*bank transfer|beneficiary|iban no|swift|rekeningnummer|numéro de compte|número de cuenta|numero di conto|conta corrente',
  account: 'account|konto|compte|cuenta|conto|conta|rekening',
  ssn: 'ssn|social security|social sec|soc sec|ss#|social_security*',
  itin: 'itin|taxpayer id*|individual taxpayer',
  ein: 'ein|employer id*|fein|federal tax id*',
  passport: 'passport*|reisepass*|passeport|pasaporte|passaporto|passaporte|paspoort*|pasport|paszport*|护照',
  license:
    "driver license|driver licence|driver's license|driver's licence|drivers license|drivers licence|driving license|driving licence|driver_license*|führerschein*|permis de conduire|permiso de conducir|patente di guida|rijbewijs*|dl number|dln",
  medical:
    'mrn*|medical record|medical_record*|patient id|patient_id|patient number|patient no|health record|chart number|hospital number|patientennummer|patienten-id',
  patient: 'patient|patients',
  vehicle: 'vin|vehicle identification*|vehicle id|chassis number|fahrgestellnummer|fin|bastidor',
  birth:
    'dob|d.o.b|date of birth|date_of_birth|dateofbirth|birth date|birthdate|birthday|birth_date|born|geboren|geb|geburtsdatum|geburtstag|date de naissance|né le|née le|né|née|nacido|nacida|nací|fecha de nacimiento|data di nascita|nato il|nata il|data de nascimento|nascido|nascida|geboortedatum|födelsedatum|född|fødselsdato|fødselsdag|født|syntymäaika|syntynyt|data urodzenia|urodzony|urodzona|urodził|doğum tarihi|datum narození|дата рождения|родился|родилась|生年月日|出生',
  phone:
    'phone*|telephone*|tel|mobile*|cell|cellphone|call|called|fax|whatsapp|telefon*|handy*|mobil*|téléphone*|portable|teléfono*|telefono*|móvil|celular|cellulare|telefone*|telemóvel|telefoon*|puhelin*|puh|numéro|reach me|sms|text me|dial|hotline|ring me|contact number|电话|手机',
  email: 'email*|e-mail*|mail',
  ip: 'ip|ip address*|ip_address*|ipv4|ipv6|client_ip|remote_addr|host|traceroute|ping|server',
  geo: 'gps|coordinates|coordinate|coords|latitude|longitude|lat|lng|lon|geo*|location|koordinaten|coordonnées|coordenadas',
  wallet: 'wallet*|btc|bitcoin|eth|ethereum|crypto*|usdt|erc20|send to',
  social:
    'twitter|tweeted|tweet|instagram|insta|tiktok|telegram|mastodon|snapchat|discord|reddit|twitch|bluesky|dm me|follow me|social media*',
  username:
    'username|user name|user_name|userid|user id|login name|tweeted as|posts as|known online as|loginname|benutzername|nutzername|nom d’utilisateur|nombre de usuario|nome utente|gebruikersnaam|screen name|screenname|gamertag',
  user: 'user|login|password for|curl -u|owner|author|assignee|created by|posted by',
  national:
    'national id*|national identity*|identity number|identity card|id number|id no|id card|id-nummer|personal number|personal id*|personal identification|identification number|identifikationsnummer|tax id*|tax number|tax file*|national number|government id|citizen id|carte d’identité|documento|cédula|cedula|ausweis*|personalausweis*|身份证',
  'id:gb': 'nino|national insurance|ni number|nhs|nhs number|nhs no',
  'id:ca': 'sin|social insurance|numéro d’assurance sociale',
  'id:au': 'tfn|tax file number|medicare',
  'id:de': 'steuer-id*|steueridentifikations*|steuer-identifikations*|idnr|personalausweis*|ausweisnummer',
  'id:fr': 'nir|sécurité sociale|securite sociale|numéro de sécu|insee|nss',
  'id:es': 'dni|nie|nif',
  'id:it': 'codice fiscale|cod fisc|c.f',
  'id:nl': 'bsn|burgerservicenummer|sofinummer',
  'id:be': 'rijksregister*|registre national|nrn|insz|niss',
  'id:pl': 'pesel',
  'id:se': 'personnummer*|samordningsnummer',
  'id:fi': 'henkilötunnus*|hetu',
  'id:no': 'fødselsnummer|personnummer|fnr',
  'id:dk': 'cpr|cpr-nr|cpr-nummer|personnummer',
  'id:ch': 'ahv*|avs|navs',
  'id:pt': 'nif|contribuinte',
  'id:ie': 'pps|ppsn',
  'id:br': 'cpf|cnpj',
  'id:mx': 'curp|rfc',
  'id:ar': 'cuit|cuil',
  'id:cl': 'rut',
  'id:in': 'aadhaar|aadhar|uidai|pan card|pan number|pan no',
  'id:cn': 'resident id|resident identity|身份证*',
  'id:kr': 'resident registration|rrn|주민등록번호',
  'id:sg': 'nric|fin number',
  'id:hk': 'hkid|hong kong id*',
  'id:jp': 'my number|マイナンバー',
  'id:tr': 'kimlik*|tckn',
  'id:za': 'sa id|rsa id|south african id*',
  'id:hr': 'oib',
  'id:ro': 'cnp',
  'id:bg': 'egn',
  'id:cz': 'rodné číslo',
  'id:ee': 'isikukood',
  'id:il': 'teudat zehut',
  address:
    "address*|live at|lives at|living at|lived at|reside at|resides at|residing at|write to|ship to|shipped to|deliver to|delivered to|delivery to|located at|wohnhaft in|wohne in|wohnt in|wohnt|anschrift*|adresse*|*adresse|j'habite|habite|demeurant|domicilié|domiciled at|dirección|direccion|domicilio|vivo en|vive en|indirizzo|residente in|abito in|endereço|moro na|adres|woon op|home is at|moved to",
  noise:
    'order|orders|invoice*|part number|part no|sku*|isbn*|issn|tracking|version*|build|release|serial*|ticket|commit|hash*|sha*|md5|port|ports|timeout|epoch|timestamp*|reference|ref|model|batch|item|items|product|barcode|ean|upc|asin|doi|arxiv|error code|page|pages|chapter|figure|section|uuid|guid|imei|checksum|block|trace|offset|seed|revision|case no|docket|population|revenue|costs',
  version: 'version*|build|release|firmware|driver|revision',
} as const;

/** What a cue announces. */
export type Cue = keyof typeof WORDS;

interface Word {
  readonly literal: string;
  readonly opensFreely: boolean;
  readonly endsFreely: boolean;
  /** The same literal may announce several things: `username` is both a label and a social context. */
  readonly cues: readonly Cue[];
}

function readWords(): Word[] {
  const words = new Map<string, Word>();
  for (const [cue, list] of Object.entries(WORDS) as [Cue, string][]) {
    for (const entry of list.split('|')) {
      const literal = entry.replaceAll('*', '');
      const cues = [...(words.get(literal)?.cues ?? []), cue];
      words.set(literal, { literal, opensFreely: entry.startsWith('*'), endsFreely: entry.endsWith('*'), cues });
    }
  }
  return [...words.values()];
}

const CUE_WORDS = readWords();

/** Anchors that announce values: the first of the detector's anchors, in the order of the rules of their hits. */
export const CUE_ANCHORS: readonly string[] = CUE_WORDS.map((word) => word.literal);

/** What the anchor `rule` announces. Rules beyond `CUE_ANCHORS` announce nothing. */
export function cuesOf(rule: number): readonly Cue[] {
  return CUE_WORDS[rule]?.cues ?? [];
}

/** True when anchor `rule`, ending at `end`, is a word of its own (or part of one, where its entry admits that). */
export function isWholeWord(text: string, rule: number, end: number): boolean {
  const word = CUE_WORDS[rule]!;
  return endsWord(text, end, word.endsFreely) && opensWord(text, end - word.literal.length, word.opensFreely);
}

function endsWord(text: string, end: number, freely: boolean): boolean {
  return freely || !joins(text.charCodeAt(end - 1), text.charCodeAt(end));
}

function opensWord(text: string, start: number, freely: boolean): boolean {
  return freely || !joins(text.charCodeAt(start - 1), text.charCodeAt(start));
}

/** Whether two neighbours are of one word. Scripts without spaces are taken as they come. */
function joins(left: number, right: number): boolean {
  if (left >= 0x3000 || right >= 0x3000) return false;
  return (isAsciiLetter(left) || isLetter(left)) && (isAsciiLetter(right) || isLetter(right));
}

/** Where cue `rule`, ending at `end`, begins. */
export function cueStart(rule: number, end: number): number {
  return end - CUE_WORDS[rule]!.literal.length;
}

/** The cues about a value: those before it with the nearest first, and those after it. */
export interface Near {
  readonly before: readonly Cue[];
  readonly after: readonly Cue[];
  /** Characters from the end of the nearest cue before to the value; Infinity without one. */
  readonly distance: number;
}

/** How far, in characters, a cue before or after a value counts; and how many hits are looked at. */
const BEFORE_MAX = 64;
const AFTER_MAX = 24;
const HITS_MAX = 24;

/** The cues about `[start, end)`. At most `HITS_MAX` hits are looked at on either side. */
export function cuesNear(text: string, hits: AnchorHits, start: number, end: number): Near {
  const before: Cue[] = [];
  const after: Cue[] = [];
  let distance = Infinity;
  const next = firstBeyond(hits.ends, start);
  for (let i = next - 1; i >= 0 && i >= next - HITS_MAX && hits.ends[i]! >= start - BEFORE_MAX; i--) {
    const rule = hits.rules[i]!;
    if (rule >= CUE_WORDS.length || !isWholeWord(text, rule, hits.ends[i]!)) continue;
    if (before.length === 0) distance = start - hits.ends[i]!;
    for (const cue of CUE_WORDS[rule]!.cues) before.push(cue);
  }
  for (let i = next; i < hits.ends.length && i < next + HITS_MAX && hits.ends[i]! <= end + AFTER_MAX; i++) {
    const rule = hits.rules[i]!;
    if (rule < CUE_WORDS.length && cueStart(rule, hits.ends[i]!) >= end && isWholeWord(text, rule, hits.ends[i]!)) {
      for (const cue of CUE_WORDS[rule]!.cues) after.push(cue);
    }
  }
  return { before, after, distance };
}

/** Index of the first of `sorted` above `value`. */
function firstBeyond(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True when a cue of this sort is near, before or after. */
export function isCued(near: Near, cue: Cue): boolean {
  return near.before.includes(cue) || near.after.includes(cue);
}

/** Cues nearer than this are of the same phrase as the value. */
const PHRASE_MAX = 28;
/** Noise cues have to be nearer: `order 4711 | 078-05-1120` is a row of two values. */
const NOISE_MAX = 14;

/** True when the nearest cue before is of this sort and in the same phrase. */
export function isLedBy(near: Near, cue: Cue): boolean {
  return near.distance <= PHRASE_MAX && near.before.length > 0 && near.before.slice(0, 2).includes(cue);
}

/** True when the value is an order number, a version or such, by the word just before it. */
export function isNoise(near: Near): boolean {
  return near.distance <= NOISE_MAX && near.before[0] === 'noise';
}

/** Cues that say what the value after them is, whatever else it looks like. */
const CLAIMS = new Set<Cue>(['passport', 'license', 'medical', 'vehicle', 'bank', 'iban', 'phone', 'ssn', 'itin', 'ein']);

/** True when the nearest cue before calls the value something other than a national number. */
export function isClaimed(near: Near): boolean {
  return near.distance <= PHRASE_MAX && CLAIMS.has(near.before[0]!);
}

/** True when the text calls the value a national number of any country: people mix up the names of others' numbers. */
export function isCalledNational(near: Near): boolean {
  return near.distance <= CALLED_MAX && near.before.slice(0, 2).some(isNationalCue);
}

/** Mexican codes hold letters, and RFC is also the word for internet standards: its own codes alone may go by it. */
function isNationalCue(cue: Cue): boolean {
  return cue === 'national' || (cue.startsWith('id:') && cue !== 'id:mx');
}

/** "CPF de Maria Aparecida Albuquerque é …": a name may come between. */
const CALLED_MAX = 44;
