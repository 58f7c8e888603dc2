import { describe, expect, it } from "vitest";
import { type Connection, connect, lock } from "../../../src/index.ts";
import { runScript } from "../../../src/redis/run.ts";
import { holdExtend } from "../../../src/redis/scripts/hold-extend.gen.ts";
import { lockAcquire } from "../../../src/redis/scripts/lock-acquire.gen.ts";
import { lockClose } from "../../../src/redis/scripts/lock-close.gen.ts";
import { lockCommit } from "../../../src/redis/scripts/lock-commit.gen.ts";
import { targetOf } from "../../../src/redis/target.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import { shiftableClock } from "../../support/server-clock.ts";
import { startStack } from "../../support/stack.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack();

const DAY_US = 86_400e6;
const RETENTION_MS = 60_000;

/** The scripts of one server as a quorum lock sends them. */
function server(name = freshName(), fetch?: typeof globalThis.fetch) {
  const connection: Connection = connect({ url: stack.url, token: stack.token, fetch });
  const target = targetOf(connection, "quorum", [name]);
  const call = { operation: "test" };
  return {
    name,
    lock: lock(connection, name),
    record: () => stack.redis.command("GET", target.keys[0] as string),
    acquire: (id: string, leaseMs = 30_000) =>
      runScript(target, lockAcquire, [id, leaseMs, RETENTION_MS, "", "", 0, 0, "", 0], call),
    commit: (id: string, token: number) => runScript(target, lockCommit, [id, token, RETENTION_MS], call),
    extend: (id: string, token: number) => runScript(target, holdExtend, [id, token, 30_000, RETENTION_MS], call),
    close: (id: string, token: number) => runScript(target, lockClose, [id, token, RETENTION_MS, 0], call),
  };
}

async function granted(answer: Promise<{ readonly status: string; readonly token?: number }>): Promise<number> {
  const { status, token } = await answer;
  expect(status).toBe("granted");
  return token as number;
}

