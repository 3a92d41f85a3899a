// The inference to assess: the body of `POST /v1/assessments`.

import { Type, type Static } from 'typebox';
import { pointerTo } from './json/pointer.ts';

/** Bounds of one inference. They are stated in the API's description, so raising one is a promise, lowering one a break. */
const MESSAGES_MAX = 200;
const CONTEXT_ITEMS_MAX = 100;
const TOOL_CALLS_MAX = 100;
const CONTENT_PARTS_MAX = 200;
const METADATA_PAIRS_MAX = 50;
const METADATA_CHARS_MAX = 500;
export const NAME_CHARS_MAX = 200;
/** Nesting of tool arguments: real calls stay below 10; the walk over them is recursive and needs a bound. */
export const ARGUMENT_DEPTH_MAX = 32;
/** Each text takes some microseconds, however short. */
const ARGUMENT_VALUES_MAX = 5_000;
const DEADLINE_MS_MAX = 30_000;

/**
 * Pattern of a one-line label. Refuses control characters, NUL first of all: PostgreSQL cannot store it, and terminals act on others; and half
 * of a character, which has no UTF-8 form to store.
 */
export const LABEL_PATTERN = '^(?:[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$';

const closed = { additionalProperties: false } as const;

const label = (description: string, maxLength = NAME_CHARS_MAX) =>
  Type.String({ description, maxLength, pattern: LABEL_PATTERN });

const ContentPartSchema = Type.Object(
  {
    type: Type.String({
      description: '`text`, or the kind of something else, such as `image_url`.',
      minLength: 1,
      maxLength: 64,
    }),
    text: Type.Optional(
      Type.String({ description: 'The text. A part without it is not assessed and makes the coverage partial.' }),
    ),
  },
  // Images, audio and files come in every vendor's own shape; they are accepted unread.
  { title: 'ContentPart', description: 'One part of a message. Only its `text` is assessed.', additionalProperties: true },
);

const MessageSchema = Type.Object(
  {
    role: Type.Enum(['system', 'developer', 'user', 'assistant', 'tool'], { description: 'Who speaks.' }),
    content: Type.Union([Type.String(), Type.Null(), Type.Array(ContentPartSchema, { maxItems: CONTENT_PARTS_MAX })], {
      description: 'What is said: a text, parts, or null where a message holds only tool calls.',
    }),
  },
  { title: 'Message', ...closed },
);

const MessagesSchema = Type.Array(MessageSchema, { maxItems: MESSAGES_MAX });

const ContextItemSchema = Type.Object(
  {
    id: Type.Optional(label('Your name for the item.')),
    content: Type.String({ description: 'The text handed to the model.' }),
    source: Type.Optional(
      Type.Enum(['retrieval', 'tool', 'memory'], {
        description: 'Where it came from. Default: retrieval.',
        default: 'retrieval',
      }),
    ),
  },
  { title: 'ContextItem', ...closed },
);

const ToolCallSchema = Type.Object(
  {
    name: Type.String({ description: 'The tool.', minLength: 1, maxLength: NAME_CHARS_MAX, pattern: LABEL_PATTERN }),
    arguments: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `The call's arguments; every string inside is assessed. At most ${ARGUMENT_DEPTH_MAX} levels deep.`,
      }),
    ),
  },
  { title: 'ToolCall', ...closed },
);

const ModelSchema = Type.Object(
  {
    provider: Type.Optional(label('Who serves the model.')),
    name: Type.Optional(label("The model's name.")),
    version: Type.Optional(label("The model's version.")),
  },
  { title: 'Model', ...closed },
);

const SubjectSchema = Type.Object(
  {
    user: Type.Optional(label('The person, by your own pseudonym.')),
    session: Type.Optional(label('The conversation.')),
    agent: Type.Optional(label('The application or agent.')),
  },
  { title: 'Subject', description: 'On whose behalf the model works.', ...closed },
);

const MetadataSchema = Type.Record(Type.String(), label('A value.', METADATA_CHARS_MAX), {
  description: 'Your own pairs, kept with the assessment.',
  maxProperties: METADATA_PAIRS_MAX,
  propertyNames: { minLength: 1, maxLength: NAME_CHARS_MAX, pattern: LABEL_PATTERN },
});

