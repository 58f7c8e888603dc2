/** Every key that an entry writes, and how long it lives after its last write. */
import { describe, expect, it } from "vitest";
import { type ChatState, chatState } from "../../agents/src/chat/index.ts";
import { turn } from "../../agents/src/index.ts";
import { idempotentTool } from "../../agents/src/mcp/index.ts";
import { runCron } from "../../src/cron/index.ts";
import { elect } from "../../src/elect/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { dedupe } from "../../src/http/index.ts";
import { createLocks, type Locks, singleFlight } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { SOURCES } from "../../tools/sources.ts";
import { textOf } from "../documents/markdown.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();

const SECOND = 1000;
const DAY = 86_400 * SECOND;
const [LEASE, RETENTION] = [20 * SECOND, 30 * SECOND];
/** The name of a lease, and of one that was given back: the token may be ahead of the clock by less than a second. */
const HELD = LEASE + RETENTION;
const FREE = RETENTION + SECOND;
/** The application deletes it. */
const FOREVER = -1;

/** What a call leaves: the longest time to live of each key, without the prefix. */
interface Written {
  readonly what: string;
  call(locks: Locks, prefix: string): Promise<unknown>;
  readonly keys: Readonly<Record<string, number>>;
}

async function chat(locks: Locks): Promise<ChatState> {
  const state = chatState(locks);
  await state.connect();
  return state;
}
/** The answers that a bot's state remembers for retries. */
const remembered = (key: string): Record<string, number> => ({ [`${key}%ID`]: RETENTION });

