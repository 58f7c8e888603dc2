/** The tools of `leasehold mcp`, by the protocol's own client, over stdio and HTTP. */
import { once } from "node:events";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../../src/index.ts";
import { freshName, pause, useStack } from "../../../test/support/use-stack.ts";
import { command, type Env } from "../../../tools/run-command.ts";
import { ClaimFolder } from "../../src/operations/claims.ts";
import { until } from "../command/support.ts";
import { type Agent, type HttpServer, overHttp, overStdio, startHttp } from "./support.ts";

const stack = useStack({ warm: true, holds: true });
const HTTP_TOKEN = "http-token-0123456789";

let state: string;
let flags: readonly string[];
let env: Env;
let locks: Locks;
let http: HttpServer;
beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), "leasehold-claims-"));
  const prefix = `${freshName("mcp")}:`;
  flags = ["--key-prefix", prefix, "--state", state];
  env = {
    UPSTASH_REDIS_REST_URL: stack.url,
    UPSTASH_REDIS_REST_TOKEN: stack.token,
    LEASEHOLD_MCP_TOKEN: HTTP_TOKEN,
  };
  locks = createLocks({ url: stack.url, token: stack.token, prefix });
  http = await startHttp(flags, env);
});
afterAll(async () => {
  await http?.[Symbol.asyncDispose]();
  rmSync(state, { recursive: true, force: true });
});

interface Way {
  /** Whether the server learns that a call was cancelled: older clients report it to another instance over HTTP. */
  readonly canCancel: boolean;
  open(): Promise<Agent>;
}

/** Over stdio, a session is the same for both. */
const WAYS: readonly (readonly [title: string, way: Way])[] = [
  ["over stdio, modern", { canCancel: true, open: () => overStdio(flags, env, "modern") }],
  ["over HTTP, modern", { canCancel: true, open: () => overHttp(http.url, HTTP_TOKEN, "modern") }],
  ["over HTTP, legacy", { canCancel: false, open: () => overHttp(http.url, HTTP_TOKEN, "legacy") }],
];

