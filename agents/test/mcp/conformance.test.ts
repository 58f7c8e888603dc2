/** The tools of both SDKs, by their own clients and servers, over HTTP and stdio. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshName, useStack } from "../../../test/support/use-stack.ts";
import { type Sdk, stdioProgram, type ToolClient, type ToolsOptions } from "./sdk.ts";
import { v1 } from "./v1.ts";
import { v2 } from "./v2.ts";

const stack = useStack({ warm: true });
const optionsOf = (scope?: string): ToolsOptions => ({ url: stack.url, token: stack.token, name: freshName(), scope });

/** One client, and the server that it reaches. */
interface Connected extends AsyncDisposable {
  readonly client: ToolClient;
}

/** How a client reaches the tools. */
interface Way {
  readonly title: string;
  /** Whether a server can ask a running call's client, and learn that it was cancelled. */
  readonly hasBackChannel: boolean;
  open(): Promise<Connected>;
}

const overHttp = (server: Sdk, client: Sdk): Way => ({
  title: `${server.title} over HTTP, client of ${client.title}`,
  hasBackChannel: server === v1 || client === v2,
  async open() {
    const tools = await server.serve(optionsOf("everybody"));
    const connected = await client.connect(tools.url);
    return {
      client: connected,
      async [Symbol.asyncDispose]() {
        await connected[Symbol.asyncDispose]();
        await tools[Symbol.asyncDispose]();
      },
    };
  },
});

const overStdio = (server: Sdk, client: Sdk): Way => ({
  title: `${server.title} over stdio, client of ${client.title}`,
  hasBackChannel: true,
  async open() {
    const connected = await client.start(stdioProgram(server === v1 ? "v1" : "v2", optionsOf("everybody")));
    return { client: connected, [Symbol.asyncDispose]: () => connected[Symbol.asyncDispose]() };
  },
});

const sdks = [v1, v2];
/**
 * Every two of server, client and transport meet once. The last way is a mode of version 2 of its own: it serves older
 * clients over HTTP without sessions.
 */
const ways = [overHttp(v1, v1), overStdio(v1, v2), overHttp(v2, v2), overStdio(v2, v1), overHttp(v2, v1)];

describe.each(ways.map((way) => [way.title, way] as const))("%s", (_title, way) => {
  let tools: Connected;
  beforeAll(async () => {
    tools = await way.open();
  });
  afterAll(() => tools?.[Symbol.asyncDispose]());

  it("finds the key in _meta, and runs the tool once for it (A1)", async () => {
    const { client } = tools;
    const first = await client.call("charge", { cents: 500 }, { key: "order 17" });
    expect(first).toMatchObject({ text: "charge: run 1: 500 cents, attempt 1", isError: false });
    expect((await client.call("charge", { cents: 500 }, { key: "order 17" })).text).toBe(first.text);
    expect((await client.call("charge", { cents: 500 }, { key: "order 18" })).text).toMatch(/^charge: run 2/);
    expect(await client.call("charge", { cents: 900 }, { key: "order 17" })).toMatchObject({
      isError: true,
      meta: { "leasehold/status": "mismatch" },
    });
    expect(await client.call("charge", { cents: 900 })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^".* charge" did not run: the idempotency key \(_meta\["idempotencyKey"\]\) is missing/,
      ),
      meta: { "leasehold/status": "no_key" },
    });
  });

  it("takes a number as a key, and 60 emoji (B27)", async () => {
    const refund = async (order: unknown) => (await tools.client.call("refund", { order })).text;
    expect(await refund(17)).toBe("refund: run 1 of 17");
    expect(await refund(17)).toBe("refund: run 1 of 17");
    expect(await refund(18)).toBe("refund: run 2 of 18");
    const emoji = "🔒".repeat(60);
    expect(await refund(emoji)).toBe(`refund: run 3 of ${emoji}`);
    expect(await refund(emoji)).toBe(`refund: run 3 of ${emoji}`);
  });

  it("says what is wrong with a key (B27)", async () => {
    for (const [order, said] of [
      ["a\ud800", "must be well-formed: it contains a lone surrogate"],
      ["", "is empty"],
      ["🔒".repeat(129), "has 516 bytes: 1 to 512 are allowed"],
      [2 ** 53, "is too large for a number: pass it as text"],
      ["order:undefined", 'contains "undefined": a value is missing'],
    ] as const)
      expect(await tools.client.call("refund", { order })).toMatchObject({
        isError: true,
        text: expect.stringContaining(`did not run: the idempotency key (the argument "order") ${said}`),
        meta: { "leasehold/status": "malformed_key" },
      });
    for (const key of [{}, ["a"], true, null])
      expect(await tools.client.call("charge", { cents: 5 }, { key })).toMatchObject({
        isError: true,
        meta: { "leasehold/status": "malformed_key" },
      });
  });

  it("runs a tool without an inputSchema (B27)", async () => {
    const first = await tools.client.call("ping", {}, { key: "a" });
    expect(first).toMatchObject({ text: "ping: run 1 with undefined, number", isError: false });
    expect(await tools.client.call("ping", {}, { key: "a" })).toMatchObject({ text: first.text });
    expect(await tools.client.call("ping")).toMatchObject({ isError: true, meta: { "leasehold/status": "no_key" } });
  });

  it("stores the structured content of a tool with an output schema (A1)", async () => {
    const report = () => tools.client.call("report", {}, { key: "a" });
    for (const _ of [1, 2])
      expect(await report()).toMatchObject({ text: "report: run 1", structured: { total: 7 }, isError: false });
    // An error needs no structured content.
    expect(await tools.client.call("report")).toMatchObject({ isError: true, meta: { "leasehold/status": "no_key" } });
  });

  it("passes on the progress of a call, which is no part of its result (A1)", async () => {
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    expect((await tools.client.call("slow", {}, { key: "a", onprogress })).text).toBe("slow: run 1");
    expect(seen).toEqual([1]);
    expect((await tools.client.call("slow", {}, { key: "a", onprogress })).text).toBe("slow: run 1");
    expect(seen).toEqual([1]);
  });

  it("refuses a tool that returns a task, which is no result, and does not store it (A1)", async () => {
    for (const _ of [1, 2])
      expect(await tools.client.call("build", {}, { key: "a" })).toMatchObject({
        isError: true,
        text: expect.stringContaining('the handler returned a result of type "task", which is not final'),
      });
  });
});

