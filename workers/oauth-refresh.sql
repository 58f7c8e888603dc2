-- What each user has granted. `version` rises with each refresh.
CREATE TABLE IF NOT EXISTS grants (
  user TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  access_token TEXT NOT NULL,
  refresh_token TEXT NOT NULL,
  expires_at INTEGER NOT NULL
);