describe.concurrent("lock-commit", () => {
  it("gives a live hold a larger token, which it is then extended and released under", async () => {
    const one = server();
    const id = randomId();
    const first = await granted(one.acquire(id));
    const token = first + 1_000_000;
    const answer = await one.commit(id, token);
    expect(answer).toMatchObject({ status: "committed" });
    expect(answer.status === "committed" && answer.remaining).toBeGreaterThan(25e6);
    expect(await one.lock.inspect()).toMatchObject({ state: "held", token });
    expect(await one.extend(id, first)).toMatchObject({ status: "lost" });
    expect(await one.extend(id, token)).toMatchObject({ status: "extended" });
    expect(await one.close(id, first)).toMatchObject({ status: "lost" });
    expect(await one.lock.inspect()).toMatchObject({ state: "held", token });
    expect(await one.close(id, token)).toMatchObject({ status: "closed" });
    // The next tenure's token is larger, though the clock is not there yet.
    expect(await granted(one.acquire(randomId()))).toBeGreaterThan(token);
  });

  it("answers a copy as the first time, and changes nothing by it", async () => {
    const one = server();
    const id = randomId();
    const token = (await granted(one.acquire(id))) + 5;
    for (let copy = 0; copy < 3; copy++) expect(await one.commit(id, token)).toMatchObject({ status: "committed" });
    const before = await one.record();
    await one.commit(id, token);
    expect(await one.record()).toBe(before);
  });

  it("acknowledges the token that the server gave itself", async () => {
    const one = server();
    const id = randomId();
    expect(await one.commit(id, await granted(one.acquire(id)))).toMatchObject({ status: "committed" });
  });

  it("says which token is the last one when it is larger, and keeps it", async () => {
    const one = server();
    const id = randomId();
    const last = await granted(one.acquire(id));
    expect(await one.commit(id, last - 1)).toMatchObject({ status: "behind", token: last });
    expect(await one.lock.inspect()).toMatchObject({ token: last });
    // A late copy of an earlier step.
    await one.commit(id, last + 10);
    expect(await one.commit(id, last + 5)).toMatchObject({ status: "behind", token: last + 10 });
    expect(await one.lock.inspect()).toMatchObject({ state: "held", token: last + 10 });
  });

  it("writes nothing for a hold that is not there: never seen, cancelled, released, expired, forced, or another's", async () => {
    const one = server();
    const refused = async (id: string, token: number): Promise<void> => {
      const before = await one.record();
      expect(await one.commit(id, token)).toMatchObject({ status: "lost" });
      expect(await one.record()).toBe(before);
    };
    const far = Date.now() * 1000 + 3600e6;
    await refused(randomId(), far);
    const cancelled = randomId();
    await one.close(cancelled, 0);
    await refused(cancelled, far);
    const released = randomId();
    await one.close(released, await granted(one.acquire(released)));
    await refused(released, far);
    const expired = randomId();
    await one.acquire(expired, 30);
    await pause(60);
    // It is closed as it is found.
    expect(await one.commit(expired, far)).toMatchObject({ status: "lost" });
    await refused(expired, far);
    const forced = randomId();
    await one.acquire(forced);
    await one.lock.forceRelease();
    await refused(forced, far);
    const holder = randomId();
    const token = await granted(one.acquire(holder));
    expect(token).toBeLessThan(far);
    for (const other of [randomId(), cancelled, released, expired, forced]) await refused(other, far);
    expect(await one.extend(holder, token)).toMatchObject({ status: "extended" });
  });

  it("takes a token up to a day ahead of the clock, and none beyond", async () => {
    const one = server();
    const id = randomId();
    const now = await granted(one.acquire(id));
    expect(await one.commit(id, now + DAY_US + 60e6)).toMatchObject({ status: "lost" });
    expect(await one.lock.inspect()).toMatchObject({ state: "held", token: now });
    expect(await one.commit(id, now + DAY_US - 60e6)).toMatchObject({ status: "committed" });
    // A token that is ahead is not forgotten before the clock has passed it.
    await one.close(id, now + DAY_US - 60e6);
    const ttl = Number((await stack.redis.command("PTTL", `leasehold:{${one.name}}`)).slice(1));
    expect(ttl).toBeGreaterThan(DAY_US / 1000 - 120_000);
    expect(ttl).toBeLessThan(DAY_US / 1000 + RETENTION_MS);
  });

  it("is void after its sender's time-out", async () => {
    const clock = shiftableClock();
    const one = server(freshName(), clock.fetch);
    const id = randomId();
    const token = (await granted(one.acquire(id))) + 5;
    const [sent] = [
      JSON.stringify(
        await one.commit(id, token).then(() => JSON.parse(clock.sent.at(-1)?.body ?? "[]") as (string | number)[]),
      ),
    ];
    clock.shiftMs = 3_600_000;
    const copy = await clock.fetch(stack.url, {
      method: "POST",
      headers: { authorization: `Bearer ${stack.token}` },
      body: sent as string,
    });
    expect(((await copy.json()) as { result: string[] }).result[0]).toBe("late");
  });

  it("leaves another kind's record alone", async () => {
    const one = server();
    await stack.redis.command("SET", `leasehold:{${one.name}}`, "once 1 5 9000000000000000   0   ");
    const before = await one.record();
    expect(await one.commit(randomId(), 10)).toMatchObject({ status: "lost" });
    expect(await one.record()).toBe(before);
  });

  it("costs four commands, three when there is nothing to write", async () => {
    const own = await startStack();
    const connection = connect({ url: own.url, token: own.token });
    const target = targetOf(connection, "quorum", ["name"]);
    const call = { operation: "test" };
    const id = randomId();
    const cost = async (token: number): Promise<number> => {
      await own.redis.command("CONFIG", "RESETSTAT");
      await runScript(target, lockCommit, [id, token, RETENTION_MS], call);
      const calls = await own.commandCalls();
      return ["evalsha", "time", "get", "set"].reduce((sum, command) => sum + (calls[command] ?? 0), 0);
    };
    const reply = await runScript(target, lockAcquire, [id, 30_000, RETENTION_MS, "", "", 0, 0, "", 0], call);
    const token = await granted(Promise.resolve(reply));
    await cost(token);
    expect(await cost(token + 1)).toBe(4);
    expect(await cost(token + 1)).toBe(3);
    await own.stop();
  });
});
