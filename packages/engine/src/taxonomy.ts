// The categories of findings, and where each stands in the public lists of AI risks.

import type { Category, Severity } from './types.ts';

/**
 * Category or family -> entries of public frameworks; the longest match counts.
 * OWASP Top 10 for LLM Applications 2025 (https://genai.owasp.org/llm-top-10/), MITRE ATLAS (https://atlas.mitre.org/) and
 * the risks named in NIST AI 600-1, section 2 (https://doi.org/10.6028/NIST.AI.600-1).
 */
const FRAMEWORKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['attack.injection', ['owasp-llm:LLM01', 'mitre-atlas:AML.T0051.000', 'nist-ai-600-1:information-security']],
  ['attack.indirect', ['owasp-llm:LLM01', 'mitre-atlas:AML.T0051.001', 'nist-ai-600-1:information-security']],
  ['attack.obfuscation', ['owasp-llm:LLM01', 'nist-ai-600-1:information-security']],
  ['attack.extraction', ['owasp-llm:LLM07', 'mitre-atlas:AML.T0056', 'nist-ai-600-1:information-security']],
  ['data', ['owasp-llm:LLM02', 'nist-ai-600-1:data-privacy']],
  ['data.secret', ['owasp-llm:LLM02', 'mitre-atlas:AML.T0057', 'nist-ai-600-1:information-security']],
  ['data.pii', ['owasp-llm:LLM02', 'mitre-atlas:AML.T0057', 'nist-ai-600-1:data-privacy']],
  ['content.hate', ['nist-ai-600-1:harmful-bias-or-homogenization']],
  ['content.violence', ['nist-ai-600-1:dangerous-violent-or-hateful-content']],
  ['content.self_harm', ['nist-ai-600-1:dangerous-violent-or-hateful-content']],
  ['content.sexual', ['nist-ai-600-1:obscene-degrading-and-abusive-content']],
  ['content.minors', ['nist-ai-600-1:obscene-degrading-and-abusive-content']],
  ['quality', ['owasp-llm:LLM09', 'nist-ai-600-1:confabulation']],
  ['output', ['owasp-llm:LLM05', 'nist-ai-600-1:information-security']],
  ['agency', ['owasp-llm:LLM06']],
  ['usage', ['owasp-llm:LLM10']],
]);

const NONE: readonly string[] = [];

/** The frameworks' entries for a category, the same array each time; empty for the policy's own categories. */
export function frameworksOf(category: Category): readonly string[] {
  return FRAMEWORKS.get(category) ?? FRAMEWORKS.get(category.slice(0, category.indexOf('.'))) ?? NONE;
}

/** Families in which a policy's own patterns and terms may report. The others say what our detectors found. */
export const CUSTOM_CATEGORY = /^(?:data|brand|policy|content)\.[a-z][a-z0-9_]{0,39}$/;

const SEVERITY_RANK: Readonly<Record<Severity, number>> = { none: 0, low: 1, medium: 2, high: 3, critical: 4 };

/** Orders severities: `none` 0 to `critical` 4. */
export function severityRank(severity: Severity): number {
  return SEVERITY_RANK[severity];
}
