import { expect, it } from "vitest";
import { createAnswerOrder } from "../../src/redis/answer-order.ts";
import { createExchange } from "../../src/redis/exchange.ts";
import { NoAnswer } from "../../src/shared/errors.ts";
import { pause } from "../support/harness.ts";

const NEVER = Number.POSITIVE_INFINITY;
const exchange = () =>
  createExchange(
    () => {},
    createAnswerOrder(() => {}, NEVER),
    undefined,
  );

it("fails each batch at its own time, whichever came first", async () => {
  const { send } = exchange();
  const start = performance.now();
  const ended: { readonly ms: number; readonly withinMs: number }[] = [];
  const batches = [200, 60, 120, 60, 10].map(async (withinMs) => {
    await expect(send([["PING"]], withinMs)).rejects.toBeInstanceOf(NoAnswer);
    ended.push({ withinMs, ms: performance.now() - start });
  });
  await Promise.all(batches);
  expect(ended.map(({ withinMs }) => withinMs)).toEqual([10, 60, 60, 120, 200]);
  for (const { ms, withinMs } of ended) expect(ms).toBeGreaterThanOrEqual(withinMs);
});

it("fails no batch that was answered, and goes on to watch the others", async () => {
  const { send, take } = exchange();
  const first = send([["GET", "a"]], 30);
  take(Buffer.from("1"));
  expect(await first).toEqual([Buffer.from("1")]);
  await pause(60);
  // Nothing was outstanding when the timer rang.
  const second = send([["GET", "b"]], 30);
  await expect(second).rejects.toBeInstanceOf(NoAnswer);
});
