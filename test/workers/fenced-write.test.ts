import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const LEASE = "1s";
const stack = useStack();
let renderer: Upstream;
let worker: ExampleWorker;
let locks: Locks;
beforeAll(async () => {
  renderer = await startUpstream();
  const vars = { RENDERER_URL: renderer.url, LEASE };
  worker = await startWorker("fenced-write", stack, { vars, database: "DB" });
  locks = createLocks({ url: stack.url, token: stack.token });
});
afterAll(async () => {
  await worker?.stop();
  await renderer?.stop();
});

const render = (id: string): Promise<Response> => worker.fetch(`/invoices/${id}`, { method: "POST" });
const download = async (id: string): Promise<[number, string]> => {
  const response = await worker.fetch(`/invoices/${id}`);
  return [response.status, await response.text()];
};
const rowOf = async (id: string) =>
  (await worker.mf.getD1Database("DB")).prepare("SELECT bytes FROM invoices WHERE id = ?").bind(id).first("bytes");

describe.concurrent("an invoice", () => {
  it("is rendered, and read as it was", async () => {
    renderer.reply("/1", "the first version");
    expect(await download("1")).toEqual([404, "not rendered yet\n"]);
    const rendered = await render("1");
    expect(await rendered.json()).toEqual({ id: "1", bytes: 17, token: expect.any(Number) });
    expect(await download("1")).toEqual([200, "the first version"]);
    expect(await rowOf("1")).toBe(17);
  });

  it("a holder that comes back after its lease cannot overwrite what a later one wrote", async () => {
    const held = renderer.hold("/2");
    const frozen = render("2");
    await held.arrived;
    renderer.reply("/2", "the newer version");
    // It waits until the lease of the first has run out, and not longer.
    expect((await render("2")).status).toBe(200);
    held.answer("the old one");
    const refused = await frozen;
    expect([refused.status, await refused.text()]).toEqual([409, "a later holder was here\n"]);
    expect(await download("2")).toEqual([200, "the newer version"]);
    expect(await rowOf("2")).toBe("the newer version".length);
  });

  it("nor while the later one has only claimed it", async () => {
    renderer.reply("/3", "as it was");
    expect((await render("3")).status).toBe(200);
    const first = renderer.hold("/3");
    const frozen = render("3");
    await first.arrived;
    const second = renderer.hold("/3");
    const later = render("3");
    await second.arrived;
    first.answer("the old one");
    expect((await frozen).status).toBe(409);
    expect(await download("3")).toEqual([200, "as it was"]);
    second.answer("the newer version");
    expect((await later).status).toBe(200);
    expect(await download("3")).toEqual([200, "the newer version"]);
  });

  it("D1 refuses for itself, where the later holder has come no further", async () => {
    renderer.reply("/7", "as it was");
    expect((await render("7")).status).toBe(200);
    const held = renderer.hold("/7");
    const frozen = render("7");
    await held.arrived;
    const claim = "UPDATE leasehold_fence SET token = token + 1 WHERE name = 'invoice:7'";
    await (await worker.mf.getD1Database("DB")).prepare(claim).run();
    held.answer("the old one, and longer");
    expect((await frozen).status).toBe(409);
    expect(await rowOf("7")).toBe("as it was".length);
  });

  it("a late holder that nobody has overtaken may write", async () => {
    const held = renderer.hold("/4");
    const late = render("4");
    await held.arrived;
    while ((await locks.lock("invoice:4").inspect()).state !== "free") await pause(50);
    held.answer("late");
    expect((await late).status).toBe(200);
    expect(await download("4")).toEqual([200, "late"]);
  });

  it("gives the lock back, also when the renderer fails", async () => {
    renderer.reply("/5", "no", 500);
    expect((await render("5")).status).toBe(502);
    expect(await locks.lock("invoice:5").inspect()).toMatchObject({ state: "free" });
  });

  it("tells who waited in vain when to come back", async () => {
    const lease = await locks.lock("invoice:6").acquire({ lease: "60s" });
    const refused = await render("6");
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(10);
    await lease.release();
  });
});
