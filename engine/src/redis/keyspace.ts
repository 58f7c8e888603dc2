import { refuse, WRONG_TYPE } from "./reply.ts";
import { createSortedSet, type SortedSet } from "./sorted-set.ts";

interface Values {
  readonly string: string;
  readonly list: string[];
  readonly hash: Map<string, string>;
  readonly set: Set<string>;
  readonly zset: SortedSet;
}
type Type = keyof Values;

interface Entry {
  readonly type: Type;
  value: Values[Type];
  /** In ms since 1970; undefined for a key without a TTL. */
  expiresAt: number | undefined;
  /** Rises with every new key, as the cursor of SCAN. */
  readonly serial: number;
}

const EMPTY: { readonly [K in Exclude<Type, "string">]: () => Values[K] } = {
  list: () => [],
  hash: () => new Map(),
  set: () => new Set(),
  zset: createSortedSet,
};

const sizeOf = (value: Exclude<Values[Type], string>): number => (Array.isArray(value) ? value.length : value.size);

/** All keys. Those whose time is over are gone as of the time `at`, which stands still while a request runs. */
export interface Keyspace {
  /** In ms since 1970. */
  at: number;
  typeOf(key: string): Type | undefined;
  /** @throws ErrorReply for a key of another type */
  get<T extends Type>(key: string, type: T): Values[T] | undefined;
  /** As `get`, and makes a value that is empty. */
  open<T extends Exclude<Type, "string">>(key: string, type: T): Values[T];
  /** Removes a list, hash, set or sorted set that has become empty. */
  tidy(key: string): void;
  /** Writes a string over anything. Without `expiresAt` it has no TTL; `"keep"` keeps the old one. */
  setString(key: string, value: string, expiresAt?: number | "keep"): void;
  delete(key: string): boolean;
  has(key: string): boolean;
  /** undefined without a key, null without a TTL. */
  expiryOf(key: string): number | null | undefined;
  expire(key: string, at: number | undefined): void;
  rename(from: string, to: string): void;
  /** Keys in the order in which they were made, behind a serial number. */
  keys(behind?: number): { readonly key: string; readonly serial: number; readonly type: Type }[];
  clear(): void;
}

/** The entries by key, in the order in which they were made. Those whose time is over at `now` are not found. */
function createEntries(now: () => number) {
  const entries = new Map<string, Entry>();
  let serials = 0;
  return {
    entries,
    find(key: string): Entry | undefined {
      const entry = entries.get(key);
      if (entry?.expiresAt === undefined || now() <= entry.expiresAt) return entry;
      entries.delete(key);
      return undefined;
    },
    add(key: string, type: Type, value: Values[Type], expiresAt: number | undefined): void {
      serials++;
      entries.delete(key);
      entries.set(key, { type, value, expiresAt, serial: serials });
    },
  };
}

export function createKeyspace(): Keyspace {
  const { entries, find, add } = createEntries(() => keyspace.at);

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
      const made = EMPTY[type]();
      add(key, type, made, undefined);
      return made as never;
    },
    tidy(key) {
      const entry = entries.get(key);
      if (entry && typeof entry.value !== "string" && sizeOf(entry.value) === 0) entries.delete(key);
    },
    setString(key, value, expiresAt) {
      const entry = find(key);
      const until = expiresAt === "keep" ? entry?.expiresAt : expiresAt;
      if (entry?.type === "string") {
        entry.value = value;
        entry.expiresAt = until;
      } else add(key, "string", value, until);
    },
    delete: (key) => find(key) !== undefined && entries.delete(key),
    has: (key) => find(key) !== undefined,
    expiryOf(key) {
      const entry = find(key);
      return entry && (entry.expiresAt ?? null);
    },
    expire(key, at) {
      const entry = find(key);
      if (entry) entry.expiresAt = at;
    },
    rename(from, to) {
      const entry = find(from);
      if (!entry || from === to) return;
      entries.delete(from);
      add(to, entry.type, entry.value, entry.expiresAt);
    },
    keys(behind = 0) {
      const found = [];
      for (const [key, { serial, type }] of entries)
        if (serial > behind && find(key)) found.push({ key, serial, type });
      return found;
    },
    clear: () => entries.clear(),
  };
  return keyspace;
}
