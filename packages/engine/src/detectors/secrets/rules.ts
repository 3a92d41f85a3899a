// All token formats.

import type { Rule } from './rule.ts';
import { AI_RULES } from './rules/ai.ts';
import { BUSINESS_RULES } from './rules/business.ts';
import { CHAT_RULES } from './rules/chat.ts';
import { CLOUD_RULES } from './rules/cloud.ts';
import { CODE_RULES } from './rules/code.ts';
import { KEY_RULES } from './rules/keys.ts';

/** Every published token format, in no particular order. */
export const RULES: readonly Rule[] = [
  ...CLOUD_RULES,
  ...CODE_RULES,
  ...AI_RULES,
  ...CHAT_RULES,
  ...BUSINESS_RULES,
  ...KEY_RULES,
];
