// The words that make a sentence worth reading. The survey finds them; a rule is tried only where all its concepts occur.

const WORDS = {
  /** Verbs that set something aside. */
  discard: [
    'ignor', 'disregard', 'forget', 'overrid', 'overrule', 'bypass', 'neglect', 'discard', 'drop', 'skip', 'cancel', 'erase', 'dismiss',
    'abandon', 'aside', 'attention to', 'not follow', 't follow', 'stop following', 'delete', 'overlook', 'reset', 'obey', 'wipe',
    'nevermind', 'never mind', 'instead of', 'unlearn', 'leave behind', 'contrary to', 'not answer', 'not adhere', 'not bound', 'disabl', 'suspend',
  ],
  /** What is set aside. */
  orders: [
    'instruction', 'directive', 'prompt', 'rule', 'guideline', 'orders', 'command', 'direction', 'constraint', 'restriction', 'programming',
    'message', 'context', 'task', 'polic', 'everything', 'above', 'anything', 'whatever', 'training', 'document', 'assignment', 'filter',
    'safeguard', 'question', 'limitation', 'protocol', 'ethic', 'before', 'told',
  ],
  /** Verbs that bring something out. */
  reveal: [
    'repeat', 'print', 'show', 'reveal', 'output', 'display', 'tell', 'give', 'share', 'leak', 'expose', 'quot', 'spell', 'copy', 'translat',
    'summari', 'write', 'encode', 'dump', 'recite', 'what', 'list', 'disclose', 'provide', 'return', 'paste', 'echo', 'type', 'expose', 'render', 'complete',
    'start', 'express', 'describe', 'send', 'read', 'confirm', 'need', 'know', 'continue', 'put', 'include', 'reply', 'respond', 'say',
  ],
  /** What a model keeps to itself. */
  hidden: [
    'system prompt', 'system message', 'instruction', 'initial', 'hidden', 'secret', 'internal guid', 'configuration', 'developer message',
    'above', 'before my', 'first message', 'previous message', 'tools and functions', 'your prompt', 'pre-prompt', 'preprompt', 'initialization', 'your rules',
    'prompt text', 'original prompt', 'full prompt', 'entire prompt', 'guidelines', 'conversation', 'directive',
  ],
  secret: ['password', 'secret', 'api key', 'credential', 'access code', 'passcode', 'passphrase', 'token', 'private key', 'credit card', 'card number', 'social security'],
  renew: [
    'new task', 'new instruction', 'new directive', 'new role', 'new order', 'new job', 'new rule', 'new objective', 'next step', 'instructions have', 'from now on',
    'real task', 'actual task', 'updated instruction', 'real instruction', 'your job', 'new prompt', 'new challenge', 'another task', 'new goal', 'new mission',
    'directive exactly', 'hencefort', 'only to this', 'stop everything', 'new persona', 'new identity', 'important task',
  ],
  turn: [
    '<|', '|>', '[inst', '[/inst', '<<sys', '[system', '<system', 'system:', 'system]', '### instruction', '### system', '## system', '# system', 'assistant:', 'system override',
    'system update', 'developer note', 'system note', 'developer:', 'end of document', 'end of context', 'end of prompt', '</s>', 'end_turn', '<information', 'system message', 'admin override',
    'human:', 'user:', 'end of input', 'end of text', 'security update', 'security notice', 'important:', 'attention:', 'admin:', '<important', '### response', '"role"', "'role'", 'hidden note', 'hidden text', 'hidden instruction', 'hidden message', 'white text', '(invisible',
  ],
  address: [
    'the ai ', 'language model', 'ai assistant', 'attention assistant', 'llm', 'dear ai', 'ai model', 'ai agent', 'attention ai', 'ai system', 'chatbot', 'assistant', 'ai reading',
    'summari', 'you are an ai', 'gpt', 'ai:', 'ais ',
  ],
  authority: [
    'administrator', 'your developer', 'your creator', 'authorised you', 'authorized you', 'from me, the user', 'i order you', 'i command', 'as root', 'your owner', 'your admin', 'your god', 'your master',
    'i am god', 'from openai', 'your programmer', 'official audit', 'an admin',
  ],
  conceal: ['the user', 'anyone', 'silently', 'discreetly', 'without informing', 'without telling', 'without mention', 'secretly', 'covertly'],
  tell: ['tell', 'mention', 'inform', 'reveal', 'alert', 'disclose', 'ask the', 'notify', 'show', 'silently', 'secretly', 'covertly', 'discreetly'],
  send: ['send', 'post ', 'forward', 'upload', 'exfiltrat', 'leak', 'transmit', 'append', 'encode', 'include', 'curl ', 'wget ', 'visit', 'fetch', 'navigate', 'click', 'email'],
  place: ['http', '@', '![', 'base64', 'link', 'www.'],
  act: [
    ' tool', 'function', 'delete every', 'delete all', 'grant ', 'every answer', 'every response', 'logging', 'calendar', 'out of 10', 'fraudulent', 'transaction', 'transfer', 'unread', 'attachment',
    'administrator', 'pirate', 'hacked', 'hijack', 'pwned', 'public channel', 'reply only', 'answer only', 'respond only', 'translate nothing', 'just print', 'only say', 'just say', 'nothing else', 'word for word', 'in your answer',
    'delivery address', 'download and', 'without review', 'credit card', 'the summary', 'log in at', 'account has been', 'the user the', 'unsafe and', 'directory', 'exactly the', 'say the word', 'say exactly', 'only print', 'only output',
  ],
  persona: [
    'do anything now', 'dan mode', 'dan,', 'dan ', 'dan"', 'developer mode', 'jailbr', 'god mode', 'unrestricted', 'uncensored', 'unfiltered', 'no restriction', 'no limit', 'no rules', 'no filter',
    'no ethic', 'no moral', 'without any', 'without restrict', 'without limit', 'without censor', 'without filter', 'not bound', 'free from', 'freed from', 'broken free', 'break free', 'machiavellian', 'avoid norms', 'evil', 'amoral', 'immoral',
    'unethical', 'illegal', 'debug mode', 'maintenance mode', 'sudo mode', 'admin mode', 'opposite mode', 'mode enabled', 'dan_', '[dan', 'dan:', 'dan]', '🔓', 'as dan', 'regardless of', 'openai', 'content polic', 'no guidelines', 'no longer bound',
    'no law', 'bypass', 'no boundar', 'any restriction', 'any filter', 'anything goes', 'no matter how', 'always compl', 'not restrict', 'developer output', 'classic]', 'ethical', 'moral',
  ],
  pretend: [
    'pretend', 'act as', 'acting as', 'roleplay', 'role-play', 'role play', 'you are now', 'going to act', 'you will be', 'imagine', 'hypothetical', 'in character', 'persona', 'simulat', 'immerse', 'the role of',
    'you are', "you're", 'you will act', 'play the', 'respond as', 'answer as', 'be a ', 'character', 'personalit', 'two responses', 'two answers', 'anything', 'comply', 'complies', 'chatgpt', 'unfiltered', 'uncensored', 'fictional', 'theoretical', 'you act',
  ],
  refuse: ['refuse', 'decline', 'apologi', 'break character', 'sorry', "can't", 'cannot', 'warn', 'disclaimer', 'as an ai', 'reject', 'deny', "don't", 'never', 'tokens', 'ethic', 'inappropriate', 'objection'],
  /** The same verbs and nouns in other languages. */
  discardAbroad: [
    'ignor', 'vergiss', 'vergess', 'missacht', 'verwirf', 'umgeh', 'schreib', 'abweichend', 'hinter sich', 'oublie', 'ne tiens', 'ne tenez', 'ne suis', 'ne suivez', 'réponds', 'répondez', 'hagas caso', 'hagan caso', 'olvida', 'olvide', 'descart', 'omit', 'caso omiso',
    'esque', 'desconsider', 'dimentica', 'trascura', 'non segui', 'negeer', 'vergeet', 'bortse', 'glem', 'гнор', 'забуд', 'не следуй', 'відкинь', 'zapomnij', 'pomi', 'odrzu', 'yok say', 'görmezden', 'unut', 'dikkate alma', 'تجاهل', 'انس',
    'अनदेखा', 'भूल', 'उपेक्षा', '忽略', '忘记', '忘掉', '无视', '無視', '忘れ', '무시', '잊', 'bỏ qua', 'quên', 'lupakan', 'abaikan', 'hiraukan', 'kalimutan', 'huwag pansinin', 'balewalain', 'উপেক্ষা', 'αγνό', 'ξέχασ', 'ละเว้น',
    'bacuhkan',
  ],
  ordersAbroad: [
    'anweisung', 'instruktion', 'befehl', 'regeln', 'richtlinien', 'vorgaben', 'alles', 'aufgaben', 'informationen', 'instruction', 'consigne', 'gles', 'ordres', 'directive', 'uniquement', 'auftr', 'aufträg', 'tout', 'instruccion', 'reglas', 'rdenes', 'indicacion',
    'anterior', 'todo', 'instru', 'regras', 'ordens', 'diretrizes', 'tudo', 'istruzioni', 'regole', 'ordini', 'direttive', 'indicazioni', 'tutto', 'instructies', 'regels', 'opdracht', 'инструкц', 'указан', 'правил', 'команд', 'все', 'інструкц',
    'вказівк', 'polece', 'instrukcj', 'zasad', 'wszystk', 'talimat', 'kural', 'önceki', 'تعليمات', 'القواعد', 'سبق', 'निर्देश', 'নির্দেশ', '指令', '指示', '说明', '规则', '内容', '지시', '지침', 'hướng dẫn', 'chỉ dẫn', 'instruksi', 'perintah', 'tagubilin',
    'οδηγ', 'คำสั่ง', 'allt', 'regler', 'itaas',
  ],
  secretAbroad: [
    'passwort', 'mot de passe', 'contraseñ', 'senha', 'parola', 'парол', 'ключ', 'şifre', 'كلمة', 'पासवर्ड', '密码', '密碼', 'パスワード', '비밀번호', 'mật khẩu', 'sandi', 'wachtwoord', 'hasło', 'geheim', 'secret', 'segret', 'clave', 'কোড', 'password', 'systemprompt', 'system-prompt', 'prompt-text', 'prompttext', 'prompt ',
    'systémov', 'système', 'sistema', 'системн', '系统提示', '提示词', 'システムプロンプト', '시스템', 'hệ thống', 'sistem',
  ],
} as const satisfies Record<string, readonly string[]>;

/** A group of words with one meaning. */
export type Concept = keyof typeof WORDS;

const NAMES = Object.keys(WORDS) as Concept[];

/** The literals the detector waits for, each once. */
export const ANCHORS: readonly string[] = [...new Set(NAMES.flatMap((name): readonly string[] => WORDS[name]))];

/** By anchor: the bits of the concepts it belongs to. */
export const CONCEPT_BITS: readonly number[] = ANCHORS.map((anchor) => maskOf(NAMES.filter((name) => (WORDS[name] as readonly string[]).includes(anchor))));

/** The bits of a set of concepts. */
export function maskOf(concepts: readonly Concept[]): number {
  return concepts.reduce((mask, concept) => mask | (1 << NAMES.indexOf(concept)), 0);
}
