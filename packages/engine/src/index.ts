// The engine's front door. The worker pool has its own, so that this one needs no threads.

export {
  CoverageSchema,
  DetectorRunSchema,
  EnforcementSchema,
  EvaluationSchema,
  FINDINGS_MAX,
  FindingSchema,
  LocationSchema,
  RedactedSchema,
  type Coverage,
  type DetectorRun,
  type Enforcement,
  type Finding,
  type Location,
} from './answer.ts';
export { assess, effectiveDeadlineMs, unreadEvaluation, type AssessOptions, type Evaluation } from './assess.ts';
export { DETECTOR_VERSIONS } from './detectors/index.ts';
export { SECRET_TYPES } from './detectors/secrets/types.ts';
export { InferenceSchema, inferenceProblems, LABEL_PATTERN, type Inference, type Problem } from './inference.ts';
export { canonicalJson } from './json/canonical.ts';
export { createSchemaChecker } from './json/schema-check.ts';
export {
  questionsFor,
  withJudgements,
  type JudgeAnswer,
  type JudgeQuestion,
  type JudgeRun,
  type JudgeVerdict,
} from './judged.ts';
export { inferenceChars } from './parts.ts';
export { compilePolicy, type CompiledPolicy } from './policy/compile.ts';
export { DEFAULT_POLICY } from './policy/default.ts';
export { policyDigest } from './policy/digest.ts';
export { PolicySchema, type PolicyDocument } from './policy/document.ts';
export type { PolicyJudge } from './policy/judges.ts';
export { lintPolicy, type LintResult } from './policy/lint.ts';
export { redactInference, type Redactable, type Redacted } from './redact.ts';
export {
  ACTIONS,
  OUTCOMES,
  SEVERITIES,
  TARGETS,
  type Action,
  type Category,
  type Outcome,
  type Part,
  type Severity,
  type Target,
} from './types.ts';
export { warmUp } from './warm-up.ts';
