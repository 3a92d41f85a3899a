// The policy of an organization that has not written one, and the value of every member that a document leaves out.

import type { Action, Target } from '../types.ts';
import type { PolicyDocument } from './document.ts';

/** What every detector's settings come down to once defaults are filled in. */
export interface DetectorSettings {
  readonly enabled: boolean;
  readonly applies_to: readonly Target[];
  readonly flag_at: number;
  readonly block_at: number | null;
  readonly action: Action;
}

const EVERYWHERE: Target[] = ['input', 'output', 'context', 'tool'];

/** Sensible for a business that has just put this service in front of its models. */
export const DEFAULT_POLICY = {
  // An organization that installs a guard expects it to act; monitor mode is one word away for a trial.
  mode: 'enforce',
  // A prompt that could not be read in full is worth a look; an answer that could not must not reach a person.
  on_error: { input: 'flag', output: 'block' },
  // A typical assessment takes well under a millisecond: only very long texts or a stalled machine come near this.
  deadline_ms: 250,
  detectors: {
    // Not on output: models quote and explain attacks all day. 0.9 is where our detector stops mistaking such talk for an attack.
    prompt_injection: { enabled: true, applies_to: ['input', 'context', 'tool'], flag_at: 0.5, block_at: 0.9, action: 'flag' },
    // Silent unless a system message keeps something or forbids something. It reads what is asked, not what it is for: to flag is enough.
    protected_prompt: { enabled: true, applies_to: ['input', 'context', 'tool'], flag_at: 0.5, block_at: null, action: 'flag' },
    // Invisible characters also come from word processors and web pages: one needs many, or tag characters, to block.
    obfuscation: { enabled: true, applies_to: EVERYWHERE, flag_at: 0.6, block_at: 0.95, action: 'flag' },
    // A credential is replaced wherever it stands; blocking would stop the developer who pasted a log, and help nobody more.
    secrets: { enabled: true, applies_to: EVERYWHERE, flag_at: 0.5, block_at: null, action: 'redact' },
    pii: {
      enabled: true,
      applies_to: EVERYWHERE,
      flag_at: 0.5,
      block_at: null,
      // For types that a later release learns, until an organization decides about them.
      action: 'ignore',
      entities: {
        // Numbers that open accounts or identities, and that no model needs to read.
        credit_card: 'redact',
        us_ssn: 'redact',
        us_itin: 'redact',
        iban: 'redact',
        bank_account: 'redact',
        national_id: 'redact',
        passport: 'redact',
        driver_license: 'redact',
        medical_record: 'redact',
        // Contact data, names and the like: support mail, signatures and logs are full of them, and most tasks ("answer this
        // customer") need them. Reporting each would bury the rest, so an organization turns on what its law asks for.
        email: 'ignore',
        phone: 'ignore',
        ip_address: 'ignore',
        mac_address: 'ignore',
        username: 'ignore',
        person: 'ignore',
        address: 'ignore',
        date_of_birth: 'ignore',
        geo_coordinates: 'ignore',
        vehicle_id: 'ignore',
        // Public by design: printed on invoices and in registers, or meant to be paid to.
        us_ein: 'ignore',
        crypto_wallet: 'ignore',
        // These identify nobody alone, and ordinary texts are full of them.
        location: 'ignore',
        organization: 'ignore',
        date_time: 'ignore',
        age: 'ignore',
        title: 'ignore',
        nrp: 'ignore',
        domain: 'ignore',
        zip_code: 'ignore',
      },
    },
    // What people say and models answer; a document is what the customer chose to read. Few texts block: context decides much.
    harm: {
      enabled: true,
      applies_to: ['input', 'output'],
      flag_at: 0.5,
      block_at: 0.95,
      action: 'flag',
      categories: {
        // Rude, not harmful; a children's service turns it on.
        profanity: 'ignore',
      },
    },
    // For applications that answer from documents, which turn it on: elsewhere answers go beyond their context, and rightly.
    groundedness: { enabled: false, applies_to: ['output'], flag_at: 0.5, block_at: null, action: 'flag' },
    // To decline is often right, so by itself it is no reason to flag; rates are what one watches.
    refusal: { enabled: true, applies_to: ['output'], flag_at: 0.5, block_at: null, action: 'ignore' },
    unsafe_code: { enabled: true, applies_to: ['output', 'tool'], flag_at: 0.5, block_at: null, action: 'flag' },
    // A link does harm only when someone or something follows it, and ordinary pages hold odd links: report, do not stop.
    links: {
      enabled: true,
      applies_to: ['output', 'context', 'tool'],
      flag_at: 0.5,
      block_at: null,
      action: 'flag',
      allow_hosts: [],
    },
    // About 50 000 tokens: beyond ordinary use, within what models take. Cost is a thing to see, not to stop.
    size: {
      enabled: true,
      applies_to: EVERYWHERE,
      flag_at: 0.5,
      block_at: null,
      action: 'flag',
      max_chars: 200_000,
      max_messages: 200,
    },
  },
  // What a judge or a rule would have blocked must not have been shown by then.
  stream: 'hold',
  rules: [],
  custom: { patterns: [], terms: [] },
  exceptions: [],
  // Once a year somebody looks in vain: rare enough that an alarm is looked at. Nearly all that people use has its hours, and what is usual at
  // noon must not be an alarm at night; where there are none, to allow for them costs some evidence.
  drift: { enabled: true, false_alarms_per_year: 1, season: 'day', signals: {}, auto_rebaseline_days: null },
  // A year covers a yearly audit; article 26(6) of the EU AI Act asks deployers for six months at least.
  data: { store: 'metadata', retention_days: 365 },
} satisfies PolicyDocument;
