import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { GatewayServer } from "../../src/index.ts";
import { TOKEN, until } from "../support/client.ts";
import { heldNow, holdingStage, waitingLocks } from "./stage.ts";

const { serve } = holdingStage();

const KINDS = ["lock", "fairLock"] as const;
const SOURCES = new URL("../../../tools/sources.ts", import.meta.url).href;
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Starts a process that waits for a lock; resolves when its request is held. */
async function startWaiter(gateway: GatewayServer, kind: string, leaseMs: number): Promise<ChildProcess> {
  const args = ["--import", SOURCES, join(import.meta.dirname, "waiter.ts"), gateway.url, TOKEN, kind, "a"];
  const child = spawn(process.execPath, [...args, String(leaseMs)], { stdio: "inherit" });
  children.push(child);
  await heldNow(gateway, 1);
  return child;
}

/** A lock that is held, behind a gateway that knows its script. */
async function taken(gateway: GatewayServer, kind: (typeof KINDS)[number]) {
  const { locks } = waitingLocks(gateway.url);
  const holder = await locks[kind]("a").acquire({ lease: "60s" });
  return { lock: locks[kind]("a"), holder };
}

describe.each(KINDS)("a %s, for which a process waits that", (kind) => {
  it("is killed, goes to the next waiter, long before the lease of the killed one would end", async () => {
    const gateway = await serve();
    const { lock, holder } = await taken(gateway, kind);
    const child = await startWaiter(gateway, kind, 60_000);
    const next = lock.acquire({ wait: "10s" });
    await heldNow(gateway, 2);
    child.kill("SIGKILL");
    await heldNow(gateway, 1);
    await holder.release();
    expect((await next).token).toBeGreaterThan(holder.token);
  }, 30_000);

  it("is frozen, may be granted to it, and goes to the next waiter when that lease ends", async () => {
    const gateway = await serve();
    const { lock, holder } = await taken(gateway, kind);
    const child = await startWaiter(gateway, kind, 1_500);
    child.kill("SIGSTOP");
    await holder.release();
    await until(
      () => lock.inspect(),
      ({ state, token }) => state === "held" && token > holder.token,
    );
    const { token } = await lock.inspect();
    expect((await lock.acquire({ wait: "10s" })).token).toBeGreaterThan(token);
  }, 30_000);

  it("is frozen until its request is held no longer, is granted to others", async () => {
    const gateway = await serve();
    const { lock, holder } = await taken(gateway, kind);
    const child = await startWaiter(gateway, kind, 60_000);
    child.kill("SIGSTOP");
    await heldNow(gateway, 0);
    await holder.release();
    expect((await lock.acquire({ wait: "10s" })).token).toBeGreaterThan(holder.token);
  }, 30_000);
});

it.each(KINDS)("an abort ends the held request of a %s, and its place goes with it", async (kind) => {
  const gateway = await serve();
  const { lock, holder } = await taken(gateway, kind);
  const abort = new AbortController();
  const waiting = lock.acquire({ wait: "20s", signal: abort.signal }).catch((error: unknown) => error);
  await heldNow(gateway, 1);
  abort.abort("gone");
  expect(await waiting).toBe("gone");
  await heldNow(gateway, 0);
  const waiters = async (): Promise<number> => {
    const state = await lock.inspect();
    return "waiters" in state ? Number(state.waiters) : 0;
  };
  await until(waiters, (count) => count === 0);
  await holder.release();
  expect(await lock.tryAcquire()).not.toBeNull();
});
