/** Replays runs of storage.qnt on the real server of a Durable Object with a real SQLite. */
import { isDeepStrictEqual } from "node:util";
import { createObjectServer, type ObjectServer } from "../../durable-object/src/server.ts";
import { openSqlite, type SqliteStorage } from "../../durable-object/test/support/sqlite-storage.ts";
import { ErrorReply } from "../../engine/src/redis/reply.ts";
import type { State } from "./quint.ts";
import type { Compared } from "./replay.ts";

interface Keys {
  readonly record: number;
  readonly beside: number;
}

/** The replayed part of the model's states. */
interface Step {
  readonly stored: Keys;
  readonly present: number;
  readonly event: {
    readonly number: number;
    readonly instance: number;
    readonly script: "init" | "takes" | "looks" | "evict" | "replace";
    /** The row that the storage refuses, from 1; 0 for none. */
    readonly failsAt: number;
    readonly status: "answered" | "error" | "none";
    readonly reply: number;
  };
}

const NOW_MS = 1_795_000_000_000;
const KEYS = ["{a}", "{a}%beside"] as const;
/** Writes the next number into both keys and returns it. */
const TAKES = [
  "EVAL",
  "local number = tonumber(redis.call('GET', KEYS[1]) or 0) + 1 redis.call('SET', KEYS[1], number) redis.call('SET', KEYS[2], number) return number",
  "2",
  ...KEYS,
];
const LOOKS = ["EVAL", "return tonumber(redis.call('GET', KEYS[1]) or 0)", "1", KEYS[0]];

/** The storage as the instances of an object see it. */
function createPlatform() {
  const sqlite = openSqlite();
  let present = 1;
  let failsAt = 0;
  let rows = 0;

  /** The storage of one instance: it refuses all operations of a replaced instance, and the row that is to fail. */
  function storageOf(instance: number): SqliteStorage {
    const check = (): void => {
      if (instance !== present) throw new Error("this instance was replaced");
    };
    return {
      ...sqlite,
      sql: {
        exec(query, ...bindings) {
          check();
          if (query.startsWith("INSERT") && ++rows === failsAt) throw new Error("disk I/O error: SQLITE_IOERR");
          return sqlite.sql.exec(query, ...bindings);
        },
      },
      async getAlarm() {
        check();
        return sqlite.getAlarm();
      },
      async setAlarm(at) {
        check();
        return sqlite.setAlarm(at);
      },
    };
  }

  return {
    sqlite,
    storageOf,
    replaceBy(instance: number): void {
      present = instance;
    },
    refuseRow(row: number): void {
      failsAt = row;
      rows = 0;
    },
    /** The stored data, read without an instance. */
    stored(): Keys {
      const rowsOf = sqlite.tables.includes("leasehold_keys_1") ? sqlite.rows("leasehold_keys_1") : [];
      const numberOf = (key: string): number => Number(rowsOf.find((row) => row["key"] === key)?.["text"] ?? 0);
      return { record: numberOf(KEYS[0]), beside: numberOf(KEYS[1]) };
    },
  };
}

/** Runs one script on an instance. */
async function ask(server: ObjectServer, script: readonly string[]): Promise<{ status: string; reply: number }> {
  try {
    const [reply] = await server.run([script]);
    return reply instanceof ErrorReply ? { status: "error", reply: 0 } : { status: "answered", reply: Number(reply) };
  } catch {
    return { status: "error", reply: 0 };
  }
}

/** Replays a run of the model, and compares each response and the stored data after each step. */
export async function replayStorageRun(states: readonly State[]): Promise<Compared> {
  const platform = createPlatform();
  const instances = new Map<number, ObjectServer>();
  const answers = new Map<string, number>();
  const differences: string[] = [];
  let requests = 0;
  const make = (instance: number): ObjectServer =>
    createObjectServer({ storage: platform.storageOf(instance), now: () => NOW_MS });

  for (const { event, present, stored } of states as unknown as readonly Step[]) {
    const { instance, script, failsAt } = event;
    platform.replaceBy(present);
    const server = instances.get(instance) ?? make(instance);
    instances.set(instance, script === "evict" ? make(instance) : server);
    if (script === "takes" || script === "looks") {
      platform.refuseRow(failsAt);
      const { status, reply } = await ask(server, script === "takes" ? TAKES : LOOKS);
      const label = `${script} ${status}`;
      answers.set(label, (answers.get(label) ?? 0) + 1);
      requests++;
      if (status !== event.status || reply !== event.reply)
        differences.push(
          `${script}, step ${event.number}: ${label} ${reply} instead of ${event.status} ${event.reply}`,
        );
    }
    const after = platform.stored();
    if (!isDeepStrictEqual(after, { record: stored.record, beside: stored.beside }))
      differences.push(
        `${script}, step ${event.number}: stored ${JSON.stringify(after)} instead of ${JSON.stringify(stored)}`,
      );
  }
  platform.sqlite.close();
  return { requests, answers, differences };
}
