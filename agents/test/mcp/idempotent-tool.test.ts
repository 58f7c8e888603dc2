import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks } from "../../../src/index.ts";
import type { Scope } from "../../../src/shared/identity.ts";
import { startFrozen } from "../../../test/platforms/freeze/frozen.ts";
import { freshName, useStack } from "../../../test/support/use-stack.ts";
import { idempotentTool, type ToolExtra } from "../../src/mcp/index.ts";
import { gate } from "../turn/stage.ts";
import { type Charge, openCharges, startToolServer, type ToolServerOptions } from "./server.ts";

const stack = useStack({ warm: true });
let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-mcp-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const lockClient = () => createLocks({ url: stack.url, token: stack.token });

/** A client of the real SDK. */
async function connected(url: string): Promise<Client & AsyncDisposable & { readonly url: string }> {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never);
  return Object.assign(client, { url, [Symbol.asyncDispose]: () => client.close() });
}

async function setStage(more: Partial<ToolServerOptions> = {}) {
  const name = freshName();
  const file = join(dir, `${name.replace(/\W/g, "-")}.sqlite`);
  const options = { url: stack.url, token: stack.token, file, name, ...more };
  const server = await startToolServer(options);
  const client = await connected(server.url);
  const db = openCharges(file);
  return {
    ...{ server, client, file, name, options },
    /** Calls the tool; the text of its answer, and whether that is an error. */
    async charge(args: Charge, idempotencyKey?: string, limits: object = {}, by: Client = client) {
      const _meta = idempotencyKey === undefined ? {} : { idempotencyKey };
      const result = await by.callTool({ name: "charge", arguments: { ...args }, _meta }, undefined, limits);
      const [{ text } = { text: "" }] = result.content as { text: string }[];
      return { text, isError: result.isError ?? false, meta: result._meta ?? {} };
    },
    charges: () =>
      db
        .prepare("SELECT cents FROM charges")
        .all()
        .map(({ cents }) => cents),
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
      db.close();
    },
  };
}

it("runs once for a key, and a repeat gets the stored result, from another server too", async () => {
  await using stage = await setStage();
  const first = await stage.charge({ cents: 500 }, "order 17");
  expect(first).toMatchObject({ text: expect.stringMatching(/^charged 500 under \d{16}$/), isError: false });
  expect(await stage.charge({ cents: 500 }, "order 17")).toEqual(first);
  const other = await startToolServer(stage.options);
  await using client = await connected(other.url);
  expect(await stage.charge({ cents: 500 }, "order 17", {}, client)).toEqual(first);
  await other.close();
  expect(await stage.charge({ cents: 500 }, "order 18")).not.toEqual(first);
  expect(stage.charges()).toEqual([500, 500]);
});

it("takes the key from an argument, and refuses one that came with other arguments, or none", async () => {
  await using stage = await setStage();
  await stage.charge({ cents: 500, order: "order 17" });
  expect(await stage.charge({ cents: 900, order: "order 17" })).toMatchObject({
    text: expect.stringMatching(/^this idempotency key came with other arguments before, so ".*" did not run: a new/),
    isError: true,
    meta: { "leasehold/status": "mismatch" },
  });
  expect(await stage.charge({ cents: 900 })).toMatchObject({ isError: true, meta: { "leasehold/status": "no_key" } });
  expect(stage.charges()).toEqual([500]);
});

it("a client that times out and repeats its call learns when to repeat it, and then gets the result (A1)", async () => {
  const written = gate();
  const end = gate();
  await using stage = await setStage({
    afterWrite: () => {
      written.open();
      return end.opened;
    },
  });
  const impatient = stage.charge({ cents: 500 }, "order 17", { timeout: 1500 });
  const timedOut = expect(impatient).rejects.toThrow(/timed out/);
  await written.opened;
  expect(await stage.charge({ cents: 500 }, "order 17")).toMatchObject({
    text: expect.stringMatching(
      /^"(.*)" is still running for an earlier call .* Wait \d+ seconds\. Then call "\1" again with exactly the same arguments and the same key to get its result\. Do not change the key/,
    ),
    isError: true,
    meta: { "leasehold/status": "in_progress", "leasehold/retryAfterMs": expect.any(Number) },
  });
  await timedOut;
  end.open();
  await expect.poll(async () => (await stage.charge({ cents: 500 }, "order 17")).text).toMatch(/^charged 500/);
  expect(stage.charges()).toEqual([500]);
});

it("with wait, calls that overlap get the same result", async () => {
  await using stage = await setStage({ wait: 20_000 });
  const calls = await Promise.all(Array.from({ length: 5 }, () => stage.charge({ cents: 500 }, "order 17")));
  expect(new Set(calls.map(({ text }) => text)).size).toBe(1);
  expect(stage.charges()).toEqual([500]);
});