/** By entry of the package. A text says why an entry has no keys of its own. */
const ENTRIES: Readonly<Record<string, readonly Written[] | string>> = {
  leasehold: [
    { what: "lock, held", call: (locks) => locks.lock("a").acquire(), keys: { "{a}": HELD } },
    { what: "lock, released", call: (locks) => locks.lock("a").run(() => 1), keys: { "{a}": FREE } },
    { what: "lock, by force", call: (locks) => locks.lock("a").forceRelease(), keys: { "{a}": FREE } },
    {
      what: "lock in a group",
      call: (locks) => locks.group("g").multiLock(["a", "b"]).acquire(),
      keys: { "{g}/a": HELD, "{g}/b": HELD },
    },
    {
      what: "fair lock with a waiter",
      async call(locks) {
        await locks.fairLock("a").acquire();
        locks
          .fairLock("a")
          .acquire({ wait: "3s" })
          .catch(() => {});
        await expect.poll(async () => (await locks.fairLock("a").inspect()).waiters).toBe(1);
      },
      keys: { "{a}": HELD, "{a}%crowd": HELD },
    },
    {
      what: "read-write lock, read",
      call: (locks) => locks.readWriteLock("a").read.acquire({ reentryKey: "x", label: "y" }),
      keys: { "{a}": HELD, "{a}%crowd": HELD },
    },
    { what: "request", call: (locks) => locks.request("a", () => 1), keys: { "{a}": FREE } },
    {
      what: "semaphore",
      call: (locks) => locks.semaphore("a", { permits: 2 }).acquire(),
      keys: { "{a}": HELD, "{a}%crowd": HELD },
    },
    {
      what: "semaphore with a number, fair",
      async call(locks) {
        const permits = locks.semaphore("a", { permits: 1, fair: true });
        await permits.setPermits(2);
        await permits.acquire();
      },
      keys: { "{a}": 7 * DAY + HELD, "{a}%crowd": 7 * DAY + HELD },
    },
    {
      what: "counter",
      async call(locks) {
        await locks.counter("a").trySetPermits(2);
        await locks.counter("a").tryAcquire();
      },
      keys: { "{a}": 7 * DAY + RETENTION, "{a}%crowd": 7 * DAY + RETENTION },
    },
    {
      what: "latch",
      async call(locks) {
        await locks.latch("a").trySetCount(2);
        await locks.latch("a").countDown("b");
      },
      keys: { "{a}": 7 * DAY + RETENTION, "{a}%crowd": 7 * DAY + RETENTION },
    },
    { what: "once", call: (locks) => locks.once("a").run(() => 1), keys: { "{a}": DAY + RETENTION } },
    {
      what: "singleFlight",
      call: (locks) => singleFlight(locks, "a", { ttl: "10m" }, () => 1),
      keys: { "{a}": 600 * SECOND + RETENTION },
    },
  ],
  "leasehold/http": [
    {
      what: "dedupe",
      async call(locks) {
        const hook = dedupe({ locks, key: () => "a" }, () => new Response("done"));
        expect((await hook(new Request("https://example.com", { method: "POST", body: "b" }))).status).toBe(200);
      },
      keys: { "{custom:HASH}": DAY + RETENTION },
    },
  ],
  "leasehold/hono": "dedupe of ./http",
  "leasehold/node": "dedupe of ./http",
  "leasehold/lambda": "dedupe of ./http",
  "leasehold-nest": "run, once and runCron",
  "leasehold/cron": [
    {
      what: "runCron",
      call: (locks) => runCron({ locks, name: "a", slot: "b" }, () => 1),
      keys: {
        "{cron:a}": FREE,
        "{cron:a}/cron-slot:1:a:b": 7 * DAY + RETENTION,
        "{cron:a}/cron-last:a%fence": 365 * DAY,
      },
    },
  ],
  "leasehold/elect": [
    {
      what: "elect",
      async call(locks) {
        const stop = new AbortController();
        const elected = elect(locks, "a", { onGained: () => stop.abort(), signal: stop.signal });
        await elected.catch(() => {});
      },
      keys: { "{a}": FREE },
    },
  ],
  "leasehold/queue": [
    {
      what: "takeOver",
      async call(locks) {
        const lease = await locks.lock("a").acquire();
        await takeOver(locks.lock("a"), lease.ticket(), () => 1);
      },
      keys: { "{a}": FREE, "{a}/ticket:HASH": 15 * DAY + RETENTION },
    },
  ],
  "leasehold-agents": [
    {
      what: "turn, with a step",
      call: (locks) => turn(locks, "a", { onBusy: "supersede", id: "b" }, ({ step }) => step("c", () => 1)),
      keys: { "{a}": FREE, "{a}/a/step/b/c": DAY + RETENTION },
    },
    {
      what: "turn that collects",
      call: (locks) => turn(locks, "a", { onBusy: "collect", id: "b" }, () => {}),
      keys: { "{a}": FREE, "{a}%inbox": DAY },
    },
  ],
  "leasehold-agents/mcp": [
    {
      what: "idempotentTool",
      call: (locks) =>
        idempotentTool(locks, { name: "a", key: { argument: "b" }, scope: () => "c" }, () => ({ content: [] }))(
          { b: "d" },
          { signal: new AbortController().signal, requestId: 1 },
        ),
      keys: { "{mcp/…}": DAY + RETENTION },
    },
  ],
  "leasehold/fence": [
    {
      what: "claim",
      call: (locks) => redisFence(locks).claim({ name: "a", token: 1 } as never),
      keys: { "{a}%fence": 30 * DAY },
    },
    {
      what: "write",
      call: (locks) => redisFence(locks).write({ name: "a", token: 1 } as never, "b"),
      keys: { "{a}%fence": 30 * DAY },
    },
    {
      what: "call, with a command that sets no time",
      call: (locks, prefix) => redisFence(locks).call({ name: "a", token: 1 } as never, "SET", `${prefix}{a}:own`, 1),
      keys: { "{a}%fence": 30 * DAY, "{a}:own": FOREVER },
    },
  ],
  "leasehold-agents/chat": [
    {
      what: "acquireLock",
      call: async (locks) => (await chat(locks)).acquireLock("a", LEASE),
      keys: { "{chat:a}": HELD },
    },
    {
      what: "subscribe",
      call: async (locks) => (await chat(locks)).subscribe("a"),
      keys: { "{chat:a}%subscription": FOREVER, ...remembered("{chat:a}%subscription") },
    },
    {
      what: "set",
      call: async (locks) => (await chat(locks)).set("a", 1),
      keys: { "{chat:a}%value": FOREVER, ...remembered("{chat:a}%value") },
    },
    {
      what: "set with a time",
      call: async (locks) => (await chat(locks)).set("a", 1, 5000),
      keys: { "{chat:a}%value": 5000, ...remembered("{chat:a}%value") },
    },
    {
      what: "setIfNotExists",
      call: async (locks) => (await chat(locks)).setIfNotExists("a", 1),
      keys: { "{chat:a}%value": FOREVER, ...remembered("{chat:a}%value") },
    },
    {
      what: "appendToList",
      call: async (locks) => (await chat(locks)).appendToList("a", 1),
      keys: { "{chat:a}%list": FOREVER, ...remembered("{chat:a}%list") },
    },
    {
      what: "appendToList with a time",
      call: async (locks) => (await chat(locks)).appendToList("a", 1, { ttlMs: 5000 }),
      keys: { "{chat:a}%list": 5000, ...remembered("{chat:a}%list") },
    },
    {
      what: "enqueue",
      call: async (locks) => (await chat(locks)).enqueue("a", { expiresAt: Date.now() }, 5),
      keys: { "{chat:a}%queue": 60 * SECOND, ...remembered("{chat:a}%queue") },
    },
    {
      what: "unsubscribe, delete, dequeue",
      async call(locks) {
        const state = await chat(locks);
        await state.subscribe("a");
        await state.unsubscribe("a");
        await state.set("a", 1);
        await state.delete("a");
        await state.enqueue("a", { expiresAt: Date.now() }, 5);
        await state.dequeue("a");
      },
      keys: Object.assign({}, ...["subscription", "value", "queue"].map((each) => remembered(`{chat:a}%${each}`))),
    },
  ],
  "leasehold/list": "reads only",
  "leasehold/otel": "observes only",
  "leasehold/ioredis": "another way to the server",
  "leasehold/node-redis": "another way to the server",
  "leasehold/bun": "another way to the server",
  "leasehold/internal": "parts of the others",
  "leasehold/internal/cron": "parts of the others",
};

