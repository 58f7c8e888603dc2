-- One row per delivery. `token` is the highest fencing token seen for it: who comes with a lower one was overtaken.
-- `processed_at` stays null until the work is done.
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  token INTEGER NOT NULL,
  attempt INTEGER,
  event TEXT,
  action TEXT,
  processed_at TEXT
);
