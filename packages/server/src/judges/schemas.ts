// Wire shapes of judges.

import { Type, type Static } from 'typebox';
import { isoTime, Line, Nullable, Time } from '../http/schemas.ts';
import { JUDGE_KINDS, type Judge } from './store.ts';

/** A judge that needs longer than an assessment may take could never be heard. */
const TIMEOUT_MS_MAX = 30_000;
export const TIMEOUT_MS_DEFAULT = 2_000;
/** Sent with every call: some 8 000 tokens, far beyond what policies for such models are advised to be. */
const INSTRUCTIONS_CHARS_MAX = 32_768;
const API_KEY_CHARS_MAX = 1_000;

const MEMBERS = {
  name: Line(200, 'What it is for.'),
  url: Type.String({
    description:
      'Base URL of an OpenAI-compatible API; `/chat/completions` is added. https to a public address, or one that the operator allows.',
    minLength: 1,
    maxLength: 2_048,
    examples: ['https://models.example.com/v1'],
  }),
  model: Line(200, 'The model’s name at that API.'),
  api_key: Type.String({
    description: 'Sent as `Authorization: Bearer`. Kept encrypted, never answered, and dropped when the url changes.',
    minLength: 1,
    maxLength: API_KEY_CHARS_MAX,
    pattern: '^[\\x21-\\x7e]+$',
  }),
  timeout_ms: Type.Integer({
    description: 'Time for one answer. What is left of the assessment’s deadline may be less.',
    minimum: 10,
    maximum: TIMEOUT_MS_MAX,
    default: TIMEOUT_MS_DEFAULT,
  }),
  kind: Type.Enum([...JUDGE_KINDS], {
    description:
      'How it is asked and understood. `chat`: any chat model. `gpt_oss_safeguard`: a model that judges by a policy it is given. `llama_guard`: one that answers `safe` or `unsafe` and hazards, S1–S14.',
    default: 'chat',
  }),
  // Tabs and line breaks are what a policy text is laid out with; NUL is what PostgreSQL cannot store.
  instructions: Type.String({
    description:
      'What it is to judge by, instead of the instructions built in. Not for `llama_guard`, which knows its own rules.',
    minLength: 1,
    maxLength: INSTRUCTIONS_CHARS_MAX,
    pattern: '^(?:[^\\u0000\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$',
  }),
};

export const CreateJudge = Type.Object(
  {
    name: MEMBERS.name,
    url: MEMBERS.url,
    model: MEMBERS.model,
    api_key: Type.Optional(Nullable(MEMBERS.api_key)),
    timeout_ms: Type.Optional(MEMBERS.timeout_ms),
    kind: Type.Optional(MEMBERS.kind),
    instructions: Type.Optional(Nullable(MEMBERS.instructions)),
  },
  { additionalProperties: false, title: 'CreateJudge' },
);
export type CreateJudge = Static<typeof CreateJudge>;

export const PatchJudge = Type.Object(
  {
    name: Type.Optional(MEMBERS.name),
    url: Type.Optional(MEMBERS.url),
    model: Type.Optional(MEMBERS.model),
    api_key: Type.Optional(Nullable(MEMBERS.api_key)),
    timeout_ms: Type.Optional(MEMBERS.timeout_ms),
    kind: Type.Optional(MEMBERS.kind),
    instructions: Type.Optional(Nullable(MEMBERS.instructions)),
  },
  { additionalProperties: false, minProperties: 1, title: 'PatchJudge' },
);
export type PatchJudge = Static<typeof PatchJudge>;

export const JudgeBody = Type.Object(
  {
    id: Type.String({ examples: ['jdg_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    version: Type.Integer({ description: 'From 1, one more with each change. In the coverage and the findings of assessments.' }),
    name: Type.String(),
    kind: Type.Enum([...JUDGE_KINDS]),
    url: Type.String(),
    model: Type.String(),
    has_api_key: Type.Boolean({ description: 'Whether a key is stored. The key itself is never answered.' }),
    timeout_ms: Type.Integer(),
    instructions: Nullable(Type.String()),
    created_at: Time('When it was made.'),
    updated_at: Time('When it was last changed.'),
  },
  { title: 'Judge' },
);

/** A judge as the API shows it. */
export function presentJudge(judge: Judge): Static<typeof JudgeBody> {
  return {
    id: judge.id,
    version: judge.version,
    name: judge.name,
    kind: judge.kind,
    url: judge.url,
    model: judge.model,
    has_api_key: judge.sealedKey !== null,
    timeout_ms: judge.timeoutMs,
    instructions: judge.instructions,
    created_at: isoTime(judge.createdAtMs),
    updated_at: isoTime(judge.updatedAtMs),
  };
}
