import { afterAll, beforeAll, expect, it } from "vitest";
import { quorumLock } from "../../../src/index.ts";
import { freshName, pause } from "../../support/stack.ts";
import { DURABLE, entered, type Quorum, startQuorum } from "./quorum.ts";

/** How many acquisitions; the long form is 2 000. */
const ACQUISITIONS = Number(process.env["QUORUM_ACQUISITIONS"] ?? 30);
const CLIENTS = 4;
const SERVERS = 3;

let quorum: Quorum;
beforeAll(async () => {
  quorum = await startQuorum(SERVERS, DURABLE);
});
afterAll(() => quorum.stop());

const between = (low: number, high: number): number => low + Math.random() * (high - low);

it(`one server after the other is killed or frozen and comes back, over ${ACQUISITIONS} acquisitions by ${CLIENTS} clients: no two hold it at once, and tokens rise`, async () => {
  const name = freshName();
  const register = entered();
  const failures: Record<string, number> = {};
  const counts = { kills: 0, freezes: 0, extended: 0, lost: 0 };
  const fail = (where: string) => (error: { code?: string }) => {
    const why = `${where}: ${error.code ?? error}`;
    failures[why] = (failures[why] ?? 0) + 1;
  };
  let over = false;

  async function weather(): Promise<void> {
    while (!over) {
      await pause(between(50, 300));
      const redis = quorum.stacks[Math.floor(Math.random() * SERVERS)]?.redis;
      if (!redis) continue;
      if (Math.random() < 0.6) {
        await redis.kill();
        counts.kills++;
        await pause(between(20, 200));
        await redis.start();
      } else {
        redis.freeze();
        counts.freezes++;
        await pause(between(20, 300));
        redis.thaw();
      }
    }
  }

  async function client(): Promise<void> {
    const mine = quorumLock(quorum.connections({ requestTimeout: "1s" }), name, { serverTimeout: 150, lease: "5s" });
    while (register.tokens.length < ACQUISITIONS) {
      const lease = await mine.acquire({ wait: "20s" }).catch(fail("acquire"));
      if (!lease) continue;
      await register.hold(lease, async () => {
        await pause(between(0, 4));
        if (Math.random() < 0.1) {
          await lease.extend().then(
            () => counts.extended++,
            () => counts.lost++,
          );
        }
        // A holder that is not sure of it any more does not write: it says so, and holds nothing from then on.
        expect(lease.remaining).toBeGreaterThan(0);
      });
      await lease.release().catch(fail("release"));
    }
  }

  const disturbing = weather();
  await Promise.all(Array.from({ length: CLIENTS }, client)).finally(() => {
    over = true;
  });
  await disturbing;
  const { tokens, overlaps, refused } = register;
  console.log(`${tokens.length} acquisitions, ${JSON.stringify({ ...counts, ...failures })}`);
  expect(register.falls()).toEqual([]);
  expect({ overlaps, refused }).toEqual({ overlaps: 0, refused: 0 });
  expect(counts.kills).toBeGreaterThan(0);
  // All of it can be had again.
  const last = await quorumLock(quorum.connections(), name).acquire({ wait: "20s" });
  expect(last.token).toBeGreaterThan(tokens.at(-1) ?? 0);
  await last.release();
}, 1_800_000);
