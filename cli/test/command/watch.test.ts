import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Listed } from "../../../src/list/index.ts";
import { instead, unavailable } from "../../../test/faults/faults.ts";
import { startProxy } from "../../../test/support/proxy.ts";
import { pause, useStack } from "../../../test/support/use-stack.ts";
import { command, type Ended, type Env } from "../../../tools/run-command.ts";
import { type Change, changesBetween, keyOf } from "../../src/changes.ts";
import { PROGRAM, setUp, until } from "./support.ts";

const stack = useStack();
const FAST = ["--every", "100ms"];
const [ENTER, LEAVE] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];

describe("changesBetween", () => {
  const entry: Listed = { name: "a", kind: "lock", state: "held", held: true, token: 5, holds: 1, until: 9000 };
  const free: Listed = { name: "a", kind: "none", state: "free", held: false, token: 5, holds: 0 };
  const snapshot = (...entries: Listed[]) => new Map(entries.map((each) => [keyOf(each), each]));

  it.each<[string, Listed[], Listed[], Change["change"][]]>([
    ["what is as it was", [entry], [entry], []],
    ["what was taken", [free], [entry], ["taken"]],
    ["what was extended, and not what was rounded", [entry], [{ ...entry, until: 9500 }], ["extended"]],
    ["a release and the next tenure", [entry], [{ ...entry, token: 6, since: 8000, until: 9500 }], ["changed hands"]],
    [
      "a tenure after a lease that ran out",
      [entry],
      [{ ...entry, token: 6, since: 9500, until: 12_000 }],
      ["overtaken"],
    ],
    ["what was released", [entry], [free], ["released"]],
    ["what was held and is gone", [entry], [], ["released"]],
    ["what is forgotten", [free], [], ["gone"]],
    ["waiters", [entry], [{ ...entry, waiters: 2 }], ["waiting"]],
    ["another state", [{ ...free, state: "idle" }], [{ ...free, state: "done" }], ["state"]],
  ])("tells %s", (_, before, after, changes) => {
    expect(changesBetween(snapshot(...before), snapshot(...after), 0).map(({ change }) => change)).toEqual(changes);
  });
});

/** Watches on a terminal until a pattern was drawn. */
async function watchUntil(pattern: RegExp, args: readonly string[], env: Env, columns = 100): Promise<Ended> {
  const caller = new AbortController();
  const onOutput = (out: string): void => {
    if (pattern.test(out)) caller.abort();
  };
  const given = ["watch", ...args, ...FAST];
  return command(given, { env, isTerminal: true, columns, signal: caller.signal, onOutput });
}

describe.concurrent("leasehold watch", () => {
  it("prints what is held, and each change as it is seen, where there is no terminal", async () => {
    const { locks, env, flags } = setUp(stack);
    const lease = await locks.lock("job").acquire({ lease: "1m", label: "nightly" });
    const caller = new AbortController();
    const watching = command(["watch", "--json", ...FAST, ...flags], {
      env,
      signal: caller.signal,
      async onOutput(out) {
        if (/"held"/.test(out) && !/"extended"/.test(out)) await lease.extend("2m");
        else if (/"extended"/.test(out) && !/"released"/.test(out)) await lease.release();
        else if (/"released"/.test(out)) caller.abort();
      },
    });
    const { out, code, err } = await watching;
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ change }) => change)).toEqual(["held", "extended", "released"]);
    for (const line of lines) expect(line).toMatchObject({ name: "job", token: lease.token, at: expect.any(Number) });
    expect(lines[0].says).toContain("“nightly”");
  });

  it("redraws on a terminal, within its width, and leaves it as it was", async () => {
    const { locks, env, flags } = setUp(stack);
    await locks.semaphore("pool", { permits: 3 }).acquire({ lease: "1m", label: "x".repeat(200) });
    await locks.lock(`long ${"name".repeat(40)}`).acquire({ lease: "1m" });
    const ended = await watchUntil(/(NAME[\s\S]*){2}/, flags, env, 60);
    expect(ended).toMatchObject({ code: 0, err: "" });
    expect(ended.out.startsWith(ENTER)).toBe(true);
    expect(ended.out.endsWith(LEAVE)).toBe(true);
    const frames = ended.out.slice(ENTER.length, -LEAVE.length).split("\u001b[H").slice(1);
    expect(frames.length).toBeGreaterThan(1);
    for (const line of frames.join("").split("\n")) {
      const bare = line.replace(/\p{Cc}\[\d*[mKJ]/gu, "");
      expect(bare).not.toMatch(/\p{Cc}/u);
      expect(bare.length).toBeLessThanOrEqual(60);
    }
    expect(frames.at(-1)).toMatch(/pool .*held.* 1 permit[\s\S]*\nlong name.*….*held/);
  });

  it("shows one name with its holders", async () => {
    const { locks, env, flags } = setUp(stack);
    const pool = locks.semaphore("pool", { permits: 3 });
    await pool.acquire({ lease: "1m" });
    await pool.acquire({ lease: "2m", permits: 2 });
    const { out } = await watchUntil(/2 permits\b/, ["pool", ...flags], env);
    expect(out).toMatch(/holders.*\n.*left +2 permits.*\n.*left +1 permit/);
    const unknown = await watchUntil(/known/, ["nobody", ...flags], env);
    expect(unknown.out).toContain("nothing is known about nobody");
  });

  it("says that the server does not answer, and waits until it does", async () => {
    await using proxy = await startProxy(stack.url);
    const { locks, env, flags } = setUp({ url: proxy.url, token: stack.token });
    await locks.lock("job").acquire({ lease: "1m" });
    let back: (() => void) | undefined;
    const caller = new AbortController();
    const ended = await command(["watch", "job", "--timeout", "3s", ...FAST, ...flags], {
      ...{ env, signal: caller.signal },
      onOutput() {
        if (back) return;
        back = proxy.always(() => true, instead(unavailable));
      },
      onErrors(err) {
        if (err.includes("no answer for")) back?.();
        if (err.includes("answers again")) caller.abort();
      },
    });
    expect(ended.code, ended.err).toBe(0);
    expect(ended.err).toMatch(/no answer for [\s\S]*answers again\n$/);
    const nowhere = await command(["watch", "--url", "http://127.0.0.1:1", "--token", "t", "--timeout", "300ms"]);
    expect(nowhere.code).toBe(3);
  });

  it("ends on Ctrl-C at a real terminal, which is left as it was", async () => {
    const { locks, env, flags } = setUp(stack);
    await locks.lock("job").acquire({ lease: "1m" });
    // `script` of util-linux gives the program a terminal, and its exit code is ours.
    const line = [...PROGRAM, "watch", ...FAST, ...flags].map((word) => `'${word}'`).join(" ");
    const child = spawn("script", ["-qec", `exec ${line}`, "/dev/null"], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
    });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
    });
    const ended = new Promise((resolve) => child.on("close", resolve));
    try {
      await until(() => out.includes("MORE"));
      child.stdin.write("\u0003");
      expect(await ended).toBe(0);
    } finally {
      // Its terminal goes with it, and so does the program.
      child.kill();
    }
    expect(out).toContain(ENTER);
    expect(out.trimEnd().endsWith(LEAVE)).toBe(true);
  });
});

it("a watch that is stopped while it waits ends at once", async () => {
  const { env, flags } = setUp(stack);
  const caller = new AbortController();
  const watching = command(["watch", "--every", "1h", ...flags], { env, signal: caller.signal });
  await pause(300);
  caller.abort();
  expect((await watching).code).toBe(0);
});
