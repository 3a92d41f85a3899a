// The policy document: what an organization decides about findings. Every member has a default, see default.ts.

import { Type, type Static } from 'typebox';
import { HARMS, type Harm } from '../detectors/harm/harms.ts';
import { KINDS, type Kind } from '../detectors/pii/kinds.ts';
import { ACTIONS, TARGETS } from '../types.ts';
import { DRIFT_SIGNALS, type DriftSignal } from './drift-signals.ts';

/** Bounds of a document, as the contract states them. */
export const DOCUMENT_BYTES_MAX = 1_048_576;
const PATTERNS_MAX = 256;
/** Counted over all lists of terms together. */
export const TERMS_MAX = 10_000;
/** Longer expressions are generated, and their compiled size is refused anyway. */
const REGEX_CHARS_MAX = 1_000;
const TERM_CHARS_MAX = 200;
const ALLOWED_HOSTS_MAX = 1_000;

/** Every rule is evaluated for every inference. */
const RULES_MAX = 256;
const CEL_CHARS_MAX = 2_000;
const EXCEPTIONS_MAX = 1_000;
const GLOB_CHARS_MAX = 200;

/** An id that may stand in events, URLs and placeholders. */
const ID = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$';

const closed = { additionalProperties: false } as const;

const ActionSchema = Type.Enum(ACTIONS, {
  description:
    'ignore: no finding. flag: reported. redact: reported and replaced in the answer. block: the inference is blocked.',
});
const TargetsSchema = Type.Array(Type.Enum(TARGETS), {
  description: 'Which texts are read: input and output messages, context items, tool results and arguments.',
  minItems: 1,
  maxItems: TARGETS.length,
  uniqueItems: true,
});
const ScoreSchema = (description: string) => Type.Number({ description, minimum: 0, maximum: 1 });

const common = {
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the detector runs.', default: true })),
  applies_to: Type.Optional(TargetsSchema),
  flag_at: Type.Optional(ScoreSchema('Findings of a lower score are dropped.')),
  block_at: Type.Optional(
    Type.Union([ScoreSchema('Findings of this score or higher block.'), Type.Null()], {
      description: 'Score from which findings block; null: never.',
    }),
  ),
  action: Type.Optional(ActionSchema),
};

const DetectorSchema = (title: string) => Type.Object(common, { title, ...closed });

const TypeActionsSchema = Type.Record(Type.String(), ActionSchema, {
  description: 'Actions by type of credential, in place of `action` and `block_at`.',
  maxProperties: 500,
  propertyNames: { pattern: '^[a-z][a-z0-9_]{0,63}$' },
});

const OptionalActionSchema = Type.Optional(ActionSchema);

const HarmActionsSchema = Type.Object(
  Object.fromEntries(HARMS.map((harm) => [harm, OptionalActionSchema])) as Record<Harm, typeof OptionalActionSchema>,
  { description: 'Actions by kind of harm, in place of `action` and `block_at`.', ...closed },
);

const entityActions = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, OptionalActionSchema])) as Record<
  Kind,
  typeof OptionalActionSchema
>;

const EntityActionsSchema = Type.Object(entityActions, {
  description: 'Actions by type of personal data, in place of `action` and `block_at`.',
  ...closed,
});

