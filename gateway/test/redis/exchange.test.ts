import { expect, it, onTestFinished, vi } from "vitest";
import { createAnswerOrder } from "../../src/redis/answer-order.ts";
import type { Command, Reply } from "../../src/redis/backend.ts";
import { createExchange, type Exchange } from "../../src/redis/exchange.ts";
import { NoAnswer } from "../../src/shared/errors.ts";
import { received } from "../../src/shared/receiver.ts";

const NEVER = Number.POSITIVE_INFINITY;
const ignore = (): void => {};

interface PromisingExchange extends Omit<Exchange, "send"> {
  /** Sends commands whose bytes go out together with the next ones, unless `seal` is called before. */
  join(commands: readonly Command[], withinMs?: number): Promise<readonly Reply[]>;
  /** Sends commands whose bytes go out at once. */
  send(commands: readonly Command[], withinMs?: number): Promise<readonly Reply[]>;
}

/** An exchange whose replies come as promises. */
function exchange(write: (bytes: string | Buffer) => void = ignore, lost: () => void = ignore): PromisingExchange {
  const { send, ...inner } = createExchange(write, createAnswerOrder(lost, NEVER), undefined);
  const join: PromisingExchange["join"] = (commands, withinMs = 1_000) =>
    received((to) => send(commands, to, withinMs));
  return {
    ...inner,
    join,
    send(commands, withinMs) {
      const replies = join(commands, withinMs);
      inner.seal();
      return replies;
    },
  };
}

/** The texts of the marks in what was written. */
const marksIn = (written: string): string[] =>
  [...written.matchAll(/ECHO\r\n\$\d+\r\n(\S+)/g)].map(([, text = ""]) => text);

/** Fake timers, and a fake `performance.now()`, until the test has ended. */
function fakeTime(...more: readonly "setImmediate"[]): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", ...more] });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}

it("fails each batch at its own time, whichever came first", async () => {
  fakeTime("setImmediate");
  const { send } = exchange();
  const start = performance.now();
  const ended: (readonly [withinMs: number, ms: number])[] = [];
  for (const withinMs of [200, 60, 120, 60, 10]) {
    send([["PING"]], withinMs).catch((error: unknown) => {
      expect(error).toBeInstanceOf(NoAnswer);
      ended.push([withinMs, performance.now() - start]);
    });
  }
  for (let ms = 0; ms < 220; ms++) await vi.advanceTimersByTimeAsync(1);
  expect(ended.map(([withinMs]) => withinMs)).toEqual([10, 60, 60, 120, 200]);
  for (const [withinMs, ms] of ended) expect(ms - withinMs).toBeOneOf([0, 1]);
});

it("fails no batch that was answered, and goes on to watch the others", async () => {
  fakeTime("setImmediate");
  const { send, take } = exchange();
  const first = send([["GET", "a"]], 30);
  take(Buffer.from("1"));
  expect(await first).toEqual([Buffer.from("1")]);
  await vi.advanceTimersByTimeAsync(60);
  // Nothing was outstanding when the timer rang.
  const second = send([["GET", "b"]], 30).catch(String);
  await vi.advanceTimersByTimeAsync(32);
  expect(String(await second)).toContain("NoAnswer");
});

it("fails no batch whose answer arrived in time, while the process stood still", async () => {
  fakeTime();
  const putOff: (() => void)[] = [];
  vi.stubGlobal("setImmediate", (callback: (...args: unknown[]) => void, ...args: unknown[]) => {
    putOff.push(() => callback(...args));
  });
  let written = "";
  const { send, take } = exchange((bytes) => (written += String(bytes)));
  const first = send([["GET", "a"]], 50).catch(String);
  const second = send([["GET", "b"]], 150);
  vi.advanceTimersByTime(50);
  // The timer has rung. Before what it put off, the process stands still beyond the time of the second batch.
  vi.advanceTimersByTime(200);
  for (const run of putOff) run();
  const [mark = ""] = marksIn(written);
  for (const reply of ["1", mark, "2"]) take(Buffer.from(reply));
  expect(await second).toEqual([Buffer.from("2")]);
  expect(String(await first)).toContain("NoAnswer");
});