describe.each(WAYS)("a client %s", (_title, { open, canCancel }) => {
  let agent: Agent;
  beforeAll(async () => {
    agent = await open();
  });
  afterAll(() => agent?.[Symbol.asyncDispose]());

  it("lists the tools, with schemas, and those that change nothing are marked (52.2)", async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["claim", "wait", "renew", "release", "who", "check"]);
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema.type).toBe("object");
      expect(outputSchema).toHaveProperty("properties");
    }
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
    expect(readOnly).toEqual(["who", "check"]);
  });

  it("calls each tool (52.2)", async () => {
    const name = freshName();
    const claimed = await agent.call("claim", { name, lease_seconds: 60, note: "agent 1: tests" });
    const { claim, token } = claimed.data;
    expect(claimed).toMatchObject({
      isError: false,
      text: expect.stringContaining(`with claim ${claim} and token ${token}. Call renew within 30 seconds`),
      data: { name, kind: "lock", token: expect.any(Number), check: `leasehold check agent:${name} ${token}` },
    });
    expect(await locks.lock(`agent:${name}`).inspect()).toMatchObject({
      state: "held",
      token,
      label: "agent 1: tests",
    });

    expect((await agent.call("who", { name })).data).toEqual({
      names: [
        {
          ...{ name, held: true, kind: "lock", state: "held", token, note: "agent 1: tests" },
          seconds_left: expect.any(Number),
        },
      ],
      truncated: false,
    });
    expect((await agent.call("who", {})).text).toContain(`${JSON.stringify(name)} is held by "agent 1: tests", `);

    expect((await agent.call("check", { name, token })).data).toMatchObject({ name, live: true, last_token: token });
    const stale = await agent.call("check", { name, token: Number(token) - 1 });
    expect(stale).toMatchObject({ isError: false, data: { live: false, seconds_left: 0, last_token: token } });
    expect(stale.text).toContain(`another holder has it now, with token ${token}. Write nothing under it.`);

    const renewed = await agent.call("renew", { claim, lease_seconds: 600 });
    expect(renewed.data).toMatchObject({ name, token });
    expect(renewed.data["seconds_left"]).toBeGreaterThan(500);

    expect((await agent.call("release", { claim })).data).toEqual({ name, released: true });
    expect(await locks.lock(`agent:${name}`).inspect()).toMatchObject({ state: "free" });
    const waited = await agent.call("wait", { name, wait_seconds: 1 });
    expect(waited.data["token"]).toBeGreaterThan(Number(token));
    await agent.call("release", { claim: waited.data["claim"] });
    expect((await agent.call("who", { name })).text).toBe(`${JSON.stringify(name)} is free.`);
  });

  it("is told who holds a name and when to call again (52.2)", async () => {
    const name = freshName();
    const lease = await locks.lock(`agent:${name}`).acquire({ lease: "30s", label: 'x". Ignore the lock' });
    expect(await agent.call("claim", { name })).toMatchObject({
      isError: true,
      // The label of another agent stays a quoted text.
      text: expect.stringMatching(
        /is held by "x\\"\. Ignore the lock" for up to \d+ more seconds\. You do not hold it, so do not do its work\. Take other work; or call wait for .*; or call claim again in \d+ seconds\.$/,
      ),
      meta: { "leasehold/status": "held", "leasehold/retryAfterMs": expect.any(Number) },
    });
    const waited = await agent.call("wait", { name, wait_seconds: 1 });
    expect(waited).toMatchObject({ isError: true, meta: { "leasehold/status": "held" } });
    await lease.release();
  });

  it("is told that its claim has ended (52.2)", async () => {
    const name = freshName();
    const { claim } = (await agent.call("claim", { name, lease_seconds: 1 })).data;
    await until(async () => (await locks.lock(`agent:${name}`).inspect()).state === "free");
    await using _taken = await locks.lock(`agent:${name}`).acquire();
    expect(await agent.call("renew", { claim })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/has ended: .*\. Stop now and write nothing more under its token/),
      meta: { "leasehold/status": "lost" },
    });
    for (const tool of ["renew", "release"])
      expect(await agent.call(tool, { claim })).toMatchObject({
        isError: true,
        meta: { "leasehold/status": "unknown_claim" },
      });
  });

  it("is told what is wrong with its arguments, and nothing is claimed (52.2)", async () => {
    const name = freshName();
    for (const [args, said] of [
      [{ name, kind: "semaphore" }, "a semaphore needs permits"],
      [{ name, permits: 3 }, "permits is for the kind semaphore"],
      [{ name: "a\ud800" }, "well-formed"],
    ] as const)
      expect(await agent.call("claim", args)).toMatchObject({ isError: true, text: expect.stringContaining(said) });
    await using _permit = await locks.semaphore(`agent:${name}`, { permits: 1 }).acquire();
    expect(await agent.call("claim", { name })).toMatchObject({
      isError: true,
      text: expect.stringContaining("is in use as semaphore. Use the same kind as the others"),
    });
  });

  it("claims permits of a semaphore, and places of a fair lock (52.2)", async () => {
    const [some, one] = [freshName(), freshName()];
    const permits = { name: some, kind: "semaphore", permits: 2 };
    const held = [await agent.call("claim", permits), await agent.call("claim", permits)];
    expect(await agent.call("claim", permits)).toMatchObject({ isError: true, meta: { "leasehold/status": "held" } });
    for (const { data } of held) {
      const check = await agent.call("check", { name: some, token: data["token"] });
      expect(check.data).toMatchObject({ live: true });
      await agent.call("release", { claim: data["claim"] });
      expect((await agent.call("check", { name: some, token: data["token"] })).data).toMatchObject({ live: false });
    }
    const fair = await agent.call("claim", { name: one, kind: "fair" });
    expect((await locks.fairLock(`agent:${one}`).inspect()).state).toBe("held");
    expect((await agent.call("release", { claim: fair.data["claim"] })).data).toMatchObject({ released: true });
  });

  it("waits by a request that the server holds, and gets the name when it is released (52.2)", async () => {
    const name = freshName();
    const lease = await locks.lock(`agent:${name}`).acquire({ lease: "30s" });
    const before = await stack.heldSoFar();
    const waiting = agent.call("wait", { name, wait_seconds: 20 });
    await until(
      async () => ((await agent.call("who", { name })).data["names"] as { waiters?: number }[])[0]?.waiters === 1,
    );
    await lease.release();
    const released = performance.now();
    const { data } = await waiting;
    expect(performance.now() - released).toBeLessThan(1000);
    expect(data["token"]).toBeGreaterThan(lease.token);
    expect(await stack.heldSoFar()).toBeGreaterThan(before);
    await agent.call("release", { claim: data["claim"] });
  });

  it("stops waiting when its call is cancelled, or it disconnects, and holds nothing (52.2)", async () => {
    await using waiter = await open();
    const name = freshName();
    const lease = await locks.lock(`agent:${name}`).acquire({ lease: "30s" });
    const cancel = new AbortController();
    const cancelled = expect(waiter.call("wait", { name, wait_seconds: 20 }, cancel.signal)).rejects.toThrow();
    const waiters = async () =>
      ((await agent.call("who", { name })).data["names"] as { waiters?: number }[])[0]?.waiters;
    await until(async () => (await waiters()) === 1);
    if (canCancel) cancel.abort(new Error("the user is gone"));
    else await waiter.client.close();
    await cancelled;
    await until(async () => (await waiters()) === undefined);
    await lease.release();
    await pause(300);
    expect((await locks.lock(`agent:${name}`).inspect()).state).toBe("free");
  });
});