/** Schema of an inference. What it cannot say, `inferenceProblems` checks. */
export const InferenceSchema = Type.Object(
  {
    input: Type.Optional(
      Type.Union([Type.String(), MessagesSchema], {
        description: 'What the model is asked. At least one of `input`, `output` is needed.',
      }),
    ),
    output: Type.Optional(Type.Union([Type.String(), MessagesSchema, Type.Null()], { description: 'What the model answered.' })),
    context: Type.Optional(
      Type.Array(ContextItemSchema, {
        description: 'Documents, tool results and memories in the prompt.',
        maxItems: CONTEXT_ITEMS_MAX,
      }),
    ),
    tool_calls: Type.Optional(
      Type.Array(ToolCallSchema, { description: 'Calls that the model wants to make.', maxItems: TOOL_CALLS_MAX }),
    ),
    model: Type.Optional(Type.Union([label('The model.'), ModelSchema], { description: 'The model, by name or in parts.' })),
    subject: Type.Optional(SubjectSchema),
    external_id: Type.Optional(label('Your own id, to find the assessment by.')),
    deadline_ms: Type.Optional(
      Type.Integer({ description: "Time to decide in. Default: the policy's.", minimum: 1, maximum: DEADLINE_MS_MAX }),
    ),
    occurred_at: Type.Optional(
      Type.String({
        description: 'When the inference happened, ISO 8601 with an offset or Z. Default: now.',
        maxLength: 40,
        examples: ['2026-03-01T12:00:00.000Z'],
      }),
    ),
    metadata: Type.Optional(MetadataSchema),
  },
  { title: 'Inference', description: 'One exchange with a model, or the part of it known so far.', ...closed },
);

/** An inference that fits `InferenceSchema`. */
export type Inference = Static<typeof InferenceSchema>;
export type Message = Static<typeof MessageSchema>;

/** Something wrong at a place in a document. `message` is a sentence a person can act on, without the value itself. */
export interface Problem {
  readonly pointer: string;
  readonly message: string;
}

/** What is wrong with an inference that fits the schema; empty when nothing is. */
export function inferenceProblems(inference: Inference): Problem[] {
  const problems: Problem[] = [];
  if (inference.input === undefined && (inference.output ?? null) === null) {
    problems.push({ pointer: '', message: 'send input, output or both' });
  }
  inference.tool_calls?.forEach((call, i) => {
    if (isDeeperThan(call.arguments, ARGUMENT_DEPTH_MAX)) {
      problems.push({
        pointer: `/tool_calls/${i}/arguments`,
        message: `must not be nested deeper than ${ARGUMENT_DEPTH_MAX} levels`,
      });
    }
  });
  if (problems.length === 0 && valuesIn(inference.tool_calls) > ARGUMENT_VALUES_MAX)
    problems.push({ pointer: '/tool_calls', message: `must not hold more than ${ARGUMENT_VALUES_MAX} values in all arguments` });
  if (inference.occurred_at !== undefined && !isTime(inference.occurred_at)) {
    problems.push({
      pointer: '/occurred_at',
      message: 'must be an ISO 8601 time with an offset, such as 2026-03-01T12:00:00.000Z',
    });
  }
  textParts(inference).forEach(({ pointer, text }) => {
    if (typeof text !== 'string') problems.push({ pointer, message: 'a part of type text needs a text' });
  });
  return problems;
}

/** Parts that say they are texts, for the one rule the schema leaves open: they must hold one. */
function textParts(inference: Inference): { pointer: string; text: unknown }[] {
  const found: { pointer: string; text: unknown }[] = [];
  for (const member of ['input', 'output'] as const) {
    const messages = inference[member];
    if (!Array.isArray(messages)) continue;
    messages.forEach(({ content }, i) => {
      if (!Array.isArray(content)) return;
      content.forEach((part, j) => {
        if (part.type === 'text') found.push({ pointer: pointerTo(`/${member}/${i}/content`, j), text: part.text });
      });
    });
  }
  return found;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

/** Strings, numbers and the like inside of a value that is not nested too deep. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + valuesIn(member), 0);
}

const TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** True for an ISO 8601 time with an offset or Z. `Date.parse` alone also takes `1` and `March 1`, and rolls 31 February over to March. */
export function isTime(text: string): boolean {
  if (!TIME.test(text) || Number.isNaN(Date.parse(text))) return false;
  const day = Number(text.slice(8, 10));
  return day <= new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
}