const DetectorsSchema = Type.Object(
  {
    prompt_injection: Type.Optional(DetectorSchema('PromptInjectionSettings')),
    protected_prompt: Type.Optional(DetectorSchema('ProtectedPromptSettings')),
    obfuscation: Type.Optional(DetectorSchema('ObfuscationSettings')),
    secrets: Type.Optional(
      Type.Object({ ...common, types: Type.Optional(TypeActionsSchema) }, { title: 'SecretsSettings', ...closed }),
    ),
    pii: Type.Optional(
      Type.Object({ ...common, entities: Type.Optional(EntityActionsSchema) }, { title: 'PiiSettings', ...closed }),
    ),
    harm: Type.Optional(
      Type.Object({ ...common, categories: Type.Optional(HarmActionsSchema) }, { title: 'HarmSettings', ...closed }),
    ),
    groundedness: Type.Optional(DetectorSchema('GroundednessSettings')),
    refusal: Type.Optional(DetectorSchema('RefusalSettings')),
    unsafe_code: Type.Optional(DetectorSchema('UnsafeCodeSettings')),
    links: Type.Optional(
      Type.Object(
        {
          ...common,
          allow_hosts: Type.Optional(
            Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
              description: 'Hosts that are never reported, with their subdomains.',
              maxItems: ALLOWED_HOSTS_MAX,
              examples: [['example.com']],
            }),
          ),
        },
        { title: 'LinksSettings', ...closed },
      ),
    ),
    size: Type.Optional(
      Type.Object(
        {
          ...common,
          max_chars: Type.Optional(
            Type.Integer({ description: 'UTF-16 units of all texts of one inference.', minimum: 1, maximum: 10_000_000 }),
          ),
          max_messages: Type.Optional(Type.Integer({ description: 'Messages of one conversation.', minimum: 1, maximum: 200 })),
        },
        { title: 'SizeSettings', ...closed },
      ),
    ),
  },
  { ...closed },
);

const SeveritySchema = Type.Enum(['low', 'medium', 'high', 'critical'], {
  description: 'Severity of its findings.',
  default: 'medium',
});

const custom = {
  id: Type.String({ description: "The rule's name; findings carry it as type and rule_id.", pattern: ID }),
  category: Type.String({
    description: 'What it finds, under data., brand., policy. or content.',
    maxLength: 64,
    examples: ['data.confidential'],
  }),
  severity: Type.Optional(SeveritySchema),
  action: Type.Optional(Type.Enum(['flag', 'redact', 'block'], { description: 'What to do about a match.', default: 'flag' })),
  applies_to: Type.Optional(TargetsSchema),
  description: Type.Optional(
    Type.String({ description: 'One sentence that stands in findings as their explanation.', maxLength: 300 }),
  ),
};

const PatternSchema = Type.Object(
  {
    ...custom,
    regex: Type.String({
      description: 'RE2 syntax, matched in linear time.',
      minLength: 1,
      maxLength: REGEX_CHARS_MAX,
      examples: ['TCK-[0-9]{6}'],
    }),
  },
  { title: 'CustomPattern', ...closed },
);

const TermsSchema = Type.Object(
  {
    ...custom,
    any: Type.Array(Type.String({ minLength: 1, maxLength: TERM_CHARS_MAX }), {
      description: 'Whole words or phrases, whatever their case.',
      minItems: 1,
      maxItems: TERMS_MAX,
    }),
  },
  { title: 'CustomTerms', ...closed },
);

/** Each is a call of a model for each direction of each inference. */
const JUDGES_MAX = 5;

const PolicyJudgeSchema = Type.Object(
  {
    judge_id: Type.String({
      description: 'The judge, as `POST /v1/judges` answered it.',
      pattern: '^jdg_[0-7][0-9a-hjkmnp-tv-z]{25}$',
      examples: ['jdg_01jd4t4ve9e0fs7m4c1ywz3qkd'],
    }),
    applies_to: Type.Optional(
      Type.Array(Type.Enum(TARGETS), {
        description: 'Which texts it is sent; no others are. Default: input and output.',
        minItems: 1,
        maxItems: TARGETS.length,
        uniqueItems: true,
      }),
    ),
    flag_at: Type.Optional(ScoreSchema('Opinions of a lower score are dropped. Default: 0.5.')),
    block_at: Type.Optional(
      Type.Union([ScoreSchema('Opinions of this score or higher block.'), Type.Null()], {
        description: 'Score from which its opinion blocks; null, the default: never.',
      }),
    ),
  },
  { title: 'PolicyJudge', ...closed },
);

