import { expect, it } from "vitest";
import { useStack } from "../../../test/support/use-stack.ts";
import { command } from "../../../tools/run-command.ts";
import { setUp } from "./support.ts";

const stack = useStack();

/** A readable lock, and three records that are not. */
async function oneOfEach() {
  const set = setUp(stack);
  const prefix = set.flags[1] ?? "";
  await set.locks.lock("ours").acquire({ lease: "1m", label: "nightly" });
  await stack.redis.command("HSET", `${prefix}{typed}`, "a", "1");
  await stack.redis.command("SET", `${prefix}{newer}`, "lock 2 17 1 a b c");
  await stack.redis.command("SET", `${prefix}{cut}`, "once 1 17 8999999999999999   ");
  return set;
}

it("ls and inspect show records that cannot be read next to the others (E24)", async () => {
  const { run } = await oneOfEach();
  const table = await run("ls");
  expect(table).toMatchObject({ code: 0, err: "" });
  expect(table.out.trim().split("\n").slice(1)).toEqual([
    expect.stringMatching(/^cut +unreadable +its record is damaged.* once\/1/),
    expect.stringMatching(/^newer +unreadable +its format is newer.* lock\/2/),
    expect.stringMatching(/^ours +held .* lock /),
    expect.stringMatching(/^typed +unreadable +the value under its key is not leasehold's +foreign/),
  ]);
  const json = (await run("ls", "--json")).out.trim().split("\n");
  expect(json.map((line) => JSON.parse(line).unreadable !== undefined).sort()).toEqual([false, true, true, true]);
  const inspected = await run("inspect", "cut");
  expect(inspected).toMatchObject({ code: 0, err: "" });
  expect(inspected.out).toMatch(/^cut {2}once\/1\n[\s\S]*state +unreadable\n[\s\S]*its record is damaged/);
  expect(JSON.parse((await run("inspect", "typed", "--json")).out)).toMatchObject({ state: "unreadable", holders: [] });
  const released = await run("release", "cut", "--yes");
  expect(released).toMatchObject({ code: 1, err: expect.stringMatching(/its record is damaged.*delete its key/) });
});

it.each([
  ["all names", []],
  ["one name", ["typed"]],
])("watch shows what cannot be read, and continues, for %s (E24)", async (_, names) => {
  const { env, flags } = await oneOfEach();
  const caller = new AbortController();
  const { out, err, code } = await command(["watch", ...names, "--json", "--every", "100ms", ...flags], {
    env,
    signal: caller.signal,
    async onOutput(sofar) {
      if (!/"typed".*"unreadable"/.test(sofar)) return;
      if (!/"gone"/.test(sofar)) await stack.redis.command("DEL", `${flags[1]}{typed}`);
      else caller.abort();
    },
  });
  expect({ err, code }).toEqual({ err: "", code: 0 });
  const told = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const typed = told.filter(({ name }) => name === "typed");
  expect(typed.map(({ change }) => change)).toEqual(["unreadable", "gone"]);
  expect(typed[0].says).toContain("not leasehold's");
  expect(told).toHaveLength(names.length === 0 ? 5 : 2);
});
