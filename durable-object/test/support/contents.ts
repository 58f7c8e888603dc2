import type { ObjectServer } from "../../src/server.ts";
import type { SqliteStorage } from "./sqlite-storage.ts";

const DUMP = ["KEYS", "*"];
const READERS: Readonly<Record<string, (key: string) => readonly string[]>> = {
  string: (key) => ["GET", key],
  zset: (key) => ["ZRANGE", key, "0", "-1", "WITHSCORES"],
  hash: (key) => ["HGETALL", key],
  set: (key) => ["SMEMBERS", key],
  list: (key) => ["LRANGE", key, "0", "-1"],
};

/** Everything that an object answers with. */
export async function contentsOf(server: ObjectServer): Promise<unknown> {
  const [keys] = await server.run([DUMP]);
  const all: unknown[] = [];
  for (const key of [...(keys as string[])].sort()) {
    const [type, left] = await server.run([
      ["TYPE", key],
      ["PTTL", key],
    ]);
    const { text } = type as unknown as { text: string };
    const [value] = await server.run([READERS[text]?.(key) ?? ["ECHO", ""]]);
    all.push([key, text, left, text === "hash" || text === "set" ? [...(value as string[])].sort() : value]);
  }
  return all;
}

/** Everything that an object has stored. */
export const tablesOf = (storage: SqliteStorage): unknown =>
  storage.tables.map((table) => [table, storage.rows(table)]);
