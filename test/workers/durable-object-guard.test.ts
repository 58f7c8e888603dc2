import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const stack = useStack();
let bank: Upstream;
let worker: ExampleWorker;
let locks: Locks;
beforeAll(async () => {
  bank = await startUpstream();
  worker = await startWorker("durable-object-guard", stack, { vars: { BANK_URL: bank.url, LEASE: "1s" } });
  locks = createLocks({ url: stack.url, token: stack.token });
});
afterAll(async () => {
  await worker?.stop();
  await bank?.stop();
});

const refresh = (id: string): Promise<Response> => worker.fetch(`/accounts/${id}`, { method: "POST" });
const balanceOf = async (id: string): Promise<unknown> =>
  ((await (await worker.fetch(`/accounts/${id}`)).json()) as { balance: unknown }).balance;
const balance = (amount: number): string => JSON.stringify({ balance: amount });

describe.concurrent("an account", () => {
  it("has the balance that the bank says", async () => {
    expect(await balanceOf("1")).toBe(null);
    for (const amount of [100, 250]) {
      bank.reply("/1", balance(amount));
      const refreshed = await refresh("1");
      expect([refreshed.status, await refreshed.json()]).toEqual([200, { balance: amount }]);
    }
  });

  it("refuses a caller who was overtaken", async () => {
    const held = bank.hold("/2");
    const frozen = refresh("2");
    await held.arrived;
    bank.reply("/2", balance(200));
    // It waits until the lease of the first has run out, and not longer.
    expect((await refresh("2")).status).toBe(200);
    held.answer(balance(100));
    const refused = await frozen;
    expect([refused.status, await refused.text()]).toEqual([409, "overtaken\n"]);
    expect(await balanceOf("2")).toBe(200);
  });

  it("takes what a late caller says whom nobody has overtaken", async () => {
    const held = bank.hold("/3");
    const late = refresh("3");
    await held.arrived;
    while ((await locks.lock("account:3").inspect()).state !== "free") await pause(50);
    held.answer(balance(5));
    expect((await late).status).toBe(200);
    expect(await balanceOf("3")).toBe(5);
  });

  it("gives the lock back when the bank fails", async () => {
    bank.reply("/4", "closed", 503);
    expect((await refresh("4")).status).toBe(500);
    expect(await locks.lock("account:4").inspect()).toMatchObject({ state: "free" });
  });
});

it("refuses one also after the object has left memory", async () => {
  bank.reply("/5", balance(300));
  expect((await refresh("5")).status).toBe(200);
  const { token } = await locks.lock("account:5").inspect();
  // As when nobody needs it any more, or when it moves.
  await worker.mf.unsafeEvictDurableObject("durable-object-guard", "Account", { name: "5" });

  const accounts = await worker.mf.getDurableObjectNamespace("ACCOUNTS");
  const account = accounts.get(accounts.idFromName("5")) as unknown as {
    setBalance(lease: object, balance: number): Promise<void>;
  };
  const say = (token: number, balance: number): Promise<string> =>
    account.setBalance({ name: "account:5", token }, balance).then(
      () => "accepted",
      () => "refused",
    );
  expect(await say(token - 1, 1)).toBe("refused");
  expect(await balanceOf("5")).toBe(300);
  expect(await say(token, 400)).toBe("accepted");
  expect(await balanceOf("5")).toBe(400);
});
