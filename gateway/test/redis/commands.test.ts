import { describe, expect, it } from "vitest";
import { stage } from "../support/harness.ts";

const { run, post } = stage();

const REFUSED: string[][] = [
  ["SUBSCRIBE", "c"],
  ["PSUBSCRIBE", "c*"],
  ["SSUBSCRIBE", "c"],
  ["UNSUBSCRIBE"],
  ["PUNSUBSCRIBE"],
  ["SUNSUBSCRIBE"],
  ["MONITOR"],
  ["MULTI"],
  ["EXEC"],
  ["DISCARD"],
  ["WATCH", "k"],
  ["UNWATCH"],
  ["AUTH", "p"],
  ["HELLO", "3"],
  ["SELECT", "1"],
  ["QUIT"],
  ["RESET"],
  ["READONLY"],
  ["READWRITE"],
  ["ASKING"],
  ["SYNC"],
  ["PSYNC", "?", "-1"],
  ["REPLCONF", "ACK", "0"],
  ["CLIENT", "REPLY", "OFF"],
  ["client", "reply", "skip"],
  ["CLIENT", "TRACKING", "ON"],
  ["CLIENT", "SETNAME", "x"],
  ["CLIENT", "CACHING", "YES"],
  ["CLIENT", "NO-EVICT", "ON"],
  ["CLIENT", "NO-TOUCH", "ON"],
  ["CLIENT", "PAUSE", "100000"],
  ["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"],
  ["SCRIPT", "DEBUG", "YES"],
  ["SHUTDOWN", "NOSAVE"],
  ["DEBUG", "SLEEP", "0"],
  ["FAILOVER"],
  ["REPLICAOF", "NO", "ONE"],
  ["SLAVEOF", "NO", "ONE"],
  ["MIGRATE", "127.0.0.1", "1", "k", "0", "1"],
  ["MODULE", "LOAD", "/none"],
  ["CLUSTER", "RESET"],
  ["BLPOP", "k", "0"],
  ["BRPOP", "k", "0"],
  ["BRPOPLPUSH", "a", "b", "0"],
  ["BLMOVE", "a", "b", "LEFT", "LEFT", "0"],
  ["BLMPOP", "0", "1", "k", "LEFT"],
  ["BZPOPMIN", "k", "0"],
  ["BZPOPMAX", "k", "0"],
  ["BZMPOP", "0", "1", "k", "MIN"],
  ["WAITAOF", "1", "0", "0"],
  ["XREAD", "BLOCK", "0", "STREAMS", "s", "$"],
  ["xread", "count", "1", "block", "0", "streams", "s", "$"],
  ["XREADGROUP", "GROUP", "g", "c", "BLOCK", "0", "STREAMS", "s", ">"],
  ["XREADGROUP", "BLOCK", "0", "GROUP", "g", "c", "STREAMS", "s", ">"],
  ["xreadgroup", "count", "1", "noack", "claim", "5", "block", "0", "group", "g", "c", "streams", "s", ">"],
  ["XREADGROUP", "GROUP", "STREAMS", "c", "BLOCK", "0", "STREAMS", "s", ">"],
  ["XREAD", "BLOCK\0", "0", "STREAMS", "s", "$"],
  ["XREAD", ...Array<string[]>(60).fill(["COUNT", "1"]).flat(), "BLOCK", "0", "STREAMS", "s", "$"],
  ["XREADGROUP", "GROUP\0", "g", "c", "block\0x", "0", "STREAMS", "s", ">"],
  ["CLIENT", "REPLY\0", "OFF"],
  ["POST", "/"],
  ["host:", "h"],
];

/**
 * Commands by the numbers of the stories that they come from, most of them of servers that are newer than the one here.
 */
const STORIES: [story: string, command: string[]][] = [
  ["a command without an answer", ["CLUSTER", "SYNCSLOTS", "CAPA"]],
  ["it, however it is written", ["cluster", "SyncSlots\0x", "CAPA"]],
  ["slots that move by themselves", ["CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", "0", "1", "NODE", "n"]],
  ["slots that are fetched", ["CLUSTER", "MIGRATION", "IMPORT", "0", "1"]],
  ["a subcommand that nobody knows yet", ["CLUSTER", "NO-SUCH-THING"]],
  ["one of CLIENT that nobody knows yet", ["CLIENT", "NO-SUCH-THING", "ON"]],
  ["redirections for everybody", ["CLIENT", "CAPA", "REDIRECT"]],
  ["everybody as the source of an import", ["client", "import-source", "ON"]],
  ["the server busy with its disk", ["SAVE"]],
  ["it in lower case", ["save"]],
  ["the server busy with itself", ["PFSELFTEST"]],
];