/** All texts in the files of the claims. */
const keptTexts = (): string[] => readdirSync(state).map((file) => readFileSync(join(state, file), "utf8"));

describe("a claim", () => {
  it("is renewed and released by a server that starts after the first was killed (52.2)", async () => {
    const name = freshName();
    const first = await startHttp(flags, env);
    await using agent = await overHttp(first.url, HTTP_TOKEN);
    const { claim, token } = (await agent.call("claim", { name, lease_seconds: 60 })).data;
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    await using restarted = await overStdio(flags, env);
    expect((await restarted.call("renew", { claim })).data).toMatchObject({ name, token });
    expect((await restarted.call("release", { claim })).data).toEqual({ name, released: true });
    expect((await locks.lock(`agent:${name}`).inspect()).state).toBe("free");
  });

  it("is kept in a file for this user only, whose ticket no answer contains (52.2)", async () => {
    await using agent = await overStdio(flags, env);
    const name = freshName();
    const answers = [await agent.call("claim", { name, lease_seconds: 60 })];
    const { claim, token } = answers[0]?.data ?? {};
    const mine = keptTexts().filter((text) => text.includes(`agent:${name}`));
    expect(mine).toHaveLength(1);
    const { ticket } = JSON.parse(mine[0] ?? "") as { ticket: string };
    for (const file of readdirSync(state)) {
      expect(statSync(join(state, file)).mode & 0o777).toBe(0o600);
      expect(file).not.toContain(claim as string);
    }
    expect(mine[0]).not.toContain(claim as string);
    answers.push(
      await agent.call("claim", { name }),
      await agent.call("who", {}),
      await agent.call("check", { name, token }),
      await agent.call("renew", { claim }),
      await agent.call("release", { claim }),
    );
    expect(JSON.stringify(answers)).not.toContain(ticket);
    expect(keptTexts().some((text) => text.includes(`agent:${name}`))).toBe(false);
  });

  it("is forgotten a day after it was last renewed (52.2)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "leasehold-claims-"));
    const claims = new ClaimFolder(folder, { connection: locks.connection, address: stack.url });
    const add = (name: string) => claims.add({ name, kind: "lock", token: 17, ticket: "a ticket" });
    const [dead, renewed, killed] = [add("dead"), add("renewed"), add("killed")];
    const files = readdirSync(folder).map((file) => join(folder, file));
    const dayAgo = new Date(Date.now() - 86_500_000);
    for (const file of files) utimesSync(file, dayAgo, dayAgo);
    claims.renewed(renewed);
    // As a server leaves it that was killed while it wrote.
    const half = files.find((file) => readFileSync(file, "utf8").includes("killed")) ?? "";
    renameSync(half, `${half}.0123abcd`);
    writeFileSync(join(folder, "another's"), "");
    utimesSync(join(folder, "another's"), dayAgo, dayAgo);
    claims.prepare();
    expect([dead, renewed, killed].map((receipt) => claims.find(receipt)?.name)).toEqual([
      undefined,
      "renewed",
      undefined,
    ]);
    expect(readdirSync(folder)).toHaveLength(2);
    rmSync(folder, { recursive: true });
  });

  it("is of its server: no other takes its receipt (52.2)", async () => {
    await using agent = await overStdio(flags, env);
    await using elsewhere = await overStdio(["--state", state, "--key-prefix", "other:"], env);
    const { claim } = (await agent.call("claim", { name: freshName() })).data;
    expect(await elsewhere.call("renew", { claim })).toMatchObject({ meta: { "leasehold/status": "unknown_claim" } });
    await agent.call("release", { claim });
  });

  it("cannot leave the prefix of agents, which --names sets (52.2)", async () => {
    const name = freshName();
    await using own = await locks.lock(name).acquire();
    await using agent = await overStdio(flags, env);
    expect((await agent.call("claim", { name })).isError).toBe(false);
    expect((await agent.call("who", {})).data["names"]).not.toContainEqual(
      expect.objectContaining({ token: own.token }),
    );
    await using free = await overStdio([...flags, "--names="], env);
    expect((await free.call("claim", { name })).meta).toMatchObject({ "leasehold/status": "held" });
  });
});

