-- What the trails hold, counted by the hour and by the day (UTC), for reports. Written in the transaction that extends the organization's tree,
-- so that every event is counted once, and the counts are those of the tree's size.
CREATE TABLE report_sheets (
  org_id uuid NOT NULL,
  span   text NOT NULL CHECK (span IN ('hour', 'day')),
  -- When the hour or day begins. An event belongs to that in which it was recorded.
  start  timestamptz NOT NULL,
  -- JSON: see reports/sheet.ts. One row for all counts: it is written again some times a second while there is traffic.
  sheet  text NOT NULL,
  PRIMARY KEY (org_id, span, start)
) WITH (fillfactor = 50);
CREATE INDEX report_sheets_by_age ON report_sheets (span, start);
