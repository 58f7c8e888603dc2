import { describe, expect, it } from "vitest";
import { chatState } from "../../agents/src/chat/index.ts";
import { turn } from "../../agents/src/index.ts";
import { idempotentTool } from "../../agents/src/mcp/index.ts";
import { cloudflareCron, cronRoute, runCron, vercelSchedule } from "../../src/cron/index.ts";
import { dedupe, github, idempotencyKey } from "../../src/http/index.ts";
import { connect, createLocks, singleFlight } from "../../src/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { isIdentity } from "../../src/shared/identity.ts";

/** A value that no type allows here, as JavaScript passes it. */
const any = <T>(value: unknown): T => value as T;
const noop = (): void => {};

/** Connects to nothing, and counts what is sent. */
function counting() {
  const counted = { sent: 0 };
  const fetch = async (): Promise<never> => {
    counted.sent++;
    throw new Error("nothing should be sent");
  };
  const options = { url: "http://127.0.0.1:9", token: "token", requestTimeout: "100ms", fetch } as const;
  return { counted, locks: createLocks(options), options };
}

const { counted, locks, options } = counting();
/** Names nobody: what code makes of a missing value. */
const nobody: [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a number", Number.NaN],
  ["an object", { id: 7 }],
  ["a promise of nothing", Promise.resolve()],
  ["an empty text", ""],
  ["a lone surrogate", "a\ud800"],
  ["the text of undefined", `${undefined}`],
  ["the text of null", `user:${null}`],
  ["the text of NaN", `user/${Number.NaN}/inbox`],
  ["the text of an object", `user:${{}}`],
  ["the text of a promise", `${Promise.resolve()}`],
  ["the text of undefined at the end of a sentence", `message ${undefined}`],
];
/** Those that a text can be, for borders where everything else has another meaning. */
const misspelt = nobody.filter(([, value]) => typeof value === "string" && value !== "");

const context = { requestId: 1, signal: new AbortController().signal };
const request = (headers: Record<string, string> = {}): Request =>
  new Request("https://example.com/hooks", { method: "POST", body: "{}", headers });
const cron = { locks, maxDuration: 60 } as const;

/** Each border where a value identifies something, as a call with that value. */
const borders: Record<string, (value: never) => unknown> = {
  "the scope of a tool": (scope: string) =>
    idempotentTool(locks, { name: "a", key: () => "k", scope: () => scope }, () => ({}))({}, context),
  "the scope of dedupe": (scope: string) =>
    dedupe({ locks, key: () => "k", scope: () => scope }, () => new Response())(request()),
  "the key of singleFlight": (key: string) => singleFlight(locks, key, { ttl: "1m" }, () => 1),
  "the key of a once": async (key: string) => locks.once(key).run(() => 1),
  "a group": async (name: string) =>
    locks
      .group(name)
      .once("a")
      .run(() => 1),
  "a conversation": (name: string) => turn(locks, name, { onBusy: "queue" }, noop),
  "the id of a turn": async (id: string) => {
    // Without an id, steps are remembered for the turn.
    if (id === undefined) throw new TypeError("no id");
    return turn(locks, "conversation", { onBusy: "queue", id }, noop);
  },
  "the id of a message": (id: string) => turn(locks, "conversation", { onBusy: "collect", id }, noop),
  "the name of a job": (name: string) => runCron({ ...cron, name, slot: "a" }, noop),
  "the slot of a job": (slot: string) => runCron({ ...cron, name: "a", slot }, noop),
  "the name of a Worker's job": (name: string) =>
    cloudflareCron({ ...cron, name: () => name }, noop)({ cron: "0 3 * * *", scheduledTime: 1 }, {}, any({})),
  "the expression of a Worker's job": (expression: string) => {
    // Miniflare's own trigger has no expression.
    if (expression === "") throw new TypeError("none");
    return cloudflareCron({ ...cron, name: "a" }, noop)({ cron: expression, scheduledTime: 1 }, {}, any({}));
  },
  "the name of a schedule": (name: string) => vercelSchedule(cron, noop)({ name, scheduledAt: new Date() }),
  "the namespace of a schedule": async (namespace: string) => {
    // Without one, it is the default one.
    if (namespace === undefined) throw new TypeError("none");
    return vercelSchedule(cron, noop)({ name: "a", namespace, scheduledAt: new Date() });
  },
  "the slot of a route": (slot: string) =>
    cronRoute({ ...cron, name: "a", secret: "s", slot: () => slot }, noop)(request({ authorization: "Bearer s" })),
  "a thread": async (id: string) => (await connected()).subscribe(id),
  "a key of a bot": async (key: string) => (await connected()).get(key),
  "a locked thread": async (id: string) => (await connected()).acquireLock(id, 1000),
  "the key of takeOver": async (key: string) => {
    const lock = locks.lock("a");
    // The ticket is none either, but the key comes first.
    await takeOver(lock, "ticket", { key }, noop).catch((error: Error) => {
      throw /^takeOver: key /.test(error.message) ? error : new Error("it was not refused for its key");
    });
  },
};

