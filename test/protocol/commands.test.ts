import { describe, expect, it } from "vitest";
import { buildAll } from "../../tools/lua-scripts.ts";
import { textOf } from "../documents/markdown.ts";
import { type Args, USUAL_ARGS } from "../support/script-args.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const headers = new Map(buildAll().map((script) => [script.name, script]));

/** The commands of docs/costs.md by operation, sorted. */
const listed = new Map(
  [...textOf("docs/costs.md").matchAll(/^\| ([^|]+) \| ((?:`[A-Z]+` )+)\|[^|]*\|$/gm)].map(
    ([, operation = "", commands = ""]) => [operation, [...commands.matchAll(/[A-Z]+/g)].map(String).sort().join(" ")],
  ),
);
/** Of a lock and a once. */
const CHANGE = "lock, once: all changes";
const LOOK = "lock, once: refused, running, done, verify, inspect; latch: look";
const POLL = "lock: a waiter's poll";
const counted = new Set<string>();

let ids = 0;
const newId = (): string => `${++ids}`.padStart(36, "0");
type Run = (operation: string, script: string, status: string, args?: Args) => Promise<string[]>;

/**
 * One name, and scripts that are run for it. Each is compared with the row of its operation; one without an operation
 * only leads to the next.
 */
function nameOf(kind: string, given: number | readonly string[] = 1): Run {
  const record = `{${freshName()}}`;
  const records =
    typeof given === "number" ? Array.from({ length: given }, (_, n) => record + (n ? `/${n}` : "")) : given;
  return async (operation, script, status, args = {}) => {
    const header = headers.get(script);
    if (!header) throw new Error(`no script ${script}`);
    const all: Args = { ...USUAL_ARGS, kind, notAfter: Date.now() * 1000 + 60e6, id: newId(), ...args };
    const values = header.args.flatMap((arg) =>
      arg.endsWith("…") ? String(all[arg.slice(0, -1)]).split(" ") : String(all[arg]),
    );
    const hasCrowd = header.keys[1] === "crowd" || header.keys[0] === "keys…";
    const inbox = header.keys[2] === "inbox" ? records.map((each) => `${each}%inbox`) : [];
    const keys = hasCrowd ? [...records.flatMap((each) => [each, `${each}%crowd`]), ...inbox] : records;
    await stack.redis.command("CONFIG", "RESETSTAT");
    const reply = await stack.redis.command("EVALSHA", header.sha[0], `${keys.length}`, ...keys, ...values);
    const calls = await stack.commandCalls();
    const fields = reply.split("\r\n").filter((line) => !/^[*$]/.test(line));
    expect(fields[0], `${operation}: ${reply}`).toBe(status);
    if (operation) {
      for (const ours of ["config|resetstat", "info", "quit", "evalsha"]) delete calls[ours];
      const spent = Object.entries(calls).flatMap(([name, count]) => Array(count).fill(name.toUpperCase()));
      counted.add(operation);
      expect(spent.sort().join(" "), `${operation} (${script})`).toBe(listed.get(operation));
    }
    return fields.map((field) => field.replace(/^:/, ""));
  };
}
const tokenOf = async (reply: Promise<string[]>): Promise<string> => (await reply)[2] as string;
const ticketOf = async (reply: Promise<string[]>): Promise<string> => (await reply)[7] as string;