const RuleSchema = Type.Object(
  {
    id: Type.String({ description: "The rule's name; findings carry it as type and rule_id.", pattern: ID }),
    when: Type.String({
      description: 'CEL over the inference and its findings; what it holds for is a finding.',
      minLength: 1,
      maxLength: CEL_CHARS_MAX,
      examples: ['!(model.name in ["gpt-x", "claude-y"])'],
    }),
    outcome: Type.Enum(['flagged', 'blocked'], { description: 'What the inference becomes where the rule holds.' }),
    severity: Type.Optional(SeveritySchema),
    category: Type.Optional(
      Type.String({
        description: 'Category of its findings, under policy., brand., usage. or agency.',
        maxLength: 64,
        default: 'policy.rule',
      }),
    ),
    message: Type.Optional(
      Type.String({ description: 'One sentence that stands in findings as their explanation.', maxLength: 300 }),
    ),
  },
  { title: 'PolicyRule', ...closed },
);

const glob = (description: string, examples: string[]) =>
  Type.String({ description, minLength: 1, maxLength: GLOB_CHARS_MAX, examples });
const nameOf = (description: string) => Type.String({ description, minLength: 1, maxLength: 200 });

const ExceptionMatchSchema = Type.Object(
  {
    category: Type.Optional(
      Type.String({
        description: 'A category, or a family for all of its categories.',
        pattern: '^[a-z][a-z0-9_]*(?:\\.[a-z][a-z0-9_]*)?$',
        maxLength: 64,
        examples: ['data.pii', 'data'],
      }),
    ),
    type: Type.Optional(nameOf("The finding's type.")),
    value: Type.Optional(
      glob('What was found, the whole of it, whatever its case. * stands for any characters, ? for one.', ['*@example.com']),
    ),
    detector: Type.Optional(nameOf("The detector's id.")),
    rule_id: Type.Optional(nameOf("The policy's own rule.")),
    pointer: Type.Optional(glob('Where in the request, a JSON Pointer with * and ?.', ['/context/*'])),
    target: Type.Optional(Type.Enum(TARGETS, { description: 'Which kind of text.' })),
    subject: Type.Optional(
      Type.Object(
        {
          user: Type.Optional(nameOf('Exactly this user.')),
          session: Type.Optional(nameOf('Exactly this session.')),
          agent: Type.Optional(nameOf('Exactly this agent.')),
        },
        { description: 'On whose behalf the model works; all that is named must be equal.', minProperties: 1, ...closed },
      ),
    ),
  },
  { description: 'What it excuses: findings for which all of this holds.', minProperties: 1, ...closed },
);

const ExceptionSchema = Type.Object(
  {
    id: Type.String({ description: "The exception's name; findings that it excuses carry it as exception_id.", pattern: ID }),
    match: ExceptionMatchSchema,
    reason: Type.String({ description: 'Why it is right to let these pass.', minLength: 1, maxLength: 300 }),
    owner: Type.String({ description: 'Who answers for it.', minLength: 1, maxLength: 200 }),
    expires_at: Type.String({
      description: 'When it ends, ISO 8601 with an offset or Z. There are none without an end.',
      maxLength: 40,
      examples: ['2027-01-01T00:00:00Z'],
    }),
  },
  { title: 'PolicyException', ...closed },
);

const DriftSignalSchema = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: 'Whether it is watched.', default: true })),
    tolerance: Type.Optional(
      Type.Number({
        description:
          'Changes up to this count as none: of numbers in standard deviations (default 0.05), of rates and shares relative to the baseline (default 0.1).',
        minimum: 0,
        maximum: 10,
        examples: [0.2],
      }),
    ),
  },
  { title: 'DriftSignalSettings', ...closed },
);

const OptionalDriftSignalSchema = Type.Optional(DriftSignalSchema);

