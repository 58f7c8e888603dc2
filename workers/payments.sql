-- An API key as SHA-256, in hexadecimal.
CREATE TABLE IF NOT EXISTS api_keys (sha256 TEXT PRIMARY KEY, customer TEXT NOT NULL);
-- `token` is the highest fencing token seen for the charge. What it came to is null until that is known.
CREATE TABLE IF NOT EXISTS charges (
  id TEXT PRIMARY KEY,
  token INTEGER NOT NULL,
  customer TEXT NOT NULL,
  amount INTEGER,
  currency TEXT,
  status TEXT
);