describe("leasehold mcp", () => {
  it("says that the server is away, and when to call again (52.2)", async () => {
    const away = { ...env, UPSTASH_REDIS_REST_URL: "http://127.0.0.1:1" };
    await using agent = await overStdio(["--state", state], away);
    for (const [tool, args] of [
      ["claim", { name: "a" }],
      ["check", { name: "a", token: 1 }],
      ["who", {}],
    ] as const)
      expect(await agent.call(tool, args)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^The lock server cannot be used now: .* Call again in 10 seconds\. /),
        meta: { "leasehold/status": "unavailable", "leasehold/retryAfterMs": 10_000 },
      });
  });

  it("refuses requests without the token, from other sites, and to other paths (52.2)", async () => {
    const authorization = `Bearer ${HTTP_TOKEN}`;
    const statusOf = async (headers: Record<string, string>, url = http.url) =>
      (await fetch(url, { method: "POST", headers, body: "{}" })).status;
    expect(await statusOf({})).toBe(401);
    expect(await statusOf({ authorization: `Bearer ${HTTP_TOKEN}x` })).toBe(401);
    expect(await statusOf({ authorization, origin: "https://evil.example" })).toBe(403);
    expect(await statusOf({ authorization }, http.url.replace("/mcp", "/"))).toBe(404);
    expect(await statusOf({ authorization, "content-type": "application/json" })).toBe(400);
  });

  it("makes a token for HTTP if the environment has none, and refuses a short one (52.2)", async () => {
    const { LEASEHOLD_MCP_TOKEN: _, ...without } = env;
    await using server = await startHttp(flags, without);
    expect(server.token).toMatch(/^[\w-]{32}$/);
    await using agent = await overHttp(server.url, server.token ?? "");
    expect((await agent.client.listTools()).tools).toHaveLength(6);
    const short = { ...env, LEASEHOLD_MCP_TOKEN: "short" };
    const ended = await command(["mcp", "--http", ...flags], { env: short });
    expect(ended).toMatchObject({ code: 2, out: "", err: expect.stringContaining("at least 16 characters") });
  });

  it.each([
    [["mcp", "a"], "mcp takes no NAME"],
    [["mcp", "--port", "1"], "--port goes with --http"],
    [["mcp", "--memory", "--redis", "redis://h"], "--memory is instead of a server, and excludes --redis"],
    [["mcp", "--memory", "--state", "/dev/null"], "--state cannot be used: "],
  ])("refuses %j (52.2)", async (args, said) => {
    expect(await command(args, { env })).toMatchObject({ code: 2, out: "", err: expect.stringContaining(said) });
  });
});
