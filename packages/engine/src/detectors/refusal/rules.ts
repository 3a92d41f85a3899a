// How models decline, by language. A rule is tried only on sentences that hold one of its anchors, or a letter of its script.

/** A way to decline. */
export interface Rule {
  /** Language code, and what kind where a language has several. */
  readonly id: string;
  /** Lower-case literals; one of them stands in each sentence that the pattern matches. None where `script` tells. */
  readonly anchors: readonly string[];
  /** Tried on the opening sentences that hold a letter of this script: literals of all scripts would fill the automaton. */
  readonly script?: RegExp;
  /** Tried on a sentence of at most 500 characters. Gaps are bounded and nothing repeats inside a repetition. */
  readonly pattern: RegExp;
  /** A sentence that holds this says something else with the same words. */
  readonly unless?: RegExp;
  /** 0–1: how sure a match at the start of an answer makes. */
  readonly score: number;
  /** Whether a match counts in the middle of an answer, too: it speaks of what was asked, or of being a model. */
  readonly isTelling: boolean;
}

/** Between the words of a pattern: not beyond the sentence. */
const GAP = '[^.!?\\n。！？]{0,60}';

/** A space stands for one to three blanks, ` ?` for up to three, `'` for all its forms, `…` for a gap. */
function patternOf(...parts: readonly string[]): RegExp {
  const source = parts
    .join('')
    .replaceAll("'", "['’ʼ]?")
    .replaceAll('…', GAP)
    .replaceAll(' ?', '\\s{0,3}')
    .replaceAll(' ', '\\s{1,3}');
  return new RegExp(source, 'iu');
}

const NOT_ABLE =
  "(?:can'?t|cannot|can not|won't|will not|(?:am|'m) (?:not|un)(?: currently)?(?: ?able| willing| going| allowed| permitted| authori[sz]ed| programmed| designed| equipped) to|" +
  "don't (?:have the ability|feel comfortable|think I (?:can|should))|(?:am|'m) not comfortable|(?:won't|will not) be able to|do not feel comfortable|(?:am|'m) (?:afraid|sorry) I can't)";

const DO =
  '(?:help|assist|provid|creat|generat|writ(?:e|ing)|produc|comply|fulfil|answer|discuss|shar(?:e|ing)|give|giving|offer|support|engag|participat|do (?:that|this|it|so|what)|complet|continu|respond|talk about|carry out|' +
  'facilitat|encourag|promot|endors|advis|tell you|show you|explain|describ|draft|make (?:that|this|a|such|any|explicit|harmful)|teach|guid|walk you|proceed|go along|role-?play|pretend|access|brows|open|' +
  'view|look up|process|perform|execut|predict|diagnos|disclos|reveal|translat|analy[sz]|summari[sz]|identif|speculat|comment|verif|confirm|in good conscience|fulfill|accommodate|be part of|take part)';

/** What the same words say in praise, thanks, doubt and stories. */
const NOT_DECLINING =
  /help(?:\s+but|\s+\w{2,20}ing\b|\s+\w{2,8}self\b|\s+falling|\s+it\b)|\benough\b|\bhow (?:much|happy|grateful|glad|sorry)\b|\bwait\b|\b(?:make|made) (?:it|up|out|sense)\b|why not\b|\bgive up\b|\bgive in\b|\bhighly\b|without (?:your|my|his|her|their)\b|\bany ?more\b|\bsleep\b|\bhow \w{2,20} (?:I|it|this|that|we|you)\b|^\s*(?:if|when|whenever|once|unless|since) I\b/iu;

