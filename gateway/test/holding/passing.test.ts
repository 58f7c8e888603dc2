import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { buildAll } from "../../../tools/lua-scripts.ts";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { noticePassing } from "../../src/holding/passing.ts";
import { type Backend, type Command, repliesOf, type ServerBackend } from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";

let redis: RedisServer;
let backend: ServerBackend;
let passing: Backend;
let reported: ReadonlySet<string> = new Set();
/** What the waiters noticed, and the commands on the path of scripts, in order. */
const noticed: string[] = [];

beforeAll(async () => {
  redis = await startRedis();
  backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0 }, 1_000);
  await backend.opened;
  passing = noticePassing(backend, {
    isReported: (key) => reported.has(key),
    way: {
      send(commands, to, wanted) {
        noticed.push("sent on the path of scripts");
        backend.send(commands, to, wanted);
      },
    },
    freed: (key) => noticed.push(key),
  });
});
afterAll(async () => {
  backend.close();
  await redis.stop();
});
beforeEach(() => {
  noticed.length = 0;
  reported = new Set();
});

const run = (script: string, ...keys: readonly string[]): Command => {
  const sha = buildAll().find(({ name }) => name === script)?.sha[0] ?? "";
  return ["EVALSHA", sha, String(keys.length), ...keys, "argument"];
};
const CLOSE = run("lock-close", "a");

it.each<readonly [string, Command, readonly string[]]>([
  ["a command", ["SET", "a", "1"], ["a"]],
  ["a command without keys", ["PING"], []],
  ["a script as text", ["EVAL", "return 1", "2", "a", "b", "c"], ["a", "b"]],
  ["an unknown script", ["EVALSHA", "0".repeat(40), "2", "a", "b"], ["a", "b"]],
  ["a script that frees a name", CLOSE, ["a"]],
  ["a script that frees no name", run("lock-acquire", "a"), []],
])("%s may free the keys of its waiters, once it is answered", async (_, command, keys) => {
  const answered = repliesOf(passing, [command]);
  expect(noticed).toEqual([]);
  await answered;
  expect(noticed).toEqual(keys);
  noticed.length = 0;
  await passing.transact([command]);
  expect(noticed).toEqual(keys);
});

it("keys that Redis reports are not noticed", async () => {
  reported = new Set(["a"]);
  await repliesOf(passing, [
    ["SET", "a", "1"],
    ["SET", "b", "1"],
  ]);
  await passing.transact([
    ["SET", "a", "1"],
    ["SET", "c", "1"],
  ]);
  expect(noticed).toEqual(["b", "c"]);
});

it("a single script of leasehold for a reported key goes by the path of scripts, and its waiters are tried at once", () => {
  reported = new Set(["a"]);
  const answered = repliesOf(passing, [CLOSE]);
  expect(noticed).toEqual(["sent on the path of scripts", "a"]);
  return answered;
});

it.each<readonly [string, readonly Command[], "values" | "bytes"]>([
  ["for another key", [run("lock-close", "b")], "values"],
  ["with another command", [CLOSE, ["PING"]], "values"],
  ["whose reply is wanted as bytes", [CLOSE], "bytes"],
  ["of somebody else", [["EVALSHA", "0".repeat(40), "1", "a"]], "values"],
  ["as text", [["EVAL", "return 1", "1", "a"]], "values"],
])("a script %s does not", async (_, commands, form) => {
  reported = new Set(["a"]);
  await repliesOf(passing, commands, { form });
  expect(noticed).not.toContain("sent on the path of scripts");
});
