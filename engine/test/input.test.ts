import { expect, it } from "vitest";
import { createEngine, type Engine, ErrorReply } from "../src/index.ts";
import { useRedis } from "./support/use-redis.ts";

const real = useRedis();
const engineOf = (): Engine => createEngine({ dialect: "redis", now: Date.now, random: () => 0.5 });

it("ZADD takes its own options, and no names of every object (B6)", async () => {
  const names = [
    "constructor",
    "__proto__",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
    "prototype",
    "nx",
  ];
  const commands = [
    ...names.flatMap((name) => [
      ["ZADD", "set", name, "1", "member"],
      ["ZADD", "set", name, "XX", "1", "member"],
      ["ZADD", "set", "1", name],
      ["ZADD", "set", "CH", name, "2", "member"],
      ["ZADD", "set", name, "CONSTRUCTOR", "1", "member"],
      ["SET", "key", "value", name],
      ["EXPIRE", "key", "100", name],
      ["ZRANGE", "set", "0", "-1", name],
      ["SCAN", "0", name, "x"],
      ["GETEX", "key", name],
      ["SCRIPT", name],
      [name, "key"],
      ["HSET", "hash", name, "value"],
      ["HGET", "hash", name],
      ["SADD", "names", name],
      ["SET", name, "value"],
      ["GET", name],
      ["EVAL", `return { type(redis['${name}']), tostring(({})['${name}']), ('x')['${name}'] or 'none' }`, "0"],
      ["EVAL", `return ${name}`, "0"],
      ["EVAL", `return redis.call('${name}', 1)`, "0"],
      ["EVAL", `return cjson.encode(cjson.decode('{"${name}":{"a":1}}'))`, "0"],
      ["EVAL", `#!lua flags=${name}\nreturn 1`, "0"],
    ]),
    ["ZRANGE", "set", "0", "-1", "WITHSCORES"],
    ["HGETALL", "hash"],
  ];
  const theirs = await real.client.send([["FLUSHALL"], ...commands]);
  const engine = engineOf();
  const shown = (reply: unknown): unknown =>
    reply instanceof ErrorReply ? { error: real.isExact ? reply.message : reply.message.split(" ")[0] } : reply;
  for (const [at, words] of commands.entries())
    expect(shown(engine.run(words)), words.join(" ")).toEqual(shown(theirs[at + 1]));
});

it("more items than a function has arguments are no error (B6)", async () => {
  const items = Array.from({ length: 150_000 }, (_, at) => `${at % 1_000}`);
  const commands = [
    ["RPUSH", "list", ...items],
    ["LREM", "list", "-3", "7"],
    ["LREM", "list", "2", "8"],
    ["LREM", "list", "0", "9"],
    ["LTRIM", "list", "5", "-6"],
    ["LLEN", "list"],
    ["LRANGE", "list", "0", "9"],
    ["LRANGE", "list", "-9", "-1"],
    ["EVAL", "local t = {} for i = 1, 150000 do t[i] = i end return { table.maxn(t), #table.concat(t) }", "0"],
  ];
  const theirs = await real.client.send([["FLUSHALL"], ...commands]);
  const engine = engineOf();
  for (const [at, words] of commands.entries()) expect(engine.run(words), words[0]).toEqual(theirs[at + 1]);
});