it("forgets a result that is an error", async () => {
  await using stage = await setStage();
  for (const _ of [1, 2])
    expect(await stage.charge({ cents: 13 }, "order 17")).toMatchObject({
      text: "the card was declined",
      isError: true,
    });
});

it.each(["SIGKILL", "SIGSTOP"])(
  "after a %s of a server behind its write, the next attempt knows that there was one, and writes nothing twice",
  async (fate) => {
    await using stage = await setStage({ lease: 700 });
    const script = fileURLToPath(new URL("./dying.ts", import.meta.url));
    await using dying = await startFrozen(script, stack.url, stack.token, stage.name, stage.file, fate);
    await using client = await connected((await dying.ask("listen")) as string);
    const lost = stage.charge({ cents: 500 }, "order 17", { timeout: 2500 }, client);
    await expect(lost).rejects.toThrow();
    const again = async () => (await stage.charge({ cents: 500 }, "order 17")).text;
    await expect.poll(again, { timeout: 15_000 }).toMatch(/^charged before, under \d+$/);
    const stored = await again();
    // The late result of the frozen one is refused.
    dying.wake();
    if (fate === "SIGSTOP") {
      await using later = await connected(client.url);
      expect(await stage.charge({ cents: 500 }, "order 17", {}, later)).toMatchObject({ text: stored });
    }
    expect(await again()).toBe(stored);
    expect(stage.charges()).toEqual([500]);
  },
);

/** The context of a call, as version 1 of the SDK passes it. */
const extra: ToolExtra = { requestId: 1, signal: new AbortController().signal };

it("keeps callers of different scopes apart, and the order of arguments does not matter", async () => {
  const locks = createLocks({ url: stack.url, token: stack.token });
  let runs = 0;
  const tool = idempotentTool(locks, { name: freshName() }, (_: object, __: ToolExtra) => ({ run: ++runs }));
  const call = (clientId: string, args: object) =>
    tool(args, { ...extra, _meta: { idempotencyKey: "k" }, authInfo: { clientId } });
  expect(await call("alice", { a: 1, b: { c: 2, d: 3 } })).toEqual({ run: 1 });
  expect(await call("alice", { b: { d: 3, c: 2 }, a: 1 })).toEqual({ run: 1 });
  expect(await call("bob", { a: 1, b: { c: 2, d: 3 } })).toEqual({ run: 2 });
});

describe("the scope of a tool", () => {
  it.each<[string, Scope | ((extra: ToolExtra) => Scope | Promise<Scope>)]>([
    ["a text", "shop"],
    ["a list", ["shop", "user 7"]],
    ["a function", () => "shop"],
    ["a function that returns a promise", async () => ["shop", "user 7"]],
  ])("may be %s", async (_what, scope) => {
    let runs = 0;
    const name = freshName();
    const make = (owner: typeof scope) =>
      idempotentTool(lockClient(), { name, key: () => "k", scope: owner }, (_: object, __: ToolExtra) => ({
        run: ++runs,
      }));
    expect(await make(scope)({}, extra)).toEqual({ run: 1 });
    expect(await make(scope)({}, extra)).toEqual({ run: 1 });
    expect(await make("other")({}, extra)).toEqual({ run: 2 });
    // Parts do not run into each other.
    expect(await make(["shop", "user", "7"])({}, extra)).toEqual({ run: 3 });
    expect(await make(["shopuser 7"])({}, extra)).toEqual({ run: 4 });
  });
});

describe("a context of a call that neither SDK passes (A1)", () => {
  const request = { id: 1, signal: extra.signal, _meta: { idempotencyKey: "k" } };
  it.each<[string, unknown, string]>([
    ["nothing", undefined, "undefined"],
    ["a text", "alice", '"alice"'],
    ["an empty object", {}, "an object."],
    ["only the members that were used once", { _meta: {}, authInfo: { clientId: "alice" } }, "with _meta, authInfo."],
    ["another framework's", { session: {}, requestId: "1", log: {} }, "with session, requestId, log."],
    ["another member for the request", { req: request, http: {} }, "with req, http."],
    ["a request without a signal", { mcpReq: { id: 1, _meta: {} } }, "with mcpReq."],
  ])("is refused: %s", async (_what, context, said) => {
    let runs = 0;
    const run = () => ({ run: ++runs });
    const byMeta = idempotentTool(lockClient(), { name: "a", scope: "shop" }, (_: object, __: ToolExtra) => run());
    const byScope = idempotentTool(lockClient(), { name: "a", key: () => "k" }, (_: object, __: ToolExtra) => run());
    for (const tool of [byMeta, byScope]) {
      const calling = tool({}, context as ToolExtra);
      await expect(calling).rejects.toThrow(TypeError);
      await expect(calling).rejects.toThrow("idempotentTool: this context of a call is unknown: ");
      await expect(calling).rejects.toThrow(said);
    }
    expect(runs).toBe(0);
  });

  it("is no argument either, if it is the only one", async () => {
    const tool = idempotentTool(
      lockClient(),
      { name: "a", key: () => "k", scope: "shop" },
      (_: undefined, __: ToolExtra) => ({}),
    );
    await expect(tool({ cents: 5 } as never)).rejects.toThrow(
      "this context of a call is unknown: an object with cents",
    );
  });

  it("works if functions find the key and the scope", async () => {
    const context = { user: "alice", key: "k" };
    const options = {
      name: freshName(),
      key: (_: object, { key }: typeof context) => key,
      scope: ({ user }: typeof context) => user,
    };
    const tool = idempotentTool(lockClient(), options as never, () => ({ done: true })) as unknown as (
      args: object,
      context: object,
    ) => Promise<object>;
    expect(await tool({}, context)).toEqual({ done: true });
  });
});

