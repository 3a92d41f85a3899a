-- What the service remembers: organizations, keys, policies, the trail of events, and requests that may be repeated.

CREATE TABLE instance (
  id               integer PRIMARY KEY CHECK (id = 1),
  master_key_check bytea NOT NULL
);

CREATE TABLE organizations (
  id         uuid PRIMARY KEY,
  name       text NOT NULL,
  plan       text NOT NULL CHECK (plan IN ('starter', 'growth', 'scale', 'enterprise')),
  -- Numbers of its own over those of the plan, e.g. {"batch_size": 5000}; null: the plan's.
  limits     json,
  created_at timestamptz NOT NULL
);

-- The digest is of the whole key under the named pepper; the key itself is nowhere.
CREATE TABLE api_keys (
  org_id       uuid NOT NULL REFERENCES organizations,
  id           uuid NOT NULL,
  name         text NOT NULL,
  type         text NOT NULL CHECK (type IN ('live', 'test', 'admin')),
  description  text,
  permissions  text[] NOT NULL,
  pepper       text NOT NULL,
  digest       bytea NOT NULL,
  last4        text NOT NULL,
  created_at   timestamptz NOT NULL,
  expires_at   timestamptz,
  last_used_at timestamptz,
  revoked_at   timestamptz,
  PRIMARY KEY (org_id, id)
);
-- The look-up of a credential: the one question that is asked before the organization is known.
CREATE UNIQUE INDEX api_keys_by_digest ON api_keys (digest);

CREATE TABLE policy_versions (
  org_id     uuid NOT NULL REFERENCES organizations,
  version    integer NOT NULL,
  digest     text NOT NULL,
  document   json NOT NULL,
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  PRIMARY KEY (org_id, version)
);

-- The last sequence given in each organization. Its row lock orders the commits of that organization, which is what keeps the sequence
-- without gaps. The free space in each page lets the row be updated in place.
CREATE TABLE event_counters (
  org_id        uuid PRIMARY KEY REFERENCES organizations,
  last_sequence bigint NOT NULL
) WITH (fillfactor = 50);

-- The trail. What is asked for has a column of its own. data is JSON as it was written, kept as text: nothing asks inside it, and reading it as
-- json would cost a fifth of the time of each insert, as jsonb half.
CREATE TABLE events (
  org_id          uuid NOT NULL,
  sequence        bigint NOT NULL,
  id              uuid NOT NULL,
  kind            text NOT NULL,
  occurred_at     timestamptz NOT NULL,
  recorded_at     timestamptz NOT NULL,
  actor_type      text NOT NULL,
  actor_id        text,
  actor_ip        text,
  model           text,
  subject_user    text,
  subject_session text,
  subject_agent   text,
  external_id     text,
  -- Each category between spaces, e.g. ' attack.injection data.pii '; null: none.
  categories      text,
  data            text NOT NULL,
  PRIMARY KEY (org_id, sequence)
);
CREATE UNIQUE INDEX events_by_id ON events (org_id, id);
-- Only what callers name is in it, so an event without a name costs nothing.
CREATE INDEX events_by_external_id ON events (org_id, external_id, sequence) WHERE external_id IS NOT NULL;

-- Assessments of test keys: outside the trail, gone after 24 hours.
CREATE TABLE test_assessments (
  org_id      uuid NOT NULL REFERENCES organizations,
  id          uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  outcome     text NOT NULL,
  model       text,
  external_id text,
  categories  text,
  data        text NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE INDEX test_assessments_by_age ON test_assessments (created_at);

-- A POST with an Idempotency-Key: what it was and which resource it makes. Neither secrets nor texts are kept: a repetition is answered
-- from the resource itself.
CREATE TABLE idempotency_keys (
  org_id       uuid NOT NULL REFERENCES organizations,
  principal_id text NOT NULL,
  operation    text NOT NULL,
  key          text NOT NULL,
  body_digest  bytea NOT NULL,
  resource_id  uuid NOT NULL,
  state        text NOT NULL CHECK (state IN ('running', 'succeeded', 'refused')),
  -- A refusal as it was answered: {"code", "message", "details"}.
  refusal      json,
  locked_until timestamptz NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (org_id, principal_id, operation, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
