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

it("fails no batch whose answer arrived in time, while the process stood still", async () => {
  let written = "";
  const order = createAnswerOrder(() => {}, NEVER);
  const { send, take } = createExchange((bytes) => (written += String(bytes)), order, undefined);
  const standStill = (ms: number): void => {
    const end = performance.now() + ms;
    while (performance.now() < end);
  };
  // It rings right before the timer of the first batch, and what it puts off comes before what that one puts off.
  setTimeout(() => {
    setImmediate(() => {
      standStill(200);
      // What has arrived meanwhile is read in the next turn.
      setImmediate(() => {
        const [, mark = ""] = /ECHO\r\n\$\d+\r\n(\S+)/.exec(written) ?? [];
        for (const reply of ["1", mark, "2"]) take(Buffer.from(reply));
      });
    });
  }, 50);
  const first = send([["GET", "a"]], 50).catch(String);
  const second = send([["GET", "b"]], 150);
  expect(await second).toEqual([Buffer.from("2")]);
  expect(String(await first)).toContain("NoAnswer");
});