const textsIn = (reply: string): string[] => reply.split("\r\n").filter((line) => line !== "" && !/^[*$:]/.test(line));

/** The keys under a prefix, without it, and their times to live in ms. */
async function keysUnder(prefix: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const key of textsIn(await stack.redis.command("KEYS", `${prefix}*`))) {
    const shape = key
      .slice(prefix.length)
      .replace(/%[\da-f-]{36}$/, "%ID")
      .replace(/:[\w-]{43}(\}|$)/, ":HASH$1")
      .replace(/^\{mcp\/.*\}/, "{mcp/…}");
    found[shape] = Number((await stack.redis.command("PTTL", key)).slice(1));
  }
  return found;
}

const written = Object.entries(ENTRIES).flatMap(([entry, calls]) =>
  typeof calls === "string" ? [] : calls.map((each) => [entry, each.what, each] as const),
);

describe("the keys that an entry writes", () => {
  it("are listed for every entry of the packages (B31)", () => {
    const entries = Object.keys(SOURCES).filter((entry) => /^leasehold(-agents|-nest)?(\/|$)/.test(entry));
    expect(Object.keys(ENTRIES).sort()).toEqual(entries.sort());
  });

  it.each(written)(
    "%s: %s: are these, and have a time to live or wait for the application (R8) (B31)",
    async (...row) => {
      const [, , { call, keys }] = row;
      const prefix = `${freshName("ttl")}:`;
      const { url, token } = stack;
      await call(createLocks({ url, token, prefix, lease: LEASE, retention: RETENTION, requestTimeout: "5s" }), prefix);
      const found = await keysUnder(prefix);
      expect(Object.keys(found).sort()).toEqual(Object.keys(keys).sort());
      for (const [key, ms] of Object.entries(keys)) {
        if (ms === FOREVER) expect(found[key], key).toBe(-1);
        else {
          expect(found[key], key).toBeGreaterThan(0);
          expect(found[key], key).toBeLessThanOrEqual(ms);
        }
      }
    },
  );

  it("without a time to live are named where the documents promise one (B31)", () => {
    for (const file of ["docs/guarantees.md", "ARCHITECTURE.md"]) {
      const text = textOf(file).replaceAll(/\s+/g, " ");
      expect(text, file).toMatch(/Every key has a TTL, except .*subscriptions.* values and lists/);
    }
  });
});
