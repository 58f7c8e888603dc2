import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createAnswerOrder } from "../../src/redis/answer-order.ts";
import type { Command, Reply, Wanted } from "../../src/redis/backend.ts";
import { encodeCommands, writeAhead } from "../../src/redis/command-encoding.ts";
import { createExchange, createSilence, type Silence } from "../../src/redis/exchange.ts";
import { createReplyReader } from "../../src/redis/reply-reader.ts";
import type { Hold } from "../../src/shared/budget.ts";
import { NoAnswer, NotSent } from "../../src/shared/error-answers.ts";
import { received } from "../../src/shared/receiver.ts";

const NEVER = Number.POSITIVE_INFINITY;
const ignore = (): void => {};

/** An exchange whose replies come as promises. */
function exchange(
  write: (bytes: string | Buffer) => void = ignore,
  silence?: Silence,
): {
  take(reply: Reply): void;
  /** Reads bytes as they come from Redis. */
  read(bytes: string): void;
  send(commands: readonly Command[], withinMs: number, wanted?: Wanted): Promise<readonly Reply[]>;
  /** Why the connection was to end. */
  readonly ends: string[];
} {
  const ends: string[] = [];
  const order = createAnswerOrder(() => ends.push("answers out of step"), NEVER);
  order.probed(Buffer.from("leasehold"));
  const { begin, room, take, send } = createExchange(write, order, silence);
  const read = createReplyReader({ begin, room, take, broken: (reason) => ends.push(reason) });
  return {
    take: (reply) => take(reply, false),
    read: (bytes) => read(Buffer.from(bytes)),
    send: (commands, withinMs, wanted) => received((to) => send(commands, to, withinMs, wanted)),
    ends,
  };
}

/** The text of the mark in what was written. */
const markIn = (written: string): string => /ECHO\r\n\$\d+\r\n(\S+)/.exec(written)?.[1] ?? "";

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

it("fails no batch whose answer arrived in time, while the process was frozen", async () => {
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
  const mark = markIn(written);
  for (const reply of ["1", mark, "2"]) take(Buffer.from(reply));
  expect(await second).toEqual([Buffer.from("2")]);
  expect(String(await first)).toContain("NoAnswer");
});

it("fails an unanswered batch whose caller gives up, and changes none that was answered (47.3)", async () => {
  const caller = new AbortController();
  const { signal } = caller;
  let written = "";
  const { send, take } = exchange((bytes) => (written += String(bytes)));
  const first = send([["GET", "a"]], 1_000, { signal });
  const second = send([["GET", "b"]], 1_000, { signal });
  const third = send([["GET", "c"]], 1_000);
  take(Buffer.from("1"));
  const replies = await first;
  caller.abort();
  await expect(second).rejects.toBeInstanceOf(NoAnswer);
  expect(replies).toEqual([Buffer.from("1")]);
  const before = written;
  await expect(send([["GET", "d"]], 1_000, { signal })).rejects.toBeInstanceOf(NotSent);
  expect(written).toBe(before);
  // The late reply is nobody's.
  for (const mark of written.match(/ECHO\r\n\$\d+\r\n(\S+)/g) ?? []) {
    take(Buffer.from(mark.split("\r\n").at(-1) ?? ""));
    take(Buffer.from("2"));
  }
  expect(await third).toEqual([Buffer.from("2")]);
});

it("counts nothing as sent that cannot be encoded", async () => {
  let written = "";
  const { send, take } = exchange((bytes) => (written += String(bytes)));
  const first = send([["GET", "a"]], 1_000);
  await expect(send([["GET", Symbol("x") as unknown as string]], 1_000)).rejects.toThrow(TypeError);
  take(Buffer.from("1"));
  expect(await first).toEqual([Buffer.from("1")]);
  const next = send([["GET", "b"]], 1_000);
  expect(written).not.toContain("ECHO");
  take(Buffer.from("2"));
  expect(await next).toEqual([Buffer.from("2")]);
});

it("sends a mark before commands of bytes, too", async () => {
  const written: (string | Buffer)[] = [];
  const { send, take } = exchange((bytes) => written.push(bytes));
  const replies = ["a", "b"].map((key) => send([["GET", Buffer.from(key)]], 1_000));
  const mark = markIn(written.join(""));
  expect(written.map((it) => Buffer.isBuffer(it))).toEqual([true, false, true]);
  for (const reply of ["1", mark, "2"]) take(Buffer.from(reply));
  expect(await Promise.all(replies)).toEqual(["1", "2"].map((it) => [Buffer.from(it)]));
});

it("ends the connection once after an unsolicited reply", () => {
  const { read, ends } = exchange();
  read("+OK\r\n");
  expect(ends).toEqual(["answers out of step"]);
});

