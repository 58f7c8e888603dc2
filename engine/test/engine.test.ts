import { describe, expect, it } from "vitest";
import { createMemoryRedis } from "../../testing/src/index.ts";
import { createEngine, ErrorReply } from "../src/index.ts";
import { commandTable } from "../src/redis/engine.ts";
import type { Reply } from "../src/redis/reply.ts";
import { useRedis } from "./support/use-redis.ts";

const OPTIONS = { dialect: "redis", now: Date.now, random: Math.random } as const;

describe("the table of commands", () => {
  const real = useRedis();

  it("has the arity and the flags of a real Redis", async () => {
    // No script may call a subcommand of SCRIPT; the flag stands at those.
    const names = Object.keys(commandTable).filter((name) => name !== "script");
    expect(names.length).toBeGreaterThan(110);
    const [infos] = await real.client.send([["COMMAND", "INFO", ...names]]);
    for (const [at, name] of names.entries()) {
      const [, arity, flags] = (infos as Reply[])[at] as unknown as [string, number, { text: string }[]];
      const set = new Set(flags.map(({ text }) => text));
      const theirs = `${set.has("write") ? "w" : ""}${set.has("denyoom") ? "m" : ""}${set.has("noscript") ? "s" : ""}`;
      expect([name, ...(commandTable[name]?.slice(0, 2) ?? [])]).toEqual([name, arity, theirs]);
      const told = createEngine(OPTIONS).commands.find((info) => info.name === name);
      const known = ["readonly", "write", "denyoom", "noscript"].filter((flag) => set.has(flag));
      expect([name, told?.arity, told?.flags]).toEqual([name, arity, known]);
    }
  });

  it("refuses writes as a replica does", async () => {
    const memory = createMemoryRedis({ dialect: "redis" });
    const script = "redis.call('GET', KEYS[1]) return redis.call('SET', KEYS[1], 1)";
    const commands = [
      ["SET", "a", "1"],
      ["GET", "a"],
      ["EVAL", script, "1", "a"],
      ["EVAL", "#!lua\nreturn 1", "0"],
      ["EVAL", "#!lua flags=no-writes\nreturn 1", "0"],
      ["DEL", "a"],
    ];
    await real.client.send([["REPLICAOF", "127.0.0.1", "1"]]);
    const theirs = await real.client.send(commands);
    await real.client.send([["REPLICAOF", "NO", "ONE"]]);
    memory.setReadOnly(true);
    for (const [at, [name = "", ...args]] of commands.entries()) {
      let ours: unknown;
      try {
        ours = memory.command(name, ...args);
      } catch (error) {
        ours = (error as Error).message;
      }
      const reply = theirs[at] as Reply;
      expect(ours).toEqual(reply instanceof Error ? reply.message : reply);
    }
    memory.setReadOnly(false);
    expect(memory.command("SET", "a", 1)).toBe("OK");
  });
});

describe("keys expire by the clock that is given", () => {
  it("at their time, and not before", () => {
    let now = 1_800_000_000_000;
    const memory = createMemoryRedis({ now: () => now });
    memory.command("SET", "a", "1", "PX", 100);
    memory.command("SET", "b", "1", "EXAT", 1_800_000_010);
    now += 100;
    expect(memory.command("GET", "a")).toBe("1");
    expect(memory.command("PTTL", "b")).toBe(9900);
    expect(memory.command("PEXPIRETIME", "b")).toBe(1_800_000_010_000);
    now += 1;
    expect(memory.command("GET", "a")).toBeNull();
    expect(memory.command("DBSIZE")).toBe(1);
    expect(memory.command("TIME")).toEqual(["1800000000", "101000"]);
    now = 1_800_000_010_001;
    expect(memory.command("KEYS", "*")).toEqual([]);
  });
});

describe("SCAN", () => {
  it("tells every key that stays exactly once, however many come and go meanwhile", () => {
    const memory = createMemoryRedis();
    for (let n = 0; n < 100; n++) memory.command("SET", `stays-${n}`, n);
    const seen: string[] = [];
    let cursor = "0";
    do {
      const [next, keys] = memory.command("SCAN", cursor, "COUNT", 7, "MATCH", "stays-*") as [string, string[]];
      seen.push(...keys);
      cursor = next;
      memory.command("SET", `new-${cursor}`, 1);
      memory.command("DEL", `new-${Number(cursor) - 7}`);
    } while (cursor !== "0");
    expect(seen.sort()).toEqual(Array.from({ length: 100 }, (_, n) => `stays-${n}`).sort());
  });
});

describe("an engine for a server of its own", () => {
  it("takes more commands, also in transactions and scripts, and tells of each that begins", () => {
    const seen: string[] = [];
    const engine = createEngine({
      ...OPTIONS,
      commands: {
        twice: [2, "", ([text = ""]) => text + text],
        apart: [-1, "s", () => new ErrorReply("ERR not now")],
      },
      onCommand: (words, isFromScript) => void seen.push(`${words.join(" ")}${isFromScript ? " by a script" : ""}`),
    });
    expect(engine.run(["TWICE", "ab"])).toBe("abab");
    expect(engine.transact([["twice", "a"], ["ping"]])).toMatchObject(["aa", { text: "PONG" }]);
    expect(engine.run(["eval", "return redis.call('twice', 'x')", "0"])).toBe("xx");
    expect(engine.run(["apart"])).toMatchObject({ message: "ERR not now" });
    expect(engine.run(["eval", "return redis.pcall('apart')", "0"])).toMatchObject({
      message: expect.stringMatching(/not allowed from/),
    });
    expect(engine.refusal(["twice"])).toMatchObject({
      message: expect.stringMatching(/^ERR wrong number of arguments for .twice./),
    });
    expect(engine.refusal(["twice", "a"])).toBeUndefined();
    expect(engine.run(["twice"])).toBeInstanceOf(ErrorReply);
    expect(engine.commands).toContainEqual({ name: "apart", arity: -1, flags: ["noscript"] });
    expect(seen).toEqual([
      "TWICE ab",
      "twice a",
      "ping",
      "eval return redis.call('twice', 'x') 0",
      "twice x by a script",
      "apart",
      "eval return redis.pcall('apart') 0",
    ]);
  });
});

describe("what it does not know", () => {
  it("is an unknown command", () => {
    const memory = createMemoryRedis();
    for (const name of ["JSON.SET", "XADD", "SUBSCRIBE", "CONFIG", "MULTI"])
      expect(() => memory.command(name, "a")).toThrow(`ERR unknown command '${name}', with args beginning with: 'a' `);
  });
});
