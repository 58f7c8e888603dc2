import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { Watcher } from "../../src/holding/watcher.ts";
import {
  type Backend,
  elementsOf,
  overridden,
  type Reply,
  type ServerBackend,
  textOf,
} from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { holdOf } from "../../src/shared/budget.ts";
import { ReplyTooLarge } from "../../src/shared/error-answers.ts";
import { received } from "../../src/shared/receiver.ts";
import { until } from "../support/client.ts";

const KEY = "app:{a}";
/** How often a silent connection is checked. */
const PING_MS = 2_000;
/** The pause after a connection that could not be opened. */
const RETRY_MS = 500;
/** After this time, keys that nobody waits for any more are not watched. */
const LEFT_MS = 11_000;

let redis: RedisServer;
let backend: ServerBackend;
let watcher: Watcher;
const written: string[] = [];
const own: string[] = [];
const refused: string[] = [];
const NOTICED = {
  written: (key: string) => written.push(key),
  writtenBy: (key: string) => own.push(key),
  anything: () => written.push("anything"),
  lost: () => written.push("lost"),
  refused: (reason: string) => refused.push(reason),
};

const run = async (...command: readonly [string, ...string[]]): Promise<Reply | undefined> => {
  const [reply] = await received<readonly Reply[]>((to) => watcher.run(command, command[1] ?? "", to));
  return reply;
};

const script = (text: string): Promise<Reply> =>
  received<readonly Reply[]>((to) => watcher.run(["EVAL", text, "1", KEY], KEY, to)).then(([reply = null]) => reply);

/** A watch that has begun: the next script names the key. */
async function watch(key: string): Promise<void> {
  watcher.keys.add(key);
  await watcher.ready(key);
  expect(watcher.isReported(key)).toBe(true);
  await run("GET", key);
}

/** The prefixes under which Redis reports writes to the watcher. */
async function prefixes(): Promise<readonly string[]> {
  const info = await run("CLIENT", "TRACKINGINFO");
  return elementsOf(elementsOf(info).at(-1)).map(textOf);
}

const noticed = (count: number): Promise<number> =>
  until(
    async () => written.length,
    (length) => length >= count,
  );

async function open(login = ""): Promise<void> {
  const [username = "", password = ""] = login.split(":");
  const server = { host: "127.0.0.1", port: redis.port, db: 0, ...(login !== "" && { username, password }) };
  backend = createRedisBackend(server, 1_000);
  await backend.opened;
  watcher = new Watcher(backend, 1_000, NOTICED);
}

beforeEach(async () => {
  written.length = 0;
  refused.length = 0;
  own.length = 0;
  redis = await startRedis();
  await open();
});
afterEach(async () => {
  watcher.close();
  backend.close();
  await redis.stop();
});

