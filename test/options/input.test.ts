import { inspect } from "node:util";
import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { type ConnectOptions, connect, createLocks, group, lock, once } from "../../src/index.ts";

let sent = 0;
const options = {
  url: "http://127.0.0.1:9",
  token: "token",
  fetch: async () => {
    sent++;
    throw new Error("nothing should be sent");
  },
};
const connection = connect(options);
const locks = createLocks(options);
const any = <T>(value: unknown): T => value as T;

describe("a bad connection is refused at once", () => {
  it.each<[string, unknown, typeof TypeError | typeof RangeError, RegExp]>([
    ["nothing", undefined, TypeError, /url is missing/],
    ["no url", { token: "t" }, TypeError, /url is missing/],
    ["an empty url", { url: "", token: "t" }, TypeError, /url is missing/],
    ["no token", { url: "https://x.upstash.io" }, TypeError, /token is missing/],
    ["an empty token", { url: "https://x.upstash.io", token: "" }, TypeError, /token is missing/],
    [
      "a token with a line break",
      { url: "https://x.upstash.io", token: "secret\n" },
      TypeError,
      /token contains spaces or line breaks/,
    ],
    [
      "a redis:// url",
      { url: "redis://127.0.0.1:6379", token: "t" },
      TypeError,
      /"redis:\/\/127.0.0.1:6379" is Redis's own protocol: pass the REST URL/,
    ],
    ["a url without a protocol", { url: "x.upstash.io", token: "t" }, TypeError, /"https:\/\/x.upstash.io" or/],
    ["a token where the url should be", { url: "AXsecretTOKEN", token: "https://x.io" }, TypeError, /url is not a URL/],
    [
      "a url with a password",
      { url: "https://:secret@x.io", token: "t" },
      TypeError,
      /must not contain a user or password/,
    ],
    ["a lease too short to be held", { ...options, lease: 9 }, RangeError, /lease/],
    [
      "a url with credentials",
      { url: "https://a:secret@x.io", token: "t" },
      TypeError,
      /must not contain a user or password/,
    ],
    ["a client that is none", { redis: {} }, TypeError, /@upstash\/redis/],
    ["a null client", { redis: null }, TypeError, /@upstash\/redis/],
    [
      "a client that sends by a requester of its own",
      { redis: new Redis({ request: () => Promise.reject(new Error("not asked")) }) },
      TypeError,
      /with url and token/,
    ],
    ["a fetch that is none", { ...options, fetch: "no" }, TypeError, /fetch/],
    ["a prefix with braces", { ...options, prefix: "a{b}" }, TypeError, /braces/],
    ["a prefix with a lone surrogate", { ...options, prefix: "a\ud800" }, TypeError, /well-formed/],
    ["a dialect that is none", { ...options, dialect: "lua" }, TypeError, /dialect/],
    ["a lease of 0", { ...options, lease: 0 }, RangeError, /lease/],
    ["a retention of NaN", { ...options, retention: Number.NaN }, RangeError, /retention/],
    ["a requestTimeout that is no duration", { ...options, requestTimeout: "soon" }, TypeError, /requestTimeout/],
  ])("%s", (_what, given, kind, text) => {
    let error: unknown;
    try {
      connect(given as ConnectOptions);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toMatch(text);
    expect(inspect(error, { showHidden: true, depth: 5 })).not.toContain("secret");
  });
});

const refusedNames: [string, unknown, typeof TypeError | typeof RangeError][] = [
  ["an empty name", "", RangeError],
  ["a name of 513 bytes", "x".repeat(513), RangeError],
  ["a name of 513 bytes in 171 characters", "€".repeat(171), RangeError],
  ["a lone high surrogate", "a\ud800", TypeError],
  ["another lone high surrogate", "a\ud801b", TypeError],
  ["a lone low surrogate", "\udc00", TypeError],
  ["a number", 42, TypeError],
  ["undefined", undefined, TypeError],
];

describe("a bad name is refused at once", () => {
  it.each(refusedNames)("%s", (_what, name, kind) => {
    expect(() => lock(connection, any(name))).toThrow(kind);
    expect(() => locks.lock(any(name))).toThrow(kind);
    expect(() => once(connection, any(name))).toThrow(kind);
    expect(() => locks.once(any(name))).toThrow(kind);
    expect(() => locks.group(any(name))).toThrow(kind);
    expect(() => group(connection, any(name))).toThrow(kind);
  });
  it.each(refusedNames.slice(0, -1))("%s, as a reentry key and as a label", async (_what, name, kind) => {
    await expect(locks.lock("fine").tryAcquire({ reentryKey: any(name) })).rejects.toThrow(kind);
    await expect(locks.lock("fine").acquire({ label: any(name) })).rejects.toThrow(kind);
  });
  it("names of 512 bytes and well-formed pairs are fine", () => {
    expect(() => lock(connection, "x".repeat(512))).not.toThrow();
    expect(() => lock(connection, "🔒{}% \n")).not.toThrow();
  });
});

describe("a bad option is refused before anything is sent", () => {
  it.each<[unknown, typeof TypeError | typeof RangeError]>([
    [0, RangeError],
    [-1, RangeError],
    [Number.NaN, RangeError],
    [Number.POSITIVE_INFINITY, RangeError],
    ["5 parsecs", TypeError],
    ["", TypeError],
    ["-5s", TypeError],
    ["0s", RangeError],
    ["366d", RangeError],
    [null, TypeError],
    [{}, TypeError],
    [10n, TypeError],
  ])("a duration of %s", async (duration, kind) => {
    const given = any<number>(duration);
    if (duration !== null) {
      await expect(locks.lock("a").tryAcquire({ lease: given })).rejects.toThrow(kind);
      await expect(locks.lock("a").run({ lease: given }, () => 1)).rejects.toThrow(kind);
      if (duration !== 0 && duration !== "0s") {
        await expect(locks.lock("a").acquire({ wait: given })).rejects.toThrow(kind);
      }
      expect(() => locks.once("a", { ttl: given })).toThrow(kind);
      expect(() => locks.once("a", { lease: given })).toThrow(kind);
    }
  });
  it("a signal that is none, and options of a lock where they are written", async () => {
    const signal = any<AbortSignal>(new AbortController());
    const why =
      /^(lock|once)\("a"\)\.(acquire|begin): signal must be an AbortSignal, not an AbortController: pass its signal$/;
    await expect(locks.lock("a").acquire({ signal })).rejects.toThrow(why);
    await expect(locks.once("a").begin({ signal })).rejects.toThrow(why);
    expect(() => locks.lock("a", { lease: 5 })).toThrow(RangeError);
    expect(() => locks.lock("a", { wait: -1 })).toThrow(RangeError);
    expect(() => locks.lock("a", { maxPolls: 0 })).toThrow(RangeError);
  });
  it("reentry key, label and back-off where they are written, and at the call", async () => {
    expect(() => locks.lock("a", { reentryKey: "\ud800" })).toThrow(TypeError);
    expect(() => locks.lock("a", { label: "" })).toThrow(RangeError);
    expect(() => locks.lock("a", { backoff: 5 as never })).toThrow(TypeError);
    await expect(locks.lock("a").acquire({ backoff: 5 as never })).rejects.toThrow(TypeError);
  });

  it("counts", async () => {
    for (const maxPolls of [0, -1, 1.5, Number.NaN]) {
      await expect(locks.lock("a").acquire({ maxPolls })).rejects.toThrow(RangeError);
      expect(() => locks.once("a", { maxAttempts: maxPolls })).toThrow(RangeError);
    }
    expect(() => locks.once("a", { maxAttempts: any("3") })).toThrow(TypeError);
    expect(() => locks.once("a", { fingerprint: any(3) })).toThrow(TypeError);
    await expect(locks.lock("a").run(any<() => void>({}))).rejects.toThrow(/work is missing/);
  });
  it("tickets", async () => {
    const body = btoa(JSON.stringify([3, "lock", ["a"], null, "a".repeat(36), 5, 100])).replace(/=+$/, "");
    expect((await locks.resume(body)).token).toBe(5);
    const forged = (fields: unknown): string => btoa(JSON.stringify(fields)).replace(/=+$/, "");
    const bad = [
      undefined,
      "",
      "x",
      "%%%",
      `${body}.signature`,
      "x".repeat(9000),
      forged({}),
      forged([4, "lock", ["a"], null, "a".repeat(36), 5, 100]),
      forged([3, "lock", ["a"], null, "short", 5, 100]),
      forged([3, "lock", ["a"], null, "|".repeat(36), 5, 100]),
      forged([3, "lock", [""], null, "a".repeat(36), 5, 100]),
      forged([3, "lock", ["a"], null, "a".repeat(36), "5", 100]),
      forged([3, "lock", ["a"], null, "a".repeat(36), 0, 100]),
      forged([3, "constructor", ["a"], null, "a".repeat(36), 5, 100]),
      forged([3, "lock", ["a"], {}, "a".repeat(36), 5, 100]),
      forged([3, "lock", "a", null, "a".repeat(36), 5, 100]),
      forged([3, "lock", [], null, "a".repeat(36), 5, 100]),
      forged([3, "once", ["a", "b"], null, "a".repeat(36), 5, 100]),
      forged([3, "lock", ["a"], null, "a".repeat(36), 5]),
      forged([3, "lock", ["a"], null, "a".repeat(36), 5, "100ms"]),
      forged([3, "lock", ["a"], null, "a".repeat(36), 5, 1]),
    ];
    for (const ticket of bad) {
      const error = await locks.resume(any(ticket)).catch((thrown: unknown) => thrown);
      expect(error instanceof TypeError || error instanceof RangeError, String(ticket).slice(0, 40)).toBe(true);
      // Said of the ticket, and not by whatever stumbled over it.
      expect((error as Error).message).toMatch(
        /^resume: (this ticket |in this ticket: |this is not a ticket|ticket must be a string)/,
      );
    }
  });
  it("sent nothing in all of this", () => {
    expect(sent).toBe(0);
    expect(() => connect({ redis: new Redis({ url: "http://127.0.0.1:9", token: "t" }) })).not.toThrow();
    // A build without the environment gets this far.
    expect(() => connect({ redis: new Redis({ url: undefined, token: undefined }) })).not.toThrow();
  });
});
