// A compliance report as a page to read and to print: no scripts, nothing fetched from elsewhere, every text escaped.

import type { ComplianceReport } from './compliance.ts';
import type { Status } from './frameworks/framework.ts';

/** For `Content-Security-Policy`: the page may do nothing but show itself. */
export const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Provision = ComplianceReport['provisions'][number];
type Evidence = Provision['evidence'][number];

/** The whole page. `baseUrl`: where the service is reached, without a trailing slash. */
export function renderCompliance(report: ComplianceReport, baseUrl: string): string {
  const { framework, provisions } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(framework.title)}: evidence</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">Compliance report</p>
<h1>${escape(framework.title)}</h1>
<p class="lead">${escape(framework.about)}</p>
<dl class="facts">
${fact('Organization', `${escape(report.org_name)}<br><code>${escape(report.org_id)}</code>`)}
${fact('Period', `${day(report.since)} to ${day(lastDay(report.until))}, UTC`)}
${fact('Made', `${time(report.generated_at)} UTC, by ${escape(report.software.name)} ${escape(report.software.version)}`)}
${fact('Text', `<a href="${escape(framework.url)}">${escape(framework.version)}</a><br><span class="address">${escape(framework.url)}</span>`)}
${fact('Counted', `${number(report.as_of.tree_size)} ${report.as_of.tree_size === 1 ? 'event' : 'events'} of the log`)}
</dl>
<p class="dates"><strong>Since when it applies.</strong> ${escape(framework.dates)}</p>
</header>
<nav aria-labelledby="overview"><h2 id="overview">Overview</h2>
${renderOverview(provisions)}
${renderLegend(report.summary)}
</nav>
<h2 id="provisions">Provisions</h2>
<p class="small">Addresses that end with an ellipsis go on with the period: ${code(periodQuery(report))}.</p>
${provisions.map((provision) => renderProvision(provision, report)).join('')}
${renderCheckpoint(report, baseUrl)}
</main>
</body>
</html>
`;
}

function renderOverview(provisions: readonly Provision[]): string {
  const rows = provisions.map(
    ({ id, reference, title, status, covers, evidence, gaps }) =>
      `<li><a href="#${escape(id)}"><span class="reference">${escape(reference)}</span> <span class="title">${escape(title)}</span></a><span class="found">${found(evidence.length, gaps.length, status)}</span><span>${renderStatus(status)}${covers === 'part' ? ' <span class="limit">a part is not recorded here</span>' : ''}</span></li>`,
  );
  return `<ol class="overview">${rows.join('\n')}<li><a href="#checkpoint"><span class="reference">Proof</span> <span class="title">The checkpoint, and how to verify it</span></a></li></ol>`;
}

function found(evidence: number, gaps: number, status: Status): string {
  if (status === 'not_recorded_here') return '';
  return `${evidence} ${evidence === 1 ? 'kind' : 'kinds'} of evidence, ${gaps} ${gaps === 1 ? 'gap' : 'gaps'}`;
}

const STATUS_TEXTS: Readonly<Record<Status, { readonly mark: string; readonly name: string; readonly means: string }>> = {
  evidenced: {
    mark: '●',
    name: 'Evidenced',
    means: 'there is evidence, no gap was found, and all that is asked for can be recorded here',
  },
  partial: { mark: '◐', name: 'Partial', means: 'there is evidence, with gaps or of a part' },
  none: { mark: '○', name: 'None', means: 'what it takes was not found in the period' },
  not_recorded_here: { mark: '–', name: 'Not recorded here', means: 'this service records nothing of it' },
};

function renderStatus(status: Status): string {
  const { mark, name } = STATUS_TEXTS[status];
  return `<span class="status ${status}"><span aria-hidden="true">${mark}</span> ${name}</span>`;
}

function renderLegend(summary: ComplianceReport['summary']): string {
  const items = Object.entries(STATUS_TEXTS).map(
    ([status, { means }]) => `<li>${renderStatus(status as Status)} ${counted(summary[status as Status])}: ${means}.</li>`,
  );
  return `<ul class="legend">${items.join('')}</ul><p class="small">A status is counted from the log. It is no legal judgement.</p>`;
}

function counted({ count, of_a_part: ofAPart }: ComplianceReport['summary'][Status]): string {
  return ofAPart === 0 ? `${count}` : `${count} (${ofAPart} of which a part is not recorded here)`;
}

function renderProvision(provision: Provision, report: ComplianceReport): string {
  const { id, reference, title, binds, requirement, applies, status, limit, evidence, gaps, note } = provision;
  return `<section class="provision" id="${escape(id)}" aria-labelledby="${escape(id)}-title">
