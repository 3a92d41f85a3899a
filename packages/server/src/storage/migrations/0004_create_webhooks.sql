-- Where events are sent: webhooks, and integrations, which are webhooks in a vendor's dress; what is to be sent; what became of it.

CREATE TABLE endpoints (
  org_id            uuid NOT NULL REFERENCES organizations,
  id                uuid NOT NULL,
  kind              text NOT NULL,
  -- Endpoints of test keys get events of test keys, and no others.
  mode              text NOT NULL CHECK (mode IN ('live', 'test')),
  name              text,
  description       text,
  -- Of a webhook; an integration has a config.
  url               text,
  config            json,
  -- Kinds, or '*': all but the two that come with every inference.
  events            text[] NOT NULL,
  -- The signing secret of a webhook, the secret members of an integration's config. Encrypted.
  sealed_secret     bytea NOT NULL,
  -- The one before, for as long as it still signs.
  sealed_old_secret bytea,
  old_secret_until  timestamptz,
  -- The request that rotated last, so that its repetition does not rotate again.
  rotation_id       uuid,
  status            text NOT NULL CHECK (status IN ('active', 'paused')),
  -- Of the first failure since the last success; null: the last attempt succeeded, or there was none.
  failing_since     timestamptz,
  last_success_at   timestamptz,
  paused_at         timestamptz,
  -- When a paused endpoint is tried again.
  next_probe_at     timestamptz,
  last_claim_at     timestamptz NOT NULL DEFAULT '-infinity',
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  deleted_at        timestamptz,
  PRIMARY KEY (org_id, id)
) WITH (fillfactor = 70);

-- One row for each event and endpoint, written in the transaction of the event: an endpoint that fails makes no other one repeat.
CREATE TABLE deliveries (
  org_id      uuid NOT NULL,
  -- Made of the ids of event and endpoint, so that there is one for each pair.
  id          uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id    uuid NOT NULL,
  -- Of the event in the trail; null: it is of a test key, and in test_assessments.
  sequence    bigint,
  kind        text NOT NULL,
  -- pending: due at due_at. in_flight: claimed until lease_until. parked: waits for its paused endpoint.
  state       text NOT NULL CHECK (state IN ('pending', 'in_flight', 'parked', 'succeeded', 'failed', 'cancelled')),
  -- Attempts that were begun; each has a row in attempts once it has ended.
  attempts    integer NOT NULL DEFAULT 0,
  -- Failures that count for the schedule.
  failures    integer NOT NULL DEFAULT 0,
  -- What it was before it was retried by hand, and is again when that fails.
  former_state  text,
  former_due_at timestamptz,
  -- Why the next attempt is made.
  trigger     text NOT NULL DEFAULT 'event',
  due_at      timestamptz NOT NULL,
  claim       uuid,
  lease_until timestamptz,
  created_at  timestamptz NOT NULL,
  finished_at timestamptz,
  PRIMARY KEY (org_id, id)
) WITH (fillfactor = 70);
CREATE INDEX deliveries_pending ON deliveries (org_id, endpoint_id, due_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_in_flight ON deliveries (org_id, endpoint_id, lease_until) WHERE state = 'in_flight';
CREATE INDEX deliveries_parked ON deliveries (org_id, endpoint_id, id) WHERE state = 'parked';
CREATE INDEX deliveries_by_endpoint ON deliveries (org_id, endpoint_id, id);
CREATE INDEX deliveries_by_age ON deliveries (created_at);

CREATE TABLE attempts (
  org_id      uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number      integer NOT NULL,
  trigger     text NOT NULL,
  started_at  timestamptz NOT NULL,
  latency_ms  real NOT NULL,
  status      integer,
  error       text,
  -- The first 4 KiB of the answer.
  answer      text,
  PRIMARY KEY (org_id, delivery_id, number)
);

-- The built-in receiver: shows what arrives, for who has no receiver yet.
CREATE TABLE inboxes (
  org_id     uuid NOT NULL REFERENCES organizations,
  id         uuid NOT NULL,
  mode       text NOT NULL CHECK (mode IN ('live', 'test')),
  -- The address is a secret: whoever knows it may write.
  token      text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX inboxes_by_token ON inboxes (token);

CREATE TABLE inbox_messages (
  org_id      uuid NOT NULL,
  inbox_id    uuid NOT NULL,
  id          uuid NOT NULL,
  created_at  timestamptz NOT NULL,
  headers     json NOT NULL,
  body        text NOT NULL,
  PRIMARY KEY (org_id, inbox_id, id),
  FOREIGN KEY (org_id, inbox_id) REFERENCES inboxes (org_id, id) ON DELETE CASCADE
);
CREATE INDEX inbox_messages_by_age ON inbox_messages (created_at);

-- What a request answered, where nothing it made can tell when it is repeated. Never a secret or a text.
ALTER TABLE idempotency_keys ADD COLUMN answer json;
