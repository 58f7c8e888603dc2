import { afterAll, describe, expect, it } from "vitest";
import { createLocks, type LeaseholdError, type Locks } from "../../src/index.ts";
import { freshName } from "../../test/support/names.ts";
import type { LeaseholdNamespace, LeaseholdStub, Placement } from "../src/namespace.ts";
import { durableObject } from "../src/port.ts";
import { createRestHandler } from "../src/rest.ts";
import { localNamespace } from "./support/namespace.ts";

const objects = localNamespace();
afterAll(() => objects.close());

/** The same objects behind stubs that do something of their own. */
function through(
  run: (stub: LeaseholdStub, call: Parameters<LeaseholdStub["run"]>) => ReturnType<LeaseholdStub["run"]>,
) {
  const namespace: LeaseholdNamespace = {
    idFromName: objects.idFromName,
    get: (id) => {
      const stub = objects.get(id) as LeaseholdStub;
      return { run: (...call: Parameters<LeaseholdStub["run"]>) => run(stub, call) };
    },
  };
  return createLocks({ redis: durableObject(namespace), requestTimeout: 1000 });
}

const locks = (): Locks => createLocks({ redis: durableObject(objects) });
const failing = (message: string, more: object): Error => Object.assign(new Error(message), more);

describe("the way to the objects", () => {
  it("takes a binding, and nothing else", () => {
    for (const other of [undefined, null, {}, "LEASEHOLD", { get: () => ({}) }])
      expect(() => durableObject(other as never)).toThrow(TypeError);
  });

  it("leaves an overloaded object alone: a call fails at once, and says when to come back", async () => {
    let calls = 0;
    const overloaded = through(async () => {
      calls++;
      throw failing("Durable Object is overloaded. Too many requests queued.", { overloaded: true });
    });
    const error = await overloaded
      .lock(freshName())
      .tryAcquire()
      .catch((thrown: LeaseholdError) => thrown);
    expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 10_000 });
    expect(calls).toBe(1);
  });

  it("leaves it alone by the REST protocol too: 429, and when to come back", async () => {
    let calls = 0;
    const handler = createRestHandler({
      namespace: {
        idFromName: (name) => name,
        get: () => ({
          async run() {
            calls++;
            throw failing("Durable Object is overloaded.", { overloaded: true, retryable: true });
          },
        }),
      },
      tokens: [{ token: "token-of-a-test-0123" }],
    });
    const fetch = ((url: string, init: RequestInit) => handler(new Request(url, init))) as typeof globalThis.fetch;
    const rest = createLocks({ url: "https://worker.invalid", token: "token-of-a-test-0123", fetch });
    const error = await rest
      .lock(freshName())
      .tryAcquire()
      .catch((thrown: LeaseholdError) => thrown);
    expect(error).toMatchObject({ code: "rate_limited", retryAfterMs: 10_000 });
    expect(calls).toBe(1);
  });

  it("retries an overloaded object no sooner than its Retry-After, and gives up in time", async () => {
    const calls: number[] = [];
    const overloaded = through(async () => {
      calls.push(performance.now());
      throw failing("Durable Object is overloaded.", { overloaded: true, retryable: true });
    });
    const waiting = overloaded.lock(freshName()).acquire({ wait: "3s" });
    await expect(waiting).rejects.toMatchObject({ code: "rate_limited" });
    // A wait that is shorter than 10 s has no time for a second call.
    expect(calls.length).toBe(1);
  });

  it("treats a call that fails as one whose outcome is unknown: it retries with the same id, and cancels (R4)", async () => {
    const name = freshName();
    let lost = 1;
    const losing = through(async (stub, call) => {
      const answer = await stub.run(...call);
      // An object that is shut down after it has stored what it did.
      if (lost-- > 0) throw failing("The Durable Object's code has been updated.", { retryable: true, remote: true });
      return answer;
    });
    const lease = await losing.lock(name).acquire();
    expect(await locks().lock(name).inspect()).toMatchObject({ state: "held", holds: 1, token: lease.token });

    // Scripts are known from here on, so that one request is one answer.
    await lease.release();
    const other = freshName();
    const silent = through(async (stub, call) => {
      await stub.run(...call);
      throw failing("Network connection lost.", { retryable: true });
    });
    await expect(silent.lock(other).tryAcquire()).rejects.toMatchObject({ code: "outcome_unknown" });
    // The cancel arrived although nobody heard of it.
    expect(await locks().lock(other).inspect()).toMatchObject({ state: "free" });
  });

  it("works with an object of another version: what either does not know is ignored", async () => {
    const name = freshName();
    const older = through(async (stub, [commands]) => ({ answers: (await stub.run(commands)).answers }));
    const newer = through(async (stub, [commands, options]) => ({
      ...(await stub.run(commands, { ...options, later: true } as never)),
      unheardOf: 1,
    }));
    const lease = await older.lock(name).acquire();
    expect(await newer.lock(name).tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
    expect((await newer.lock(name).acquire()).token).toBeGreaterThan(lease.token);
  });

  it("asks for the jurisdiction and the place that it was given", async () => {
    const asked: unknown[] = [];
    const namespace: LeaseholdNamespace = {
      idFromName: objects.idFromName,
      get(id, options) {
        asked.push(options);
        return objects.get(id);
      },
      jurisdiction(name) {
        asked.push(name);
        return namespace;
      },
    };
    const placement: Placement = { jurisdiction: "eu", locationHint: "weur" };
    await createLocks({ redis: durableObject(namespace, placement) })
      .lock(freshName())
      .acquire();
    expect(asked.slice(0, 2)).toEqual(["eu", { locationHint: "weur" }]);
  });

  it("keeps several names of one group in one object, and locks several objects in order", async () => {
    const [a, b, group] = [freshName(), freshName(), freshName()];
    const together = await locks().group(group).multiLock([a, b]).acquire();
    expect([...objects.objects.keys()].filter((name) => [a, b, group].includes(name))).toEqual([group]);
    await together.release();
    const apart = await locks().multiLock([a, b]).acquire();
    expect(await locks().lock(b).tryAcquire()).toBeNull();
    await apart.release();
    expect(objects.objects.has(a) && objects.objects.has(b)).toBe(true);
  });

  it("says why a list of all names cannot be had", async () => {
    const { port } = durableObject(objects);
    const outcome = await port(["SCAN", 0, "MATCH", "*", "COUNT", 100], new AbortController().signal);
    expect(outcome).toMatchObject({ type: "refused", error: expect.stringContaining("one place") });
  });

  it("quotes no id in an error (R10)", async () => {
    const id = crypto.randomUUID();
    const signal = new AbortController().signal;
    const quoting = durableObject({
      idFromName: (name) => name,
      get: () => ({ run: () => Promise.reject(new Error(`cannot run ${id} now`)) }),
    });
    for (const { port } of [quoting, durableObject(objects)])
      expect(JSON.stringify(await port(["NOPE", "{a}", id], signal))).not.toContain(id);
  });
});

describe("an object's clock", () => {
  it("gives tokens that rise although it was set back, also in a new instance (R2)", async () => {
    let now = Date.now();
    const own = localNamespace(() => now);
    own.forgets = true;
    const name = freshName();
    const client = createLocks({ redis: durableObject(own), clock: { now: () => now, monotonic: () => now } as never });
    let last = 0;
    for (const step of [0, 3_600_000, -3_600_000, 0, -1000]) {
      now += step;
      const lease = await client.lock(name).acquire();
      expect(lease.token).toBeGreaterThan(last);
      last = lease.token;
      await lease.release();
    }
    own.close();
  });

  it("may stand still through an event: a lease ends by the clock of a later one (R1)", async () => {
    let now = Date.now();
    const own = localNamespace(() => now);
    const name = freshName();
    const client = createLocks({ redis: durableObject(own) });
    const first = await client.lock(name).acquire({ lease: 1000 });
    expect(await client.lock(name).tryAcquire()).toBeNull();
    now += 1001;
    expect((await client.lock(name).acquire()).token).toBeGreaterThan(first.token);
    own.close();
  });
});