const ENGLISH: readonly Rule[] = [
  {
    id: 'en.unable',
    anchors: [
      "can't",
      'can’t',
      'cannot',
      'can not',
      "won't",
      'won’t',
      "don't",
      'don’t',
      'not able to',
      'unable to',
      'will not',
      'not going to',
      'not willing',
      'not allowed to',
      'not permitted',
      'not authori',
      'not programmed',
      'not designed',
      'not equipped',
      'not comfortable',
      'not feel comfortable',
      'not currently',
    ],
    pattern: patternOf('\\bI ?', NOT_ABLE, '(?: |\\b)[^.!?\\n,;:]{0,50}?\\b', DO),
    unless: NOT_DECLINING,
    score: 0.85,
    isTelling: false,
  },
  {
    id: 'en.unable_request',
    anchors: ["can't", 'can’t', 'cannot', 'unable to', 'not able to', "won't", 'won’t', 'will not'],
    pattern: patternOf(
      "\\b(?:I|we) ?(?:am |are |'m |'re )?(?:can't|cannot|unable to|not able to|won't|will not)…\\b(?:help|assist|comply|fulfil|complete|process|support|provid|answer|respond|proceed)\\w{0,4}\\b…\\b(?:that|this|your|such|these|those) (?:kind of |type of |sort of |part of )?(?:requests?|questions?|prompts?|topics?|instructions?|content|one|part|task)\\b",
    ),
    score: 0.9,
    isTelling: true,
  },
  {
    id: 'en.sorry',
    anchors: ['sorry', 'apolog', 'unfortunately', 'afraid'],
    pattern: patternOf(
      "\\b(?:sorry|apologi[sz]e|apologies|unfortunately|afraid)[^.!?\\n]{0,30}\\bI ?(?:can't|cannot|can not|am unable to|'m unable to|'m not able to|am not able to|won't|will not)(?: (?:do|help|assist|answer|comply|provide|discuss|fulfil|support|create|generate|engage|share|write|continue|offer)|[.!,]|$)",
    ),
    unless: NOT_DECLINING,
    score: 0.95,
    isTelling: true,
  },
  {
    id: 'en.decline',
    anchors: ['decline', 'refuse', 'rather not', 'prefer not', 'say no'],
    pattern: patternOf(
      "\\bI ?(?:(?:must|have to|need to|will have to|'ll have to|'m going to have to|am going to have to|will|'ll|do)(?: \\w+ly)? (?:decline|refuse|say no)|(?:\\w+ly )?(?:decline|refuse) to|'d (?:rather|prefer) not|would (?:rather|prefer) not|prefer not to)\\b",
    ),
    unless: /\b(?:decline|refuse) to (?:believe|give up|accept|let)|rather not (?:go|have|be|wear|eat)/iu,
    score: 0.85,
    isTelling: false,
  },
  {
    id: 'en.does_not',
    anchors: ["i don't ", 'i don’t ', 'i do not ', 'for me to'],
    pattern: patternOf(
      "\\bI (?:don't|do not) (?:have the (?:ability|capability|means) to|provide|offer|create|generate|engage in|discuss|participate in|produce|assist with)\\b|\\b(?:unethical|inappropriate|irresponsible|not (?:be )?(?:appropriate|ethical|right|responsible)|n't be (?:appropriate|ethical|right|responsible)) for me to\\b",
    ),
    score: 0.7,
    isTelling: false,
  },
  {
    id: 'en.as_a_model',
    anchors: [
      'as an ai',
      'as a language model',
      'as a large language',
      'as an artificial',
      'as a responsible ai',
      "i'm just an ai",
      'i am just an ai',
      'i’m just an ai',
      "i'm an ai",
      'i am an ai',
      'i’m an ai',
      'as your ai',
      'as a text-based',
    ],
    pattern: patternOf(
      "\\b(?:as (?:an?|your) (?:responsible |ethical |text-based )?(?:AI|artificial intelligence|(?:large )?language model)|I ?(?:'m|am) (?:just |only )?an AI)\\b[^!?\\n]{0,90}\\b(?:can't|cannot|can not|unable|not able|won't|will not|don't have|do not have|not (?:allowed|permitted|appropriate|programmed|capable)|must (?:decline|refuse)|designed not)",
    ),
    score: 0.9,
    isTelling: true,
  },
  {
    id: 'en.policy',
    anchors: ['guidelines', 'policy', 'policies', 'my programming', 'my principles', 'terms of service', 'safety rules'],
    pattern: patternOf(
      "\\b(?:(?:goes|go|is|are|would be|going) against|violat\\w{1,4}|not (?:allowed|permitted) (?:by|under)|conflicts? with|breach\\w{0,3}|outside)…(?:my|our|the|openai's|content|usage|safety|ethical) [^.!?\\n]{0,30}(?:guidelines|polic(?:y|ies)|programming|principles|terms of service|rules)\\b",
    ),
    unless: /\b(?:company|contract|employee|landlord|tenant|seller|airline)\b/iu,
    score: 0.8,
    isTelling: false,
  },
  {
    id: 'en.not_something',
    anchors: [
      'not something i',
      'not something that i',
      'not able to do that',
      "n't something i",
      'n’t something i',
      'not a topic i',
      'nothing i can help',
      'outside of what i',
      'outside what i',
      'beyond what i can',
      'beyond my cap',
      'beyond my abil',
      'something else i can help',
      'something else you',
      'talk about something else',
      'change the subject',
      'change the topic',
      'discuss something else',
    ],
    pattern: patternOf(
      "(?:not|n't|nothing|isn't) (?:something|a topic|anything)? ?(?:that )?I ?(?:can|'m able|am able|will|could|would|'m willing|am willing|'m comfortable|'m going)|\\b(?:outside|beyond)(?: of)? (?:what I can|my (?:capabilit|abilit|scope))|let's (?:talk about|discuss|change|move on)[^.!?\\n]{0,12}(?:something else|the subject|the topic)|is there something else (?:I can help|you(?: would|'d) like)",
    ),
    score: 0.75,
    isTelling: false,
  },
  {
    id: 'en.blocked',
    anchors: [
      'request was',
      'request has been',
      'response was',
      'content was',
      'content filter',
      'was filtered',
      'content management',
      'safety system',
    ],
    pattern: patternOf(
      '\\b(?:request|prompt|response|content|output) (?:was|has been) (?:refused|rejected|blocked|filtered|flagged|denied|declined)[^.!?\\n]{0,60}\\b(?:safety|content|policy|policies|filter|guidelines|moderation)',
    ),
    score: 0.8,
    isTelling: true,
  },
];

