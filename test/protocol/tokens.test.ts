import { describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

/** 10 000 in `npm run test:long`. */
const TENURES = Number(process.env["TENURES"] ?? 500);
/** So many tenures after one accident comes the next. */
const EVERY = TENURES / 20;

const stack = useStack();

describe("tokens", () => {
  it(`rise strictly over ${TENURES} tenures by 8 clients, with FLUSHALL, eviction and a restart in between (R2)`, async () => {
    const name = freshName();
    const key = `leasehold:{${name}}`;
    const tokens: number[] = [];
    const accidents = [
      () => stack.redis.command("FLUSHALL"),
      () => stack.redis.command("DEL", key),
      () => stack.redis.restart(50),
      () => stack.redis.command("SCRIPT", "FLUSH"),
    ];
    let happened = 0;
    let holder = 0;
    let overlaps = 0;
    const client = async (id: number): Promise<void> => {
      const lock = createLocks({ url: stack.url, token: stack.token, requestTimeout: "5s" }).lock(name, {
        wait: "60s",
      });
      while (tokens.length < TENURES) {
        const lease = await lock.acquire({ backoff: () => 5 });
        if (holder !== 0) overlaps++;
        holder = id;
        const count = tokens.push(lease.token);
        holder = 0;
        // Our own hold is lost with the data, and we know: nobody else can be holding now.
        if (count % EVERY === 0) {
          await accidents[(count / EVERY) % accidents.length]?.();
          happened++;
        }
        await lease.release();
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => client(index + 1)));
    expect(happened).toBeGreaterThanOrEqual(16);
    expect(overlaps).toBe(0);
    const falls = tokens.filter((token, index) => index > 0 && token <= (tokens[index - 1] ?? 0));
    expect(falls).toEqual([]);
  }, 120_000);

  it("are not lowered by a force release, an expiry or another kind's use of the name", async () => {
    const name = freshName();
    const locks = createLocks({ url: stack.url, token: stack.token });
    const tokens: number[] = [];
    const first = await locks.lock(name).acquire({ lease: "1s" });
    tokens.push(first.token);
    await pause(1100);
    const second = await locks.lock(name).acquire();
    tokens.push(second.token);
    await locks.lock(name).forceRelease();
    tokens.push((await locks.lock(name).inspect()).token);
    const turn = await locks.once(name).begin();
    if (turn.status === "started") tokens.push(turn.lease.token);
    await locks.once(name).forceRelease();
    tokens.push((await locks.lock(name).acquire()).token);
    expect(tokens.length).toBe(5);
    expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => a - b));
  });
});
