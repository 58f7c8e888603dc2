import { describe, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import { useStack } from "../../../test/support/use-stack.ts";
import { command } from "../../../tools/run-command.ts";
import { program, setUp, until } from "./support.ts";

const stack = useStack();

describe.concurrent("leasehold ls", () => {
  it("lists what is held and what is remembered, in a table and as JSON", async () => {
    const { locks, run } = setUp(stack);
    await locks.lock("invoice:42").acquire({ lease: "1m", label: "nightly" });
    await locks.semaphore("pool", { permits: 5 }).acquire({ permits: 3, lease: "1m" });
    await (await locks.lock("old").acquire()).release();
    const table = await run("ls");
    expect(table).toMatchObject({ code: 0, err: "" });
    const [head, ...rows] = table.out.trim().split("\n");
    expect(head).toMatch(/^NAME +STATE +MORE +KIND +TOKEN$/);
    expect(rows).toEqual([
      expect.stringMatching(/^invoice:42 +held [\d.]+ m?s, (1 m|5\d s) left +“nightly” +lock +\d{16}$/),
      expect.stringMatching(/^old +free +none +\d{16}$/),
      expect.stringMatching(/^pool +held .* left +3 permits +semaphore +\d{16}$/),
    ]);
    const json = await run("ls", "--json", "--held");
    const entries = json.out.trim().split("\n");
    expect(entries.map((line) => JSON.parse(line).name).sort()).toEqual(["invoice:42", "pool"]);
  });

  it("fits a terminal's width, and says who holds a name before its kind and token", async () => {
    const { locks, env, flags, run } = setUp(stack);
    await locks.lock("invoice:42").acquire({ lease: "1m", label: "nightly" });
    await locks.lock(`long ${"name".repeat(30)}:last`).acquire({ lease: "1m" });
    for (const columns of [80, 120]) {
      const { out } = await command(["ls", ...flags], { env: { ...env, NO_COLOR: "1" }, isTerminal: true, columns });
      const lines = out.trimEnd().split("\n");
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      expect(lines[1]).toMatch(/^invoice:42 +held .* left +“nightly”/);
      // Names often differ only at their end.
      expect(lines[2]).toMatch(/^long name.*….*:last +held/);
    }
    // In a pipe nothing is cut.
    expect((await run("ls")).out).toContain(`${"name".repeat(30)}:last`);
  });

  it("keeps its columns in a pipe, however long a name, a label or a holder is (54.9)", async () => {
    const { locks, run } = setUp(stack);
    await locks.lock("a").acquire({ lease: "1m", label: "short" });
    await locks.lock(`b ${"name".repeat(40)}`).acquire({ lease: "1m", label: "label ".repeat(20) });
    await locks.lock("c").acquire({ lease: "1m" });
    const lines = (await run("ls")).out.trimEnd().split("\n");
    const starts = ["STATE", "MORE", "KIND", "TOKEN"].map((head) => lines[0]?.indexOf(head) ?? 0);
    expect(lines).toHaveLength(4);
    for (const line of lines.slice(1)) {
      expect(starts.map((at) => line[at - 1])).toEqual([" ", " ", " ", " "]);
      expect(line.slice(starts[0])).toMatch(/^held /);
      expect(line.slice(starts[2], starts[3]).trim()).toBe("lock");
      expect(line.slice(starts[3])).toMatch(/^\d{16}$/);
    }
  });

  it("sorts by name, by age and by the number of waiters", async () => {
    const { locks, run } = setUp(stack);
    const caller = new AbortController();
    await locks.lock("c").acquire({ lease: "1m" });
    const busy = locks.fairLock("b");
    await busy.acquire({ lease: "1m" });
    await locks.lock("a").acquire({ lease: "1m" });
    const waiting = busy.acquire({ wait: "1m", signal: caller.signal }).catch(() => {});
    await until(async () => (await busy.inspect()).waiters === 1);
    const names = async (...args: string[]): Promise<string> =>
      (await run("ls", ...args)).out
        .split("\n")
        .slice(1, 4)
        .map((line) => line[0])
        .join("");
    expect(await names()).toBe("abc");
    expect(await names("--sort", "age")).toBe("cba");
    expect(await names("--sort", "waiters")).toBe("bca");
    caller.abort();
    await waiting;
  });

  it("shows names that could upset a terminal as they are written", async () => {
    const { locks, run } = setUp(stack);
    const name = "a\u001b[2Jb\u202ec\nd";
    await locks.lock(name).acquire({ lease: "1m", label: "\u0007" });
    for (const { out } of [await run("ls"), await run("ls", "--json")])
      expect(out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect((await run("ls")).out).toContain("a\\u{1b}[2Jb\\u{202e}c\\u{a}d");
    expect(JSON.parse((await run("ls", "--json")).out).name).toBe(name);
  });

  it("finds nothing with exit code 1, and colours only where they are asked for", async () => {
    const { locks, run, env, flags } = setUp(stack);
    expect(await run("ls")).toEqual({ code: 1, out: "", err: "nothing found\n" });
    await locks.lock("one").acquire({ lease: "1m" });
    const coloured = async (more: Record<string, string>, isTerminal: boolean): Promise<boolean> =>
      (await command(["ls", ...flags], { env: { ...env, ...more }, isTerminal })).out.includes("\u001b[");
    expect(await coloured({}, false)).toBe(false);
    expect(await coloured({}, true)).toBe(true);
    expect(await coloured({ FORCE_COLOR: "1" }, false)).toBe(true);
    expect(await coloured({ FORCE_COLOR: "1", NO_COLOR: "1" }, true)).toBe(false);
  });

  it("finds what one process holds", async () => {
    const { locks, run, flags } = setUp(stack);
    const prefix = flags[1] ?? "";
    const dead = createLocks({ url: stack.url, token: stack.token, prefix, holder: "web-7:4711" });
    await dead.lock("its").acquire({ lease: "1m" });
    await locks.lock("labelled").acquire({ lease: "1m", label: "import on web-7" });
    await locks.lock("other").acquire({ lease: "1m" });
    const entries = (await run("ls", "--json", "--by", "web-7")).out.trim().split("\n");
    expect(entries.map((line) => JSON.parse(line).name).sort()).toEqual(["its", "labelled"]);
    expect(await run("ls", "--by", "web-7:4712")).toMatchObject({ code: 1 });
  });

  it("goes over TCP by ioredis, in a process that ends", async () => {
    const { locks, flags } = setUp(stack);
    await locks.lock("tcp").acquire({ lease: "1m" });
    const { out, err, code } = await program(["ls", "--redis", stack.redis.url, ...flags]);
    expect({ out, err, code }).toEqual({ out: expect.stringContaining("tcp"), err: "", code: 0 });
  });
});
