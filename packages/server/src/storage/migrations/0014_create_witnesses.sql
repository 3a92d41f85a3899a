-- Who cosigns the checkpoints of the deployment's log, and how far they have seen it.

CREATE TABLE witnesses (
  -- <name>+<key id>+<base64>: a witness is its key, wherever it is reached.
  verifier_key text PRIMARY KEY,
  -- The last checkpoint that it cosigned: by now it takes only one that follows from it.
  epoch        integer NOT NULL DEFAULT 0,
  size         bigint NOT NULL DEFAULT 0,
  -- As it said itself.
  cosigned_at  timestamptz,
  -- It is not asked before: it is being asked, or it failed.
  next_at      timestamptz NOT NULL DEFAULT now(),
  failures     integer NOT NULL DEFAULT 0,
  -- Null: it does as it should.
  fault        text,
  -- When its word that the database was set back was last believed.
  set_back_at  timestamptz
);

-- Of those older than an hour one an hour and organization is kept.
ALTER TABLE anchors ADD COLUMN anchored_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX anchors_by_age ON anchors (anchored_at);
