-- Policies on trial: candidates beside the policy in force, simulations, what exceptions excused; and the texts that an organization keeps.

-- The candidate that runs beside the policy in force; at most one for each organization.
CREATE TABLE policy_shadows (
  org_id      uuid PRIMARY KEY REFERENCES organizations,
  digest      text NOT NULL,
  document    json NOT NULL,
  sample_rate double precision NOT NULL CHECK (sample_rate > 0 AND sample_rate <= 1),
  created_at  timestamptz NOT NULL,
  created_by  text NOT NULL,
  expires_at  timestamptz NOT NULL,
  -- Counted from the trail up to this sequence; only what is after its first value is of this candidate.
  counted_to  bigint NOT NULL,
  tally       json NOT NULL
);
CREATE INDEX policy_shadows_by_expiry ON policy_shadows (expires_at);

-- What exceptions of policies excused, counted from the trail up to a sequence. An organization without exceptions has no cursor.
CREATE TABLE policy_exception_cursors (
  org_id     uuid PRIMARY KEY REFERENCES organizations,
  counted_to bigint NOT NULL
);
CREATE TABLE policy_exception_hits (
  org_id       uuid NOT NULL REFERENCES organizations,
  exception_id text NOT NULL,
  hits         bigint NOT NULL,
  last_hit_at  timestamptz NOT NULL,
  PRIMARY KEY (org_id, exception_id)
);

-- What a policy would decide about what was assessed before, or about items that were sent.
CREATE TABLE policy_simulations (
  org_id       uuid NOT NULL REFERENCES organizations,
  id           uuid NOT NULL,
  -- Of the credential: test keys see assessments of test keys alone.
  mode         text NOT NULL CHECK (mode IN ('live', 'test')),
  state        text NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'failed')),
  digest       text NOT NULL,
  -- The candidate; null once it is over.
  document     json,
  created_at   timestamptz NOT NULL,
  created_by   text NOT NULL,
  finished_at  timestamptz,
  -- {"since", "until", "limit"} in Unix milliseconds; null: items were sent.
  sample       json,
  -- The items, each encrypted, as long as they are needed.
  sealed_items bytea[],
  -- Of the policy in force when it was made, by which items are decided too.
  live_version integer NOT NULL,
  total        integer,
  done         integer NOT NULL DEFAULT 0,
  -- Where to go on: a sequence, the id of a test assessment, or the index of an item, by kind; null: at the beginning.
  cursor       text,
  result       json NOT NULL,
  error        text,
  -- Who works on it now, and until when nobody else may.
  claim        uuid,
  lease_until  timestamptz,
  -- Turns that were begun since the last progress.
  attempts     integer NOT NULL DEFAULT 0,
  touched_at   timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX policy_simulations_unfinished ON policy_simulations (touched_at) WHERE state IN ('queued', 'running');
CREATE INDEX policy_simulations_by_age ON policy_simulations (created_at);

-- What was assessed, encrypted, where the policy said data.store: full. Written in the commit of its event.
CREATE TABLE assessment_texts (
  org_id     uuid NOT NULL,
  id         uuid NOT NULL,
  created_at timestamptz NOT NULL,
  sealed     bytea NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX assessment_texts_by_age ON assessment_texts (org_id, created_at);