/** `…` in `words` stands for a gap within the sentence. */
function abroad(id: string, anchors: readonly string[], words: string, unless?: RegExp): Rule {
  return { id, anchors, pattern: patternOf(words), score: 0.85, isTelling: false, ...(unless === undefined ? {} : { unless }) };
}

function inScript(id: string, script: RegExp, words: string, unless?: RegExp): Rule {
  return { ...abroad(id, [], words, unless), script };
}

const OTHERS: readonly Rule[] = [
  abroad(
    'de',
    [
      'kann ich',
      'ich kann',
      'ich darf',
      'darf ich',
      'ich werde',
      'werde ich',
      'nicht in der lage',
      'nicht möglich',
      'muss ich',
      'ich muss',
      'als ki',
      'als sprachmodell',
      'als künstliche',
      'möchte ich',
    ],
    '(?:ich (?:kann|darf|werde|möchte)|(?:kann|darf|werde|möchte) ich)\\b…\\b(?:nicht|kein(?:e[nmrs]?)?)\\b…(?:helfen|weiterhelfen|unterstützen|beantworten|bereitstellen|erstellen|schreiben|verfassen|geben|nachkommen|erfüllen|anbieten|liefern|teilen|behilflich|mitwirken|beitragen|besprechen|diskutieren|generieren|ausführen|antworten|dienen|machen|empfehlen)|nicht in der Lage,? …(?:helfen|beantworten|erstellen|geben|unterstützen|nachzukommen|bereitzustellen)|(?:muss ich|ich muss)…(?:ablehnen|verweigern)|als (?:KI|Sprachmodell|künstliche Intelligenz)\\b…\\b(?:kann|darf|habe|bin) ich…\\b(?:nicht|kein)',
    /genug|oft genug/iu,
  ),
  abroad(
    'fr',
    [
      'je ne peux',
      'ne peux pas',
      'je ne suis pas',
      'ne suis pas en mesure',
      'je refuse',
      "qu'ia",
      'en tant que',
      'je dois refuser',
      'dois décliner',
      'préfère ne pas',
      'je ne saurais',
      'je ne pourrai',
      'ne puis',
    ],
    "je (?:ne )?(?:peux|puis|pourrai|saurais|suis) (?:malheureusement )?(?:pas(?: en mesure| autorisée?| capable)?|vous|t'|te|y|rien)…(?:aider|répondre|fournir|créer|générer|écrire|rédiger|donner|satisfaire|accéder|assister|partager|produire|proposer|faire|discuter|accompagner|donner suite|participer|expliquer)|je (?:préfère ne pas (?:répondre|aborder|discuter)|refuse|dois (?:refuser|décliner))|en tant qu'(?:IA|intelligence artificielle|assistant|modèle)…\\bne (?:peux|suis|dispose)",
    /assez|m'empêcher|trop recommander|plus attendre/iu,
  ),
  abroad(
    'es',
    [
      'no puedo',
      'no me es posible',
      'no estoy en',
      'no podré',
      'debo rechazar',
      'tengo que rechazar',
      'no estoy autoriz',
      'no soy capaz',
      'como ia',
      'como modelo de',
      'como una ia',
      'como inteligencia',
    ],
    '(?:no (?:puedo|podré|me es posible|soy capaz de|estoy en (?:condiciones|capacidad) de|estoy autorizad[oa] (?:a|para)|te puedo|le puedo))…(?:ayudar|asistir|proporcionar|responder|crear|generar|escribir|dar(?:te|le)?\\b|ofrecer|cumplir|compartir|hacer|apoyar|participar|facilitar|redactar|hablar|contestar|discutir|brindar|acceder)|(?:debo|tengo que) (?:rechazar|declinar|negarme)|como (?:una )?(?:IA|inteligencia artificial|modelo de lenguaje)…\\bno (?:puedo|tengo|estoy)',
    /no puedo (?:evitar|esperar|creer|dejar de)|suficiente|lo suficiente|bastante/iu,
  ),
  abroad(
    'pt',
    [
      'não posso',
      'nao posso',
      'não consigo',
      'nao consigo',
      'não sou capaz',
      'não estou autoriz',
      'não poderei',
      'preciso recusar',
      'devo recusar',
      'como uma ia',
      'como ia',
      'como um modelo',
    ],
    '(?:n[ãa]o (?:posso|consigo|poderei|sou capaz de|estou autorizad[oa] a))…(?:ajud|auxiliar|fornecer|responder|criar|gerar|escrever|dar\\b|oferecer|atender|cumprir|compartilhar|partilhar|fazer|apoiar|participar|redigir|discutir|falar sobre|prestar)|(?:preciso|devo|tenho (?:que|de)) recusar|como (?:uma )?(?:IA|inteligência artificial|(?:um )?modelo de linguagem)…\\bn[ãa]o (?:posso|tenho|consigo)',
    /não (?:posso|consigo) (?:esperar|deixar de|acreditar|evitar)|suficiente|o bastante/iu,
  ),
  abroad(
    'it',
    [
      'non posso',
      'non sono in grado',
      'non mi è possibile',
      'non sono autorizzat',
      'devo rifiutare',
      'devo declinare',
      'come ia',
      'come modello',
      "un'ia",
      'non potrò',
    ],
    "(?:non (?:posso|potrò|sono in grado di|mi è possibile|sono autorizzat[oa] a))…(?:aiutar|assister|fornir|risponder|crear|generar|scriver|dar(?:e|ti|vi|le)\\b|offrir|soddisfare|condivider|fare\\b|farlo|supportar|partecipar|redigere|discutere|parlare)|devo (?:rifiutare|declinare)|(?:come|in quanto) (?:un')?(?:IA|intelligenza artificiale|modello linguistico)…\\bnon (?:posso|ho|sono)",
    /fare a meno|abbastanza|non posso (?:credere|aspettare)/iu,
  ),
  abroad(
    'nl',
    ['kan ik', 'ik kan', 'niet in staat', 'ik mag', 'mag ik', 'moet ik weigeren', 'als ai', 'als taalmodel'],
    '(?:ik (?:kan|mag|zal)|(?:kan|mag|zal) ik)\\b…\\b(?:niet|geen)\\b…(?:helpen|assisteren|geven|beantwoorden|maken|schrijven|bieden|voldoen|delen|ondersteunen|genereren|bespreken|meewerken|verstrekken|uitvoeren)|niet in staat om…(?:helpen|geven|beantwoorden|maken)|moet ik[^.!?\\n]{0,30}weigeren|als (?:AI|taalmodel)…\\b(?:niet|geen)\\b',
    /genoeg/iu,
  ),
  abroad(
    'sv',
    [
      'kan jag inte',
      'jag kan inte',
      'jag kan tyvärr',
      'kan tyvärr inte',
      'jag får inte',
      'som ai',
      'som en ai',
      'som språkmodell',
    ],
    '(?:jag (?:kan|får)|(?:kan|får) jag) (?:tyvärr |dessvärre )?inte…(?:hjälpa|bistå|ge\\b|svara|skapa|skriva|erbjuda|dela|tillhandahålla|uppfylla|stödja|diskutera|generera|göra)|som (?:en )?(?:AI|språkmodell)…\\b(?:inte|ingen|inga)\\b',
    /nog\b/iu,
  ),
  abroad(
    'da_no',
    [
      'jeg kan ikke',
      'kan jeg ikke',
      'jeg kan desværre',
      'jeg kan dessverre',
      'jeg må ikke',
      'jeg kan beklage',
      'som ai',
      'som en ai',
      'språkmodell',
      'sprogmodel',
    ],
    '(?:jeg (?:kan|må)|(?:kan|må) jeg) (?:desværre |dessverre |beklageligvis )?ikke…(?:hjælpe|hjelpe|bistå|give|gi\\b|svare|skabe|lage|skrive|tilbyde|tilby|dele|støtte|generere|gøre|gjøre|oppfylle|opfylde)|som (?:en )?(?:AI|språkmodell|sprogmodel)…\\b(?:ikke|ingen)\\b',
    /nok\b/iu,
  ),
  abroad(
    'fi',
    ['en voi', 'en pysty', 'en valitettavasti voi', 'valitettavasti en'],
    'en (?:valitettavasti )?(?:voi|pysty)…(?:autta|avust|vastata|antaa|tarjota|luoda|kirjoittaa|tehdä|tuottaa|jakaa|osallistua|keskustella|noudattaa)',
    /tarpeeksi|kyllin/iu,
  ),
  abroad(
    'pl',
    ['nie mogę', 'nie moge', 'nie jestem w stanie', 'muszę odmówić', 'nie będę mógł', 'jako ai', 'jako model'],
    '(?:nie (?:mogę|moge|jestem w stanie|będę mógł|będę mogła))…(?:pomóc|pomagać|odpowiedzieć|udzielić|podać|stworzyć|napisać|wygenerować|zaoferować|spełnić|wesprzeć|udostępnić|zrobić|uczestniczyć|dostarczyć|rozmawiać)|muszę[^.!?\\n]{0,20}odmówić|jako (?:AI|model językowy)…\\bnie\\b',
    /się doczekać|wystarczająco|dość/iu,
  ),
  abroad(
    'cs',
    ['nemohu', 'nemůžu', 'nejsem schopen', 'nejsem schopna', 'musím odmítnout', 'jako ai', 'jako jazykový'],
    '(?:nemohu|nemůžu|nejsem schop(?:en|na))…(?:pomoci|pomoct|odpovědět|poskytnout|vytvořit|napsat|generovat|nabídnout|splnit|podpořit|sdílet|udělat|účastnit|vyhovět)|(?:s tím|v tomto)[^.!?\\n]{0,20}(?:nemohu|nemůžu)|musím[^.!?\\n]{0,20}odmítnout',
    /dočkat|dostatečně|dost\b/iu,
  ),
  inScript(
    'ru',
    /\p{Script=Cyrillic}/u,
    '(?:не (?:могу|смогу|буду|в состоянии|имею возможности))…(?:помо[чг]|ответить|отвечать|предостав|создать|создавать|напис|сгенерир|дать|поделиться|выполн|обсужд|поддерж|участвовать|рассказать|объяснить|консультир|предложить)|(?:вынужден|должен|должна)[а]? (?:вам )?отказ|как (?:ИИ|языковая модель|искусственный интеллект)…\\bне\\b',
    /не могу (?:дождаться|не |поверить|нарадоваться)|достаточно|насмотреться/iu,
  ),
  inScript(
    'uk',
    /\p{Script=Cyrillic}/u,
    '(?:не (?:можу|зможу|маю можливості))…(?:допомог|відповісти|надати|створ|напис|згенерув|дати|поділитися|викон|обговор|підтрим)|(?:змушен(?:ий|а)|мушу) відмов|як (?:ШІ|мовна модель)…не',
    /дочекатися|достатньо/iu,
  ),
  abroad(
    'tr',
    [
      'yardımcı olamam',
      'yardımcı olamıyorum',
      'yardımcı olamayacağım',
      'yardım edemem',
      'yardım edemiyorum',
      'sağlayamam',
      'veremem',
      'veremiyorum',
      'oluşturamam',
      'yazamam',
      'yanıt veremem',
      'cevap veremem',
      'yerine getiremem',
      'yapamam',
      'sağlayamıyorum',
      'cevaplayamam',
      'reddetmek',
      'yanıtlayamam',
    ],
    '(?:yardımcı ola(?:mam|mıyorum|mayacağım)|yardım ede(?:mem|miyorum|meyeceğim)|(?:sağlaya|oluştura|yaza|yapa|cevaplaya|yanıtlaya)(?:mam|mıyorum|mayacağım)|(?:bilgi|yanıt|cevap|tavsiye|talimat)\\w{0,6} vere(?:mem|miyorum|meyeceğim)|yerine getire(?:mem|miyorum)|reddetmek (?:zorundayım|durumundayım))',
  ),
  abroad(
    'ro',
    ['nu pot', 'nu vă pot', 'nu te pot', 'nu sunt în măsură', 'nu îți pot', 'trebuie să refuz'],
    'nu (?:vă |te |îți |va )?(?:pot|sunt în măsură)…(?:ajut|oferi|răspunde|crea|genera|scrie|da\\b|asist|furniz|împărtăși|îndeplini|face)|trebuie să refuz',
    /destul|suficient/iu,
  ),
  abroad(
    'hu',
    ['nem tudok', 'nem áll módomban', 'nem segíthetek', 'nem adhatok', 'vissza kell utasítanom'],
    'nem (?:tudok|áll módomban)…(?:segíteni|segítséget|válaszolni|nyújtani|adni|létrehozni|írni|készíteni|teljesíteni|megosztani)|nem (?:segíthetek|adhatok|írhatok|válaszolhatok)|segíteni…nem tudok|vissza kell utasítanom',
    /eléggé/iu,
  ),
  inScript(
    'el',
    /\p{Script=Greek}/u,
    'δεν (?:μπορώ|είμαι σε θέση|δύναμαι)…(?:βοηθήσω|απαντήσω|παρέχω|δημιουργήσω|γράψω|δώσω|προσφέρω|συζητήσω|εκπληρώσω|υποστηρίξω|μοιραστώ|κάνω)|πρέπει να αρνηθώ',
    /αρκετά/iu,
  ),
  inScript(
    'zh',
    /\p{Script=Han}/u,
    '(?:我(?:很抱歉[，,]?)?|抱歉|对不起|很遗憾|對不起)[^。！？\\n]{0,16}(?:无法|不能|無法|没办法|不便|拒绝|不可以)[^。！？\\n]{0,24}(?:帮助|帮|協助|协助|提供|回答|回應|回应|满足|完成|生成|撰写|写|编写|讨论|討論|支持|参与|创建|透露|给出|给您|给你|处理|执行)|作为(?:一个|一名)?(?:人工智能|AI|语言模型)[^。！？\\n]{0,30}(?:不能|无法|没有|不会|不可以)',
    /不能不|足够|不能再|等不及/iu,
  ),
  inScript(
    'ja',
    /\p{Script=Hiragana}/u,
    '(?:お手伝い|お答え|お応え|回答|提供|作成|生成|対応|支援|説明|協力|お教え|共有|執筆|ご案内|ご要望)[^。！？\\n]{0,16}(?:できません|出来ません|できかねます|いたしかねます|いたしません|控えさせて|差し控え)|(?:お断り(?:します|いたします|させて)|応じられません|応じることはできません)|ことはできません',
  ),
  inScript(
    'ko',
    /\p{Script=Hangul}/u,
    '(?:도와\\s?드릴|도울|제공(?:해\\s?드릴|할)?|답변(?:해\\s?드릴|드릴|할)?|작성(?:해\\s?드릴|할)?|생성(?:해\\s?드릴|할)?|응할|알려\\s?드릴|지원(?:할)?|공유(?:할)?|처리(?:할)?|말씀드릴|수행(?:할)?|설명(?:할|해\\s?드릴)?|만들어\\s?드릴)\\s?수(?:가|는)?\\s?없|(?:도와드리기|답변드리기|제공하기|도움을 드리기)(?:는|가)?\\s?어렵',
  ),
  inScript(
    'ar',
    /\p{Script=Arabic}/u,
    '(?:لا (?:أستطيع|استطيع|يمكنني)|لن أتمكن من|لست قادر\\S{0,3} على|غير قادر\\S{0,3} على)…(?:مساعد|المساعد|تقديم|الإجابة|إنشاء|كتابة|توفير|تلبية|مشاركة|إعطاء|الرد|دعم|القيام|تنفيذ|أساعد|أقدم|مناقشة)|(?:كنموذج|بصفتي)[^.!?\\n]{0,40}(?:لا|ليس)',
    /بما يكفي|الانتظار|التصديق/u,
  ),
  inScript(
    'he',
    /\p{Script=Hebrew}/u,
    '(?:(?:אני )?לא (?:יכולה?|אוכל)|אינ?ני יכולה?)…(?:לעזור|לסייע|לספק|לענות|ליצור|לכתוב|לתת|להציע|למלא|לשתף|לדון|לתמוך)|נאלצ?[תץ]? לסרב',
    /להפסיק|לחכות|מספיק/u,
  ),
  inScript(
    'hi',
    /\p{Script=Devanagari}/u,
    '(?:मैं|मुझे|क्षमा|माफ़?)…(?:मदद|सहायता|जानकारी|उत्तर|जवाब|प्रदान|अनुरोध|निर्देश|सामग्री|यह|इस|ऐसी|ऐसा)…(?:नहीं (?:कर|दे|बता|लिख|बना)? ?सकत|असमर्थ)|(?:मदद|सहायता|प्रदान) (?:करने में )?(?:नहीं कर सकत|असमर्थ हूँ|असमर्थ हूं)',
    /इंतज़ार|इंतजार|पर्याप्त/u,
  ),
  abroad(
    'vi',
    ['không thể', 'xin từ chối', 'phải từ chối'],
    '(?:tôi|mình|em)[^.!?\\n]{0,20}không thể…(?:giúp|hỗ trợ|cung cấp|trả lời|tạo|viết|đưa ra|chia sẻ|thực hiện|đáp ứng|thảo luận|tham gia)|tôi (?:xin|phải) từ chối',
    /chờ|tin được|đủ\b/iu,
  ),
  abroad(
    'id_ms',
    ['tidak dapat', 'tidak bisa', 'tidak boleh', 'harus menolak', 'sebagai ai', 'sebagai model'],
    '(?:saya|aku)[^.!?\\n]{0,20}tidak (?:dapat|bisa|boleh|mampu)…(?:membantu|bantu|memberikan|memberi|menjawab|membuat|menulis|menyediakan|memenuhi|membagikan|mendukung|membahas|menghasilkan|melakukan)|saya (?:harus|terpaksa) menolak|sebagai (?:AI|model bahasa)…tidak',
    /menunggu|sabar|cukup/iu,
  ),
  inScript(
    'th',
    /\p{Script=Thai}/u,
    '(?:ฉัน|ผม|ดิฉัน|ขออภัย|ขอโทษ|เสียใจ)[^.!?\\n]{0,40}(?:ไม่สามารถ[^.!?\\n]{0,30}(?:ช่วย|ให้|ตอบ|สร้าง|เขียน|จัดทำ|ดำเนินการ|แบ่งปัน|สนับสนุน|พูดคุย)|ช่วยไม่ได้|ขอปฏิเสธ|ตอบไม่ได้)',
  ),
];

/** All rules, English first. */
export const RULES: readonly Rule[] = [...ENGLISH, ...OTHERS];
