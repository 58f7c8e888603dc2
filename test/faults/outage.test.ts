import { createServer } from "node:net";
import { inspect } from "node:util";
import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { cronRoute } from "../../src/cron/index.ts";
import { connect, createLocks, type Lease, type LeaseholdEvent, type Locks, quorumLock } from "../../src/index.ts";
import { byHeader, mount } from "../hono/apps.ts";
import { isFree, staysFree } from "../kinds/lock/sites.ts";
import type { Fault } from "../support/proxy.ts";
import { startProxy } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { answerLost, heldBack, instead, reset, slow, unavailable, unheard } from "./faults.ts";
import { startWorld, type World } from "./world.ts";

const stack = useStack({ warm: true });
const work = (): never => expect.unreachable("the work must not run");

/** A port that nobody listens to. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The outcome of a call, and the time that it took. */
async function timed(call: Promise<unknown>): Promise<{ readonly ended: unknown; readonly ms: number }> {
  const start = performance.now();
  const ended = await call.catch((error: unknown) => error);
  return { ended, ms: performance.now() - start };
}

/** Every operation that does not wait. */
const atOnce: Record<string, (locks: Locks, name: string) => Promise<unknown>> = {
  tryAcquire: (locks, name) => locks.lock(name).tryAcquire(),
  "acquire({ wait: 0 })": (locks, name) => locks.lock(name).acquire({ wait: 0 }),
  "run({ wait: 0 })": (locks, name) => locks.lock(name).run({ wait: 0 }, work),
  "once.begin": (locks, name) => locks.once(name).begin(),
  "once.run": (locks, name) => locks.once(name).run(work),
  inspect: (locks, name) => locks.lock(name).inspect(),
  forceRelease: (locks, name) => locks.lock(name).forceRelease(),
  "fairLock.tryAcquire": (locks, name) => locks.fairLock(name).tryAcquire(),
  "semaphore.setPermits": (locks, name) => locks.semaphore(name).setPermits(3),
  "latch.countDown": (locks, name) => locks.latch(name).countDown(),
  "latch.wait({ wait: 0 })": (locks, name) => locks.latch(name).wait({ wait: 0 }),
  "multiLock.tryAcquire": (locks, name) => locks.multiLock([name, `${name}-2`]).tryAcquire(),
  'request with "ifAvailable"': (locks, name) => locks.request(name, { ifAvailable: true }, work),
};

const webhook = (connection: Parameters<typeof mount>[0], name: string): Promise<Response> =>
  mount(connection, work, { key: byHeader })({ id: name });
const cron = (locks: Locks, name: string, does: () => unknown = work): Promise<Response> =>
  cronRoute(
    { locks, name, slot: () => "today", secret: "s" },
    does,
  )(new Request("http://cron/", { headers: { authorization: "Bearer s" } }));

