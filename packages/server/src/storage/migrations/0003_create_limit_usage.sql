-- What organizations used of their limits in the last five minutes, so that a restart hands out nothing twice.

-- A row is what one organization used on one node since that node's last row, e.g. seconds {1790000000,1790000001}, requests {3,5}, assessments {3,4}.
-- Times are those of the node's wall clock. No foreign key: rows are gone after five minutes by themselves. Not unlogged: a crash of
-- PostgreSQL would empty it.
CREATE TABLE limit_usage (
  org_id      uuid NOT NULL,
  flushed_at  timestamptz NOT NULL,
  node        uuid NOT NULL,
  seconds     bigint[] NOT NULL,
  requests    integer[] NOT NULL,
  assessments integer[] NOT NULL,
  PRIMARY KEY (org_id, flushed_at, node)
);
CREATE INDEX limit_usage_by_age ON limit_usage (flushed_at);
