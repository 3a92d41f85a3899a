-- What the trail holds, a thousand events at a time, so that a list passes over blocks in which nothing matches. Written by the audit thread once a block is
-- whole. It only says where not to look: a block without a row is read.
CREATE TABLE event_blocks (
  org_id        uuid NOT NULL,
  -- That of the sequences [1024 * block, 1024 * (block + 1)).
  block         bigint NOT NULL,
  first_id      uuid NOT NULL,
  last_id       uuid NOT NULL,
  recorded_from timestamptz NOT NULL,
  recorded_to   timestamptz NOT NULL,
  -- Bloom filters: see events/blocks.ts.
  terms         bytea NOT NULL,
  trigrams      bytea NOT NULL,
  PRIMARY KEY (org_id, block)
);
-- Each bit is asked for by itself: kept in the row, where that costs nothing.
ALTER TABLE event_blocks ALTER COLUMN terms SET STORAGE MAIN, ALTER COLUMN trigrams SET STORAGE MAIN;