describe("the commands of each operation are those of docs/costs.md", () => {
  it("lock", async () => {
    const run = nameOf("lock");
    const id = newId();
    await run(CHANGE, "lock-close", "closed");
    const token = await tokenOf(run(CHANGE, "lock-acquire", "granted", { id }));
    await run(LOOK, "lock-acquire", "held");
    const asked = Date.now() * 1000;
    await run(POLL, "lock-acquire", "held", { asked, notAfter: asked + 1e6 });
    await run(LOOK, "lock-acquire", "granted", { id });
    await run(CHANGE, "hold-extend", "extended", { id, token, duration: 40_000 });
    await run(LOOK, "hold-extend", "extended", { id, token });
    await run(LOOK, "record-inspect", "live");
    await run(LOOK, "lock-commit", "committed", { id, token });
    await run(CHANGE, "lock-commit", "committed", { id, token: Number(token) + 1000 });
    await run(CHANGE, "lock-close", "closed", { id, token: Number(token) + 1000 });
    await run(LOOK, "lock-acquire", "closed", { id });
    await run(CHANGE, "record-force", "forced");
  });

  it("once", async () => {
    for (const last of ["once-complete", "once-close"]) {
      const run = nameOf("once");
      const id = newId();
      const token = await tokenOf(run(CHANGE, "once-begin", "granted", { id }));
      await run(LOOK, "once-begin", "running");
      await run(CHANGE, last, last === "once-close" ? "closed" : "completed", { id, token });
      await run(last === "once-close" ? CHANGE : LOOK, "once-begin", last === "once-close" ? "granted" : "done");
    }
  });

  it("fair lock", async () => {
    const run = nameOf("fair");
    const [a, b, c, d] = [newId(), newId(), newId(), newId()];
    const first = await tokenOf(
      run("fair lock: acquire without waiters", "fair-acquire", "granted", { id: a, ticket: 0 }),
    );
    const join = (operation: string, id: string): Promise<string> =>
      ticketOf(run(operation, "fair-acquire", "held", { id, ticket: 0 }));
    const tickets = [
      await join("fair lock: join an empty queue", b),
      await join("fair lock: join a queue", c),
      await join("fair lock: join a queue", d),
    ];
    for (const [n, id] of [b, c, d].entries())
      await run("fair lock: poll", "fair-acquire", "held", { id, ticket: tickets[n] as string });
    await run("fair lock: extend, release", "hold-extend", "extended", { id: a, token: first, duration: 40_000 });
    await run("fair lock: extend, release", "fair-close", "closed", { id: a, token: first });
    const taken = await tokenOf(
      run("fair lock: acquire from the queue", "fair-acquire", "granted", { id: b, ticket: tickets[0] as string }),
    );
    await run("fair lock: leave the queue, cancel", "fair-close", "closed", { id: c });
    await run("fair lock: leave the queue, cancel", "fair-close", "closed");
    await run("", "fair-close", "closed", { id: b, token: taken });
    const last = { id: d, ticket: tickets[2] as string };
    const token = await tokenOf(run("fair lock: acquire from the queue", "fair-acquire", "granted", last));
    await run("fair lock: extend, release", "fair-close", "closed", { id: d, token });
    await run("fair lock: take it from its holder (a turn)", "fair-supersede", "granted");
    await run("fair lock: take it from its holder (a turn)", "fair-supersede", "granted");
  });

  it("messages during a turn", async () => {
    const run = nameOf("fair");
    const ids = [newId(), newId(), newId()] as const;
    const one = { key: "1".repeat(22), message: "1" };
    const two = { key: "2".repeat(22), message: "2" };
    const begun = await run("messages: begin a turn", "fair-collect", "granted", { id: ids[0], ...one });
    await run("messages: keep one", "fair-collect", "kept", two);
    await run("messages: a known one", "fair-collect", "kept", two);
    const ends = (id: string, reply: readonly string[]) => ({
      former: id,
      formerToken: reply[2] ?? "",
      upTo: reply[6] ?? "",
    });
    const END = "messages: end a turn, begin the next";
    const next = await run(END, "fair-collect", "granted", { id: ids[1], ...ends(ids[0], begun) });
    await run(END, "fair-collect", "ended", { id: ids[2], ...ends(ids[1], next) });
    await run("messages: a known one", "fair-collect", "handled", two);
  });

  it("semaphore", async () => {
    const run = nameOf("semaphore");
    const [a, b, c] = [newId(), newId(), newId()].map((id) => `${id}#1`) as [string, string, string];
    const acquire = (id: string): Promise<string> =>
      tokenOf(run("semaphore: acquire", "semaphore-acquire", "granted", { id, permits: 3 }));
    const tokens = [await acquire(a), await acquire(b), await acquire(c)];
    await run("semaphore: acquire, refused", "semaphore-acquire", "held", { id: `${newId()}#1`, permits: 3 });
    await run("semaphore: release", "semaphore-close", "closed", { id: a, token: tokens[0] as string });
    const extended = { id: b, token: tokens[1] as string, duration: 40_000 };
    await run("semaphore, read side: extend", "crowd-extend", "extended", extended);
    await run("semaphore, read side: verify", "crowd-extend", "extended", { ...extended, duration: 0 });
    await run("semaphore: release", "semaphore-close", "closed", { id: c, token: tokens[2] as string });
    await run("semaphore: release", "semaphore-close", "closed", extended);
    await acquire(`${newId()}#2`);
  });

  it("spent permits (51.3)", async () => {
    const run = nameOf("semaphore");
    const id = `${newId()}#2`;
    await run("", "semaphore-set", "done", { count: 5 });
    const token = await tokenOf(run("semaphore: acquire", "semaphore-acquire", "granted", { id }));
    const spends = `${id} ${token} 1  1000`;
    await run("semaphore: spend", "semaphore-spend", "spent", { spends });
    await run("semaphore: spend, a duplicate", "semaphore-spend", "spent", { spends });
  });

  it("read-write lock", async () => {
    const run = nameOf("rw");
    const [a, b, w] = [newId(), newId(), newId()];
    const tokens = [
      await tokenOf(run("read side: acquire", "rw-acquire", "granted", { mode: "read", id: a })),
      await tokenOf(run("read side: acquire", "rw-acquire", "granted", { mode: "read", id: b })),
    ];
    const extended = { id: a, token: tokens[0] as string, duration: 40_000 };
    await run("semaphore, read side: extend", "crowd-extend", "extended", extended);
    await run("semaphore, read side: verify", "crowd-extend", "extended", { ...extended, duration: 0 });
    const waits = { mode: "write", id: w, back: 500 };
    await run("", "rw-acquire", "held", waits);
    await run("either side: release", "rw-close", "closed", { id: b, token: tokens[1] as string });
    await run("either side: release", "rw-close", "closed", extended);
    const token = await tokenOf(run("write side: acquire after a wait", "rw-acquire", "granted", waits));
    await run("write side: extend", "crowd-extend", "extended", { id: w, token, duration: 40_000 });
    await run("either side: release", "rw-close", "closed", { id: w, token });
    const free = nameOf("rw");
    const id = newId();
    const unknown = "write side: acquire of a forgotten name";
    const given = await tokenOf(free(unknown, "rw-acquire", "granted", { mode: "write", id }));
    await free("either side: release", "rw-close", "closed", { id, token: given });
    await free("write side: acquire", "rw-acquire", "granted", { mode: "write" });
  });

  it("latch", async () => {
    const run = nameOf("latch");
    await run("latch: set", "latch-set", "set", { count: 2 });
    const generation = await tokenOf(run(LOOK, "record-inspect", "live"));
    await run("latch: count down", "latch-down", "left", { generation, id: "p" });
    await run("latch: count down", "latch-down", "left", { generation, id: "q" });
    await run("latch: set anew", "latch-set", "set", { count: 2 });
  });

  it("three names in a group", async () => {
    const run = nameOf("lock", 3);
    const id = newId();
    const token = await tokenOf(
      run("three names in a group: acquire, extend, release", "group-acquire", "granted", { id }),
    );
    await run("three names in a group: refused, verify", "group-acquire", "held");
    await run("three names in a group: refused, verify", "group-extend", "extended", { id, token });
    const longer = { id, token, duration: 40_000 };
    await run("three names in a group: acquire, extend, release", "group-extend", "extended", longer);
    await run("three names in a group: acquire, extend, release", "group-close", "closed", longer);
  });

  it("cron", async () => {
    const tag = `{${freshName()}}`;
    const run = nameOf("lock", [tag, `${tag}/slot`, `${tag}/last%fence`]);
    const [id, other] = [newId(), newId()];
    const began = { run: "{", lease: 30_000 };
    const token = await tokenOf(run("cron: begin, end", "cron-begin", "granted", { ...began, id }));
    await run("cron: refused, done, verify", "cron-begin", "running", began);
    const both = nameOf("lock", [tag, `${tag}/slot`]);
    await both("cron: refused, done, verify", "group-extend", "extended", { id, token });
    await both("cron: extend", "group-extend", "extended", { id, token, duration: 40_000 });
    await run("cron: begin, end", "held-end", "closed", { id, token, run: "{}" });
    await run("cron: refused, done, verify", "cron-begin", "done", { ...began, id: other });
    const next = nameOf("lock", [tag, `${tag}/next`, `${tag}/last%fence`]);
    const failing = await tokenOf(next("cron: begin, end", "cron-begin", "granted", { ...began, id: other }));
    const overlap = nameOf("lock", [tag, `${tag}/third`, `${tag}/last%fence`]);
    await overlap("cron: refused, done, verify", "cron-begin", "held", began);
    await next("cron: begin, end", "held-end", "closed", { id: other, token: failing, result: "", run: "{}" });
  });

  it("message, step", async () => {
    const tag = `{${freshName()}}`;
    const begin = nameOf("lock", [`${tag}/message`, tag]);
    const end = nameOf("lock", [tag, `${tag}/message`, `${tag}/message%fence`]);
    const [id, hold] = [newId(), newId()];
    const holdToken = await tokenOf(nameOf("lock", [tag])("", "lock-acquire", "granted", { id: hold }));
    const handed = { hold, holdToken };
    const row = "message, step: begin under a live lease";
    const token = await tokenOf(begin(row, "held-begin", "granted", { ...handed, id }));
    await begin("message, step: refused, done", "held-begin", "running", handed);
    await end("message: begin with a new lease, end", "held-end", "closed", { ...handed, id, token, result: "=1" });
    await begin("message, step: refused, done", "held-begin", "done", handed);
    const other = nameOf("lock", [`${tag}/other`, tag]);
    await other("message, step: refused, done", "held-begin", "lost", handed);
    await other("message: begin with a new lease, end", "held-begin", "granted", { ...handed, anew: 1 });
  });

  it("has a row for each", () => {
    expect([...counted].sort()).toEqual([...listed.keys()].sort());
    expect(listed.size).toBeGreaterThan(20);
  });
});
