// `svc probes`: agents that report.

import type * as types from '@svc/client';
import { confirm, YES } from '../ask.ts';
import type { Command } from '../command.ts';
import { EXIT, UsageError } from '../faults.ts';
import { LIST_OPTIONS, readList } from '../lists.ts';
import { tonedState, type Column, type Output } from '../output.ts';
import { ago } from '../text.ts';
import { defined } from './shared.ts';

const ID = { name: 'probe_id' } as const;

const COLUMNS: readonly Column<types.Probe>[] = [
  { name: 'ID', importance: 10, cell: ({ id }) => id },
  { name: 'STATE', importance: 9, cell: ({ status }) => tonedState(status) },
  { name: 'GROUP', importance: 7, widthMin: 8, cell: ({ group }) => group },
  { name: 'SEEN', importance: 8, cell: ({ last_seen_at }) => ago(last_seen_at) },
  {
    name: 'POLICY',
    importance: 4,
    isRight: true,
    cell: ({ policy_version }) => (policy_version === null ? '–' : String(policy_version)),
  },
  {
    name: 'EVENTS/MIN',
    importance: 5,
    isRight: true,
    cell: ({ rates }) => String(Math.round(rates.accepted_per_minute * 10) / 10),
  },
  { name: 'VERSION', importance: 3, widthMin: 6, cell: ({ version }) => version ?? '–' },
];

export const commands: readonly Command[] = [
  {
    words: ['probes', 'list'],
    summary: 'List probes',
    options: {
      status: {
        kind: 'text',
        meaning: 'Probes that are so now',
        placeholder: '<state>',
        choices: ['healthy', 'stale', 'offline', 'skewed'],
      },
      group: { kind: 'text', meaning: 'Probes of this group', placeholder: '<name>' },
      ...LIST_OPTIONS,
    },
    examples: ['svc probes list', 'svc probes list --status offline'],
    async run({ svc, options, output }) {
      const filter = defined({ status: options.text('status'), group: options.text('group') }) as types.ProbesListQuery;
      const list = await readList(options, (query) => svc().probes.list({ ...filter, ...query }));
      output.list(list, COLUMNS, 'There are no such probes. docs/guide/probes.md tells how one is started.');
      return EXIT.done;
    },
  },
  {
    words: ['probes', 'get'],
    summary: 'Show a probe',
    positionals: [ID],
    examples: ['svc probes get checkout-1'],
    async run({ svc, positionals, output }) {
      const probe = await svc().probes.get(positionals['probe_id']!);
      output.answer(probe, () => show(output, probe));
      return EXIT.done;
    },
  },
  {
    words: ['probes', 'update'],
    summary: 'Change a probe’s group, or how often it is to be heard',
    positionals: [ID],
    options: {
      group: { kind: 'text', meaning: "The group it is in; '' takes back what was set here", placeholder: '<name>' },
      interval: { kind: 'integer', meaning: 'Between heartbeats; 0: the usual 30', placeholder: '<seconds>' },
    },
    examples: ['svc probes update checkout-1 --group checkout', 'svc probes update checkout-1 --interval 300'],
    async run({ svc, positionals, options, output }) {
      const [group, interval] = [options.text('group'), options.integer('interval')];
      if (group === undefined && interval === undefined)
        throw new UsageError('There is nothing to change. Give --group or --interval.');
      const body = defined({
        labels: group === undefined ? undefined : group === '' ? {} : { group },
        expected_interval_s: interval === 0 ? null : interval,
      });
      const probe = await svc().probes.update(positionals['probe_id']!, body);
      output.answer(probe, () => show(output, probe));
      return EXIT.done;
    },
  },
  {
    words: ['probes', 'delete'],
    summary: 'Forget a probe',
    description: 'What it reported stays. It is registered anew when it calls again.',
    positionals: [ID],
    options: { yes: YES },
    examples: ['svc probes delete checkout-1 --yes'],
    async run(context) {
      const { svc, positionals, output } = context;
      const id = positionals['probe_id']!;
      await confirm(context, `Forget the probe ${id}? What it reported stays.`);
      const probe = await svc().probes.delete(id);
      output.answer(probe, () => output.line(`Forgot ${probe.id}.`));
      return EXIT.done;
    },
  },
];

function show(output: Output, probe: types.Probe): void {
  const { rates, queue } = probe;
  output.fields([
    ['id', probe.id],
    ['state', tonedState(probe.status)],
    ['group', probe.group],
    [
      'labels',
      Object.entries(probe.labels)
        .map(([name, value]) => `${name}=${value}`)
        .join(', ') || null,
    ],
    ['mode', probe.mode],
    ['version', probe.version],
    ['policy version', probe.policy_version === null ? null : String(probe.policy_version)],
    ['last seen', `${probe.last_seen_at} (${ago(probe.last_seen_at)})`],
    [
      'last heartbeat',
      probe.last_heartbeat_at === null ? 'never' : `${probe.last_heartbeat_at} (${ago(probe.last_heartbeat_at)})`,
    ],
    ['heard every', `${probe.expected_interval_s} s`],
    ['offline since', probe.offline_since],
    ['queue', queue === null ? null : `${queue.depth} waiting, ${queue.dropped} dropped`],
    [
      'per minute',
      `${rates.accepted_per_minute} stored, ${rates.duplicates_per_minute} known, ${rates.rejected_per_minute} refused`,
    ],
    ['registered', probe.registered_at],
  ]);
}