<h3 id="${escape(id)}-title"><span class="reference">${escape(reference)}</span> ${escape(title)}</h3>
<p>${renderStatus(status)}${limit === null ? '' : ` <span class="limit">${escape(limit)}</span>`}</p>
<dl class="rule">
${fact('Asks', escape(requirement))}
${fact('Binds', escape(binds.join(', ')))}
${fact('Applies to', escape(applies))}
</dl>
${evidence.length === 0 ? '' : `<h4>Evidence</h4><ul class="evidence">${evidence.map((one) => renderEvidence(one, report)).join('')}</ul>`}
${gaps.length === 0 ? '' : `<h4>Gaps</h4><ul class="gaps">${gaps.map(({ what, endpoints }) => `<li>${escape(what)} ${where(endpoints, report)}</li>`).join('')}</ul>`}
${note === null ? '' : `<p class="note">${escape(note)}</p>`}
</section>
`;
}

function renderEvidence(
  { what, count, first_at: first, last_at: last, endpoints, ...rest }: Evidence,
  report: ComplianceReport,
): string {
  const facts = [
    times(first, last),
    sequences(rest.first_sequence, rest.last_sequence),
    rest.checkpoint_size === null ? '' : `covered by checkpoint ${number(rest.checkpoint_size)}`,
    where(endpoints, report),
  ].filter((text) => text !== '');
  const spans = facts.map((text) => `<span>${text}</span>`).join(' ');
  return `<li><span class="count">${number(count)}</span><div><p>${escape(what)}</p><p class="small told">${spans}</p></div></li>`;
}

function times(first: string | null, last: string | null): string {
  if (last === null) return first === null ? '' : `since ${time(first)}`;
  if (first === null || minute(first) === minute(last)) return `at ${time(last)}`;
  return `${time(first)} to ${time(last)}`;
}

function sequences(first: number | null, last: number | null): string {
  if (last === null) return '';
  return first === null || first === last ? `event ${number(last)}` : `between events ${number(first)} and ${number(last)}`;
}

/** Addresses without the period, which is the same in all of them. */
function where(endpoints: readonly string[], report: ComplianceReport): string {
  const period = periodQuery(report);
  return endpoints.map((endpoint) => `<span class="small">${code(endpoint.replace(period, '…'))}</span>`).join(' ');
}

function periodQuery({ since, until }: ComplianceReport): string {
  return `since=${since}&until=${until}`;
}

function renderCheckpoint({ as_of: { tree_size: treeSize, checkpoint } }: ComplianceReport, baseUrl: string): string {
  const how =
    checkpoint === null
      ? '<p>No checkpoint has been signed yet, so nothing here can be verified.</p>'
      : `<p>The counts are of the first ${number(treeSize)} events of the log. The checkpoint, signed ${time(checkpoint.published_at)}, commits to the first ${number(checkpoint.size)}: to every one of them, in this order.</p>
