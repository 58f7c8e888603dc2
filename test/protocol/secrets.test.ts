import { inspect } from "node:util";
import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { connect, createLocks, type LeaseholdEvent, lock } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();

/** All that a console, a log or an error tracker could get out of a value. */
function dump(value: unknown): string {
  const options = { depth: 20, showHidden: true, getters: true };
  const json = JSON.stringify(value) ?? "";
  return (
    inspect(value, options) +
    inspect(value) +
    json +
    (value instanceof Error ? `${value.stack}${dump(value.cause)}` : "")
  );
}

describe("secrets stay in (R10)", () => {
  it("hold ids, tickets, reentry keys and API tokens are in no lease, connection, event, state or error", async () => {
    const reentryKey = "alice-the-secret-reentry-key";
    const events: LeaseholdEvent[] = [];
    const sent: string[] = [];
    const recording: typeof fetch = (input, init) => {
      sent.push(String(init?.body));
      return fetch(input, init);
    };
    const options = {
      url: stack.url,
      token: stack.token,
      fetch: recording as never,
      ticketKey: "a ticket key of ours",
    };
    const connection = connect({ ...options, onEvent: (event) => events.push(event) });
    const one = lock(connection, freshName(), { reentryKey });
    const lease = await one.acquire({ label: "nightly" });
    const lost: unknown[] = [];
    lease.signal.addEventListener("abort", () => lost.push(lease.signal.reason));
    const state = await one.inspect();
    await one.forceRelease();
    lost.push(await lease.extend().catch((error: unknown) => error));
    const full = createLocks({ ...options, token: "another-api-token-1234" });
    lost.push(
      await full
        .lock("x")
        .acquire()
        .catch((error: unknown) => error),
    );
    // Redis quotes the arguments of a command that it does not know.
    const broken: typeof fetch = (input, init) => {
      const [, ...rest] = JSON.parse(String(init?.body)) as unknown[];
      return recording(input, { ...init, body: JSON.stringify(["NOSUCHCOMMAND", ...rest]) });
    };
    for (const redis of [
      { url: stack.url, token: stack.token, fetch: broken as never },
      { redis: Object.assign(new Redis({ url: stack.url, token: stack.token }), {}) },
    ]) {
      await stack.redis.command("SET", "leasehold:{taken}", "theirs");
      for (const name of ["a", "taken"]) {
        lost.push(
          await createLocks(redis)
            .lock(name)
            .acquire({ reentryKey, wait: 0 })
            .catch((error: unknown) => error),
        );
      }
    }
    const ids = sent.flatMap((body) => body.match(/(?<=")[\da-f-]{36}(?=")/g) ?? []);
    expect(ids.length).toBeGreaterThan(3);
    const hashed = state.state === "held" ? state.reentryKey : "";
    expect(hashed).toMatch(/^[\w-]{22}$/);
    const secrets = [...new Set(ids)].filter((id) => id !== hashed);
    secrets.push(lease.ticket(), reentryKey, stack.token, "another-api-token-1234", "a ticket key of ours");
    const seen = [lease, connection, events, state, ...lost].map(dump).join("\n");
    for (const secret of secrets) expect(seen).not.toContain(secret);
    expect(seen).toContain("nightly");
    expect(lost.map((error) => (error as { code?: string }).code)).toEqual(
      expect.arrayContaining(["lease_lost", "unauthorized", "redis_error", "wrong_kind"]),
    );
  });
});

describe("nothing can be forged (attack 10)", () => {
  const forged = [
    "eve|x",
    "eve 1 2",
    "eve,id:99",
    "eve\nlock 1",
    "lock 1 5 5   ",
    "-",
    "0",
    "*",
    "%",
    "' .. '",
    "\u0000",
  ];

  it("reentry keys, labels and names with separators stay what they are", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    for (const text of forged) {
      const one = locks.lock(freshName(text));
      const lease = await one.acquire({ reentryKey: text, label: text, lease: "20s" });
      expect(await one.inspect()).toMatchObject({ state: "held", holds: 1, token: lease.token, label: text });
      expect(await one.tryAcquire({ reentryKey: `${text}x` })).toBeNull();
      expect(await one.tryAcquire({ reentryKey: "eve" })).toBeNull();
      expect(await lease.verify()).toBe(true);
      const again = await one.tryAcquire({ reentryKey: text });
      expect(again?.token).toBe(lease.token);
      expect(await again?.release()).toBe(true);
      expect(await lease.release()).toBe(true);
    }
  });

  it("a fingerprint, a key and a result of once neither", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    for (const text of forged) {
      const one = locks.once(freshName(text), { fingerprint: text });
      const turn = await one.begin();
      if (turn.status === "started") await turn.complete(text);
      expect(await one.begin()).toMatchObject({ status: "done", result: text });
      expect(await locks.once(one.name, { fingerprint: `${text} ` }).begin()).toEqual({ status: "mismatch" });
    }
  });
});