it("keeps the connection when the reply to a mark arrives after its batch has failed", async () => {
  fakeTime("setImmediate");
  let written = "";
  const { send, read, ends } = exchange((bytes) => (written += String(bytes)));
  const failed = ["a", "b"].map((key) => send([["GET", key]], 10).catch(String));
  await vi.advanceTimersByTimeAsync(12);
  for (const error of await Promise.all(failed)) expect(String(error)).toContain("NoAnswer");
  const mark = markIn(written);
  read(`+1\r\n$${mark.length}\r\n${mark}\r\n+2\r\n`);
  const next = send([["GET", "c"]], 1_000);
  read("+3\r\n");
  expect(await next).toEqual([Buffer.from("3")]);
  expect(ends).toEqual([]);
});

/** Room without a limit, and the bytes counted in it. */
function createRoom(): { readonly room: Hold; readonly bytes: () => number } {
  let bytes = 0;
  const take = (more: number): boolean => {
    bytes += more;
    return true;
  };
  return { room: { take, settle: ignore, release: ignore }, bytes: () => bytes };
}

it("counts no memory for the reply to a batch that has failed", async () => {
  fakeTime("setImmediate");
  const { room, bytes } = createRoom();
  const { send, read } = exchange();
  const failed = send([["GET", "a"]], 10, { room }).catch(String);
  await vi.advanceTimersByTimeAsync(12);
  expect(String(await failed)).toContain("NoAnswer");
  read("+1\r\n");
  expect(bytes()).toBe(0);
});

it("counts the memory for the reply to a mark to no caller", async () => {
  let written = "";
  const { room, bytes } = createRoom();
  const { send, read } = exchange((more) => (written += String(more)));
  const replies = [send([["GET", "a"]], 1_000), send([["GET", "b"]], 1_000, { room })];
  read(`+1\r\n+${markIn(written)}\r\n`);
  expect(bytes()).toBe(0);
  read("+2\r\n");
  expect(bytes()).toBeGreaterThan(0);
  expect(await Promise.all(replies)).toEqual([[Buffer.from("1")], [Buffer.from("2")]]);
});

it("fails a batch once, although the connection is lost afterwards", async () => {
  fakeTime("setImmediate");
  const { send, lose } = createExchange(ignore, createAnswerOrder(ignore, NEVER), undefined);
  const fail = vi.fn();
  send([["GET", "a"]], { receive: ignore, fail }, 10);
  await vi.advanceTimersByTimeAsync(12);
  lose();
  expect(fail).toHaveBeenCalledTimes(1);
});

describe("a connection that stays silent for a second", () => {
  /** A watch that counts how often it drops the connection. */
  function watch(): { readonly silence: Silence; readonly drop: () => void } {
    fakeTime("setImmediate");
    const drop = vi.fn();
    return { silence: createSilence(drop, 1_000), drop };
  }

  it("is dropped if a reply is due, even after a longer pause", async () => {
    const { silence, drop } = watch();
    await vi.advanceTimersByTimeAsync(5_000);
    silence.asked(1);
    await vi.advanceTimersByTimeAsync(900);
    expect(drop).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(drop).toHaveBeenCalledTimes(1);
  });

  it("is not dropped earlier if bytes arrive", async () => {
    const { silence, drop } = watch();
    silence.asked(1);
    await vi.advanceTimersByTimeAsync(900);
    silence.heard();
    await vi.advanceTimersByTimeAsync(900);
    expect(drop).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(drop).toHaveBeenCalledTimes(1);
  });

  it("is not dropped if all replies have arrived", async () => {
    const { silence, drop } = watch();
    const { send, read } = exchange(ignore, silence);
    const reply = send([["GET", "a"]], 1_000);
    read("+1\r\n");
    expect(await reply).toEqual([Buffer.from("1")]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(drop).not.toHaveBeenCalled();
  });
});

it.each<[place: string, before: Command[]]>([
  ["alone", []],
  ["after one command", [["MULTI"]]],
  ["after two commands", [["ASKING"], ["MULTI"]]],
])("sends what was encoded ahead, and does not encode it again: %s", async (_, before) => {
  const all = (command: Command): Command[] => [...before, command, ["EXEC"]];
  const command: Command = ["SET", "key", "value"];
  await writeAhead([command]);
  const bytes = encodeCommands(all(command));
  // Commands of strings are encoded as a string, except ahead.
  expect(bytes).toBeInstanceOf(Buffer);
  expect(String(bytes)).toBe(encodeCommands(all([...command])));
});

it("sends a secret of its own in each mark, from the first one on", async () => {
  vi.resetModules();
  const fresh = await import("../../src/redis/answer-order.ts");
  const order = fresh.createAnswerOrder(ignore, NEVER);
  order.asked(1);
  // More than are drawn at once.
  const secrets = Array.from({ length: 201 }, () => /leasehold-mark-(\w*)/.exec(order.mark(0) ?? "")?.[1]);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{40}$/);
  expect(new Set(secrets).size).toBe(secrets.length);
});
