// The commonest orders of attacks in other languages: set the instructions aside, forget everything, say the password.

import { patternOf, type Rule } from './rule.ts';

const WEIGHT = 0.85;
const GAP = '[^.!?\\n]{0,60}';

function override(id: string, verbs: string, orders: string, order: 'verb_first' | 'verb_last' | 'either'): Rule {
  const first = `(?:${verbs})${GAP}(?:${orders})`;
  const last = `(?:${orders})${GAP}(?:${verbs})`;
  const pattern = patternOf(order === 'verb_first' ? first : order === 'verb_last' ? last : `${first}|${last}`);
  return {
    id: `override_${id}`,
    family: 'instruction_override',
    needs: ['discardAbroad', 'ordersAbroad'],
    weight: WEIGHT,
    isWording: true,
    pattern,
    explanation: 'tells the model, in a language other than English, to set aside its instructions',
  };
}

/** Rules for languages other than English, by language code. */
export const LANGUAGE_RULES: readonly Rule[] = [
  override(
    'de',
    '\\bignorier(?:e|t|en)?\\b|\\bvergiss\\b|\\bvergessen sie\\b|\\bmissachte[nt]?\\b|\\bverwirf|\\bumgehe?\\b|\\babweichend\\b|hinter sich',
    'anweisung|instruktion|befehl|aufträge|\\bregeln\\b|richtlinien|vorgaben|\\balles\\b|aufgaben|vorherigen inform|ausführungen|\\bprompts?\\b',
    'either',
  ),
  override(
    'fr',
    '\\b(?:ignore[sz]?|oublie[sz]?|néglige[sz]?)\\b|ne (?:tiens|tenez) pas compte|ne sui(?:s|vez) pas',
    '(?:\\b(?:l|d|qu)[ea]s?\\b|\\btou(?:te)?s\\b|\\b[vtmsc]es\\b|\\b[vn]os\\b)[^.!?\\n]{0,40}(?:instructions?|consignes|règles|directives|ordres)\\b|tout ce qu|ce qui précède|ci-dessus',
    'verb_first',
  ),
  override(
    'es',
    '\\b(?:ignor[ae]n?|olvid[ae](?:te)?|descart[ae]|omit[ae]|haz caso omiso|no hag(?:as|an) caso)\\b',
    'instruccion|reglas|órdenes|ordenes|indicacion|directrices|todo (?:lo|que)|lo anterior|mensajes anteriores',
    'verb_first',
  ),
  override(
    'pt',
    '\\b(?:ignor[ae]r?|esque[çc][ae]r?|desconsider[ae]|descart[ae])\\b',
    'instruç|instrucoes|regras|ordens|diretrizes|tudo o|tudo que|comandos',
    'verb_first',
  ),
  override(
    'it',
    '\\b(?:ignora|ignorate|ignori|dimentica|dimenticate|trascura|scarta|non seguire)\\b',
    'istruzioni|regole|ordini|direttive|indicazioni|tutto (?:ciò|quello)|quanto sopra',
    'verb_first',
  ),
  override('nl', '\\b(?:negeer|vergeet|sla)\\b', 'instructies|\\bregels\\b|opdrachten|aanwijzingen|\\balles\\b', 'verb_first'),
  override('north', '\\b(?:ignorera|ignorer|bortse från|glöm|glem)\\b', 'instruktion|anvisning|regler|allt', 'verb_first'),
  override(
    'ru',
    'игнорируй|игнорируйте|игнорировать|забудь|забудьте|не следуй|отбрось',
    'инструкци|указани|правил|команд|предыдущ|(?:^|\\s)вс[её](?:$|\\s)|выше',
    'verb_first',
  ),
  override(
    'uk',
    'ігноруй|ігноруйте|забудь|забудьте|відкинь',
    'інструкці|вказівк|правил|команд|попередн|усе|(?:^|\\s)все(?:$|\\s)',
    'verb_first',
  ),
  override('pl', 'zignoruj|ignoruj|zapomnij|pomiń|odrzuć', 'polece|instrukcj|zasad|wszystk|reguł', 'verb_first'),
  override(
    'tr',
    'yok say|görmezden gel|unut|dikkate alma|göz ardı|boş ?ver',
    'talimat|kural|yönerge|komut|önceki|her şeyi',
    'either',
  ),
  override('ar', 'تجاهل|تجاوز|انس(?:َ|ى|\\s)|انسى', 'تعليمات|أوامر|قواعد|ما سبق|توجيهات|إرشادات|السابق', 'verb_first'),
  override('hi', 'अनदेखा|भूल|नज़रअंदाज|नजरअंदाज|उपेक्षा', 'निर्देश|आदेश|नियम', 'either'),
  override('bn', 'উপেক্ষা|ভুলে', 'নির্দেশ', 'either'),
  override('zh', '忽略|忘记|忘掉|无视|不要理会|無視', '指令|指示|说明|规则|提示|以上|之前|上述|内容', 'either'),
  override('ja', '無視|忘れ|従わない', '指示|命令|ルール|規則|プロンプト|すべて|以前', 'either'),
  override('ko', '무시|잊', '지시|지침|명령|규칙|이전', 'either'),
  override('vi', 'bỏ qua|quên|phớt lờ', 'hướng dẫn|chỉ dẫn|quy tắc|chỉ thị|mệnh lệnh|lệnh', 'verb_first'),
  override(
    'id',
    'abaikan|lupakan|hiraukan|balewalain|huwag pansinin|kalimutan',
    'instruksi|perintah|petunjuk|aturan|arahan|tagubilin|itaas|semua',
    'verb_first',
  ),
  override('el', 'αγν[οό]|ξέχασ', 'οδηγ|εντολ|κανόν', 'verb_first'),
  override('th', 'ละเว้น|เพิกเฉย|ลืม', 'คำสั่ง|คําสั่ง', 'verb_first'),
  {
    id: 'only_this_fr',
    family: 'instruction_override',
    needs: ['discardAbroad', 'ordersAbroad'],
    weight: 0.55,
    contextWeight: 0.7,
    isWording: true,
    pattern: patternOf('\\brépond(?:s|ez) uniquement (?:à ceci|à cela|par)'),
    explanation: 'tells the model, in French, to answer something else',
  },
  {
    id: 'password_abroad',
    family: 'prompt_extraction',
    needs: ['secretAbroad'],
    weight: 0.55,
    isWording: true,
    pattern:
      /(?:dein|euer|ihr|ton|votre|tu|su|tua?|sua?|teu|seu|il tuo|la tua|jouw|uw|твой|ваш|твоя|twoje|senin)\s(?:geheime[srn]?\s|mot\s|secreto?\s|clave\s|секретный\s)?(?:passwort|schlüssel|mot de passe|clé secrète|contraseña|clave secreta|senha|chave secreta|password|chiave segreta|wachtwoord|пароль|секретный ключ|ключ|hasło|şifre)|(?:bạn|của bạn).{0,12}mật khẩu|mật khẩu.{0,12}của bạn|(?:你的|您的)(?:秘密)?(?:密码|密钥|密鑰)|あなたの(?:秘密の)?(?:パスワード|キー|鍵)|당신의\s?(?:비밀\s?키|비밀번호)|(?:आपका|आपकी|तुम्हारा).{0,16}(?:पासवर्ड|कुंजी)|كلمة (?:السر|المرور) الخاصة بك|مفتاحك السري|şifren(?:iz)?\s|gizli anahtar/i,
    explanation: 'asks the model, in a language other than English, for a secret it keeps',
  },
  {
    id: 'extract_abroad',
    family: 'prompt_extraction',
    needs: ['secretAbroad'],
    weight: 0.6,
    isWording: true,
    pattern:
      /(?:zeig|nenn|gib|verrate|wiederhol|affiche|montre|répète|révèle|muestra|revela|repite|dime|mostre|repita|mostra|ripeti|toon|herhaal|покажи|повтори|раскрой|pokaż|göster|输出|显示|重复|告诉我|表示|教えて|보여|알려)[^.!?\n]{0,40}(?:system-?prompt|prompt-?text|prompt (?:du )?(?:système|sistema|del sistema|do sistema|di sistema)|instructions (?:initiales|système)|instrucciones (?:iniciales|del sistema)|instruções (?:iniciais|do sistema)|istruzioni (?:iniziali|di sistema)|системн[а-яё]{2,4} (?:промпт|подсказк|инструкц)|sistem istem|系统提示|提示词|システムプロンプト|시스템 프롬프트)|(?:系统提示词?|システムプロンプト|시스템 프롬프트)[^。！？\n]{0,20}(?:是什么|输出|给我|表示|教え|見せ|보여|알려|출력)/i,
    explanation: 'asks, in a language other than English, for the hidden instructions',
  },
];
