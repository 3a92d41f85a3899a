// Events as CSV (RFC 4180): UTF-8, a header, CRLF. Spreadsheets run cells that begin like a formula; such a text gets an apostrophe before it.

import { actorIdOf, categoriesOf, jsonOrNull, subjectOf, textOrNull, type Row } from './row.ts';

type Cell = string | number | null;

const COLUMNS: Readonly<Record<string, (row: Row) => Cell>> = {
  index: ({ index }) => index,
  sequence: ({ facts }) => facts.sequence,
  id: ({ facts }) => facts.id,
  kind: ({ facts }) => facts.kind,
  occurred_at: ({ facts }) => facts.occurred_at,
  recorded_at: ({ facts }) => facts.recorded_at,
  actor_type: ({ facts }) => facts.actor.type,
  actor_id: actorIdOf,
  actor_ip: ({ disclosed }) => textOrNull(disclosed['actor.ip']),
  model: ({ facts }) => textOrNull(facts.model),
  probe_id: ({ facts }) => textOrNull(facts.probe_id),
  outcome: ({ facts }) => textOrNull(facts.outcome),
  severity: ({ facts }) => textOrNull(facts.severity),
  score: ({ facts }) => numberOrText(facts.score),
  categories: categoriesOf,
  coverage: ({ facts }) => textOrNull(facts.coverage),
  policy_version: ({ facts }) => numberOrText(facts.policy?.version),
  policy_digest: ({ facts }) => textOrNull(facts.policy?.digest),
  subject_user: (row) => subjectOf(row).user,
  subject_session: (row) => subjectOf(row).session,
  subject_agent: (row) => subjectOf(row).agent,
  external_id: ({ disclosed }) => textOrNull(disclosed.external_id),
  metadata: ({ disclosed }) => jsonOrNull(disclosed.metadata),
  previews: ({ disclosed }) => jsonOrNull(disclosed.previews),
  data: ({ disclosed }) => jsonOrNull(disclosed.data),
  erased: ({ erased }) => erased.join(' '),
  // In hex: base64 may begin with a plus.
  leaf_hash: ({ leafHash }) => Buffer.from(leafHash, 'base64').toString('hex'),
};

/** With its line end. */
export const CSV_HEADER = `${Object.keys(COLUMNS).join(',')}\r\n`;

/** With its line end. */
export function csvLine(row: Row): string {
  return `${Object.values(COLUMNS)
    .map((valueOf) => cellText(valueOf(row)))
    .join(',')}\r\n`;
}

/** Numbers are ours, a minus included; a text that begins like a formula is a text (owasp.org/www-community/attacks/CSV_Injection). */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  // Also what a reader with another separator would take apart, or trim.
  return /[",;\t\r\n]|^ /.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function numberOrText(value: unknown): Cell {
  return typeof value === 'number' ? value : textOrNull(value);
}
