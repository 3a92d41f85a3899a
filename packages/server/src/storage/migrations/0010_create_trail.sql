-- The transparency logs: a tree over each organization's events, and one over the checkpoints of all of them.

-- From it follow the salts of what an event's leaf commits to without telling. Null once something of the event was erased: what is left has salts
-- of its own, in redaction: {"erased": {"subject": "<base64 of its digest>"}, "salts": {"data": "<base64>"}}. 122 random bits, of PostgreSQL's strong source.
ALTER TABLE events ADD COLUMN salt bytea DEFAULT uuid_send(gen_random_uuid());
ALTER TABLE events ADD COLUMN redaction text;

-- This deployment, as its logs are named: <name>/org/<org_id>, <name>/deployment/<id>, with /2-<branch> and so on after a restored backup.
CREATE TABLE trail_deployment (
  only_row          integer PRIMARY KEY DEFAULT 1 CHECK (only_row = 1),
  id                uuid NOT NULL,
  name              text NOT NULL,
  -- All logs of the deployment begin a new origin together.
  epoch             integer NOT NULL DEFAULT 1,
  -- 8 random hex digits, drawn with each epoch: of two copies of a database each goes on under an origin of its own. Empty in epoch 1.
  branch            text NOT NULL DEFAULT '',
  -- Of the server and its history, as PostgreSQL knows them: others after a restore or a failover.
  system_identifier text NOT NULL,
  timeline          integer NOT NULL
);

-- One row a log. The log of the deployment itself has the nil UUID.
CREATE TABLE trees (
  org_id        uuid PRIMARY KEY,
  size          bigint NOT NULL DEFAULT 0,
  -- The roots of the whole subtrees, the largest first, 32 bytes each: all that is needed to go on.
  frontier      bytea NOT NULL DEFAULT '',
  -- The sequence of the oldest event that is still kept; what was before it is pruned, its hashes are not.
  kept_from     bigint NOT NULL DEFAULT 1,
  -- The audit.pruned that says so. Without one in the log kept_from is not believed.
  pruned_by     uuid,
  -- The epoch and size of the last checkpoint that was signed.
  signed_epoch  integer NOT NULL DEFAULT 0,
  signed_size   bigint NOT NULL DEFAULT -1,
  -- The size of the last checkpoint that is in the deployment's log.
  anchored_size bigint NOT NULL DEFAULT -1,
  anchored_at   timestamptz
) WITH (fillfactor = 50);
INSERT INTO trees (org_id) SELECT org_id FROM event_counters;
INSERT INTO trees (org_id) VALUES ('00000000-0000-0000-0000-000000000000');

-- By which time retention deletes: see audit/retention-clock.ts. What was there before has a time that is believed.
CREATE TABLE retention_clock (
  only_row    integer PRIMARY KEY DEFAULT 1 CHECK (only_row = 1),
  believed_at timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL,
  waited_ms   integer NOT NULL DEFAULT 0
);
INSERT INTO retention_clock (believed_at, seen_at)
  SELECT newest, newest FROM (SELECT coalesce(max(recorded_at), now()) AS newest FROM events) e;

-- 256 hashes a row; the last of a level has fewer.
CREATE TABLE tiles (
  org_id uuid NOT NULL,
  level  smallint NOT NULL,
  index  bigint NOT NULL,
  hashes bytea NOT NULL,
  PRIMARY KEY (org_id, level, index)
);
-- Hashes cannot be compressed.
ALTER TABLE tiles ALTER COLUMN hashes SET STORAGE EXTERNAL;

CREATE TABLE checkpoints (
  org_id       uuid NOT NULL,
  epoch        integer NOT NULL,
  size         bigint NOT NULL,
  root         bytea NOT NULL,
  -- The signed note; that of the deployment's log with the cosignatures of its witnesses.
  note         text NOT NULL,
  published_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, epoch, size)
);
CREATE INDEX checkpoints_by_age ON checkpoints (published_at);

-- The leaves of the deployment's log: each is SHA-256(salt, note of the organization's checkpoint).
CREATE TABLE anchors (
  index  bigint PRIMARY KEY,
  org_id uuid NOT NULL,
  epoch  integer NOT NULL,
  size   bigint NOT NULL,
  salt   bytea NOT NULL
);
CREATE INDEX anchors_by_checkpoint ON anchors (org_id, epoch, size);

-- The keys that sign checkpoints: Ed25519. The seed (32 bytes) is encrypted.
CREATE TABLE trail_keys (
  -- SHA-256 of the public key, the first 8 bytes in hex.
  id          text PRIMARY KEY,
  public_key  bytea NOT NULL,
  sealed_seed bytea NOT NULL,
  created_at  timestamptz NOT NULL,
  -- Since when another signs; for as long as the overlap lasts this one signs too.
  replaced_at timestamptz,
  -- When it stopped, or will stop, to sign; null: nobody replaced it.
  retired_at  timestamptz
);
