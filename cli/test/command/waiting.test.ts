import { describe, expect, it } from "vitest";
import { connect } from "../../../src/index.ts";
import type { Inspected, Listed } from "../../../src/list/index.ts";
import { freshName, useStack } from "../../../test/support/use-stack.ts";
import { command } from "../../../tools/run-command.ts";
import { makeWaitingReader } from "../../src/operations/waiting.ts";
import { setUp, until } from "./support.ts";

const PATIENCE = { timeout: 20_000 };

type Setting = ReturnType<typeof setUp>;

/** Two that wait for a plain lock, one of which says who it is. */
async function contend({ locks, run }: Setting, name: string): Promise<{ end(): Promise<void> }> {
  const first = await locks.lock(name).acquire({ lease: "1m", label: "web-1" });
  const waiters: Promise<void>[] = [];
  for (const label of ["nightly", undefined]) {
    const waiter = locks.lock(name).acquire({ wait: "1m", ...(label && { label }) });
    waiters.push(waiter.then(async (lease) => void (await lease.release())));
    const wanted = waiters.length;
    await until(async () => {
      const { out } = await run("inspect", name, "--json");
      return (JSON.parse(out) as Inspected).waiters === wanted;
    });
  }
  return {
    async end() {
      await first.release();
      await Promise.all(waiters);
    },
  };
}

describe("who waits for a plain lock, where the server holds their requests", () => {
  const stack = useStack({ holds: true });

  it("is named by inspect, with how long each waits", async () => {
    const setting = setUp(stack);
    const { end } = await contend(setting, "invoice:42");
    const inspected = async (): Promise<string> => (await setting.run("inspect", "invoice:42")).out;
    await expect
      .poll(inspected, PATIENCE)
      .toMatch(/more +2 waiting, “web-1”(?:.|\n)*waiting\n +1 +[\d.]+ m?s +“nightly”\n +2 +[\d.]+ m?s\n/);
    const read = async (): Promise<Inspected> =>
      JSON.parse((await setting.run("inspect", "invoice:42", "--json")).out) as Inspected;
    const since = expect.toSatisfy((ms: number) => Math.abs(Date.now() - ms) < 60_000);
    await expect.poll(read, PATIENCE).toMatchObject({ waiters: 2, waiting: [{ label: "nightly", since }, { since }] });
    await end();
    expect((await setting.run("inspect", "invoice:42")).out).not.toContain("waiting");
  });

  it("is counted by ls and watch, which sorts by it, and shown before a release", async () => {
    const setting = setUp(stack);
    const { locks, run } = setting;
    await locks.lock("alone").acquire({ lease: "1m" });
    await locks.group("team").lock("grouped").acquire({ lease: "1m" });
    const other = locks.group("team").lock("grouped").acquire({ wait: "1m" });
    const { end } = await contend(setting, "busy");
    const listed = async (): Promise<readonly string[]> =>
      (await run("ls", "--sort", "waiters")).out.split("\n").slice(1, 4);
    // A waiter is unknown for the moment between two of its requests.
    await expect
      .poll(listed, PATIENCE)
      .toEqual([
        expect.stringMatching(/^busy .* 2 waiting/),
        expect.stringMatching(/^team\/grouped .* 1 waiting/),
        expect.stringMatching(/^alone (?!.*waiting)/),
      ]);
    const counted = async (): Promise<number | undefined> =>
      (await run("ls", "--json")).out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Listed)
        .find(({ name }) => name === "busy")?.waiters;
    await expect.poll(counted, PATIENCE).toBe(2);
    const args = ["watch", "--every", "100ms", ...setting.flags];
    const caller = new AbortController();
    const onOutput = (out: string): void => {
      if (/busy.*2 waiting/.test(out)) caller.abort();
    };
    await command(args, { env: setting.env, isTerminal: true, signal: caller.signal, onOutput });
    expect(caller.signal.aborted).toBe(true);
    await end();
    await locks.group("team").lock("grouped").forceRelease();
    await (await other).release();
  });
});

describe("who waits for a plain lock, where nobody knows it", () => {
  const stack = useStack();

  it("is not mentioned, over HTTP or TCP", async () => {
    const { locks, run, flags } = setUp(stack);
    const lease = await locks.lock("a").acquire({ lease: "1m" });
    const waiter = locks.lock("a").acquire({ wait: "1m" });
    for (const args of [[], ["--redis", stack.redis.url]]) {
      for (const line of [["inspect", "a"], ["ls"]]) {
        const { code, out, err } = args.length > 0 ? await command([...line, ...args, ...flags]) : await run(...line);
        expect({ code, err }).toEqual({ code: 0, err: "" });
        expect(out).not.toMatch(/waiting/);
      }
    }
    await lease.release();
    await (await waiter).release();
  });

  it("is asked once for one name, and once for all", async () => {
    const sent: string[] = [];
    const connection = connect({
      url: stack.url,
      token: stack.token,
      fetch(url, init) {
        sent.push(init.body);
        return fetch(url, init);
      },
    });
    const reader = makeWaitingReader(connection);
    const { signal } = new AbortController();
    const name = freshName();
    for (let n = 0; n < 3; n++) {
      expect(await reader.of({ name }, signal)).toBeUndefined();
      expect(await reader.counts(signal)).toBeUndefined();
    }
    expect(sent).toEqual([JSON.stringify(["LEASEHOLD.WAITERS", `leasehold:{${name}}`]), '["LEASEHOLD.AWAITED"]']);
    expect(reader.answers).toBe(false);
  });
});
