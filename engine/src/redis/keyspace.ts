import type { Budget } from "../budget.ts";
import type { Journal } from "./journal.ts";
import { refuse, WRONG_TYPE } from "./reply.ts";
import { emptyOf, fill, type Owner, type Stored, type StoredKey, sizeOf, type Type, type Values } from "./values.ts";

interface Entry extends Stored {
  /** Rises with every new key, for the cursor of SCAN. */
  readonly serial: number;
  /** The key under which the value records changes of its members. A string and a list record none. */
  readonly owner: Owner | undefined;
}

/** A key, without its value. */
interface KeyInfo {
  readonly key: string;
  /** Rises with every new key. */
  readonly serial: number;
  readonly type: Type;
}

/** All keys. Keys are expired as of the time `at`, which does not advance while a request runs. */
export interface Keyspace {
  /** In ms since 1970. */
  at: number;
  typeOf(key: string): Type | undefined;
  /** @throws ErrorReply for a key of another type */
  get<T extends Type>(key: string, type: T): Values[T] | undefined;
  /** Like `get`, but creates an empty value. */
  open<T extends Exclude<Type, "string">>(key: string, type: T): Values[T];
  /** Records that a list was changed, since a list does not record changes itself. */
  noteList(key: string): void;
  /** Removes a list, hash, set or sorted set that is now empty. */
  tidy(key: string): void;
  /** Writes a string over anything. Without `expiresAt` it has no TTL; `"keep"` keeps the old one. */
  setString(key: string, value: string, expiresAt?: number | "keep"): void;
  delete(key: string): boolean;
  has(key: string): boolean;
  /** undefined without a key, null without a TTL. */
  expiryOf(key: string): number | null | undefined;
  expire(key: string, at: number | undefined): void;
  rename(from: string, to: string): void;
  /** Keys in order of creation, after a serial number. Each one is counted by the budget. */
  keys(behind?: number, budget?: Budget): Iterable<KeyInfo>;
  /** Removes the keys that have expired. Others do so when they meet one. */
  expireAll(): void;
  /** The value of a key, even if it has expired. */
  peek(key: string): Stored | undefined;
  /** Sets a key to what a store has of it; `undefined` removes it. */
  restore(key: string, stored: StoredKey | undefined): void;
  clear(): void;
}

/** How many entries are examined for each new one, so that entries expire that nobody asks for. */
const EXAMINED = 3;

/**
 * The entries by key, in order of creation. Entries that have expired at `now` are not found, and are removed at the
 * latest while a few times as many are added.
 */
function createEntries(now: () => number, journal: Journal | undefined) {
  const entries = new Map<string, Entry>();
  let serials = 0;
  let round = entries.keys();

  function find(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (entry?.expiresAt === undefined || now() <= entry.expiresAt) return entry;
    entries.delete(key);
    return undefined;
  }

  function examine(): void {
    for (let count = 0; count < EXAMINED; count++) {
      const { value: key } = round.next();
      if (key !== undefined) find(key);
      else round = entries.keys();
    }
  }

  return {
    entries,
    find,
    add(key: string, { type, value, expiresAt, owner }: Omit<Entry, "serial">): void {
      serials++;
      examine();
      entries.delete(key);
      entries.set(key, { type, value, expiresAt, owner, serial: serials });
      if (owner) owner.key = key;
      journal?.replaced(key);
    },
    remove(key: string): boolean {
      const isThere = entries.delete(key);
      if (isThere) journal?.replaced(key);
      return isThere;
    },
    *list(behind = 0, budget?: Budget): Generator<KeyInfo> {
      let skipped = 0;
      for (const [key, { serial, type }] of entries) {
        if (serial <= behind) {
          skipped++;
          continue;
        }
        budget?.values(skipped);
        skipped = 0;
        budget?.spend(1);
        if (find(key)) yield { key, serial, type };
      }
      budget?.values(skipped);
    },
    clear(): void {
      entries.clear();
      journal?.cleared();
    },
  };
}

/** An entry with an empty value, whose members record their changes. */
function emptyEntry(
  type: Exclude<Type, "string">,
  expiresAt: number | undefined,
  journal: Journal | undefined,
): Omit<Entry, "serial"> {
  const owner: Owner = { key: "" };
  const value = emptyOf(type, journal && ((member) => journal.member(owner.key, member)));
  return { type, value, expiresAt, owner };
}

/** An entry as it was stored. */
function storedEntry(
  { type, text, expiresAt, members }: StoredKey,
  journal: Journal | undefined,
): Omit<Entry, "serial"> {
  if (type === "string") return { type, value: text, expiresAt, owner: undefined };
  const entry = emptyEntry(type, expiresAt, journal);
  if (typeof entry.value !== "string") fill(entry.value, text, members);
  return entry;
}

/** Makes the given keys. @param journal records every later change */
export function createKeyspace(stored: Iterable<StoredKey> = [], journal?: Journal): Keyspace {
  const { entries, find, add, remove, list, clear } = createEntries(() => keyspace.at, journal);

  const keyspace: Keyspace = {
    at: 0,
    typeOf: (key) => find(key)?.type,
    get(key, type) {
      const entry = find(key);
      if (entry && entry.type !== type) refuse(WRONG_TYPE);
      return entry?.value as never;
    },
    open(key, type) {
      const known = keyspace.get(key, type);
      if (known !== undefined) return known;
      const entry = emptyEntry(type, undefined, journal);
      add(key, entry);
      return entry.value as never;
    },
    noteList: (key) => journal?.head(key),
    tidy(key) {
      const entry = entries.get(key);
      if (entry && typeof entry.value !== "string" && sizeOf(entry.value) === 0) remove(key);
    },
    setString(key, value, expiresAt) {
      const entry = find(key);
      const until = expiresAt === "keep" ? entry?.expiresAt : expiresAt;
      if (entry?.type === "string") {
        entry.value = value;
        entry.expiresAt = until;
        journal?.head(key);
      } else add(key, { type: "string", value, expiresAt: until, owner: undefined });
    },
    delete: (key) => find(key) !== undefined && remove(key),
    has: (key) => find(key) !== undefined,
    expiryOf(key) {
      const entry = find(key);
      return entry && (entry.expiresAt ?? null);
    },
    expire(key, at) {
      const entry = find(key);
      if (!entry || entry.expiresAt === at) return;
      entry.expiresAt = at;
      journal?.head(key);
    },
    rename(from, to) {
      const entry = find(from);
      if (!entry || from === to) return;
      remove(from);
      add(to, entry);
    },
    keys: list,
    expireAll() {
      for (const key of entries.keys()) find(key);
    },
    peek: (key) => entries.get(key),
    restore(key, stored) {
      if (stored) add(key, storedEntry(stored, journal));
      else remove(key);
    },
    clear,
  };

  for (const each of stored) keyspace.restore(each.key, each);
  journal?.take(keyspace);
  return keyspace;
}
