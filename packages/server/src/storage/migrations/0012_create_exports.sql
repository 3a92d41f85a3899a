-- Exports of the trail as evidence bundles: made a step at a time, kept for some days, laid out as a zip when they are downloaded.

CREATE TABLE exports (
  org_id      uuid NOT NULL REFERENCES organizations,
  id          uuid NOT NULL,
  state       text NOT NULL CHECK (state IN ('queued', 'running', 'ready', 'failed', 'expired')),
  format      text NOT NULL CHECK (format IN ('jsonl', 'csv', 'parquet', 'ocsf', 'cloudevents')),
  since       timestamptz,
  until       timestamptz,
  -- Null: all.
  kinds       text[],
  -- The size of the checkpoint that who asks holds already; null: none.
  held_size   bigint,
  disclosures boolean NOT NULL,
  created_at  timestamptz NOT NULL,
  created_by  text NOT NULL,
  -- Events that were committed when it was asked for: the tree must have them before it begins.
  committed   bigint NOT NULL,
  -- Counts how often it was begun anew; files of an earlier run are waste.
  run         integer NOT NULL DEFAULT 0,
  -- Fixed when it begins: the checkpoint (a signed note), the size of its tree, and the leaves [from_index, to_index).
  origin      text,
  checkpoint  text,
  tree_size   bigint,
  from_index  bigint,
  to_index    bigint,
  -- The next leaf.
  position    bigint,
  -- All leaves are written, and what proves them.
  is_written  boolean NOT NULL DEFAULT false,
  events      bigint NOT NULL DEFAULT 0,
  disclosed   bigint NOT NULL DEFAULT 0,
  missing     bigint NOT NULL DEFAULT 0,
  -- Of the zip.
  bytes       bigint,
  sha256      bytea,
  finished_at timestamptz,
  expires_at  timestamptz,
  error       text,
  -- Who works on it now, and until when nobody else may.
  claim       uuid,
  lease_until timestamptz,
  -- Turns that were begun since the last progress.
  attempts    integer NOT NULL DEFAULT 0,
  touched_at  timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX exports_unfinished ON exports (touched_at) WHERE state IN ('queued', 'running');
CREATE INDEX exports_by_expiry ON exports (expires_at) WHERE state = 'ready';

-- The files of a bundle, without the bytes.
CREATE TABLE export_files (
  org_id       uuid NOT NULL,
  export_id    uuid NOT NULL,
  run          integer NOT NULL,
  name         text NOT NULL,
  -- Their order in the zip.
  position     integer NOT NULL,
  is_deflated  boolean NOT NULL,
  bytes        bigint NOT NULL,
  packed_bytes bigint NOT NULL,
  crc32        bigint NOT NULL,
  -- Of the bytes as they unpack; null: not all of them are written.
  sha256       bytea,
  PRIMARY KEY (org_id, export_id, run, name)
);

-- Their bytes as they stand in the zip. A deflated file lacks its last block, which is the same in all.
CREATE TABLE export_chunks (
  org_id    uuid NOT NULL,
  export_id uuid NOT NULL,
  run       integer NOT NULL,
  name      text NOT NULL,
  -- Where in the file it begins.
  start     bigint NOT NULL,
  bytes     bytea NOT NULL,
  PRIMARY KEY (org_id, export_id, run, name, start)
);
-- Deflated already.
ALTER TABLE export_chunks ALTER COLUMN bytes SET STORAGE EXTERNAL;
