// The protocol of each kind of judge.

import type { JudgeKind } from '../store.ts';
import { chat, gptOssSafeguard } from './json-verdict.ts';
import { llamaGuard } from './llama-guard.ts';
import type { Protocol } from './protocol.ts';

export const PROTOCOLS: Readonly<Record<JudgeKind, Protocol>> = {
  chat,
  gpt_oss_safeguard: gptOssSafeguard,
  llama_guard: llamaGuard,
};
