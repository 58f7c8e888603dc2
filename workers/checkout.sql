CREATE TABLE IF NOT EXISTS orders (
  id TEXT PRIMARY KEY,
  items TEXT NOT NULL,
  -- reserved, spent, paid, declined or expired.
  status TEXT NOT NULL DEFAULT 'reserved',
  -- A secret: whoever has them can spend the reservation, and release it.
  tickets TEXT NOT NULL
);