describe("tickets", () => {
  it("are believed only with a signature where there is a key, and only from the same key", async () => {
    const endpoint = { url: stack.url, token: stack.token };
    const signing = createLocks({ ...endpoint, ticketKey: "key one" });
    const lease = await signing.group("g%").lock(freshName("über {x}")).acquire();
    const ticket = lease.ticket();
    const resumed = await signing.resume(ticket);
    expect(await resumed.verify()).toBe(true);
    expect(resumed.name).toBe(lease.name);
    const [body = "", signature = ""] = ticket.split(".");
    const altered = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    for (const bad of [
      body,
      `${body}.`,
      `${body}.${altered}`,
      `${body}x.${signature}`,
      `${ticket}.x`,
      `${body}.${signature.slice(1)}`,
    ]) {
      await expect(signing.resume(bad), bad).rejects.toThrow(TypeError);
    }
    await expect(createLocks({ ...endpoint, ticketKey: "key two" }).resume(ticket)).rejects.toThrow(/signature/);
    await expect(createLocks(endpoint).resume(ticket)).rejects.toThrow(/ticketKey/);
    expect(await resumed.release()).toBe(true);
  });

  it("with the token of another tenure end and extend nothing (R3d)", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    const lease = await locks.lock(freshName()).acquire({ lease: "20s" });
    const fields = JSON.parse(atob(lease.ticket().replace(/-/g, "+").replace(/_/g, "/"))) as unknown[];
    for (const token of [lease.token - 1, lease.token + 1]) {
      const forged = await locks.resume(btoa(JSON.stringify(fields.with(5, token))).replace(/=+$/, ""));
      expect(await forged.verify()).toBe(false);
      const other = await locks.resume(btoa(JSON.stringify(fields.with(5, token))).replace(/=+$/, ""));
      expect(await other.release()).toBe(false);
    }
    expect(await lease.verify()).toBe(true);
  });

  it("of another Redis or prefix return a lease that is not held", async () => {
    const lease = await createLocks({ url: stack.url, token: stack.token }).lock(freshName()).acquire();
    const elsewhere = createLocks({ url: stack.url, token: stack.token, prefix: "elsewhere:" });
    const resumed = await elsewhere.resume(lease.ticket());
    expect(await resumed.verify()).toBe(false);
    await expect((await elsewhere.resume(lease.ticket())).extend()).rejects.toMatchObject({ reason: "gone" });
  });

  it("of no name, or of several for a kind that has one, are rejected", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    const [one, two] = [freshName(), freshName()];
    const forge = (kind: string, names: unknown): string =>
      btoa(JSON.stringify([3, kind, names, "g", crypto.randomUUID(), 7, 30_000])).replace(/=+$/, "");
    expect((await locks.resume(forge("lock", [one, two]))).tokens).toEqual({ [one]: 7, [two]: 7 });
    for (const kind of ["lock", "fair", "rw", "semaphore", "once"]) {
      expect((await locks.resume(forge(kind, [one]))).name, kind).toBe(one);
      await expect(locks.resume(forge(kind, one)), kind).rejects.toThrow(/ticket is not one of ours/);
      await expect(locks.resume(forge(kind, [])), kind).rejects.toThrow(/ticket is not one of ours/);
      if (kind !== "lock")
        await expect(locks.resume(forge(kind, [one, two])), kind).rejects.toThrow(/ticket is of another release/);
    }
    await expect(locks.resume(forge("lock", []))).rejects.toThrow(TypeError);
  });
});