describe.concurrent("C: nobody listens there, with the defaults", () => {
  it.each(Object.entries(atOnce))("%s ends within a second, and says where and why", async (_, call) => {
    const port = await closedPort();
    const events: LeaseholdEvent[] = [];
    const locks = createLocks({
      url: `http://127.0.0.1:${port}/a-secret-path?secret=query`,
      token: "an-api-token-1",
      onEvent: (event) => events.push(event),
    });
    const { ended, ms } = await timed(call(locks, freshName()));
    expect(ms).toBeLessThan(2000);
    expect(ended).toMatchObject({ code: "unreachable", cause: { code: "ECONNREFUSED" } });
    expect((ended as Error).message).toContain(`127.0.0.1:${port}`);
    expect((ended as Error).message).not.toContain("may have been granted");
    // Nothing was sent, so there is nothing to take back.
    expect(events.filter(({ type }) => type === "unanswered")).toEqual([]);
    expect(events.filter((event) => event.type === "retried" && event.operation === "cancel")).toEqual([]);
    expect(events.filter(({ type }) => type === "retried").length).toBeLessThan(8);
    for (const shown of [inspect(ended, { depth: 9, showHidden: true }), JSON.stringify(events)]) {
      expect(shown).not.toMatch(/an-api-token-1|a-secret-path|secret=query/);
    }
  });

  it("dedupe and cronRoute answer 503 within a second", async () => {
    const options = { url: `http://127.0.0.1:${await closedPort()}`, token: "t-1-2-3" };
    const webhooks = await timed(webhook(connect(options), freshName()));
    const crons = await timed(cron(createLocks(options), "nightly"));
    for (const { ended, ms } of [webhooks, crons]) {
      expect((ended as Response).status).toBe(503);
      expect(ms).toBeLessThan(2000);
    }
  });

  it("quorumLock says that it has no majority within its own time", async () => {
    let asked = 0;
    const counting: typeof fetch = (...request) => {
      asked++;
      return fetch(...request);
    };
    const ports = await Promise.all([closedPort(), closedPort(), closedPort()]);
    const three = ports.map((port) => connect({ url: `http://127.0.0.1:${port}`, token: "t-1-2-3", fetch: counting }));
    const { ended, ms } = await timed(quorumLock(three, freshName()).tryAcquire());
    expect(asked).toBeLessThanOrEqual(3 * 8);
    expect(ended).toMatchObject({ code: "no_quorum", cause: { cause: { code: "ECONNREFUSED" } } });
    expect(ms).toBeLessThan(5000);
  });

  it("one that waits continues, and gets the lock when Redis is back", async () => {
    await using world = await startWorld(stack);
    world.proxy.next("lock-acquire", ({ away }) => away(1500));
    const lease = await world.client({ requestTimeout: "5s" }).lock(world.name).acquire({ wait: "20s" });
    expect(await lease.release()).toBe(true);
  });

  it("one that waits makes few requests, and ends within its wait", async () => {
    const events: LeaseholdEvent[] = [];
    const locks = createLocks({
      url: `http://127.0.0.1:${await closedPort()}`,
      token: "t-1-2-3",
      onEvent: (event) => events.push(event),
    });
    const { ended, ms } = await timed(locks.lock(freshName()).acquire({ wait: "4s" }));
    expect(ended).toMatchObject({ code: "unreachable" });
    expect(ms).toBeLessThan(5000);
    expect(events.filter(({ type }) => type === "retried").length).toBeLessThan(8);
  });

  it("a client of @upstash/redis ends within a second too, though its own retries take longer", async () => {
    const redis = new Redis({
      url: `http://127.0.0.1:${await closedPort()}`,
      token: "t-1-2-3",
      enableTelemetry: false,
    });
    const events: LeaseholdEvent[] = [];
    const { ended, ms } = await timed(
      createLocks({ redis, onEvent: (event) => events.push(event) })
        .lock(freshName())
        .tryAcquire(),
    );
    expect(ms).toBeLessThan(2000);
    expect(ended).toMatchObject({ code: "unreachable", cause: { code: "ECONNREFUSED" } });
    expect(events.filter(({ type }) => type === "unanswered")).toEqual([]);
  });

  it("tells the reason also where the last attempt had no time left to find it", async () => {
    let asked = 0;
    const notFound = Object.assign(new Error("getaddrinfo ENOTFOUND nowhere.invalid"), { code: "ENOTFOUND" });
    // Names are looked up slowly from the second time on.
    const slower: typeof fetch = (_url, init) =>
      new Promise((_, reject) => {
        if (asked++ === 0) reject(new TypeError("fetch failed", { cause: notFound }));
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const locks = createLocks({ url: "http://nowhere.invalid", token: "t-1-2-3", fetch: slower });
    const { ended } = await timed(locks.lock(freshName()).tryAcquire());
    expect(asked).toBeGreaterThan(1);
    expect(ended).toMatchObject({ code: "outcome_unknown", cause: { code: "ENOTFOUND" } });
  });
});

/** A `fetch` that fails like this, and counts. */
const failing = (failure: () => unknown) => {
  const calls: string[] = [];
  const fetch = async (_url: string, { body }: { body: string }): Promise<Response> => {
    calls.push(body);
    throw failure();
  };
  return { calls, fetch };
};
const coded = (code: string, more = {}): Error => Object.assign(new Error(`failed: ${code}`), { code, ...more });
const wrapped = (cause: unknown): Error => new TypeError("fetch failed", { cause });
const named = (name: string): Error => Object.assign(new Error('Requires net access to "h:1"'), { name });

describe.concurrent("C: what proves that nothing was sent", () => {
  it.each<[string, () => unknown, boolean]>([
    ["Node, refused", () => wrapped(coded("ECONNREFUSED", { syscall: "connect" })), true],
    ["Node, no such name", () => wrapped(coded("ENOTFOUND", { syscall: "getaddrinfo" })), true],
    ["Node, no name server", () => wrapped(coded("EAI_AGAIN", { syscall: "getaddrinfo" })), true],
    ["Node, no route", () => wrapped(coded("EHOSTUNREACH", { syscall: "connect" })), true],
    [
      "Node, several addresses refused",
      () => wrapped(new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")])),
      true,
    ],
    [
      "Node, one of several addresses reset",
      () =>
        wrapped(Object.assign(new AggregateError([coded("ECONNREFUSED"), coded("ECONNRESET")]), coded("ECONNREFUSED"))),
      false,
    ],
    ["Node, reset", () => wrapped(coded("ECONNRESET", { syscall: "read" })), false],
    ["Node, closed", () => wrapped(coded("UND_ERR_SOCKET")), false],
    ["Bun, refused", () => coded("ConnectionRefused"), true],
    ["Bun, refused, of late", () => coded("ECONNREFUSED"), true],
    ["Bun, closed", () => coded("ConnectionClosed"), false],
    ["Deno, not allowed", () => named("NotCapable"), true],
    ["Deno, not allowed, before 2.0", () => named("PermissionDenied"), true],
    ["workerd, whatever it was", () => new Error("Network connection lost."), false],
    ["an aggregate of nothing", () => wrapped(new AggregateError([])), false],
    ["a text", () => "ECONNREFUSED", false],
    ["nothing", () => undefined, false],
  ])("%s: %#", async (_, failure, proof) => {
    const { calls, fetch } = failing(failure);
    const locks = createLocks({ url: "http://h.example", token: "t-1-2-3", fetch, requestTimeout: 2000 });
    const { ended, ms } = await timed(locks.lock("a").tryAcquire());
    const code = proof ? "unreachable" : "outcome_unknown";
    expect(ended).toMatchObject({ code, message: expect.stringContaining("h.example") });
    // A cancel names the record and not the lease: it is a script of its own.
    const scripts = new Set(calls.map((body) => (JSON.parse(body) as string[])[1]));
    expect(scripts.size).toBe(proof ? 1 : 2);
    expect(calls.length).toBeLessThanOrEqual(8);
    expect(ms).toBeLessThan(2000);
  });

  it("Deno's refusal proves nothing, since it re-sends by itself: it ends as soon, and is taken back if that works", async () => {
    await using world = await startWorld(stack);
    let sent = 0;
    const deno: typeof fetch = async (input, init) => {
      // The first one runs, and its connection breaks; Deno asks again, and is refused.
      const response = await fetch(input, init);
      if (++sent > 1) return response;
      throw wrapped(new Error("error sending request: client error (Connect): tcp connect error: Connection refused"));
    };
    const { url, token } = stack;
    const lease = await createLocks({ url, token, fetch: deno })
      .lock(world.name)
      .acquire({ maxPolls: 1 })
      .catch(() => null);
    expect([lease, sent]).toEqual([null, 2]);
    await staysFree(world);
  });

  it("an answer that broke off after its head proves nothing, whatever the error", async () => {
    await using world = await startWorld(stack);
    let broken = 0;
    const breaking: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (broken++ > 0) return response;
      return Object.assign(response, { text: () => Promise.reject(wrapped(coded("ECONNRESET", { syscall: "read" }))) });
    };
    const { url, token } = stack;
    const one = createLocks({ url, token, fetch: breaking }).lock(world.name);
    expect(await one.acquire({ wait: 0, maxPolls: 1 }).catch((error: unknown) => error)).toMatchObject({
      code: "lock_timeout",
    });
    await staysFree(world);
  });

  it("a refusal after an attempt that went unanswered leaves the doubt of that", async () => {
    await using world = await startWorld(stack);
    world.proxy.next("lock-acquire", async (exchange) => {
      await exchange.forward();
      await exchange.away(2500);
    });
    const { ended } = await timed(world.client({ requestTimeout: "2s" }).lock(world.name).tryAcquire());
    expect(ended).toMatchObject({ code: "outcome_unknown", message: expect.stringContaining("may have been granted") });
  });
});

const TIMEOUT_MS = 2000;
/** How late a busy machine may be; what went before took three times TIMEOUT_MS, or a whole lease. */
const LATE_MS = 1500;
/** No answer, fast or slow. */
const silences: Record<string, Fault> = { "no answer": heldBack, reset, "503": instead(unavailable) };

describe.concurrent.each(Object.entries(silences))("C: an outage, %s", (_, fault) => {
  const arrange = async (): Promise<{ world: World; locks: Locks }> => {
    const world = await startWorld(stack);
    world.proxy.always(() => true, fault);
    return { world, locks: world.client({ requestTimeout: TIMEOUT_MS }) };
  };

  it.each(Object.entries(atOnce))("%s ends, its cancel included, within requestTimeout", async (_what, call) => {
    const { world, locks } = await arrange();
    await using _world = world;
    const { ended, ms } = await timed(call(locks, world.name));
    expect(ended).toMatchObject({ code: "outcome_unknown" });
    expect(ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
    expect(world.proxy.count()).toBeLessThanOrEqual(8);
    world.keepsSecrets(ended);
  });

  it("dedupe and cronRoute answer 503 within requestTimeout", async () => {
    const { world, locks } = await arrange();
    await using _world = world;
    const connection = connect({ url: world.proxy.url, token: stack.token, requestTimeout: TIMEOUT_MS });
    for (const { ended, ms } of [await timed(webhook(connection, world.name)), await timed(cron(locks, world.name))]) {
      expect((ended as Response).status).toBe(503);
      expect(ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
    }
  });

  it("acquire lasts no longer than wait and requestTimeout, with few requests (49.2)", async () => {
    const { world, locks } = await arrange();
    await using _world = world;
    const { ended, ms } = await timed(locks.lock(world.name).acquire({ wait: 2000 }));
    expect(ended).toMatchObject({ code: "outcome_unknown" });
    expect(ms).toBeLessThan(2000 + TIMEOUT_MS + LATE_MS);
    expect(world.proxy.count()).toBeLessThanOrEqual(12);
  });

  it("maxPolls: 1 makes one request, and a cancel of two at most", async () => {
    const { world, locks } = await arrange();
    await using _world = world;
    await timed(locks.lock(world.name).acquire({ wait: 2000, maxPolls: 1 }));
    expect(world.proxy.count("lock-acquire")).toBe(1);
    expect(world.proxy.count()).toBeLessThanOrEqual(3);
  });

  it.each<[string, () => unknown, unknown]>([
    ["run's result", () => "the result", "the result"],
    ["what run's work throws", () => Promise.reject("of the work"), "of the work"],
  ])("%s is not held back by its release", async (_what, done, expected) => {
    await using world = await startWorld(stack);
    const held = world
      .client({ requestTimeout: TIMEOUT_MS })
      .lock(world.name)
      .run({ lease: "1h" }, () => {
        // Nothing is answered from now on.
        world.proxy.always(() => true, fault);
        return done();
      });
    const { ended, ms } = await timed(held);
    expect(ended).toBe(expected);
    expect(ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
  });
});

it("C: an outage that begins during the work of cronRoute ends its call within requestTimeout of it", async () => {
  await using world = await startWorld(stack);
  const stop = world.proxy.always("held-end", heldBack);
  const { ended, ms } = await timed(cron(world.client({ requestTimeout: TIMEOUT_MS }), world.name, () => {}));
  expect(ended).toMatchObject({ code: "outcome_unknown", operation: "complete" });
  // The request before it was answered.
  expect(ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
  stop();
});

async function pass({ forward, answer }: Parameters<Fault>[0]): Promise<void> {
  answer(await forward());
}

it("C: a wait that went well until an outage ends within wait and requestTimeout, and makes few requests of it (49.2)", async () => {
  await using world = await startWorld(stack);
  await isFree(world);
  const locks = world.client({ requestTimeout: TIMEOUT_MS });
  const waiting = timed(locks.lock(world.name).acquire({ wait: 3000, backoff: () => 100 }));
  await world.proxy.arrived(({ answers }) => answers.includes("held"), 3);
  const before = world.proxy.count();
  world.proxy.always(() => true, reset);
  const { ended, ms } = await waiting;
  expect(ended).toMatchObject({ code: "outcome_unknown" });
  expect(ms).toBeLessThan(3000 + TIMEOUT_MS + LATE_MS);
  // They are spread over the wait.
  expect(world.proxy.count() - before).toBeLessThanOrEqual(14);
});

describe.concurrent("C: an abort rejects with the signal's reason within half a second, whatever is in progress", () => {
  const calls: Record<string, (locks: Locks, name: string, signal: AbortSignal) => Promise<unknown>> = {
    tryAcquire: (locks, name, signal) => locks.lock(name).tryAcquire({ signal }),
    acquire: (locks, name, signal) => locks.lock(name).acquire({ signal, wait: "1h" }),
    run: (locks, name, signal) => locks.lock(name).run({ signal }, work),
    "once.begin": (locks, name, signal) => locks.once(name).begin({ signal }),
    "once.run": (locks, name, signal) => locks.once(name).run({ signal }, work),
    "fairLock.acquire": (locks, name, signal) => locks.fairLock(name).acquire({ signal }),
    "readWriteLock.write.acquire": (locks, name, signal) => locks.readWriteLock(name).write.acquire({ signal }),
    "semaphore.acquire": (locks, name, signal) => locks.semaphore(name, { permits: 1 }).acquire({ signal }),
    "multiLock.acquire": (locks, name, signal) => locks.multiLock([name, `${name}-2`]).acquire({ signal }),
    "latch.wait": (locks, name, signal) => locks.latch(name).wait({ signal }),
    request: (locks, name, signal) => locks.request(name, { signal }, work),
  };

  it.each(Object.entries(calls))("%s, while nothing is answered", async (_, call) => {
    await using world = await startWorld(stack);
    world.proxy.always(() => true, heldBack);
    const signal = AbortSignal.timeout(300);
    const locks = world.client({ requestTimeout: "5s" });
    const { ended, ms } = await timed(call(locks, world.name, signal));
    expect(ended).toBe(signal.reason);
    expect(ms).toBeGreaterThan(250);
    expect(ms).toBeLessThan(300 + 2000);
  });

  it.each(Object.entries(calls))("%s, while nobody is there", async (_, call) => {
    const locks = createLocks({ url: `http://127.0.0.1:${await closedPort()}`, token: "t-1-2-3" });
    const signal = AbortSignal.timeout(200);
    const { ended, ms } = await timed(call(locks, freshName(), signal));
    expect(ended).toBe(signal.reason);
    expect(ms).toBeLessThan(200 + 2000);
  });

  it("while it is the cancel that gets no answer", async () => {
    await using world = await startWorld(stack);
    world.proxy.always("lock-acquire", reset);
    world.proxy.always("lock-close", heldBack);
    const caller = new AbortController();
    const locks = world.client({ requestTimeout: "5s" });
    const ended = timed(locks.lock(world.name).acquire({ wait: 300, signal: caller.signal }));
    await world.proxy.arrived("lock-close");
    const start = performance.now();
    caller.abort("enough");
    expect((await ended).ended).toBe("enough");
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it("while replicas are waited for", async () => {
    await using world = await startWorld(stack);
    world.proxy.always(({ path }) => path === "/pipeline", heldBack);
    world.proxy.always("lock-close", heldBack);
    const caller = new AbortController();
    const locks = world.client({ requestTimeout: "5s" });
    const ended = timed(locks.lock(world.name).tryAcquire({ replicas: { min: 1 }, signal: caller.signal }));
    await world.proxy.arrived(({ path }) => path === "/pipeline");
    const start = performance.now();
    caller.abort("enough");
    expect((await ended).ended).toBe("enough");
    expect(performance.now() - start).toBeLessThan(2000);
    world.proxy.always("lock-close", pass);
    await world.proxy.deliver("lock-close");
    await staysFree(world);
  });

  it("of a quorum, while its servers hold everything back", async () => {
    await using world = await startWorld(stack);
    await using second = await startProxy(stack.url);
    await using third = await startProxy(stack.url);
    const three = [world.proxy, second, third].map((proxy) => {
      proxy.always(() => true, heldBack);
      return connect({ url: proxy.url, token: stack.token });
    });
    const signal = AbortSignal.timeout(200);
    const { ended, ms } = await timed(quorumLock(three, world.name).acquire({ signal }));
    expect(ended).toBe(signal.reason);
    expect(ms).toBeLessThan(200 + 2000);
  });

  it("and the cancel continues in the background: an unanswered grant is free before its lease ends", async () => {
    await using world = await startWorld(stack);
    world.proxy.always("lock-acquire", unheard);
    world.proxy.next("lock-close", slow(800));
    const caller = new AbortController();
    const ended = timed(world.client({ requestTimeout: "5s" }).lock(world.name).tryAcquire({ signal: caller.signal }));
    await world.proxy.arrived("lock-acquire");
    caller.abort("enough");
    expect((await ended).ended).toBe("enough");
    await world.proxy.arrived("lock-close");
    await staysFree(world);
  });
});

describe.concurrent("C: lease and wait stand in errors where they help", () => {
  it("a lock that was not acquired says how long was waited", async () => {
    await using world = await startWorld(stack);
    await isFree(world);
    const error = await world.ours
      .lock(world.name)
      .acquire({ wait: 1234 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "lock_timeout", message: expect.stringContaining("1234 ms") });
  });

  it("an unknown outcome says how long it may be held", async () => {
    await using world = await startWorld(stack);
    world.proxy.always(() => true, answerLost);
    const error = await world.ours
      .lock(world.name)
      .tryAcquire({ lease: 4321 })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "outcome_unknown", message: expect.stringContaining("4321 ms") });
  });
});

describe.concurrent("C: the failure itself is the cause, without secrets (R10)", () => {
  it.each([
    [
      "own transport",
      (fetch: typeof globalThis.fetch) => ({
        url: "https://h.example/redis-path-1?key=in-the-query",
        token: "short-tok",
        fetch,
      }),
    ],
  ])("%s", async (_, endpoint) => {
    const sent: string[] = [];
    const events: LeaseholdEvent[] = [];
    const telling = (async (input: string, init: { body: string; headers: Record<string, string> }) => {
      sent.push(init.body);
      const quoting = `${input} said no to ${init.headers["authorization"]} and ${init.body}`;
      throw wrapped(coded("ECONNREFUSED", { message: quoting, address: quoting }));
    }) as never;
    const locks = createLocks({ ...endpoint(telling), onEvent: (event) => events.push(event) });
    const { ended } = await timed(locks.lock("a").tryAcquire({ reentryKey: "the-secret-reentry-key-1" }));
    expect(ended).toMatchObject({
      cause: { name: "Error", code: "ECONNREFUSED", message: expect.stringContaining("said no to") },
    });
    const shown = inspect([ended, events], { depth: 20, showHidden: true }) + JSON.stringify([ended, events]);
    const ids = sent.flatMap((body) => body.match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g) ?? []);
    expect(ids.length).toBeGreaterThan(0);
    for (const secret of [...ids, "short-tok", "redis-path-1", "in-the-query", "the-secret-reentry-key-1"]) {
      expect(shown).not.toContain(secret);
    }
  });

  it("of a client of @upstash/redis", async () => {
    const port = await closedPort();
    const redis = new Redis({
      url: `http://127.0.0.1:${port}/redis-path-1`,
      token: "short-tok",
      enableTelemetry: false,
    });
    const { ended } = await timed(createLocks({ redis }).lock("a").tryAcquire());
    expect((ended as Error).message).toContain(`127.0.0.1:${port}`);
    expect(inspect(ended, { depth: 20, showHidden: true })).not.toMatch(/short-tok|redis-path-1/);
  });
});

describe.concurrent("10: with { redis }, an error page is an HTTP failure, whatever stands in its body", () => {
  it.each([
    ["ERR something", 500],
    ["ERR something", 502],
    ["OOM command not allowed when used memory > 'maxmemory'.", 503],
    ["WRONGTYPE Operation against a key holding the wrong kind of value", 500],
    ["NOPERM this user has no permissions", 504],
    ["NOSCRIPT No matching script", 500],
  ])("%s with %i, after it ran: the name is not held for its lease", async (error, status) => {
    await using world = await startWorld(stack, "@upstash/redis");
    const headers = { "content-type": "application/json" };
    world.proxy.always("lock-acquire", async ({ forward, answer }) => {
      await forward();
      answer({ status, headers, body: JSON.stringify({ error }) });
    });
    const { ended, ms } = await timed(
      world.client({ requestTimeout: TIMEOUT_MS }).lock(world.name).acquire({ lease: "1h", wait: 0 }),
    );
    const code = status === 500 ? /^(redis_error|wrong_kind)$/ : /^(lock_timeout|outcome_unknown)$/;
    expect(ended).toMatchObject({ code: expect.stringMatching(code) });
    expect(ms).toBeLessThan(TIMEOUT_MS + LATE_MS);
    await staysFree(world);
    world.keepsSecrets(ended);
  });

  it("the same once, and then an answer: acquired", async () => {
    await using world = await startWorld(stack, "@upstash/redis");
    world.proxy.next("lock-acquire", async ({ forward, answer }) => {
      await forward();
      answer({ status: 502, headers: {}, body: JSON.stringify({ error: "ERR something" }) });
    });
    const lease = (await world.client({ requestTimeout: "5s" }).lock(world.name).tryAcquire()) as Lease;
    expect(await lease.release()).toBe(true);
    await staysFree(world);
  });

  it("what stands in the pipeline's results is Redis's own", async () => {
    await using world = await startWorld(stack, "@upstash/redis");
    await stack.redis.command("SET", `leasehold:{${world.name}}`, "theirs");
    const { ended } = await timed(world.ours.lock(world.name).tryAcquire());
    expect(ended).toMatchObject({ code: "wrong_kind" });
    expect(world.proxy.count()).toBe(1);
  });

  it("nothing is retried after an abandoned attempt, and the client's own settings stay", async () => {
    await using world = await startWorld(stack);
    const redis = new Redis({ url: world.proxy.url, token: stack.token, enableTelemetry: false });
    const before = world.proxy.count();
    const { client } = redis as unknown as { client: { retry: { attempts: number } } };
    world.proxy.always(() => true, reset);
    await timed(createLocks({ redis, requestTimeout: TIMEOUT_MS }).lock(world.name).tryAcquire());
    const after = world.proxy.count();
    expect(after - before).toBeLessThanOrEqual(8);
    await pause(3000);
    expect([world.proxy.count(), client.retry.attempts]).toEqual([after, 5]);
  });
});
