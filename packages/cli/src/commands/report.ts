// `svc report`: counts of the trail, and what evidence it holds for a framework.

import { writeFile } from 'node:fs/promises';
import type * as types from '@svc/client';
import type { Command, Option } from '../command.ts';
import { EXIT } from '../faults.ts';
import { toned, type Column, type Output, type Text } from '../output.ts';
import { count, wrap } from '../text.ts';
import { sparkline } from './drift.ts';
import { defined, required, timeOf } from './shared.ts';

const FRAMEWORKS = ['eu-ai-act', 'nist-ai-rmf', 'iso-42001'];
const SHOWN = 5;

const PERIOD = {
  since: { kind: 'text', meaning: 'From: a time, or 24h, 7d; 30 days when not given', placeholder: '<time>' },
  until: { kind: 'text', meaning: 'Until; now when not given', placeholder: '<time>' },
} as const satisfies Readonly<Record<string, Option>>;

export const commands: readonly Command[] = [
  {
    words: ['report', 'summary'],
    summary: 'Count what happened in a time',
    options: {
      ...PERIOD,
      interval: {
        kind: 'text',
        meaning: 'Of the points of the series',
        placeholder: '<interval>',
        choices: ['hour', 'day', 'week', 'month'],
      },
    },
    examples: ['svc report summary --since 7d', 'svc report summary --since 2026-11-01 --until 2026-12-01 --json'],
    async run({ svc, options, output }) {
      const interval = options.text('interval');
      const query = defined({ since: timeOf(options, 'since'), until: timeOf(options, 'until'), interval });
      const report = await svc().reports.getSummary(query as types.ReportsGetSummaryQuery);
      output.answer(report, () => showSummary(output, report));
      return EXIT.done;
    },
  },
  {
    words: ['report', 'compliance'],
    summary: 'Show what evidence the trail holds for a framework, provision by provision',
    description: 'It is no legal advice and no conformity assessment. --html writes a page to print.',
    options: {
      framework: { kind: 'text', short: 'f', meaning: 'What it is about', placeholder: '<framework>', choices: FRAMEWORKS },
      ...PERIOD,
      html: { kind: 'text', meaning: 'Write the page to this file; - for stdout', placeholder: '<file>' },
    },
    examples: [
      'svc report compliance --framework eu-ai-act',
      'svc report compliance --framework iso-42001 --since 90d --html report.html',
    ],
    async run({ svc, options, output }) {
      const framework = required(options, 'framework', 'svc report compliance --framework eu-ai-act');
      const query = {
        framework,
        ...defined({ since: timeOf(options, 'since'), until: timeOf(options, 'until') }),
      } as types.ReportsGetComplianceQuery;
      const path = options.text('html');
      if (path !== undefined) {
        const page = await svc().reports.getCompliancePage(query);
        if (path === '-') output.raw(page);
        else {
          await writeFile(path, page);
          output.note(`Wrote ${path}.`);
        }
        return EXIT.done;
      }
      const report = await svc().reports.getCompliance(query);
      output.answer(report, () => showCompliance(output, report));
      return EXIT.done;
    },
  },
];

function showSummary(output: Output, report: types.SummaryReport): void {
  const { totals, drift, deliveries, usage } = report;
  output.fields([
    ['period', `${report.since} to ${report.until}`],
    ['of events', `up to ${report.as_of.tree_size}`],
    [
      'inferences',
      `${totals.inferences}: ${totals.allowed} allowed, ${totals.flagged} flagged, ${totals.blocked} blocked, ${totals.undecided} undecided`,
    ],
    [`by ${report.interval}`, seriesText(report, output.width)],
    ['coverage', `${totals.coverage.complete} complete, ${totals.coverage.partial} partial, ${totals.coverage.failed} failed`],
    ['drift', `${drift.opened} opened, ${drift.recovered} recovered; ${drift.open} open now`],
    ['deliveries', `${deliveries.succeeded} succeeded, ${deliveries.failed} failed, ${deliveries.waiting} waiting`],
    ['used of the plan', count(usage.assessments, 'assessment')],
  ]);
  showNamed(output, 'CATEGORY', report.categories);
  showNamed(output, 'MODEL', report.models);
}

function seriesText({ series }: types.SummaryReport, width: number): string | null {
  const values = series.map(({ inferences }) => inferences).slice(-Math.max(8, width - 40));
  return values.every((value) => value === 0)
    ? null
    : `${sparkline(values)}  ${Math.min(...values)} to ${Math.max(...values)} inferences`;
}

function showNamed(output: Output, title: string, counts: readonly types.NamedCounts[]): void {
  if (counts.length === 0) return;
  output.line('');
  output.table<types.NamedCounts>(
    [
      { name: title, importance: 9, widthMin: 12, cell: ({ name, is_others }) => (is_others ? '(others)' : (name ?? '(none)')) },
      { name: 'TOTAL', importance: 8, isRight: true, cell: ({ total }) => String(total) },
      { name: 'FLAGGED', importance: 7, isRight: true, cell: ({ flagged }) => String(flagged) },
      { name: 'BLOCKED', importance: 6, isRight: true, cell: ({ blocked }) => String(blocked) },
    ],
    counts.slice(0, SHOWN),
  );
  if (counts.length > SHOWN) output.line(toned('dim', `and ${counts.length - SHOWN} more: --json has all`));
}

const PROVISION_COLUMNS: readonly Column<types.Provision>[] = [
  { name: 'PROVISION', importance: 9, cell: ({ reference }) => reference },
  { name: 'STATUS', importance: 10, cell: ({ status }) => statusText(status) },
  {
    name: 'EVIDENCE',
    importance: 5,
    isRight: true,
    cell: ({ evidence }) => String(evidence.reduce((sum, one) => sum + one.count, 0)),
  },
  { name: 'GAPS', importance: 6, isRight: true, cell: ({ gaps }) => String(gaps.length) },
  { name: 'TITLE', importance: 7, widthMin: 16, cell: ({ title }) => title },
];

function statusText(status: string): Text {
  const tones = { evidenced: 'good', partial: 'warn', none: 'bad' } as const;
  const tone = tones[status as keyof typeof tones];
  const text = status.replaceAll('_', ' ');
  return tone === undefined ? toned('dim', text) : toned(tone, text);
}

function showCompliance(output: Output, report: types.ComplianceReport): void {
  output.line(toned('strong', report.framework.title));
  output.line(`${report.since} to ${report.until}, of the events up to ${report.as_of.tree_size}.`);
  output.line('No legal advice, no conformity assessment.\n');
  output.table(PROVISION_COLUMNS, report.provisions);
  const gaps = report.provisions.flatMap(({ reference, gaps: of }) => of.map((gap) => ({ reference, ...gap })));
  if (gaps.length > 0) output.line('\nGaps:');
  for (const { reference, what, count: n } of gaps) {
    const text = `${reference}: ${what}${n === null ? '' : ` (${n})`}`;
    output.line(`  ${wrap(text, output.width - 4).join('\n    ')}`);
  }
}
