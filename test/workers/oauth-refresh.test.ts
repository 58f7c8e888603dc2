import { afterAll, beforeAll, expect, it } from "vitest";
import { pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const stack = useStack();
let provider: Upstream;
let worker: ExampleWorker;
const start = (): Promise<ExampleWorker> =>
  startWorker("oauth-refresh", stack, {
    vars: { PROVIDER_URL: provider.url, CLIENT_SECRET: "the secret of the client" },
    database: "DB",
  });
beforeAll(async () => {
  provider = await startUpstream();
  worker = await start();
});
afterAll(async () => {
  await worker?.stop();
  await provider?.stop();
});

const database = () => worker.mf.getD1Database("DB");
async function grant(user: string, expiresAt: number): Promise<void> {
  const insert = "INSERT INTO grants VALUES (?, 1, 'old access', 'old refresh', ?)";
  await (await database()).prepare(insert).bind(user, expiresAt).run();
}
const granted = async (user: string) =>
  (await database()).prepare("SELECT * FROM grants WHERE user = ?").bind(user).first<Record<string, unknown>>();
const ask = (user: string): Promise<Response> => worker.fetch(`/users/${user}/profile`);
const refreshed = (n: number) =>
  JSON.stringify({ access_token: `access ${n}`, refresh_token: `r ${n}`, expires_in: 3600 });
/** How the provider was asked for profiles since the last time. */
function profiles(): (string | undefined)[] {
  const asked = provider.asked("/profile").slice(profilesSeen);
  profilesSeen += asked.length;
  return asked.map(({ headers }) => headers.authorization);
}
let profilesSeen = 0;
const refreshes = (): number => provider.asked("/token").length;

it("does not refresh a valid token, and knows no other user", async () => {
  await grant("good", Date.now() + 3_600_000);
  expect((await ask("good")).status).toBe(200);
  expect([profiles(), refreshes()]).toEqual([["Bearer old access"], 0]);
  expect((await ask("nobody")).status).toBe(401);
});

it("20 concurrent requests refresh once, and all continue with the new token", async () => {
  await grant("many", Date.now() - 1);
  const held = provider.hold("/token");
  const all = Array.from({ length: 20 }, () => ask("many"));
  await held.arrived;
  await pause(300);
  held.answer(refreshed(2));
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(profiles())).toEqual(new Set(["Bearer access 2"]));
  expect(refreshes()).toBe(1);
  expect(await granted("many")).toMatchObject({ version: 2, refresh_token: "r 2" });
});

it("a refresh that fails hands over to one of those that wait", async () => {
  await grant("failing", Date.now() - 1);
  const before = refreshes();
  const held = provider.hold("/token");
  provider.reply("/token", refreshed(3));
  const first = ask("failing");
  await held.arrived;
  const others = [ask("failing"), ask("failing"), ask("failing")];
  await pause(200);
  held.answer("down", 500);
  expect((await first).status).toBe(503);
  for (const other of others) expect((await other).status).toBe(200);
  expect(refreshes()).toBe(before + 2);
  expect(new Set(profiles())).toEqual(new Set(["Bearer access 3"]));
});

it("what a refresh writes after it was overtaken changes nothing", async () => {
  await grant("late", Date.now() - 1);
  const held = provider.hold("/token");
  const slow = ask("late");
  await held.arrived;
  // Somebody has taken over meanwhile and stored what the provider gave.
  await (await database())
    .prepare("UPDATE grants SET version = 2, access_token = 'newer', expires_at = ? WHERE user = 'late'")
    .bind(Date.now() + 3_600_000)
    .run();
  held.answer(refreshed(4));
  expect((await slow).status).toBe(200);
  expect(profiles()).toEqual(["Bearer newer"]);
  expect(await granted("late")).toMatchObject({ version: 2, refresh_token: "old refresh" });
});
