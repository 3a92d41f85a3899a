// Literals inside expressions that give a value: defaults of look-ups in the environment, conversions of a string.

/** Where the literal of such an expression at `at` starts: at its quote. `null` when there is none. Reads at most 200 characters. */
export function literalInside(text: string, at: number): number | null {
  FALLBACK.lastIndex = at;
  if (FALLBACK.test(text)) return FALLBACK.lastIndex;
  CALL.lastIndex = at;
  const call = CALL.exec(text);
  if (call === null) return null;
  const callee = call[1]!.toLowerCase();
  if (CONVERSIONS.has(callee)) return CALL.lastIndex;
  if (!LOOK_UPS.has(callee)) return null;
  DEFAULT.lastIndex = CALL.lastIndex;
  return DEFAULT.test(text) ? DEFAULT.lastIndex : null;
}

/** `process.env.X || 'x'`, `ENV['X'] || 'x'`, `os.environ.get("X") or "x"`. */
const FALLBACK =
  /(?:(?:process|import\.meta)\.env|ENV|os\.(?:environ|getenv))[\w.[\]"'()]{1,60}\s{0,2}(?:\|\||\?\?|or)\s{0,2}(?=["'`])/y;
/** A call, or a cmdlet, whose first argument is a literal; the group is the last word of what is called. */
const CALL = /(?:new )?(?:[\w$:]{1,40}\.){0,4}([\w$-]{1,40})(?:\(|\[| )\s?(?=[rbu@]?["'`])/iy;
/** The name of the variable, and what comes before its default. */
const DEFAULT = /["'][\w.-]{1,60}["'],\s{0,2}(?=[rbu]?["'`])/y;

const CONVERSIONS = new Set([
  'getbytes',
  'from',
  'frombase64',
  'frombase64string',
  'fromhex',
  'unhexlify',
  'b64decode',
  'base64decode',
  'string',
  'str',
  'bytes',
  'bytearray',
  'buffer',
  'secretstr',
  'byte',
  'securestring',
  'convertto-securestring',
]);
const LOOK_UPS = new Set([
  'getenv',
  'env',
  'get',
  'environ',
  'getordefault',
  'get_or_default',
  'setdefault',
  'fetch',
  'getproperty',
  'config',
  'string',
]);