describe("a watcher", () => {
  it("notices a write, a removal and an expiry by anybody else", async () => {
    await watch(KEY);
    await redis.command("SET", KEY, "1");
    await noticed(1);
    await redis.command("DEL", KEY);
    await noticed(2);
    await redis.command("SET", KEY, "1", "PX", "1");
    await noticed(4);
    expect(watcher.keys.writesOf(KEY)).toBe(4);
    expect(new Set(written)).toEqual(new Set([KEY]));
  });

  it("notices each write without asking again, and tells apart those of its own scripts", async () => {
    await watch(KEY);
    await redis.command("CONFIG", "RESETSTAT");
    for (let count = 1; count <= 5; count++) {
      await run("SET", KEY, "own");
      await script("return redis.call('SET', KEYS[1], 'own')");
      await redis.command("INCR", "app:{a}other");
      await redis.command("SET", KEY, "another's");
      await noticed(count);
    }
    expect([written.length, own.length]).toEqual([5, 10]);
    expect(await redis.command("INFO", "commandstats")).not.toContain("cmdstat_client|tracking");
  });

  it("watches a name while somebody waits for it, and each further name", async () => {
    await watch(KEY);
    await watch("app:{b}");
    await redis.command("SET", "app:{c}", "1");
    await redis.command("SET", "app:{b}", "1");
    await redis.command("SET", KEY, "1");
    await noticed(2);
    expect(written).toEqual(["app:{b}", KEY]);
  });

  it("watches hundreds of names by what their keys begin with", async () => {
    for (let name = 0; name < 300; name++) watcher.keys.add(`app:{${name}}`);
    await watch("app:{7}");
    await redis.command("SET", "app:{299}", "1");
    await redis.command("SET", "app:{300}", "1");
    await redis.command("SET", "app:{7}", "1");
    await noticed(2);
    expect(written).toEqual(["app:{299}", "app:{7}"]);
    expect(await prefixes()).toEqual(["app:{"]);
  });

  it("watches only the names that are waited for, some seconds after the others were left", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const names = Array.from({ length: 300 }, (_, name) => `app:{${name}}`);
    for (const name of names) watcher.keys.add(name);
    await watch("app:{7}");
    const leave = (some: readonly string[]): void => {
      for (const name of some) if (name !== "app:{7}") watcher.keys.remove(name);
      vi.advanceTimersByTime(LEFT_MS);
    };
    leave(names.slice(200));
    expect(await prefixes()).toEqual(["app:{"]);
    expect(names.filter((name) => watcher.keys.has(name))).toEqual(names.slice(0, 200));
    leave(names.slice(0, 200));
    expect(await prefixes()).toEqual(["app:{7}"]);
    await redis.command("SET", "app:{8}", "1");
    await redis.command("SET", "app:{7}", "1");
    await noticed(1);
    expect(written).toEqual(["app:{7}"]);
  });

  it("fails a script whose reply has no room", async () => {
    await watch(KEY);
    const command = ["EVAL", "return string.rep('x', 1000000)", "1", KEY] as const;
    const failed = received<readonly Reply[]>((to) => watcher.run(command, KEY, to, { room: holdOf(1000) }));
    await expect(failed).rejects.toBeInstanceOf(ReplyTooLarge);
  });

  it("takes every watched key for written when it loses its connection, and watches again", async () => {
    await watch(KEY);
    const list = (await redis.command("CLIENT", "LIST")).split("\n");
    const line = list.find((one) => / flags=\S*t/.test(one));
    await redis.command("CLIENT", "KILL", "ID", /id=(\d+)/.exec(line ?? "")?.[1] ?? "");
    await noticed(1);
    expect([written, watcher.keys.writesOf(KEY)]).toEqual([["lost"], 1]);
    await until(
      async () => watcher.ready(KEY).then(() => watcher.isReported(KEY)),
      (isReported) => isReported,
    );
    await run("GET", KEY);
    await redis.command("SET", KEY, "1");
    await noticed(2);
  });

  it("takes every watched key for written when its server no longer answers", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await watch(KEY);
    process.kill(redis.pid, "SIGSTOP");
    try {
      // The first interval has seen replies.
      vi.advanceTimersByTime(2 * PING_MS);
      await noticed(1);
    } finally {
      process.kill(redis.pid, "SIGCONT");
    }
    expect([written, watcher.isReported(KEY)]).toEqual([["lost"], false]);
  });

  it("reports the write of a script that its server referred to another one, and keeps its connection (W8)", async () => {
    await watch(KEY);
    const referring = "return redis.error_reply('READONLY it is a replica')";
    await script(referring);
    // Its writes are elsewhere, so the server does not report them.
    expect(watcher.isReported(KEY)).toBe(false);
    const connection = await run("CLIENT", "ID");
    const once = `if redis.call('INCR', 'runs') == 1 then ${referring} end`;
    expect(textOf(await script(`${once} return redis.call('SET', KEYS[1], 'own')`))).toBe("OK");
    expect(written.at(-1)).toBe(KEY);
    expect(written).not.toContain("anything");
    // The server has the key again.
    await script("return 1");
    expect([watcher.isReported(KEY), await run("CLIENT", "ID")]).toEqual([true, connection]);
  });

  describe("a key that was referred to another server, and that nobody waits for by then", () => {
    const once = `if redis.call('INCR', 'runs') == 1 then return redis.error_reply('READONLY it is a replica') end`;
    const write = `${once} return redis.call('SET', KEYS[1], 'own')`;
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
      onTestFinished(() => void vi.useRealTimers());
    });
    function leave(): void {
      watcher.keys.remove(KEY);
      vi.advanceTimersByTime(LEFT_MS);
      expect(watcher.keys.has(KEY)).toBe(false);
    }

    it("is at this server again for the next who waits", async () => {
      await watch(KEY);
      await script(write);
      expect(watcher.isReported(KEY)).toBe(false);
      leave();
      await run("GET", "app:{b}");
      watcher.keys.add(KEY);
      expect(watcher.isReported(KEY)).toBe(true);
    });

    it("has no write reported", async () => {
      await watch(KEY);
      await watch("app:{b}");
      const ran = script(write);
      leave();
      expect(textOf(await ran)).toBe("OK");
      expect(written).toEqual([]);
    });
  });

  it("opens no connection that outlives it", async () => {
    watcher.keys.add(KEY);
    const ready = watcher.ready(KEY);
    watcher.close();
    await ready;
    expect(watcher.isReported(KEY)).toBe(false);
    await until(
      () => redis.command("CLIENT", "LIST"),
      (list) => !list.includes("resp=3"),
    );
  });

  it("opens no connection after its end", async () => {
    let dials = 0;
    const counting: ServerBackend = Object.assign(overridden(backend, {}), {
      dial() {
        dials++;
        return backend.dial();
      },
      at: () => counting,
    });
    const other = new Watcher(counting, 1_000, NOTICED);
    other.keys.add(KEY);
    await other.ready(KEY);
    expect([dials, other.isReported(KEY)]).toEqual([1, true]);
    other.close();
    await until(
      async () => other.isReported(KEY),
      (isReported) => !isReported,
    );
    await other.ready(KEY);
    expect(dials).toBe(1);
  });

  it("notices the writes to a key that has moved to another server", async () => {
    const second = await startRedis();
    const there = createRedisBackend({ host: "127.0.0.1", port: second.port, db: 0 }, 1_000);
    onTestFinished(async () => {
      there.close();
      await second.stop();
    });
    await there.opened;
    watcher.close();
    const moved = new Set(["app:{b}"]);
    const both: Backend = Object.assign(overridden(backend, {}), {
      at: (key: string) => (moved.has(key) ? there : backend),
    });
    watcher = new Watcher(both, 1_000, NOTICED);
    await watch(KEY);
    await watch("app:{b}");
    moved.add(KEY);
    await run("GET", KEY);
    await second.command("SET", KEY, "1");
    await noticed(1);
    expect(written).toEqual([KEY]);
  });

  it("ends a connection whose server refuses to report one more name", async () => {
    watcher.close();
    backend.close();
    await redis.command("ACL", "SETUSER", "app", "reset", "on", ">pass", "~*", "+@all");
    await open("app:pass");
    await watch(KEY);
    await redis.command("ACL", "SETUSER", "app", "-client");
    watcher.keys.add("app:{b}");
    await run("GET", "app:{b}");
    expect([written, watcher.isReported(KEY)]).toEqual([["lost"], false]);
  });

  it("retries on a server that has no room for one more connection, and does not say that it refuses", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    await redis.command("CONFIG", "SET", "maxclients", "1");
    watcher.keys.add(KEY);
    for (let tries = 0; tries < 4; tries++) {
      await watcher.ready(KEY);
      expect(watcher.isReported(KEY)).toBe(false);
      vi.advanceTimersByTime(RETRY_MS);
    }
    await run("CONFIG", "SET", "maxclients", "100");
    await watcher.ready(KEY);
    expect([refused, watcher.isReported(KEY)]).toEqual([[], true]);
  });

  it("takes every watched key for written after a flush", async () => {
    await watch(KEY);
    await redis.command("FLUSHALL");
    await noticed(1);
    expect([written, watcher.keys.writesOf(KEY)]).toEqual([["anything"], 1]);
  });

  it("says so where it may not", async () => {
    watcher.close();
    backend.close();
    await redis.command("ACL", "SETUSER", "app", "reset", "on", ">pass", "~*", "+@all", "-client");
    await open("app:pass");
    watcher.keys.add(KEY);
    await watcher.ready(KEY);
    await watcher.ready(KEY);
    expect(refused).toEqual(["CLIENT TRACKING: NOPERM"]);
    expect(watcher.isReported(KEY)).toBe(false);
    expect(textOf(await run("SET", KEY, "1"))).toBe("OK");
  });
});
