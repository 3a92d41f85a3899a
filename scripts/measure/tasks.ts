// The tasks that labelled data exists for, and how a row of each is put to the engine.

import {
  assess,
  compilePolicy,
  DEFAULT_POLICY,
  type CompiledPolicy,
  type Finding,
  type Inference,
  type PolicyDocument,
} from '@svc/engine';
import type { Kind } from '../../packages/engine/src/detectors/pii/kinds.ts';
import type { Row, Span } from './rows.ts';
import { inCodePoints } from './spans.ts';

export const TASKS = ['prompt_injection', 'harm', 'pii', 'secrets', 'groundedness'] as const;
export type Task = (typeof TASKS)[number];

/** Where the judged text stands: as the task has it, or as a document handed to the model. */
export type Place = 'usual' | 'document';

export interface Scored {
  /** 0–1: the highest score of a finding of the task in the text; 0 without. */
  readonly score: number;
  /** What the default thresholds leave of the findings. */
  readonly spans: readonly Span[];
}

/** What the engine has for a task. */
interface Means {
  readonly detectors: readonly (keyof typeof DEFAULT_POLICY.detectors)[];
  /** Whether a finding of these detectors speaks of the task. */
  readonly counts: (finding: Finding) => boolean;
  /** Of the data's span types, the one of a finding; `null` where the data marks no such thing. */
  readonly spanTypeOf: (finding: Finding) => string | null;
}

const MEANS: Readonly<Record<Task, Means>> = {
  // All of `attack`. Spans mark the instruction; that a text is disguised is a finding about its form.
  prompt_injection: {
    detectors: ['prompt_injection', 'protected_prompt', 'obfuscation'],
    counts: () => true,
    spanTypeOf: ({ category }) => (category === 'attack.obfuscation' ? null : 'INJECTION'),
  },
  // Swearing alone harms nobody.
  harm: { detectors: ['harm'], counts: ({ category }) => category !== 'content.profanity', spanTypeOf: () => 'TOXIC' },
  pii: { detectors: ['pii'], counts: () => true, spanTypeOf: ({ type }) => PII_SPAN_TYPES[type as Kind] },
  secrets: { detectors: ['secrets'], counts: () => true, spanTypeOf: () => 'SECRET' },
  groundedness: { detectors: ['groundedness'], counts: () => true, spanTypeOf: () => null },
};

/** Span types of the data by type of finding. */
export const PII_SPAN_TYPES: Readonly<Record<Kind, string | null>> = {
  email: 'EMAIL',
  phone: 'PHONE',
  credit_card: 'CREDIT_CARD',
  iban: 'IBAN',
  bank_account: 'BANK_ACCOUNT',
  us_ssn: 'US_SSN',
  // The data calls every number that a state gives to a person, tax numbers too, a national one.
  us_itin: 'NATIONAL_ID',
  // An employer's number names a company; the data labels none.
  us_ein: null,
  national_id: 'NATIONAL_ID',
  passport: 'PASSPORT',
  driver_license: 'DRIVER_LICENSE',
  medical_record: 'MEDICAL_RECORD',
  vehicle_id: 'VEHICLE_ID',
  date_of_birth: 'DATE_OF_BIRTH',
  ip_address: 'IP_ADDRESS',
  mac_address: 'MAC_ADDRESS',
  geo_coordinates: 'GEO_COORDINATES',
  crypto_wallet: 'CRYPTO_WALLET',
  username: 'USERNAME',
  address: 'ADDRESS',
  person: 'PERSON',
  location: 'LOCATION',
  organization: 'ORGANIZATION',
  date_time: 'DATE_TIME',
  age: 'AGE',
  title: 'TITLE',
  nrp: 'NRP',
  domain: 'DOMAIN',
  zip_code: 'ZIP_CODE',
};

/** Whether `name` is a task. */
export function isTask(name: string): name is Task {
  return TASKS.some((task) => task === name);
}

/** A clock that stands still: no deadline passes, so that scores do not depend on how busy the machine is. */
export const STILL = { clock: () => 0, nowMs: 0 };

/** Makes the function that scores the rows of a task. */
export function createScorer(task: Task, place: Place = 'usual'): (row: Row) => Scored {
  const means = MEANS[task];
  const policy = measuringPolicy(means);
  return (row) => {
    const { inference, pointer } = inferenceOf(task, place, row);
    const findings = assess(inference, policy, STILL).findings.filter(
      (finding) => finding.location.pointer === pointer && means.counts(finding),
    );
    const score = findings.reduce((highest, finding) => Math.max(highest, finding.score), 0);
    return { score, spans: spansOf(row.text, findings, means) };
  };
}

/** The task's detectors alone, since their findings depend on no other's, with thresholds of 0, reporting all and blocking nothing. */
function measuringPolicy({ detectors }: Means): CompiledPolicy {
  const off = Object.keys(DEFAULT_POLICY.detectors).map((id) => [id, { enabled: false }]);
  const on = detectors.map((id) => [id, { enabled: true, flag_at: 0, block_at: null, action: 'flag' }]);
  return compilePolicy({ detectors: Object.fromEntries([...off, ...on]) as PolicyDocument['detectors'] & object }, 0);
}

function spansOf(text: string, findings: readonly Finding[], { spanTypeOf }: Means): Span[] {
  return findings.flatMap((finding) => {
    const type = spanTypeOf(finding);
    if (type === null || finding.score < FLAG_AT[finding.detector.id]!.flag_at) return [];
    return [{ ...inCodePoints(text, finding.location.start, finding.location.end), type }];
  });
}

const FLAG_AT: Readonly<Record<string, { readonly flag_at: number }>> = DEFAULT_POLICY.detectors;

/** An inference, and where in it the judged text stands. */
interface Placed {
  readonly inference: Inference;
  readonly pointer: string;
}

/**
 * The inference that a caller of the service would send. The text is what the user says, but for groundedness, where it is the
 * model's answer. The context is a system message for prompt injection, else a document handed to the model.
 */
export function inferenceOf(task: Task, place: Place, { text, context }: Row): Placed {
  if (place === 'document') return { inference: { input: '', context: [{ content: text }] }, pointer: '/context/0/content' };
  if (task === 'prompt_injection' && context !== undefined) {
    const input: Inference['input'] = [
      { role: 'system', content: context },
      { role: 'user', content: text },
    ];
    return { inference: { input }, pointer: '/input/1/content' };
  }
  const said = task === 'groundedness' ? 'output' : 'input';
  const documents = context === undefined ? {} : { context: [{ content: context }] };
  return { inference: { [said]: text, ...documents }, pointer: `/${said}` };
}