const DriftSchema = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean({ description: 'Whether anything is watched for drift.', default: true })),
    false_alarms_per_year: Type.Optional(
      Type.Number({
        description: 'The budget: how many false `drift.sustained` an organization accepts in a year, over all its series.',
        minimum: 0.01,
        maximum: 365,
        default: 1,
      }),
    ),
    season: Type.Optional(
      Type.Enum(['none', 'day', 'week'], {
        description:
          'What repeats and is no drift: the hours of a day, or of a week. Used once two whole periods were seen; until then alarms need ten times the evidence. Another season makes monitors learn anew.',
        default: 'day',
      }),
    ),
    signals: Type.Optional(
      Type.Object(
        Object.fromEntries(Object.keys(DRIFT_SIGNALS).map((signal) => [signal, OptionalDriftSignalSchema])) as Record<
          DriftSignal,
          typeof OptionalDriftSignalSchema
        >,
        { description: 'By signal; those that are left out have the defaults.', ...closed },
      ),
    ),
    auto_rebaseline_days: Type.Optional(
      Type.Union([Type.Integer({ minimum: 7, maximum: 365 }), Type.Null()], {
        description:
          'After so many days of drift its level becomes the new baseline; null, the default: only when somebody says so.',
      }),
    ),
  },
  { title: 'DriftSettings', description: 'What is watched for drift, and how sure an alarm has to be.', ...closed },
);

const OnErrorSchema = Type.Enum(['allow', 'flag', 'block'], {
  description: 'allow: only the coverage tells. flag, block: a finding system.coverage.',
});

/** Schema of the document's shape. `lintPolicy` checks the rest. */
export const PolicySchema = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum(['enforce', 'monitor'], { description: 'monitor: report, but redact and block nothing.', default: 'enforce' }),
    ),
    on_error: Type.Optional(
      Type.Object(
        { input: Type.Optional(OnErrorSchema), output: Type.Optional(OnErrorSchema) },
        {
          description: 'What follows when a detector fails or runs out of time, on texts going to the model and coming from it.',
          ...closed,
        },
      ),
    ),
    deadline_ms: Type.Optional(
      Type.Integer({ description: 'Time for one assessment.', minimum: 1, maximum: 30_000, default: 250 }),
    ),
    stream: Type.Optional(
      Type.Enum(['hold', 'release'], {
        description:
          'Of an answer that is assessed while it is written: whether text waits for what can only be decided at its end. release: it does not, and what is found then comes too late for it.',
        default: 'hold',
      }),
    ),
    detectors: Type.Optional(DetectorsSchema),
    rules: Type.Optional(
      Type.Array(RuleSchema, {
        description: 'Conditions over the inference and its findings, decided after all else.',
        maxItems: RULES_MAX,
      }),
    ),
    custom: Type.Optional(
      Type.Object(
        {
          patterns: Type.Optional(Type.Array(PatternSchema, { maxItems: PATTERNS_MAX })),
          terms: Type.Optional(Type.Array(TermsSchema, { maxItems: TERMS_MAX })),
        },
        { description: "The organization's own rules.", ...closed },
      ),
    ),
    exceptions: Type.Optional(
      Type.Array(ExceptionSchema, {
        description: 'Findings that count for nothing, until a date. Of several that match, the first is named.',
        maxItems: EXCEPTIONS_MAX,
      }),
    ),
    judges: Type.Optional(
      Type.Array(PolicyJudgeSchema, {
        description: 'Models outside that are asked for their opinion. They add findings, and take none away.',
        maxItems: JUDGES_MAX,
      }),
    ),
    drift: Type.Optional(DriftSchema),
    data: Type.Optional(
      Type.Object(
        {
          store: Type.Optional(
            Type.Enum(['metadata', 'full'], {
              description: 'What is kept. metadata: findings without the texts. full: the texts too, encrypted.',
              default: 'metadata',
            }),
          ),
          retention_days: Type.Optional(Type.Integer({ description: 'How long.', minimum: 183, maximum: 3650, default: 365 })),
        },
        { ...closed },
      ),
    ),
  },
  { title: 'Policy', description: 'What an organization decides about findings.', ...closed },
);

/** A document of the right shape. */
export type PolicyDocument = Static<typeof PolicySchema>;
export type DetectorsDocument = NonNullable<PolicyDocument['detectors']>;
export type PatternDocument = Static<typeof PatternSchema>;
export type TermsDocument = Static<typeof TermsSchema>;
export type RuleDocument = Static<typeof RuleSchema>;
export type ExceptionDocument = Static<typeof ExceptionSchema>;
