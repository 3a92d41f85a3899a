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
export { createPolicyCache, type PolicyCache } from './policy/cache.ts';
export { compilePolicy, type CompiledPolicy } from './policy/compile.ts';
export { DEFAULT_POLICY } from './policy/default.ts';
export { diffPolicies, type PolicyChange } from './policy/diff.ts';
export { policyDigest } from './policy/digest.ts';
export { driftSettings, type DriftSettings, type DriftSignalSettings } from './policy/drift.ts';
export { DRIFT_SIGNALS, type DriftSeason, type DriftSignal, type DriftSignalKind } from './policy/drift-signals.ts';
export { PolicySchema, type ExceptionDocument, type PolicyDocument } from './policy/document.ts';
export type { PolicyJudge } from './policy/judges.ts';
export { lintPolicy, type LintResult } from './policy/lint.ts';
export { openQuestion, type OpenQuestion } from './reconsider-plan.ts';
export { reconsider, type KeptAssessment, type Reconsidered } from './reconsider.ts';
export { Placeholders, redactInference, type GivenPlaceholders, type Redactable, type Redacted } from './redact.ts';
export {
  endStream,
  heldChars,
  openStream,
  readStream,
  streamedInference,
  toolCallProblem,
  type ReleasedToolCall,
  type StreamDelta,
  type StreamState,
} from './stream.ts';
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
