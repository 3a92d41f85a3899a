-- What probes report: who they are and how they are, what they saw, and the keys that sign the policies they decide by.

CREATE TABLE probes (
  org_id              uuid NOT NULL REFERENCES organizations,
  -- Probes of test keys are apart from those of live keys, whatever they are called.
  mode                text NOT NULL CHECK (mode IN ('live', 'test')),
  -- Its own name.
  id                  text COLLATE "C" NOT NULL,
  -- The label 'group'.
  group_name          text NOT NULL DEFAULT 'default',
  -- {"name": "value"}: as it says with its heartbeats, and as was set here, which stands over that.
  reported_labels     json NOT NULL DEFAULT '{}',
  set_labels          json NOT NULL DEFAULT '{}',
  -- Between heartbeats; null: the usual.
  expected_interval_s integer,
  -- That which its last heartbeat was answered with: until it hears of a shorter one it keeps to that.
  told_interval_s     integer,
  registered_at       timestamptz NOT NULL,
  last_seen_at        timestamptz NOT NULL,
  -- Null: it never sent one.
  last_heartbeat_at   timestamptz,
  -- What its last heartbeat said.
  version             text,
  started_at          timestamptz,
  policy_version      integer,
  queue_depth         bigint,
  queue_dropped       bigint,
  says_stale          boolean NOT NULL DEFAULT false,
  -- Heartbeats in a row whose policy was not the one in force.
  behind_heartbeats   integer NOT NULL DEFAULT 0,
  -- When it is taken for offline unless it is heard before; null: never.
  offline_at          timestamptz,
  -- Since when the trail says that it is offline.
  offline_since       timestamptz,
  PRIMARY KEY (org_id, mode, id)
) WITH (fillfactor = 70);
CREATE INDEX probes_due ON probes (offline_at) WHERE offline_since IS NULL AND mode = 'live';
CREATE INDEX probes_offline ON probes (offline_at) WHERE offline_since IS NOT NULL AND mode = 'live';
CREATE INDEX probes_of_tests ON probes (last_seen_at) WHERE mode = 'test';

-- What each probe reported, by minute, for its rates. Written every few seconds; gone after an hour.
CREATE TABLE probe_minutes (
  org_id     uuid NOT NULL,
  mode       text NOT NULL,
  probe_id   text COLLATE "C" NOT NULL,
  minute     timestamptz NOT NULL,
  accepted   bigint NOT NULL,
  duplicates bigint NOT NULL,
  rejected   bigint NOT NULL,
  PRIMARY KEY (org_id, mode, probe_id, minute)
) WITH (fillfactor = 50);
CREATE INDEX probe_minutes_by_age ON probe_minutes (minute);

-- Inferences that probes saw: numbers and names, never texts. batch_id is the event that tells of the batch, and grows with time.
CREATE TABLE telemetry (
  org_id                uuid NOT NULL,
  batch_id              uuid NOT NULL,
  position              integer NOT NULL,
  mode                  text NOT NULL,
  probe_id              text COLLATE "C" NOT NULL,
  -- The probe's own: the same again is the same inference.
  event_id              text COLLATE "C" NOT NULL,
  occurred_at           timestamptz NOT NULL,
  received_at           timestamptz NOT NULL,
  model                 text,
  model_version         text,
  provider              text,
  operation             text,
  input_tokens          bigint,
  output_tokens         bigint,
  latency_ms            double precision,
  time_to_first_token_ms double precision,
  finish_reason         text,
  error                 text,
  -- Of the service where it got the text, else of the probe; null: nobody decided.
  outcome               text,
  score                 double precision,
  -- Each category between spaces, as in events; null: none.
  categories            text,
  policy_version        integer,
  coverage              text,
  subject_user          text,
  subject_session       text,
  subject_agent         text,
  -- {"name": value}
  attributes            text,
  PRIMARY KEY (org_id, batch_id, position),
  CONSTRAINT telemetry_by_event UNIQUE (org_id, mode, probe_id, event_id)
);
CREATE INDEX telemetry_of_tests ON telemetry (received_at) WHERE mode = 'test';

-- The key that signs an organization's policy for its probes: Ed25519, PKCS #8, encrypted. Probes pin it at first contact.
CREATE TABLE policy_signing_keys (
  org_id     uuid PRIMARY KEY REFERENCES organizations,
  key_id     text NOT NULL,
  created_at timestamptz NOT NULL,
  sealed     bytea NOT NULL
);

-- Which probe an event tells of; null: none. What is not about a probe costs nothing.
ALTER TABLE events ADD COLUMN probe_id text COLLATE "C";
CREATE INDEX events_by_probe ON events (org_id, probe_id, sequence) WHERE probe_id IS NOT NULL;
ALTER TABLE test_assessments ADD COLUMN probe_id text COLLATE "C";
