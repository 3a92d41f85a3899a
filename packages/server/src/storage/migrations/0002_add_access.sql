-- Access: the feed of changes, service accounts, single sign-on, sessions.

-- What was changed that nodes may hold in memory. A change takes its number under the lock of the counter's row, as the last thing before its
-- commit: numbers have no gaps and appear in order, so a node that has seen number 7 has seen all up to 7.
CREATE TABLE change_counter (
  id            integer PRIMARY KEY CHECK (id = 1),
  last_sequence bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO change_counter (id, last_sequence) VALUES (1, 0);

CREATE TABLE changes (
  sequence   bigint PRIMARY KEY,
  -- What is no longer as it was, e.g. 'key_…', 'sa_…', 'ses_…', 'org_…', 'policy of org_…'.
  subject    text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX changes_by_age ON changes (created_at);

-- The pepper under which new keys are stored; older ones remain until each key has been used once.
ALTER TABLE instance ADD COLUMN pepper text NOT NULL DEFAULT 'pepper-1';

CREATE TABLE service_accounts (
  org_id       uuid NOT NULL REFERENCES organizations,
  id           uuid NOT NULL,
  name         text NOT NULL,
  -- Of its keys; fixed when it is made.
  key_type     text NOT NULL CHECK (key_type IN ('live', 'test', 'admin')),
  permissions  text[] NOT NULL,
  -- CIDR ranges in canonical form; empty: any address.
  ip_allowlist text[] NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  deleted_at   timestamptz,
  PRIMARY KEY (org_id, id)
);

-- A key of a service account has the account's permissions, whatever its own row says.
ALTER TABLE api_keys ADD COLUMN service_account_id uuid;
ALTER TABLE api_keys ADD FOREIGN KEY (org_id, service_account_id) REFERENCES service_accounts (org_id, id);
CREATE INDEX api_keys_by_service_account ON api_keys (org_id, service_account_id) WHERE service_account_id IS NOT NULL;

CREATE TABLE sso_settings (
  org_id               uuid PRIMARY KEY REFERENCES organizations,
  issuer               text NOT NULL,
  client_id            text NOT NULL,
  -- Encrypted; null: a public client.
  sealed_client_secret bytea,
  groups_claim         text NOT NULL,
  -- {"group": "role"}
  roles                json NOT NULL,
  default_role         text,
  -- {"claim": value}: what a token must say to be let in at all.
  require              json NOT NULL,
  updated_at           timestamptz NOT NULL,
  updated_by           text NOT NULL
);
-- Whose token is it: asked before the organization is known.
CREATE INDEX sso_settings_by_client ON sso_settings (issuer, client_id);

-- A sign-in: by the identity provider, or by an admin key for the dashboard.
CREATE TABLE sessions (
  org_id       uuid NOT NULL REFERENCES organizations,
  id           uuid NOT NULL,
  -- The user of the identity provider; null for a session of a key.
  subject      text,
  name         text NOT NULL,
  role         text,
  scopes       text[] NOT NULL,
  key_id       uuid,
  address      text NOT NULL,
  signed_in_at timestamptz NOT NULL,
  expires_at   timestamptz NOT NULL,
  ended_at     timestamptz,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- ID tokens that were exchanged, by the SHA-256 of what is signed in them: each is good for one sign-in.
CREATE TABLE used_id_tokens (
  digest     bytea PRIMARY KEY,
  created_at timestamptz NOT NULL
);
CREATE INDEX used_id_tokens_by_age ON used_id_tokens (created_at);

-- Keys that sign session tokens. The newest signs; one that has been retired verifies what it signed until that has expired.
CREATE TABLE signing_keys (
  id                 text PRIMARY KEY,
  public_key         json NOT NULL,
  sealed_private_key bytea NOT NULL,
  created_at         timestamptz NOT NULL,
  retired_at         timestamptz
);

-- Assessments by day and kind, counted from the trail up to a sequence: a sum over a year must not read a year of events.
CREATE TABLE usage_days (
  org_id uuid NOT NULL REFERENCES organizations,
  day    date NOT NULL,
  kind   text NOT NULL,
  count  bigint NOT NULL,
  PRIMARY KEY (org_id, day, kind)
);
CREATE TABLE usage_cursors (
  org_id   uuid PRIMARY KEY REFERENCES organizations,
  sequence bigint NOT NULL
);

-- Whose key it is says its kind too.
UPDATE idempotency_keys SET principal_id = 'api_key ' || principal_id;
