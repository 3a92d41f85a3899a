// Token formats of vendors of models and of what is built around them.

import { anchored, token } from '../rule.ts';
import type { Rule } from '../rule.ts';

const CRITICAL = { severity: 'critical' } as const;

export const AI_RULES: readonly Rule[] = [
  // The marker in the middle is base64 of `OpenAI`; every key issued since 2021 holds it.
  anchored(
    'openai_api_key',
    'OpenAI API key',
    String.raw`sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_-]{16,90}T3BlbkFJ[A-Za-z0-9_-]{16,90}`,
    {
      anchors: ['t3blbkfj'],
      back: 110,
      prefix: 'sk-',
      score: 0.98,
      ...CRITICAL,
    },
  ),
  ...['sk-proj-', 'sk-svcacct-', 'sk-admin-'].map((prefix) =>
    token('openai_api_key', 'OpenAI API key', prefix, '[A-Za-z0-9_-]{32,200}', { score: 0.9, entropyMin: 3.5, ...CRITICAL }),
  ),
  token('anthropic_api_key', 'Anthropic API key', 'sk-ant-api03-', '[A-Za-z0-9_-]{80,120}', { entropyMin: 4.2, ...CRITICAL }),
  token('anthropic_admin_key', 'Anthropic admin API key', 'sk-ant-admin01-', '[A-Za-z0-9_-]{80,120}', {
    entropyMin: 4.2,
    ...CRITICAL,
  }),
  token('anthropic_oauth_token', 'Anthropic OAuth token', 'sk-ant-oat01-', '[A-Za-z0-9_-]{60,120}', CRITICAL),
  token('openrouter_api_key', 'OpenRouter API key', 'sk-or-v1-', '[a-f0-9]{64}', CRITICAL),
  token('langsmith_api_key', 'LangSmith API key', 'lsv2_', '(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  token('langfuse_secret_key', 'Langfuse secret key', 'sk-lf-', '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}'),
  // Keys of DeepSeek, older OpenAI, LiteLLM and others: `sk-` and letters and digits, no vendor to be told from it.
  token('llm_api_key', 'API key of a model vendor', 'sk-', '[A-Za-z0-9]{32,64}(?![A-Za-z0-9_-])', {
    score: 0.85,
    entropyMin: 3.3,
    ...CRITICAL,
  }),
  token('huggingface_token', 'Hugging Face token', 'hf_', '[A-Za-z0-9]{34,40}', { entropyMin: 3.2 }),
  token('huggingface_organization_token', 'Hugging Face organization token', 'api_org_', '[A-Za-z]{34}', { entropyMin: 3.2 }),
  token('groq_api_key', 'Groq API key', 'gsk_', '[A-Za-z0-9]{48,56}', CRITICAL),
  token('replicate_api_token', 'Replicate API token', 'r8_', '[A-Za-z0-9]{37,40}', CRITICAL),
  token('xai_api_key', 'xAI API key', 'xai-', '[A-Za-z0-9]{70,90}', CRITICAL),
  token('perplexity_api_key', 'Perplexity API key', 'pplx-', '[A-Za-z0-9]{48}', CRITICAL),
  token('nvidia_api_key', 'NVIDIA API key', 'nvapi-', '[A-Za-z0-9_-]{60,70}', CRITICAL),
  token('fireworks_api_key', 'Fireworks API key', 'fw_', '[A-Za-z0-9]{22,26}', { score: 0.85, entropyMin: 3.6 }),
  token('pinecone_api_key', 'Pinecone API key', 'pcsk_', '[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,70}'),
  token('tavily_api_key', 'Tavily API key', 'tvly-', '(?:dev-|prod-)?[A-Za-z0-9]{32,40}'),
  token('elevenlabs_api_key', 'ElevenLabs API key', 'sk_', '[a-f0-9]{48}', { score: 0.9, entropyMin: 3 }),
  token('cerebras_api_key', 'Cerebras API key', 'csk-', '[a-z0-9]{48}', CRITICAL),
  token('wandb_api_key', 'Weights & Biases API key', 'wandb_v1_', '[A-Za-z0-9_]{60,90}'),
];
