// The applications whose telemetry is simulated: what they are asked, how their models answer, when people are there.

/** A number whose logarithm is normal. */
export interface Lognormal {
  readonly median: number;
  /** Standard deviation of the logarithm. */
  readonly sigma: number;
}

export interface Application {
  readonly name: string;
  /** The group of its probes: with the model, the series that it belongs to. */
  readonly group: string;
  /** The names of its probes, which share the traffic evenly. */
  readonly probes: readonly string[];
  readonly provider: string;
  readonly model: string;
  /** What the provider says has answered, before any deploy. */
  readonly modelVersion: string;
  /** Conversations on an ordinary weekday; each takes about `turns` inferences. */
  readonly sessionsPerDay: number;
  readonly turns: number;
  /** What the prompt template takes of each input, in tokens. */
  readonly templateTokens: number;
  /** Tokens of what the user says. */
  readonly inputTokens: Lognormal;
  readonly outputTokens: Lognormal;
  /** An answer of this many tokens ends with the reason `length`. */
  readonly outputTokensMax: number;
  /** Of the first token, in milliseconds, for a prompt of no tokens. */
  readonly firstTokenMs: Lognormal;
  /** For each token of the input and of the output. */
  readonly msPerInputToken: number;
  readonly msPerOutputToken: number;
  /** Share of the sessions in which something is found in about every second turn. */
  readonly riskShare: number;
  /** What is found, by weight. */
  readonly risks: Readonly<Record<string, number>>;
  /** Shares of the inferences. */
  readonly refusalShare: number;
  readonly errorShare: number;
  /** By weight. Some languages take more tokens for the same. */
  readonly languages: Readonly<Record<string, number>>;
  /** Up to 1: how much more is asked at 15 h UTC than on average, and less at 3 h. */
  readonly dayAmplitude: number;
  /** Share of a weekday's traffic on Saturday and Sunday. */
  readonly weekendShare: number;
  /** How much slower answers are at the busiest hour than on average, and faster at the quietest: 0.1 is 10 %. */
  readonly busyLatency: number;
}

/** How many tokens the same text takes, beside English. */
export const TOKENS_OF_LANGUAGE: Readonly<Record<string, number>> = { en: 1, de: 1.15, fr: 1.15, es: 1.1, pt: 1.1, ja: 1.3 };

/** Five applications as many an organization has them. */
export const APPLICATIONS: readonly Application[] = [
  {
    name: 'support-chat',
    group: 'support',
    probes: ['support-eu-1', 'support-eu-2'],
    provider: 'openai',
    model: 'gpt-x-mini',
    modelVersion: 'gpt-x-mini-2026-05-12',
    sessionsPerDay: 2_400,
    turns: 4,
    templateTokens: 620,
    inputTokens: { median: 55, sigma: 0.9 },
    outputTokens: { median: 180, sigma: 0.6 },
    outputTokensMax: 1_024,
    firstTokenMs: { median: 320, sigma: 0.35 },
    msPerInputToken: 0.05,
    msPerOutputToken: 11,
    riskShare: 0.08,
    risks: { 'data.pii': 6, 'attack.injection': 2, 'content.hate': 1 },
    refusalShare: 0.02,
    errorShare: 0.004,
    languages: { en: 5, de: 3, fr: 2 },
    dayAmplitude: 0.7,
    weekendShare: 0.5,
    busyLatency: 0,
  },
  {
    name: 'sales-assistant',
    group: 'sales',
    probes: ['sales-1'],
    provider: 'anthropic',
    model: 'claude-x',
    modelVersion: 'claude-x-20260601',
    sessionsPerDay: 1_600,
    turns: 5,
    templateTokens: 1_400,
    inputTokens: { median: 90, sigma: 0.8 },
    outputTokens: { median: 260, sigma: 0.5 },
    outputTokensMax: 2_048,
    firstTokenMs: { median: 480, sigma: 0.3 },
    msPerInputToken: 0.04,
    msPerOutputToken: 14,
    riskShare: 0.04,
    risks: { 'data.pii': 8, 'attack.extraction': 1 },
    refusalShare: 0.01,
    errorShare: 0.003,
    languages: { en: 8, es: 1, pt: 1 },
    dayAmplitude: 0.8,
    weekendShare: 0.2,
    busyLatency: 0,
  },
  {
    name: 'code-review',
    group: 'engineering',
    probes: ['code-1'],
    provider: 'openai',
    model: 'gpt-x',
    modelVersion: 'gpt-x-2026-04-02',
    sessionsPerDay: 3_000,
    turns: 3,
    templateTokens: 900,
    inputTokens: { median: 1_800, sigma: 1 },
    outputTokens: { median: 420, sigma: 0.7 },
    outputTokensMax: 4_096,
    firstTokenMs: { median: 700, sigma: 0.35 },
    msPerInputToken: 0.06,
    msPerOutputToken: 16,
    riskShare: 0.06,
    risks: { 'data.secret': 5, 'data.pii': 2, 'output.code': 1 },
    refusalShare: 0.005,
    errorShare: 0.006,
    languages: { en: 1 },
    dayAmplitude: 0.6,
    weekendShare: 0.25,
    busyLatency: 0,
  },
  {
    name: 'document-search',
    group: 'knowledge',
    probes: ['search-1'],
    provider: 'mistral',
    model: 'mistral-x',
    modelVersion: 'mistral-x-2603',
    sessionsPerDay: 4_500,
    turns: 2,
    templateTokens: 2_600,
    inputTokens: { median: 40, sigma: 0.7 },
    outputTokens: { median: 150, sigma: 0.5 },
    outputTokensMax: 1_024,
    firstTokenMs: { median: 400, sigma: 0.4 },
    msPerInputToken: 0.08,
    msPerOutputToken: 9,
    riskShare: 0.03,
    risks: { 'attack.indirect': 3, 'data.pii': 3, 'quality.ungrounded': 4 },
    refusalShare: 0.015,
    errorShare: 0.002,
    languages: { en: 3, de: 3, fr: 2, ja: 1 },
    dayAmplitude: 0.75,
    weekendShare: 0.3,
    busyLatency: 0,
  },
  {
    name: 'game-characters',
    group: 'games',
    probes: ['games-us-1'],
    provider: 'self-hosted',
    model: 'llama-x-70b',
    modelVersion: 'llama-x-70b-r3',
    sessionsPerDay: 1_500,
    turns: 8,
    templateTokens: 450,
    inputTokens: { median: 25, sigma: 0.8 },
    outputTokens: { median: 70, sigma: 0.5 },
    outputTokensMax: 256,
    firstTokenMs: { median: 140, sigma: 0.3 },
    msPerInputToken: 0.03,
    msPerOutputToken: 7,
    riskShare: 0.15,
    risks: { 'content.violence': 5, 'content.sexual': 2, 'attack.injection': 2, 'content.hate': 1 },
    refusalShare: 0.04,
    errorShare: 0.002,
    languages: { en: 6, es: 2, pt: 2 },
    dayAmplitude: 0.5,
    weekendShare: 1.6,
    busyLatency: 0,
  },
];