/** Version 2 serves older clients over HTTP without sessions, so their further requests reach another instance. */
const withBackChannel = ways.filter(({ hasBackChannel }) => hasBackChannel);

describe.each(withBackChannel.map((way) => [way.title, way] as const))("%s", (_title, way) => {
  it("forgets a cancelled call (A1)", async () => {
    await using tools = await way.open();
    const cancel = new AbortController();
    let onprogress = (): void => {};
    const begun = new Promise<void>((resolve) => {
      onprogress = resolve;
    });
    const calling = tools.client.call("hang", {}, { key: "a", signal: cancel.signal, onprogress });
    const cancelled = expect(calling).rejects.toThrow();
    await begun;
    expect((await tools.client.call("hang", {}, { key: "a" })).meta).toHaveProperty("leasehold/status");
    cancel.abort(new Error("the user is gone"));
    await cancelled;
    await expect
      .poll(async () => (await tools.client.call("hang", {}, { key: "a" })).text, { timeout: 20_000 })
      .toBe("hang: run 2");
  });

  it("asks back once, and stores the answer to the question only (A1)", async () => {
    await using tools = await way.open();
    for (const _ of [1, 2])
      expect(await tools.client.call("confirm", {}, { key: "a" })).toMatchObject({
        text: "confirm: run 1: true",
        isError: false,
      });
  });
});

describe.each(sdks.map((sdk) => [sdk.title, sdk] as const))("the caller of a tool of %s", (_title, sdk) => {
  const everyone = sdks.map((client) => [client.title, client] as const);

  it.each(everyone)("gets no other client's result, with a client of %s (A1) (B2)", async (_client, { connect }) => {
    await using tools = await sdk.serve(optionsOf());
    await using alice = await connect(tools.url, "alice");
    await using bob = await connect(tools.url, "bob");
    const refund = async (client: ToolClient) => (await client.call("refund", { order: "17" })).text;
    expect(await refund(alice)).toBe("refund: run 1 of 17");
    expect(await refund(bob)).toBe("refund: run 2 of 17");
    expect(await refund(alice)).toBe("refund: run 1 of 17");
    await using again = await connect(tools.url, "bob");
    expect(await refund(again)).toBe("refund: run 2 of 17");
  });

  it("is refused if it is unknown, over HTTP and over stdio (A1) (B2)", async () => {
    await using tools = await sdk.serve(optionsOf());
    await using overHttp = await sdk.connect(tools.url);
    await using overStdio = await sdk.start(stdioProgram(sdk === v1 ? "v1" : "v2", optionsOf()));
    for (const client of [overHttp, overStdio])
      expect(await client.call("refund", { order: "17" })).toMatchObject({
        isError: true,
        text: expect.stringContaining("idempotentTool: the caller is unknown, since the call has no authInfo"),
      });
  });

  it("is refused if its client ID is an application's, which its users share (A1) (B2)", async () => {
    await using tools = await sdk.serve(optionsOf());
    await using client = await sdk.connect(tools.url, "https://agent.example/oauth/client.json");
    expect(await client.call("refund", { order: "17" })).toMatchObject({
      isError: true,
      text: expect.stringContaining("is the same for all users of this client: pass the option scope"),
    });
  });
});
