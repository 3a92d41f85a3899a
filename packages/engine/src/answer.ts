// The shape of an answer: findings, coverage and what was done about them, as clients receive it.

import { Type, type Static } from 'typebox';
import { ACTIONS, OUTCOMES, SEVERITIES, type Method } from './types.ts';

/** Most findings that an answer lists; `findings_total` counts all. */
export const FINDINGS_MAX = 200;

const METHODS = [
  'pattern',
  'pattern+checksum',
  'pattern+entropy',
  'pattern+context',
  'heuristic',
  'lexicon',
  'classifier',
  'judge',
  'rule',
  'limit',
  'probe',
] as const satisfies readonly (Method | 'rule' | 'probe')[];

const closed = { additionalProperties: false } as const;
const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const LocationSchema = Type.Object(
  {
    pointer: Type.String({ description: 'JSON Pointer of the text in the request.', examples: ['/input/2/content'] }),
    start: Type.Integer({ description: 'Offset in UTF-16 units.', minimum: 0 }),
    end: Type.Integer({ description: 'Offset in UTF-16 units, exclusive.', minimum: 0 }),
  },
  { title: 'Location', ...closed },
);

export const FindingSchema = Type.Object(
  {
    id: Type.String({ description: 'Names the finding within its assessment.', examples: ['fnd_1'] }),
    category: Type.String({ description: 'What kind of thing was found.', examples: ['data.secret'] }),
    type: Type.String({ description: 'What exactly.', examples: ['aws_access_key_id'] }),
    location: LocationSchema,
    score: Type.Number({ description: 'How sure the detector is.', minimum: 0, maximum: 1 }),
    severity: Type.Enum(['low', 'medium', 'high', 'critical'], { description: 'How bad it would be.' }),
    outcome: Type.Enum(OUTCOMES, { description: 'What the finding alone makes of the inference; allowed: it is excused.' }),
    action: Type.Enum(ACTIONS, { description: 'What was done; ignore: it is excused.' }),
    rule_id: nullable(Type.String(), "The policy's own rule that matched."),
    exception_id: nullable(Type.String(), 'The exception of the policy that excused it; it then counts for nothing.'),
    detector: Type.Object(
      { id: Type.String(), version: Type.String(), method: Type.Enum(METHODS) },
      { title: 'FindingDetector', description: 'Who found it, and how; `probe`: a probe says so.', ...closed },
    ),
    preview: nullable(Type.String(), 'A masked glimpse of what was found.'),
    frameworks: Type.Array(Type.String(), {
      description: 'Entries of public lists of AI risks.',
      examples: [['owasp-llm:LLM02']],
    }),
    explanation: Type.String({ description: 'One sentence for a person.' }),
  },
  { title: 'Finding', ...closed },
);

export const DetectorRunSchema = Type.Object(
  {
    id: Type.String(),
    version: Type.String(),
    status: Type.Enum(['ok', 'skipped', 'error', 'timed_out'], {
      description: 'skipped: off by policy, or nothing to read for it.',
    }),
    latency_ms: Type.Number({ minimum: 0 }),
  },
  { title: 'DetectorRun', ...closed },
);

export const CoverageSchema = Type.Object(
  {
    status: Type.Enum(['complete', 'partial', 'failed'], { description: 'failed: nothing could be read.' }),
    chars_total: Type.Integer({ description: 'UTF-16 units of all texts.', minimum: 0 }),
    chars_scanned: Type.Integer({ description: 'Those of the texts that every detector concerned has read.', minimum: 0 }),
    detectors: Type.Array(DetectorRunSchema),
  },
  { title: 'Coverage', description: 'What was read, and by whom.', ...closed },
);

export const EnforcementSchema = Type.Object(
  {
    mode: Type.Enum(['enforce', 'monitor']),
    action: Type.Enum(['none', 'redact', 'block'], { description: 'What was done to the inference.' }),
    would: nullable(Type.Enum(['redact', 'block']), 'In monitor mode, what the policy would have done.'),
    message: nullable(Type.String(), 'One sentence for a person; null when nothing was done.'),
  },
  { title: 'Enforcement', ...closed },
);

/** Members of the request in which something was replaced, in the shape they were sent. */
export const RedactedSchema = Type.Object(
  {
    input: Type.Optional(Type.Unknown()),
    output: Type.Optional(Type.Unknown()),
    context: Type.Optional(Type.Unknown()),
    tool_calls: Type.Optional(Type.Unknown()),
  },
  {
    title: 'Redacted',
    description: 'The members of the request that changed, findings replaced, in the shape they were sent.',
    ...closed,
  },
);

export const EvaluationSchema = Type.Object(
  {
    outcome: Type.Enum(OUTCOMES, { description: 'The worst finding that is not excused decides.' }),
    enforcement: EnforcementSchema,
    score: Type.Number({ description: 'The highest score of a finding that is not excused; 0 without.', minimum: 0, maximum: 1 }),
    severity: Type.Enum(SEVERITIES, { description: 'The highest severity of a finding that is not excused.' }),
    findings: Type.Array(FindingSchema, { maxItems: FINDINGS_MAX }),
    findings_total: Type.Integer({ description: 'Findings before the list was cut to its bound, excused ones too.', minimum: 0 }),
    redacted: nullable(RedactedSchema, 'The texts with findings replaced; null when nothing was.'),
    coverage: CoverageSchema,
  },
  { title: 'Evaluation', ...closed },
);

export type Location = Static<typeof LocationSchema>;
export type Finding = Static<typeof FindingSchema>;
export type DetectorRun = Static<typeof DetectorRunSchema>;
export type Coverage = Static<typeof CoverageSchema>;
export type Enforcement = Static<typeof EnforcementSchema>;
/** What the engine makes of an inference, as it goes over the wire. */
export type Evaluation = Static<typeof EvaluationSchema>;
