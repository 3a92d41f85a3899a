-- Models outside that policies ask for their opinion.

CREATE TABLE judges (
  org_id       uuid NOT NULL REFERENCES organizations,
  id           uuid NOT NULL,
  -- Grows with every change: opinions that were given before a change are not used after it.
  version      integer NOT NULL DEFAULT 1,
  name         text NOT NULL,
  kind         text NOT NULL,
  url          text NOT NULL,
  model        text NOT NULL,
  timeout_ms   integer NOT NULL,
  instructions text,
  -- The API key, encrypted for this judge and this url; null: there is none.
  sealed_key   bytea,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