describe("what would change or block the shared connection is refused", () => {
  it.each(REFUSED.map((command) => [command.join(" ").replaceAll("\0", "\\0"), command] as const))(
    "%s",
    async (_, command) => {
      const name = command[0]?.toUpperCase();
      const error = expect.stringMatching(new RegExp(`^ERR ${name} is not supported`));
      expect(await run(...command)).toMatchObject({ status: 400, body: { error } });
      const pipeline = await post("/pipeline", [["SET", "k1", "1"], command, ["GET", "k1"]]);
      expect(pipeline).toMatchObject({ status: 200, body: [{ result: "OK" }, { error }, { result: "1" }] });
      const transaction = await post("/multi-exec", [["SET", "not-run", "1"], command]);
      expect(transaction).toMatchObject({ status: 400, body: { error } });
      expect((await run("EXISTS", "not-run")).body).toEqual({ result: 0 });
    },
  );
});

describe("what newer servers would change, block or not answer on it is refused as well", () => {
  it.each(STORIES)("%s: %j", async (_, command) => {
    const error = expect.stringMatching(
      new RegExp(`^ERR ${command[0]?.toUpperCase()} is not supported(: it would| except for [A-Z, -]+: another subc)`),
    );
    expect(await run(...command)).toMatchObject({ status: 400, body: { error } });
    expect((await post("/pipeline", [command, ["ECHO", "mine"]])).body).toEqual([{ error }, { result: "mine" }]);
    expect(await post("/multi-exec", [command])).toMatchObject({ status: 400, body: { error } });
    expect(await post(`/${command.map(encodeURIComponent).join("/")}`, "")).toMatchObject({ body: { error } });
  });
});

describe("24, 25: what only asks is let through", () => {
  it.each([
    ["CLUSTER", ["COUNTKEYSINSLOT", "GETKEYSINSLOT", "HELP", "INFO", "KEYSLOT", "MYID", "NODES", "SHARDS", "SLOTS"]],
    ["CLIENT", ["GETNAME", "GETREDIR", "HELP", "ID", "INFO", "LIST", "SETINFO", "TRACKINGINFO", "UNBLOCK", "UNPAUSE"]],
  ])("%s", async (name, subcommands) => {
    for (const subcommand of [...subcommands, ...subcommands.map((it) => it.toLowerCase())])
      expect((await run(name, subcommand)).text).not.toContain("not supported");
    expect((await run(name)).text).toContain("wrong number of arguments");
    for (const other of ["LASTSAVE", "BGSAVE"]) expect((await run(other)).text).not.toContain("not supported");
  });
});

it("does not refuse what only looks like it", async () => {
  await run("XADD", "BLOCK", "*", "f", "v");
  expect((await run("XREAD", "COUNT", 1, "STREAMS", "BLOCK", 0)).status).toBe(200);
  await run("XGROUP", "CREATE", "BLOCK", "BLOCK", 0);
  expect((await run("XREADGROUP", "GROUP", "BLOCK", "BLOCK", "STREAMS", "BLOCK", ">")).status).toBe(200);
  expect((await run("XREADGROUP", "COUNT", 1, "GROUP", "BLOCK", "BLOCK", "STREAMS", "BLOCK", ">")).status).toBe(200);
  expect((await run("XREAD", "STREAMS", "BLOCK\0", 0)).status).toBe(200);
  expect((await run("GET", "SELECT")).body).toEqual({ result: null });
  expect((await run("CLIENT", "SETINFO", "LIB-NAME", "x")).text).not.toContain("not supported");
  expect((await run("CLIENT")).text).toContain("wrong number of arguments");
  expect((await run("LPOP", "none")).body).toEqual({ result: null });
});

it("sends no name with a NUL, by which Redis may find a command of another name", async () => {
  for (const path of ["/pipeline", "/multi-exec"]) {
    const names = Array.from({ length: 5_000 }, (_, i) => [`SELECT\0${i}`, "1"]);
    const { body } = await post(path, names);
    const answers = new Set([body].flat().map((it) => (it as { error: string }).error));
    expect([...answers]).toEqual(["ERR unknown command"]);
  }
  expect((await run("CLIENT", "INFO")).text).toContain(" db=0 ");
});

it("answers a pipeline of refused commands only, without Redis", async () => {
  const { status, body } = await post("/pipeline", [["QUIT"], ["MULTI"]]);
  expect(status).toBe(200);
  expect(body).toEqual([{ error: expect.stringContaining("QUIT") }, { error: expect.stringContaining("MULTI") }]);
});
