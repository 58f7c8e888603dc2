import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputs } from "../../tools/build-lua.ts";
import { buildAll, buildScript, FLAG_LINE } from "../../tools/lua-scripts.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { scripts as embedded } from "../support/scripts.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

/** A reply in the protocol, as far as our scripts' are: an array that begins with a status. */
const statusOf = (reply: string): string | undefined => /^\*\d+\r\n\$\d+\r\n(\w+)\r\n:\d+/.exec(reply)?.[1];
/** Arguments that every script takes: a time far ahead, ids, durations, tokens. */
const argument = (name: string): string =>
  ({
    notAfter: "9000000000000000",
    id: "a".repeat(36),
    token: "5",
    kind: "lock",
    reentryKey: "",
    label: "",
    fingerprint: "",
    result: "1",
  })[name] ?? "1000";

const built = buildAll();
/** Whether a script keeps the values of an application, of which none has a form of its own. */
const isOfApplication = (name: string): boolean => name === "state-change";

const named = built.map((script) => [script.name, script] as const);

describe.each(named)("%s", (name, script) => {
  it("is committed as it is built, in both dialects, with the server's SHA-1", async () => {
    expect(embedded[name]).toMatchObject({ lua: script.lua, sha: script.sha });
    for (const [index, text] of [script.lua, FLAG_LINE + script.lua].entries()) {
      // Plain Redis does not know the flag but hashes the text before it looks at it.
      const sha = script.sha[index] as string;
      const loaded = await redis.command("SCRIPT", "LOAD", text);
      if (index === 0) expect(loaded).toContain(sha);
      else expect(loaded).toMatch(/Unexpected flag in script shebang: allow-key-locking/);
      expect(await redis.command("EVALSHA", sha, "0")).toMatch(index === 0 ? /^-ERR|^\*/ : /^-NOSCRIPT/);
    }
  });

  it("runs as its text and by its SHA-1, with a declared status", async () => {
    for (const [index, text] of [script.lua, `#!lua\n${script.lua}`].entries()) {
      await redis.command("FLUSHALL");
      const keys = script.keys.map((_, at) => `key-${index}-${at}`);
      const args = [`${keys.length}`, ...keys, ...script.args.map(argument)];
      const reply = await redis.command("EVAL", text, ...args);
      expect([...script.replies.keys()]).toContain(statusOf(reply));
      if (index === 0)
        expect([...script.replies.keys()]).toContain(statusOf(await redis.command("EVALSHA", script.sha[0], ...args)));
    }
  });
});

describe.each(named.filter(([name]) => !isOfApplication(name)))("%s", (_name, script) => {
  it("touches no value that is not its own", async () => {
    for (const [kind, ...create] of [
      ["string", "SET", "theirs", "hello"],
      ["newer", "SET", "theirs", "lock 2 something else entirely"],
      ["hash", "HSET", "theirs", "field", "1"],
      ["list", "RPUSH", "theirs", "1"],
    ] as const) {
      await redis.command("FLUSHALL");
      await redis.command(...create);
      const before = await redis.command("DUMP", "theirs");
      const listed = script.keys[0] === "keys…" ? ["record", "crowd"] : script.keys;
      const keys = listed.map((_, at) => (at === 0 ? "theirs" : "beside"));
      const args = [`${keys.length}`, ...keys, ...script.args.map(argument)];
      const reply = await redis.command("EVALSHA", script.sha[0], ...args);
      expect(reply, kind).toMatch(/WRONGTYPE|\r\nkind\r\n|\r\nlost\r\n|\r\nclosed\r\n|\r\nnames\r\n/);
      expect(await redis.command("DUMP", "theirs"), kind).toBe(before);
    }
  });
});

describe("the build", () => {
  it("leaves no difference to what is committed", () => {
    for (const [file, text] of outputs()) expect(readFileSync(file, "utf8"), file).toBe(text);
  });

  const header = "-- Does.\n-- KEYS[1] record\n-- ARGV[1] id\n-- REPLY done token#\n";
  const body = "local now = 1\nlocal x = KEYS[1] .. ARGV[1]\nreturn { 'done', now, 5 }\n";
  it("accepts a header that agrees with its body", () => {
    expect(buildScript("x", header + body).args).toEqual(["id"]);
  });
  it.each<[string, string, RegExp]>([
    [
      "an argument that is not used",
      `${header.replace("-- REPLY", "-- ARGV[2] more\n-- REPLY")}${body}`,
      /ARGV\[2\] is declared but not used/,
    ],
    [
      "an argument that is not declared",
      header + body.replace("ARGV[1]", "ARGV[1] .. ARGV[2]"),
      /ARGV\[2\] is used but not declared/,
    ],
    ["a key built inside", header + body.replace("KEYS[1] ..", "KEYS[#KEYS] .."), /KEYS/],
    ["a reply that is not declared", header + body.replace("'done'", "'gone'"), /"gone" is not declared/],
    [
      "a reply that is never given",
      header.replace("-- REPLY", "-- REPLY never\n-- REPLY") + body,
      /"never" is declared but never given/,
    ],
    ["a reply with a field too few", header + body.replace(", 5", ""), /must have now and 1 fields/],
    ["arguments out of order", header.replace("ARGV[1]", "ARGV[2]") + body, /out of order/],
    ["an unknown include", `${header}--@include nothing\n${body}`, /no include named nothing/],
  ])("refuses %s", (_what, source, text) => {
    expect(() => buildScript("x", source)).toThrow(text);
  });
});