/** Three callers whose commands go out together, and what each has been told. */
function three() {
  let written = "";
  let lost = 0;
  const all = exchange(
    (bytes) => (written += String(bytes)),
    () => lost++,
  );
  const told: string[] = [];
  for (const name of ["a", "b", "c"])
    all.join([["GET", name]]).then(
      (replies) => told.push(`${name}=${replies.join()}`),
      (error: Error) => told.push(`${name}: ${error.name}`),
    );
  all.seal();
  /** Gives replies, of which "mark" stands for that to the last mark, and tells what the callers know by then. */
  async function take(...replies: readonly string[]): Promise<readonly string[]> {
    for (const reply of replies) all.take(Buffer.from(reply === "mark" ? (marksIn(written).at(-1) ?? "") : reply));
    await Promise.resolve();
    return told;
  }
  return { ...all, take, marks: () => marksIn(written).length, lost: () => lost };
}

it("sends one mark behind commands that go out together, and answers nobody before it is back", async () => {
  const { take, marks, lost } = three();
  expect(marks()).toBe(1);
  expect(await take("1", "2", "3")).toEqual([]);
  expect(await take("mark")).toEqual(["a=1", "b=2", "c=3"]);
  expect(lost()).toBe(0);
});

it.each([
  ["is missing", ["1", "3", "mark"]],
  ["comes twice", ["1", "1", "2", "3", "mark"]],
  ["is missing, and so is the mark's", ["1", "3", "next", "one after it"]],
])("where one of their answers %s, none of them gets any", async (_, replies) => {
  const { take, lost, lose } = three();
  await take(...replies);
  lose();
  expect([...(await take())].sort()).toEqual(["a: NoAnswer", "b: NoAnswer", "c: NoAnswer"]);
  expect(lost()).toBe(1);
});

it("fails those who wait for the mark when the connection is gone, and the one whose time is up", async () => {
  const gone = three();
  await gone.take("1", "2", "3");
  gone.lose();
  expect(await gone.take()).toEqual(["a: NoAnswer", "b: NoAnswer", "c: NoAnswer"]);
  fakeTime("setImmediate");
  const { join, seal, take } = exchange();
  const late = join([["GET", "a"]], 30).catch(String);
  join([["GET", "b"]], 1_000).catch(ignore);
  seal();
  take(Buffer.from("1"));
  await vi.advanceTimersByTimeAsync(40);
  expect(await late).toContain("NoAnswer");
});

it("lets nobody wait for a pipeline that goes out together with other commands", async () => {
  let written = "";
  const { join, seal, take } = exchange((bytes) => (written += String(bytes)));
  const before = join([["GET", "a"]]);
  const pipeline = join(["b", "c"].map((name) => ["GET", name]));
  const after = join([["GET", "d"]]);
  seal();
  const marks = marksIn(written);
  expect(marks).toHaveLength(2);
  take(Buffer.from("1"));
  expect(await before).toEqual([Buffer.from("1")]);
  for (const reply of [marks[0] ?? "", "2", "3"]) take(Buffer.from(reply));
  expect(await pipeline).toEqual(["2", "3"].map((it) => Buffer.from(it)));
  for (const reply of [marks[1] ?? "", "4"]) take(Buffer.from(reply));
  expect(await after).toEqual([Buffer.from("4")]);
});

it("takes an answer for nobody's where the question has not gone out", () => {
  const lost = vi.fn();
  const { join, take } = exchange(ignore, lost);
  join([["GET", "a"]]).catch(ignore);
  take(Buffer.from("1"));
  expect(lost).toHaveBeenCalledOnce();
});

it("counts nothing as sent that cannot be encoded", async () => {
  let written = "";
  const { send, take } = exchange((bytes) => (written += String(bytes)));
  const first = send([["GET", "a"]]);
  await expect(send([["GET", Symbol("x") as unknown as string]])).rejects.toThrow(TypeError);
  take(Buffer.from("1"));
  expect(await first).toEqual([Buffer.from("1")]);
  const next = send([["GET", "b"]]);
  expect(marksIn(written)).toEqual([]);
  take(Buffer.from("2"));
  expect(await next).toEqual([Buffer.from("2")]);
});
