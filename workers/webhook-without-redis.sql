-- One row per delivery. `token` is the highest fencing token seen for it.
CREATE TABLE IF NOT EXISTS deliveries (id TEXT PRIMARY KEY, token INTEGER NOT NULL, attempt INTEGER, event TEXT, processed_at TEXT);