async function connected() {
  const state = chatState(locks);
  await state.connect();
  return state;
}

describe("a value that identifies nobody is refused before anything is sent (B2)", () => {
  describe.each(Object.entries(borders))("%s", (_border, call) => {
    it.each(nobody)("%s", async (_what, value) => {
      const before = counted.sent;
      const calling = async () => call(value as never);
      await expect(calling()).rejects.toSatisfy(
        (error) => error instanceof TypeError || (value === "" && error instanceof RangeError),
      );
      await expect(calling()).rejects.not.toThrow(/Cannot read|is not a function|malformed URI|URI malformed/);
      expect(counted.sent).toBe(before);
    });
  });
});

describe("the text of a missing value is refused before anything is sent (B2)", () => {
  const texts: Record<string, (text: string) => unknown> = {
    "the reentry key of a lock": (reentryKey) => locks.lock("a").tryAcquire({ reentryKey }),
    "the reentry key of a fair lock": (reentryKey) => locks.fairLock("a").tryAcquire({ reentryKey }),
    "the name of a latch": (name) => locks.latch(name).countDown(),
    "the party of a latch": (party) => locks.latch("a").countDown(party),
    "the prefix of a connection": (prefix) => connect({ ...options, prefix: `${prefix}:` }),
    "the prefix of a bot": (prefix) => chatState(locks, { prefix: `${prefix}:` }),
    "the key of tickets": (ticketKey) => connect({ ...options, ticketKey }),
    "the secret of a route": (secret) => cronRoute({ ...cron, name: "a", schedule: "* * * * *", secret }, noop),
    "the name of a tool": (name) => idempotentTool(locks, { name }, () => ({})),
  };

  describe.each(Object.entries(texts))("%s", (_border, call) => {
    it.each(misspelt)("%s", async (_what, text) => {
      const before = counted.sent;
      await expect(async () => call(text as string)).rejects.toThrow(TypeError);
      expect(counted.sent).toBe(before);
    });
  });

  it.each(misspelt)("%s as the key of a request gets 400, and nothing runs", async (_what, text) => {
    const before = counted.sent;
    let runs = 0;
    const handler = () => {
      runs++;
      return new Response();
    };
    const byKey = await dedupe({ locks, key: () => text as string }, handler)(request());
    expect(byKey.status).toBe(400);
    const hooks = dedupe({ locks, key: github({ verify: () => true }) }, handler);
    // A header carries Latin-1 only.
    const isWord = /^[!-~]+$/.test(text as string);
    if (isWord) expect((await hooks(request({ "X-GitHub-Delivery": text as string }))).status).toBe(400);
    const payments = dedupe({ locks, key: idempotencyKey(), scope: "shop" }, handler);
    if (isWord) expect((await payments(request({ "Idempotency-Key": text as string }))).status).toBe(400);
    expect([runs, counted.sent]).toEqual([0, before]);
  });

  it.each([
    "nullable",
    "undefined-behaviour",
    "annul",
    "why undefined is no function",
    "null-hypothesis",
    "NaNcy",
    "user:alice",
    "object Object",
  ])("%j is the text of something", (text) => {
    expect(isIdentity(text)).toBe(true);
  });

  it("does not show the text, which may be a secret", async () => {
    await expect(async () => connect({ ...options, ticketKey: "hunter2:undefined" })).rejects.toThrow(
      'connect: ticketKey contains "undefined": a value is missing',
    );
  });
});

describe("a host's object that misses what identifies it is refused (B2)", () => {
  const authInfos: unknown[] = [
    undefined,
    null,
    "alice",
    {},
    { clientId: undefined },
    { clientId: "" },
    { clientId: 7 },
  ];
  it.each([...authInfos, { clientId: "https://agent.example/client.json" }])(
    "a tool's call with the authInfo %j, of either SDK",
    async (authInfo) => {
      const before = counted.sent;
      const tool = idempotentTool(locks, { name: "a", key: () => "k" }, (_: object, __: never) => ({}));
      for (const given of [
        { ...context, authInfo },
        { mcpReq: { id: 1, signal: context.signal }, http: { authInfo } },
        { mcpReq: { id: 1, signal: context.signal, authInfo: { clientId: "alice" } }, authInfo: { clientId: "alice" } },
      ])
        await expect(tool({}, given as never)).rejects.toThrow(
          /^idempotentTool: the (caller is unknown|client ID .* is the same for all users)/,
        );
      expect(counted.sent).toBe(before);
    },
  );

  it("a scheduled time that is no number", async () => {
    const scheduled = cloudflareCron({ ...cron, name: "a" }, noop);
    for (const scheduledTime of [undefined, null, "2026-01-01", Number.NaN]) {
      await expect(scheduled({ cron: "0 3 * * *", scheduledTime: any(scheduledTime) }, {}, any({}))).rejects.toThrow(
        "cloudflareCron: scheduledTime",
      );
    }
  });
});