describe("the arguments of a call are compared", () => {
  const tool = (key: unknown = () => "k") => {
    let runs = 0;
    const options = { name: freshName(), key: key as () => string, scope: "shop" };
    return idempotentTool(lockClient(), options, (_: object, __: ToolExtra) => ({ run: ++runs }));
  };
  const mismatch = { _meta: { "leasehold/status": "mismatch" } };

  it("also those that a schema has made: bigints and dates", async () => {
    const call = tool();
    expect(await call({ cents: 5n, day: new Date(0) }, extra)).toEqual({ run: 1 });
    expect(await call({ day: new Date(0), cents: 5n }, extra)).toEqual({ run: 1 });
    expect(await call({ cents: 6n, day: new Date(0) }, extra)).toMatchObject(mismatch);
    expect(await call({ cents: 5n, day: new Date(1) }, extra)).toMatchObject(mismatch);
  });

  it.each<[string, unknown]>([
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["bytes", new Uint8Array(1)],
    ["a function", () => 1],
  ])("which %s cannot be", async (_what, value) => {
    await expect(tool()({ value }, extra)).rejects.toThrow("idempotentTool: the arguments cannot be compared");
  });

  it("and a key may be a promise, but nothing else that is no text or number", async () => {
    expect(await tool(async () => "k")({}, extra)).toEqual({ run: 1 });
    for (const wrong of [null, {}, Number.NaN, [], true, 10n])
      expect(await tool(() => wrong)({}, extra)).toMatchObject({ _meta: { "leasehold/status": "malformed_key" } });
  });
});

it("a call that is cancelled while it waits stops waiting (A1)", async () => {
  const begun = gate();
  const end = gate();
  const options = { name: freshName(), key: () => "k", scope: "shop", wait: "20s" } as const;
  const call = idempotentTool(lockClient(), options, async (_: object, __: ToolExtra) => {
    begun.open();
    await end.opened;
    return { done: true };
  });
  const first = call({}, extra);
  await begun.opened;
  const cancel = new AbortController();
  const second = call({}, { ...extra, signal: cancel.signal });
  cancel.abort(new Error("the user is gone"));
  await expect(second).rejects.toThrow("the user is gone");
  end.open();
  expect(await first).toEqual({ done: true });
});

it("reports a mistake when the tool is made, in words", () => {
  const locks = createLocks({ url: stack.url, token: stack.token });
  const wrong =
    (options: unknown, handler: unknown = () => ({})) =>
    () =>
      idempotentTool(locks, options as never, handler as never);
  expect(wrong({})).toThrow("idempotentTool: name must be a string, not undefined");
  expect(wrong({ name: "a", key: "id" })).toThrow(
    'idempotentTool: key must be { meta }, { argument } or a function, not "id"',
  );
  expect(wrong({ name: "a".repeat(129) })).toThrow("idempotentTool: name has 129 bytes: 1 to 128 are allowed");
  expect(wrong({ name: "a", scope: null })).toThrow("idempotentTool: scope must be a non-empty, well-formed string");
  expect(wrong({ name: "a", scope: [""] })).toThrow("idempotentTool: scope must be a non-empty, well-formed string");
  expect(wrong({ name: "a", ttl: 5 })).toThrow("idempotentTool: ttl 5 has no unit");
  expect(wrong({ name: "a", onMissing: "skip" })).toThrow('idempotentTool: onMissing "skip" must be "refuse" or "run"');
  expect(wrong({ name: "a" }, 5)).toThrow("idempotentTool: handler must be a function: idempotentTool(connection,");
});
