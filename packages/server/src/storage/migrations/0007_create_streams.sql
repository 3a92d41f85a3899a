-- Answers that are assessed while they are written. What they hold is encrypted, and is deleted when they have ended.

CREATE TABLE streams (
  org_id         uuid NOT NULL REFERENCES organizations,
  id             uuid NOT NULL,
  mode           text NOT NULL CHECK (mode IN ('live', 'test')),
  state          text NOT NULL CHECK (state IN ('open', 'closed')),
  -- The policy that was in force when it began decides until it ends.
  policy_version integer NOT NULL,
  -- Who began it: {"type", "id", "ip"}.
  actor          json NOT NULL,
  created_at     timestamptz NOT NULL,
  -- When the last chunk came.
  touched_at     timestamptz NOT NULL,
  -- That of the last chunk; null: none has come.
  last_seq       integer,
  -- UTF-8 bytes of all chunks.
  bytes          integer NOT NULL DEFAULT 0,
  -- The inference as it began, what was answered then, and what is remembered from one chunk to the next; null once it has ended.
  opened         bytea,
  answer         bytea,
  memory         bytea,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX streams_open ON streams (org_id) WHERE state = 'open';
CREATE INDEX streams_by_age ON streams (touched_at);

-- The chunks of open streams, and the last one of those that ended a short while ago: what came and what was answered.
CREATE TABLE stream_chunks (
  org_id    uuid NOT NULL,
  stream_id uuid NOT NULL,
  seq       integer NOT NULL,
  digest    bytea NOT NULL,
  delta     bytea NOT NULL,
  answer    bytea NOT NULL,
  PRIMARY KEY (org_id, stream_id, seq),
  FOREIGN KEY (org_id, stream_id) REFERENCES streams ON DELETE CASCADE
);
