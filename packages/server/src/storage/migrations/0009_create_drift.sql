-- What is watched for drift: how far each trail has been read, what each monitor knows, and what it found.

-- One node at a time reads an organization's trail: who, and until when nobody else may. What it learned is written together with how far
-- it read, so that nothing is counted twice and nothing is missed, whoever goes on.
CREATE TABLE drift_cursors (
  org_id      uuid PRIMARY KEY REFERENCES organizations,
  -- Everything up to this event of the trail has been counted.
  sequence    bigint NOT NULL,
  owner       uuid,
  lease_until timestamptz,
  -- What holds for all monitors of the organization: the policy as of the cursor, the threshold and what it is made of; null: nothing yet.
  state       json
) WITH (fillfactor = 50);

-- An organization that is there already is watched from now on: a change of last year is no news.
INSERT INTO drift_cursors (org_id, sequence) SELECT org_id, last_sequence FROM event_counters;

CREATE TABLE drift_monitors (
  org_id       uuid NOT NULL REFERENCES organizations,
  id           uuid NOT NULL,
  model        text COLLATE "C" NOT NULL,
  group_name   text COLLATE "C" NOT NULL,
  signal       text COLLATE "C" NOT NULL,
  state        text NOT NULL CHECK (state IN ('learning', 'watching', 'suspect', 'sustained')),
  -- With which settings the detector was made, and all that it knows.
  settings     json NOT NULL,
  detector     bytea NOT NULL,
  -- How the detector stood then, as JSON, for who looks at it: to read it anew takes milliseconds.
  description  text NOT NULL,
  -- What is known of the series beside it, as JSON: its baseline, clock, names in its charts.
  memory       text NOT NULL,
  -- The drift that persists; null: none.
  episode_id   uuid,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  PRIMARY KEY (org_id, id)
);
CREATE UNIQUE INDEX drift_monitors_by_series ON drift_monitors (org_id, model, group_name, signal);
CREATE INDEX drift_monitors_by_age ON drift_monitors (updated_at);

-- For charts: what was seen within each hour.
CREATE TABLE drift_points (
  org_id      uuid NOT NULL,
  monitor_id  uuid NOT NULL,
  hour        timestamptz NOT NULL,
  n           bigint NOT NULL,
  sum         double precision NOT NULL,
  sum_squares double precision NOT NULL,
  -- Of a mix: how often each name was seen, in the order of the monitor's list of names; null: it is none.
  counts      bigint[],
  PRIMARY KEY (org_id, monitor_id, hour),
  FOREIGN KEY (org_id, monitor_id) REFERENCES drift_monitors ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX drift_points_by_age ON drift_points (hour);

-- Each drift that persisted, from when it was sure to its end.
CREATE TABLE drift_episodes (
  org_id              uuid NOT NULL,
  -- Of the drift.sustained event.
  id                  uuid NOT NULL,
  monitor_id          uuid NOT NULL,
  onset_at            timestamptz NOT NULL,
  sustained_at        timestamptz NOT NULL,
  ended_at            timestamptz,
  resolution          text CHECK (resolution IN ('recovered', 'rebaselined', 'disabled', 'superseded')),
  -- The event's data, as JSON.
  report              text NOT NULL,
  acknowledged_at     timestamptz,
  acknowledged_by     text,
  acknowledgment_note text,
  PRIMARY KEY (org_id, id),
  FOREIGN KEY (org_id, monitor_id) REFERENCES drift_monitors ON DELETE CASCADE
);
CREATE INDEX drift_episodes_by_monitor ON drift_episodes (org_id, monitor_id, id);
