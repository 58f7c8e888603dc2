-- Conversations. `id` is the client's for a user's message, so that it is kept once.
CREATE TABLE IF NOT EXISTS messages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  conversation TEXT NOT NULL,
  id TEXT NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  UNIQUE (conversation, id)
);
-- The highest token of each lock: SQLITE_FENCE_TABLE of leasehold/fence.
CREATE TABLE IF NOT EXISTS leasehold_fence (name TEXT PRIMARY KEY NOT NULL, token INTEGER NOT NULL);
