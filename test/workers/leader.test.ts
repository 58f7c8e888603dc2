import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const stack = useStack();
let feed: Upstream;
let worker: ExampleWorker;
let locks: Locks;
beforeAll(async () => {
  feed = await startUpstream();
  const vars = { FEED_URL: `${feed.url}/next`, LEASE: "2s", ALARM: "400" };
  // Cloudflare ends an object without a word. Miniflare's own way to do so waits until nothing runs in it.
  const more = 'Follower.prototype.die = function () { this.ctx.abort("evicted"); };';
  worker = await startWorker("leader", stack, { vars, database: "DB", more });
  locks = createLocks({ url: stack.url, token: stack.token });
});
afterAll(async () => {
  await worker?.stop();
  await feed?.stop();
});

const office = () => locks.lock("price feed").inspect();
const stored = async () => (await worker.mf.getD1Database("DB")).prepare("SELECT * FROM prices").first();
interface Leader {
  readonly name: string;
  stop(): Promise<void>;
  die(): Promise<void>;
}
async function leader(): Promise<Leader> {
  const followers = await worker.mf.getDurableObjectNamespace("FOLLOWERS");
  const state = await office();
  const label = state.state === "held" ? state.label : undefined;
  const name = ["weur", "enam"].find((region) => `${followers.idFromName(region)}` === label) ?? "nobody";
  const object = followers.get(followers.idFromName(name)) as unknown as Omit<Leader, "name">;
  return { name, stop: () => object.stop(), die: () => object.die() };
}

it("one object follows the feed for longer than its lease; the next does after an eviction, and when it stops", async () => {
  const first = feed.hold("/next");
  expect((await (await worker.mf.getWorker()).scheduled({ cron: "*/5 * * * *" })).outcome).toBe("ok");
  await first.arrived;
  const { token } = await office();
  const second = feed.hold("/next");
  first.answer("100");
  await second.arrived;
  await pause(2500);
  expect(feed.asked("/next")).toHaveLength(2);
  expect(await office()).toMatchObject({ state: "held", token });

  const third = feed.hold("/next");
  await expect((await leader()).die()).rejects.toThrow();
  await third.arrived;
  const later = await office();
  expect(later.token).toBeGreaterThan(token);
  second.answer("of one that is evicted");
  expect(await stored()).toEqual({ feed: 1, price: "100", token });

  // Both campaign again, the evicted one brought back by its alarm.
  const fourth = feed.hold("/next");
  const { name, stop } = await leader();
  await stop();
  await fourth.arrived;
  expect((await leader()).name).not.toBe(name);
  third.answer("of one that stopped");
  const fifth = feed.hold("/next");
  fourth.answer("200");
  await fifth.arrived;
  expect(await stored()).toMatchObject({ price: "200" });
  await (await leader()).stop();
  expect((await office()).state).toBe("free");
});
