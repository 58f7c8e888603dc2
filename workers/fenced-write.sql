CREATE TABLE IF NOT EXISTS invoices (id TEXT PRIMARY KEY, bytes INTEGER NOT NULL, rendered_at TEXT NOT NULL);
-- The highest token of each lock: SQLITE_FENCE_TABLE of leasehold/fence.
CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL);