<pre><code>${escape(checkpoint.note)}</code></pre>
<ol>
<li>Keep this checkpoint. Whoever holds it can prove later that an event that it covers was changed, removed or put in.</li>
<li>Get the key that signs it by another way than this page: ${code(`${baseUrl}/v1/audit/keys`)}.</li>
<li>Ask for a proof that the log of today continues it: ${code(`${baseUrl}/v1/audit/consistency?from=${checkpoint.size}`)}.</li>
<li>Export the events of the period (${code('POST /v1/exports')}) and check the bundle on a machine of your own: ${code('npm run -s verify -- bundle.zip --key keys.txt')}. Then count.</li>
</ol>`;
  return `<section class="provision" id="checkpoint"><h2>The checkpoint, and how to verify it</h2>${how}</section>`;
}

function fact(name: string, html: string): string {
  return `<div><dt>${name}</dt><dd>${html}</dd></div>`;
}

function code(text: string): string {
  return `<code>${escape(text)}</code>`;
}

function number(value: number): string {
  return value.toLocaleString('en-US').replaceAll(',', ' ');
}

/** In UTC, as all times of the page are. */
function time(iso: string): string {
  return `<time datetime="${escape(iso)}">${escape(minute(iso))}</time>`;
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

function day(iso: string): string {
  return `<time datetime="${escape(iso)}">${escape(iso.slice(0, 10))}</time>`;
}

/** The end of a period is exclusive. */
function lastDay(until: string): string {
  return new Date(Date.parse(until) - 1).toISOString();
}

function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\0', '\ufffd');
}

const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --soft: #5a6070; --line: #d9dce3; --page: #ffffff; --field: #f5f6f8; --link: #1d4fc4;
  --good: #14713d; --half: #8a5300; --bad: #a92b22; --quiet: #5a6070; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ee; --soft: #a2a8b6; --line: #343944; --page: #14161b; --field: #1d2027; --link: #8fb2ff;
  --good: #6fd69b; --half: #f0b762; --bad: #ff9a90; --quiet: #a2a8b6; } }
* { box-sizing: border-box; }
html { background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0; }
main { max-width: 58rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: .25rem 0 1rem; letter-spacing: -.015em; }
h2 { font-size: 1.35rem; margin: 3rem 0 1rem; }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 0; }
h4 { font-size: .8125rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
code { font: .875em ui-monospace, "SFMono-Regular", Menlo, "Liberation Mono", monospace; overflow-wrap: anywhere; }
pre { background: var(--field); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
ul, ol { padding-left: 1.25rem; }
.kicker { color: var(--soft); margin: 0; }
.lead { max-width: 44rem; }
.small { font-size: .875rem; color: var(--soft); margin: .2rem 0; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(14rem, 1fr)); gap: .75rem 1.5rem; margin: 1.5rem 0; padding: 1rem 0; border: solid var(--line); border-width: 1px 0; }
.facts div { min-width: 0; }
dt { font-size: .8125rem; color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
.dates { background: var(--field); border-left: 3px solid var(--half); padding: .75rem 1rem; }
.overview, .legend, .evidence { list-style: none; padding: 0; }
.overview li { display: grid; grid-template-columns: minmax(0, 1fr) auto 11rem; gap: .25rem 1rem; align-items: baseline; padding: .55rem 0; border-bottom: 1px solid var(--line); }
.overview a { text-decoration: none; display: grid; grid-template-columns: 9.5rem minmax(0, 1fr); gap: 0 .5rem; }
.overview a:hover .title, .overview a:focus-visible .title { text-decoration: underline; }
.overview .reference { font-weight: 600; }
.overview .title { color: var(--ink); }
.found { color: var(--soft); font-size: .875rem; white-space: nowrap; }
.legend { font-size: .875rem; color: var(--soft); display: grid; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); gap: .25rem 1.5rem; }
.status { white-space: nowrap; font-size: .875rem; font-weight: 600; }
.limit { font-size: .875rem; color: var(--soft); }
.overview .limit { display: block; font-size: .8125rem; line-height: 1.3; }
.address { font-size: .75rem; color: var(--soft); word-break: break-all; }
.told code, .gaps code { display: inline-block; max-width: 100%; }
.status.evidenced { color: var(--good); } .status.partial { color: var(--half); } .status.none { color: var(--bad); } .status.not_recorded_here { color: var(--quiet); }
.provision { border-top: 1px solid var(--line); padding: 1.75rem 0 1rem; scroll-margin-top: 1rem; }
.provision > h2 { margin-top: 0; }
.provision h3 .reference { color: var(--soft); font-weight: 600; margin-right: .35rem; }
.rule { margin: .75rem 0; }
.rule div { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 0 1rem; padding: .2rem 0; }
.rule dt { padding-top: .15rem; }
.evidence { margin: 0; }
.evidence li { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 0 1rem; padding: .5rem 0; border-top: 1px dashed var(--line); }
.evidence p { margin: 0; }
.told > span + span::before { content: "·"; margin-right: .35em; }
.count { font-variant-numeric: tabular-nums; font-weight: 600; }
.gaps { margin: 0; }
.gaps li { padding: .15rem 0; }
.gaps li::marker { color: var(--half); }
.note { color: var(--soft); border-left: 3px solid var(--line); padding-left: 1rem; }
@media (max-width: 40rem) {
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.6rem; }
  .overview li { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .overview a { grid-template-columns: minmax(0, 1fr); }
  .rule div, .evidence li { grid-template-columns: minmax(0, 1fr); }
  .told > span { display: block; }
  .told > span + span::before { content: none; }
}
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --page: #fff; --field: #f4f4f4; --link: #000; --good: #000; --half: #000; --bad: #000; --quiet: #000; }
  @page { margin: 18mm 16mm; }
  html { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  a { text-decoration: none; }
  h2, h3, h4 { break-after: avoid; }
  .evidence li, .gaps li, .overview li, .rule div, pre, .dates { break-inside: avoid; }
}
`;
