import type { Changes, KeyChange, MemberValue, StoredKey } from "leasehold-engine";
import type { ObjectStorage, SqlValue } from "./object-storage.ts";

/** The names of the tables end with the version of their format. */
const KEYS = "leasehold_keys_1";
const MEMBERS = "leasehold_members_1";
const TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'leasehold_%'";

// Without a row ID, a key is billed as one row. With one, the index of its primary key would be billed as a second row.
const MAKE_KEYS = `CREATE TABLE ${KEYS} (
  key TEXT PRIMARY KEY, type TEXT NOT NULL, text TEXT NOT NULL, expires_at REAL, listed_at REAL
) WITHOUT ROWID`;
const MAKE_MEMBERS = `CREATE TABLE ${MEMBERS} (
  key TEXT, member TEXT, value, PRIMARY KEY (key, member)
) WITHOUT ROWID`;
const PUT_KEY = `INSERT INTO ${KEYS} (key, type, text, expires_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (key) DO UPDATE SET type = excluded.type, text = excluded.text, expires_at = excluded.expires_at`;
const PUT_MEMBER = `INSERT OR REPLACE INTO ${MEMBERS} (key, member, value) VALUES (?, ?, ?)`;

/** When the first key expires, and how many keys there are. */
export interface Survey {
  readonly count: number;
  /** In ms since 1970; undefined if no key has a TTL. */
  readonly firstExpiry: number | undefined;
}

/**
 * The keys of an object in its tables. The first write creates the tables, since an object without one costs nothing.
 */
export interface Tables {
  /** Whether the object has tables. */
  readonly exist: boolean;
  load(): readonly StoredKey[];
  /** One key as it is stored; undefined if it is not there. */
  read(key: string): StoredKey | undefined;
  /** Reads from the storage. This fails in an object that another instance has replaced. */
  touch(): void;
  /** Writes changes, all of them or none. */
  write(changes: Changes): void;
  /** Removes expired keys. */
  sweep(now: number): void;
  survey(): Survey;
}

type Row = Readonly<Record<string, SqlValue>>;
type Exec = (query: string, ...bindings: SqlValue[]) => Row[];
/** Which tables an object has. */
interface Existing {
  readonly keys: boolean;
  readonly members: boolean;
}

const toStored = (row: Row, members: StoredKey["members"]): StoredKey => ({
  key: String(row["key"]),
  type: String(row["type"]) as StoredKey["type"],
  text: String(row["text"]),
  expiresAt: row["expires_at"] === null ? undefined : Number(row["expires_at"]),
  members,
});

/** @throws Error for tables of a format that this release does not know */
function findTables(exec: Exec): Existing {
  const names = exec(TABLES).map(({ name }) => String(name));
  const unknown = names.find((name) => name !== KEYS && name !== MEMBERS);
  if (unknown !== undefined) throw new Error(`the object's storage has a newer format: ${unknown}`);
  return { keys: names.includes(KEYS), members: names.includes(MEMBERS) };
}

/** Reads all keys, or one. */
function load(exec: Exec, existing: Existing, only?: string): StoredKey[] {
  if (!existing.keys) return [];
  const [where, bound] = only === undefined ? ["", []] : [" WHERE key = ?", [only]];
  const membersOf = new Map<string, [string, MemberValue][]>();
  const rows = existing.members ? exec(`SELECT key, member, value FROM ${MEMBERS}${where}`, ...bound) : [];
  for (const { key, member, value } of rows) {
    const list = membersOf.get(String(key)) ?? [];
    list.push([String(member), value as MemberValue]);
    membersOf.set(String(key), list);
  }
  return exec(`SELECT key, type, text, expires_at FROM ${KEYS}${where}`, ...bound).map((row) =>
    toStored(row, membersOf.get(String(row["key"])) ?? []),
  );
}

function writeKey(exec: Exec, { key, isReplaced, head, members }: KeyChange, existing: Existing): void {
  if (isReplaced && existing.members) exec(`DELETE FROM ${MEMBERS} WHERE key = ?`, key);
  if (isReplaced && !head) exec(`DELETE FROM ${KEYS} WHERE key = ?`, key);
  if (head) exec(PUT_KEY, key, head.type, head.text, head.expiresAt ?? null);
  for (const [member, value] of members) {
    if (value === undefined) exec(`DELETE FROM ${MEMBERS} WHERE key = ? AND member = ?`, key, member);
    else exec(PUT_MEMBER, key, member, value);
  }
}

/** Writes changes, and returns which tables exist now. */
function write(exec: Exec, { isCleared, keys }: Changes, before: Existing): Existing {
  const needsMembers = keys.some(({ members }) => members.length > 0);
  if (!before.keys) exec(MAKE_KEYS);
  if (needsMembers && !before.members) exec(MAKE_MEMBERS);
  if (isCleared && before.keys) exec(`DELETE FROM ${KEYS}`);
  if (isCleared && before.members) exec(`DELETE FROM ${MEMBERS}`);
  const existing = { keys: true, members: before.members || needsMembers };
  for (const change of keys) writeKey(exec, change, existing);
  return existing;
}

function sweep(exec: Exec, now: number, existing: Existing): void {
  if (existing.members) exec(`DELETE FROM ${MEMBERS} WHERE key IN (SELECT key FROM ${KEYS} WHERE expires_at < ?)`, now);
  if (existing.keys) exec(`DELETE FROM ${KEYS} WHERE expires_at < ?`, now);
}

/**
 * Opens the tables of an object.
 *
 * @throws Error for tables of a format that this release does not know
 */
export function openTables(storage: ObjectStorage): Tables {
  const exec: Exec = (query, ...bindings) => storage.sql.exec(query, ...bindings).toArray();
  let existing = findTables(exec);
  return {
    get exist() {
      return existing.keys;
    },
    load: () => load(exec, existing),
    read: (key) => load(exec, existing, key)[0],
    touch: () => void exec(existing.keys ? `SELECT 1 FROM ${KEYS} LIMIT 1` : TABLES),
    write(changes) {
      existing = storage.transactionSync(() => write(exec, changes, existing));
    },
    sweep: (now) => storage.transactionSync(() => sweep(exec, now, existing)),
    survey() {
      if (!existing.keys) return { count: 0, firstExpiry: undefined };
      const [row] = exec(`SELECT count(*) AS count, min(expires_at) AS first FROM ${KEYS}`);
      return { count: Number(row?.["count"]), firstExpiry: row?.["first"] == null ? undefined : Number(row["first"]) };
    },
  };
}
