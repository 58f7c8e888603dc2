import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const stack = useStack();
let acquirer: Upstream;
let worker: ExampleWorker;
beforeAll(async () => {
  acquirer = await startUpstream();
  const vars = { ACQUIRER_URL: acquirer.url, LEASE: "2s" };
  worker = await startWorker("checkout", stack, { vars, database: "DB" });
});
afterAll(async () => {
  await worker?.stop();
  await acquirer?.stop();
});

/** Two articles of which there are so many. */
async function delivered(count: number) {
  const group = createLocks({ url: stack.url, token: stack.token }).group("stock");
  const [plum, pear] = [group.semaphore(freshName("plum")), group.semaphore(freshName("pear"))];
  for (const article of [plum, pear]) await article.setPermits(count);
  return {
    items: { [plum.name]: 2, [pear.name]: 1 },
    /** How many of each there are, and how many are reserved. */
    async counts() {
      const states = [await plum.inspect(), await pear.inspect()];
      return states.map(({ permits, acquired }) => [permits, acquired]);
    },
  };
}
const newOrder = (): string => `order-${crypto.randomUUID()}`;
async function put(id: string, items: unknown): Promise<string> {
  const response = await worker.fetch(`/orders/${id}`, { method: "PUT", body: JSON.stringify(items) });
  const text = await response.text();
  const { status, error } = text.startsWith("{") ? JSON.parse(text) : { status: "", error: "" };
  return `${response.status} ${status ?? error}`.trim();
}
const asked = (what: string, id: string) =>
  acquirer.asked(`/${what}`).filter(({ headers }) => headers["idempotency-key"] === `${what} ${id}`).length;

it("sells each article once, and an order that is sent again is the same order (51.3)", async () => {
  const { items, counts } = await delivered(8);
  const id = newOrder();
  expect(await Promise.all([put(id, items), put(id, items), put(id, items)])).toEqual([
    "201 paid",
    "201 paid",
    "201 paid",
  ]);
  expect([await put(id, items), await counts()]).toEqual([
    "201 paid",
    [
      [6, 0],
      [7, 0],
    ],
  ]);
  const orders = Array.from({ length: 6 }, newOrder);
  const answers = await Promise.all(orders.map((order) => put(order, items)));
  expect(answers.filter((answer) => answer === "201 paid").length).toBeLessThanOrEqual(3);
  // Who was refused may try again: what others had reserved and did not buy has returned.
  for (const order of orders) await put(order, items);
  expect(await counts()).toEqual([
    [0, 0],
    [4, 0],
  ]);
  expect(await put(newOrder(), items)).toBe("409 sold out");
});

it("returns the articles of a declined card at once, and takes no money (51.3)", async () => {
  const { items, counts } = await delivered(2);
  const id = newOrder();
  acquirer.reply("/authorize", "{}", 402);
  expect([await put(id, items), await put(id, items)]).toEqual(["402 declined", "402 declined"]);
  acquirer.reply("/authorize", "{}");
  expect([await counts(), asked("capture", id)]).toEqual([
    [
      [2, 0],
      [2, 0],
    ],
    0,
  ]);
});

it("continues an order whose capture failed, without another reservation (51.3)", async () => {
  const { items, counts } = await delivered(2);
  const id = newOrder();
  acquirer.reply("/capture", "{}", 500);
  expect(await put(id, items)).toMatch(/^500/);
  expect(await counts()).toEqual([
    [0, 0],
    [1, 0],
  ]);
  acquirer.reply("/capture", "{}");
  expect(await put(id, items)).toBe("201 paid");
  expect(await counts()).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

it("returns the articles of a customer who leaves, and voids a payment that comes too late (51.3)", async () => {
  const { items, counts } = await delivered(2);
  const id = newOrder();
  const slow = acquirer.hold("/authorize");
  const answer = put(id, items);
  await slow.arrived;
  expect(await put(newOrder(), items)).toBe("409 sold out");
  await pause(2_100);
  const other = newOrder();
  expect(await put(other, items)).toBe("201 paid");
  slow.answer("{}");
  expect(await answer).toBe("402 expired");
  expect([asked("void", id), asked("capture", id), asked("capture", other)]).toEqual([1, 0, 1]);
  expect(await counts()).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

it("refuses what is no order (51.3)", async () => {
  for (const items of [{}, { plum: 0 }, { plum: 1.5 }, { plum: "2" }, [], 3])
    expect(await put(newOrder(), items)).toMatch(/^400/);
  expect((await worker.fetch("/orders/short", { method: "PUT" })).status).toBe(404);
  expect((await worker.fetch(`/orders/${newOrder()}`)).status).toBe(404);
});
