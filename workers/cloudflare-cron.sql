-- What expires, in ISO 8601.
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, expires_at TEXT NOT NULL);
-- One row for each run that came to its end, under its fencing token.
CREATE TABLE IF NOT EXISTS runs (
  token INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  slot TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  finished_at TEXT NOT NULL
);
-- The highest token of each lock: SQLITE_FENCE_TABLE of leasehold/fence.
CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL);
