// What may stand unread: words and ids of the API's own, each of a strict pattern. Whatever does not fit its pattern is read as any other text.

/** Names of models, versions and the like. */
export const LABEL = /^[\w.:/@+()-]{1,200}$/;
export const ID = /^[\w.:-]{1,128}$/;
/** A word of the API's, such as `tool_calls` or `24h`. */
export const WORD = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
/** Text that is no text: shorter ones are read. */
const BLOB = /^(?:data:[\w.+-]+\/[\w.+-]+(?:;[\w.+=-]+)*;base64,)?[\w+/-]{200,}={0,2}$/;
/** Where to stop: such as `\nHuman:`. No key is without a digit. */
const STOP = /^\D{0,40}$/;

export const ROLE = /^(?:system|developer|user|assistant|model|tool|function)$/;

const TYPES: ReadonlySet<string> = new Set([
  'text',
  'input_text',
  'output_text',
  'summary_text',
  'reasoning_text',
  'thinking',
  'refusal',
  'image_url',
  'input_image',
  'input_audio',
  'file',
  'input_file',
  'message',
  'reasoning',
  'function',
  'custom',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'item_reference',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'computer_call',
  'computer_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'url_citation',
  'file_citation',
  'tool_use',
  'tool_result',
  'image',
]);
const SCHEMA_TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
  'function',
  'custom',
  'text',
  'json_object',
  'json_schema',
]);

/** Members of messages and other items, and what each may hold unread. */
const OF_ITEMS: ReadonlyMap<string, (text: string) => boolean> = new Map<string, (text: string) => boolean>([
  ['role', (text) => ROLE.test(text)],
  ['type', (text) => TYPES.has(text)],
  ['id', (text) => ID.test(text)],
  ['call_id', (text) => ID.test(text)],
  ['tool_call_id', (text) => ID.test(text)],
  ['item_id', (text) => ID.test(text)],
  ['file_id', (text) => ID.test(text)],
  [
    'status',
    (text) => /^(?:in_progress|completed|incomplete|failed|searching|generating|interpreting|calling|queued)$/.test(text),
  ],
  ['phase', (text) => /^(?:commentary|final|final_answer)$/.test(text)],
  ['detail', (text) => /^(?:auto|low|high|original)$/.test(text)],
  ['format', (text) => /^(?:wav|mp3|flac|opus|aac|pcm16|png|jpeg|webp)$/.test(text)],
  ['encrypted_content', (text) => BLOB.test(text)],
  ['signature', (text) => BLOB.test(text)],
]);

/** The same, of a request: members that a model never sees. */
const OF_REQUESTS: ReadonlyMap<string, RegExp> = new Map([
  ['model', LABEL],
  ['user', ID],
  ['safety_identifier', ID],
  ['prompt_cache_key', ID],
  ['previous_response_id', ID],
  ['conversation', ID],
  ['stop', STOP],
  ['service_tier', WORD],
  ['reasoning_effort', WORD],
  ['verbosity', WORD],
  ['modalities', WORD],
  ['include', /^[a-z][a-z0-9_.[\]*-]{0,100}$/],
  ['encoding_format', WORD],
  ['response_format', WORD],
  ['output_format', WORD],
  ['tool_choice', WORD],
  ['truncation', WORD],
  ['prompt_cache_retention', WORD],
  ['quality', WORD],
  ['background', WORD],
  ['voice', WORD],
  ['size', WORD],
]);
const SETTINGS_IN_LIST_MAX = 16;

/** Members that hold pictures, sounds and files. */
export const MEDIA: ReadonlySet<string> = new Set([
  'image_url',
  'input_audio',
  'file',
  'file_data',
  'video_url',
  'image',
  'data',
  'b64_json',
  'partial_image_b64',
  'result',
]);

/** Names of members that say nothing: the API's own, and those of schemas. All others are read. */
const NAMES: ReadonlySet<string> = new Set(
  `additionalProperties allOf annotations anyOf arguments audio background cached_tokens call_id choices code const content conversation
  created created_at custom data default definition definitions description detail effort encoding_format encrypted_content enum error
  examples expires_at file file_citation file_data file_id file_url filename format frequency_penalty function function_call functions id
  image_url include include_usage incomplete_details index input input_audio instructions item_id items json_schema logit_bias logprobs
  max_completion_tokens max_output_tokens max_tokens max_tool_calls maxItems maxLength maximum message messages metadata minItems minLength
  minimum modalities model n name object oneOf output output_text parallel_tool_calls parameters partial pattern phase prediction
  presence_penalty previous_response_id prompt prompt_cache_key properties query reason reasoning reasoning_content reasoning_effort refusal
  required response_format result role safety_identifier schema seed service_tier signature size status stop store stream stream_options
  strict suffix summary syntax system temperature text thinking title tool_call_id tool_calls tool_choice tools top_k top_logprobs top_p
  transcript truncation type url usage user verbosity video_url voice $defs $ref`.split(/\s+/),
);

/** Whether a member of a message, an item or a part may stand unread. */
export function isWordOfItem(name: string, text: string): boolean {
  return OF_ITEMS.get(name)?.(text) === true;
}

/** The same of a schema. */
export function isWordOfSchema(name: string, text: string): boolean {
  return name === 'type' && SCHEMA_TYPES.has(text);
}

/** Whether a member of a request is a setting that a model never sees: a word, or a short list of them. */
export function isSetting(name: string, value: unknown): boolean {
  const pattern = OF_REQUESTS.get(name);
  if (pattern === undefined) return false;
  const isWord = (each: unknown) => typeof each === 'string' && pattern.test(each);
  return Array.isArray(value) ? value.length <= SETTINGS_IN_LIST_MAX && value.every(isWord) : isWord(value);
}

export function isKnownName(name: string): boolean {
  return NAMES.has(name);
}

/** Whether a text is a picture, a sound or a file, and not one that anybody reads. */
export function isBlob(text: string): boolean {
  return BLOB.test(text);
}
