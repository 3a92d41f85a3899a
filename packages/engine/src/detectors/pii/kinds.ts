// The kinds of personal data, how grave each is and how its findings are worded.

import type { Severity } from '../../types.ts';

interface Description {
  readonly severity: Exclude<Severity, 'none'>;
  readonly label: string;
}

/** By type of finding. */
export const KINDS = {
  email: { severity: 'low', label: 'an e-mail address' },
  phone: { severity: 'medium', label: 'a phone number' },
  credit_card: { severity: 'high', label: 'a payment card number' },
  iban: { severity: 'high', label: 'an IBAN' },
  bank_account: { severity: 'high', label: 'a bank account number' },
  us_ssn: { severity: 'high', label: 'a US social security number' },
  us_itin: { severity: 'high', label: 'a US individual taxpayer number' },
  us_ein: { severity: 'medium', label: 'a US employer number' },
  national_id: { severity: 'high', label: 'a national identity number' },
  passport: { severity: 'high', label: 'a passport number' },
  driver_license: { severity: 'medium', label: "a driver's license number" },
  medical_record: { severity: 'high', label: 'a medical record number' },
  vehicle_id: { severity: 'low', label: 'a vehicle identification number' },
  date_of_birth: { severity: 'medium', label: 'a date of birth' },
  ip_address: { severity: 'low', label: 'an IP address' },
  mac_address: { severity: 'low', label: 'a MAC address' },
  geo_coordinates: { severity: 'low', label: 'geographic coordinates' },
  crypto_wallet: { severity: 'medium', label: 'a crypto wallet address' },
  username: { severity: 'low', label: 'a user name' },
  address: { severity: 'medium', label: 'a postal address' },
  person: { severity: 'low', label: "a person's name" },
  location: { severity: 'low', label: 'a place' },
  organization: { severity: 'low', label: 'an organization' },
  date_time: { severity: 'low', label: 'a date or time' },
  age: { severity: 'low', label: 'an age' },
  title: { severity: 'low', label: 'a job title' },
  nrp: { severity: 'low', label: 'a nationality, religion or political group' },
  domain: { severity: 'low', label: 'a domain name' },
  zip_code: { severity: 'low', label: 'a postal code' },
} as const satisfies Record<string, Description>;

/** A type of finding of this detector. */
export type Kind = keyof typeof KINDS;

/** Kinds that identify nobody alone, and that give way to any other where they overlap. */
export const SOFT_KINDS: ReadonlySet<Kind> = new Set<Kind>([
  'location',
  'organization',
  'date_time',
  'age',
  'title',
  'nrp',
  'domain',
  'zip_code',
]);
