-- The trail by months, so that what is over can be given back to the disk whole. Ids grow with time (UUIDv7): a partition is a range of ids, an id
-- leads to its partition alone, and that each is there once is kept by the primary key.

-- What is there becomes the first partition as it is. Only its index by sequence is built anew: that of a primary key is unique, which over several
-- partitions none can be without the id. That a sequence is given once is kept by the counter's lock.
ALTER TABLE events RENAME TO events_first;
ALTER TABLE events_first DROP CONSTRAINT events_pkey;
ALTER TABLE events_first ADD CONSTRAINT events_first_pkey PRIMARY KEY USING INDEX events_by_id;
CREATE INDEX events_first_org_id_sequence_idx ON events_first (org_id, sequence);
ALTER INDEX events_by_external_id RENAME TO events_first_org_id_external_id_sequence_idx;
ALTER INDEX events_by_probe RENAME TO events_first_org_id_probe_id_sequence_idx;

CREATE TABLE events (LIKE events_first INCLUDING DEFAULTS, PRIMARY KEY (org_id, id)) PARTITION BY RANGE (id);
CREATE INDEX events_by_sequence ON events (org_id, sequence);
CREATE INDEX events_by_external_id ON events (org_id, external_id, sequence) WHERE external_id IS NOT NULL;
CREATE INDEX events_by_probe ON events (org_id, probe_id, sequence) WHERE probe_id IS NOT NULL;

-- Takes what no other partition takes: a clock that is far off loses nothing.
CREATE TABLE events_default PARTITION OF events DEFAULT;

-- The months ahead are made by the nodes: storage/partitions.ts.
DO $$
DECLARE
  next_month timestamptz := (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC';
  -- The least UUIDv7 of that time.
  bound uuid := (lpad(to_hex((extract(epoch FROM next_month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
BEGIN
  -- Of a clock that was ahead.
  WITH ahead AS (DELETE FROM events_first WHERE id >= bound RETURNING *)
  INSERT INTO events_default SELECT * FROM ahead;
  EXECUTE format('ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END $$;

-- Texts go with their events, whatever their own age.
DROP INDEX assessment_texts_by_age;
