import { fromJson, type StoredOf, toJson } from "./stored.ts";

/** Values and lists by key. */
export interface Values {
  get<T = unknown>(key: string): Promise<T | null>;
  /** Stores a value as JSON, for `ttlMs` or until `delete`. */
  set<T = unknown>(key: string, value: T, ttlMs?: number): Promise<void>;
  /** Stores a value unless there is one. Returns true if this call stored it, even if its first answer was lost. */
  setIfNotExists(key: string, value: unknown, ttlMs?: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Appends to a list, keeps its newest `maxLength` items, and sets its time to live to `ttlMs`. */
  appendToList(
    key: string,
    value: unknown,
    options?: { readonly maxLength?: number | undefined; readonly ttlMs?: number | undefined },
  ): Promise<void>;
  getList<T = unknown>(key: string): Promise<T[]>;
}

/** Values and lists. */
export const valuesIn = (stored: StoredOf): Values => ({
  async get<T>(key: string) {
    const text = await stored("value", key).read("GET");
    return text === null ? null : fromJson<T>(text);
  },
  async set(key, value, ttlMs) {
    await stored("value", key).change({ verb: "set", value: toJson(value), ttlMs });
  },
  async setIfNotExists(key, value, ttlMs) {
    const { count } = await stored("value", key).change({ verb: "add", value: toJson(value), ttlMs });
    return count === 1;
  },
  async delete(key) {
    await stored("value", key).change({ verb: "delete" });
  },
  async appendToList(key, value, { maxLength, ttlMs } = {}) {
    await stored("list", key).change({ verb: "push", value: toJson(value), ttlMs, max: maxLength });
  },
  async getList<T>(key: string) {
    const items = await stored("list", key).read("LRANGE", 0, -1);
    return (items as unknown[]).map((item) => fromJson<T>(item));
  },
});
