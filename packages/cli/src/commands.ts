// The table of commands, by their first word, in the order of `svc help`. A group is loaded when it is asked for, so that `svc --version` and
// completion wait for none of the others.

import type { Group } from './arguments.ts';

export const GROUPS: readonly Group[] = [
  { word: 'login', summary: 'Sign in, with a key', load: async () => (await import('./commands/login.ts')).commands },
  { word: 'logout', summary: 'Forget a key', load: async () => (await import('./commands/logout.ts')).commands },
  { word: 'profiles', summary: 'Services and keys by name', load: async () => (await import('./commands/profiles.ts')).commands },
  {
    word: 'status',
    summary: 'How the service and the organization are',
    load: async () => (await import('./commands/status.ts')).commands,
  },
  {
    word: 'assess',
    summary: 'Decide about an inference, or many',
    load: async () => (await import('./commands/assess.ts')).commands,
  },
  {
    word: 'events',
    summary: 'The trail: search, follow, prove',
    load: async () => (await import('./commands/events.ts')).commands,
  },
  {
    word: 'policy',
    summary: 'What decides: read, check, compare, try, set',
    load: async () => (await import('./commands/policy.ts')).commands,
  },
  {
    word: 'judges',
    summary: 'Models outside that are asked for their opinion',
    load: async () => (await import('./commands/judges.ts')).commands,
  },
  { word: 'probes', summary: 'Agents that report', load: async () => (await import('./commands/probes.ts')).commands },
  {
    word: 'drift',
    summary: 'What has changed in what models do',
    load: async () => (await import('./commands/drift.ts')).commands,
  },
  {
    word: 'webhooks',
    summary: 'Who is told of events, and how that went',
    load: async () => (await import('./commands/webhooks.ts')).commands,
  },
  {
    word: 'integrations',
    summary: 'Slack, PagerDuty, Teams, Datadog, Splunk',
    load: async () => (await import('./commands/integrations.ts')).commands,
  },
  {
    word: 'listen',
    summary: 'Forward events to a program on this machine',
    load: async () => (await import('./commands/listen.ts')).commands,
  },
  {
    word: 'verify-signature',
    summary: 'Check the signature of a delivery, and say what is wrong',
    load: async () => (await import('./commands/verify-signature.ts')).commands,
  },
  {
    word: 'audit',
    summary: 'Proofs: verify evidence, watch the log',
    load: async () => (await import('./commands/audit.ts')).commands,
  },
  { word: 'export', summary: 'Evidence to take along', load: async () => (await import('./commands/export.ts')).commands },
  {
    word: 'report',
    summary: 'Counts, and evidence for frameworks',
    load: async () => (await import('./commands/report.ts')).commands,
  },
  { word: 'keys', summary: 'API keys', load: async () => (await import('./commands/keys.ts')).commands },
  {
    word: 'service-accounts',
    summary: 'Credentials of programs',
    load: async () => (await import('./commands/service-accounts.ts')).commands,
  },
  { word: 'sessions', summary: 'Who is signed in', load: async () => (await import('./commands/sessions.ts')).commands },
  {
    word: 'org',
    summary: 'The organization; for operators, all of them',
    load: async () => (await import('./commands/org.ts')).commands,
  },
  {
    word: 'plan',
    summary: 'Limits of the organization; for operators, of all',
    load: async () => (await import('./commands/plan.ts')).commands,
  },
  {
    word: 'completion',
    summary: 'Completion for bash, zsh and fish',
    load: async () => (await import('./commands/completion.ts')).commands,
  },
];
