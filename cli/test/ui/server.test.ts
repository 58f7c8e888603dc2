import { describe, expect, it } from "vitest";
import { runCron } from "../../../src/cron/index.ts";
import { createLocks } from "../../../src/index.ts";
import { startWorld } from "../../../test/faults/world.ts";
import { startStack } from "../../../test/support/stack.ts";
import { pause, useStack } from "../../../test/support/use-stack.ts";
import { INTERVALS_PER_HURRY, MAX_HURRIES } from "../../src/ui/pace.ts";
import { startUi } from "../../src/ui/server.ts";
import { openStream, post, send, setUp, useOwnStack } from "./support.ts";

const stack = useStack();

describe.concurrent("the server of the page", () => {
  it("gives nothing to a foreign origin, under a foreign name, and without the token", async () => {
    await using setting = await setUp(stack);
    const { url } = setting.ui;
    const { origin, host } = new URL(url);
    const token = new URL(url).pathname.slice(1, -1);
    expect(token.length).toBeGreaterThanOrEqual(32);
    const [here, elsewhere] = [{ origin }, { origin: "https://example.com" }];
    const refused: readonly (readonly [url: string, options: Parameters<typeof send>[1]])[] = [
      [`${origin}/`, {}],
      [`${origin}/events`, {}],
      [`${origin}/page.js`, {}],
      [`${origin}/${"A".repeat(token.length)}/`, {}],
      [`${origin}/${token}x/`, {}],
      [`${origin}//${token}/`, {}],
      [`${url}events/more`, {}],
      [`${url}..%2fevents`, {}],
      [`${url}constructor`, {}],
      ...["", "events", "page.js"].flatMap((path) => [
        [`${url}${path}`, { headers: elsewhere }] as const,
        [`${url}${path}`, { headers: { origin: "null" } }] as const,
        [`${url}${path}`, { headers: { origin: "http://127.0.0.1:1" } }] as const,
        [`${url}${path}`, { headers: { host: "example.com" } }] as const,
        [`${url}${path}`, { headers: { host: `127.0.0.1.example.com:80` } }] as const,
        [`${url}${path}`, { headers: { "sec-fetch-site": "cross-site" } }] as const,
        [`${url}${path}`, { headers: { "sec-fetch-site": "same-site" } }] as const,
        [`${url}${path}`, { method: "POST", headers: here, body: "{}" }] as const,
        [`${url}${path}`, { method: "DELETE", headers: here }] as const,
      ]),
      ...["look", "release", "diagnose"].flatMap((path) => [
        [`${url}${path}`, { method: "POST", body: "{}" }] as const,
        [`${url}${path}`, { method: "POST", headers: elsewhere, body: "{}" }] as const,
        [`${origin}/${path}`, { method: "POST", headers: here, body: "{}" }] as const,
        [`${url}${path}`, { method: "POST", headers: { origin: "http://example.com", host: "example.com" } }] as const,
        [`${url}${path}`, { method: "POST", headers: { ...here, "sec-fetch-site": "cross-site" } }] as const,
      ]),
    ];
    for (const [to, options] of refused) {
      const { status, body } = await send(to, options);
      expect([403, 404, 405], `${options?.method ?? "GET"} ${to} ${JSON.stringify(options?.headers)}`).toContain(
        status,
      );
      expect(body).toBe("");
    }
    // The same doors, opened as the page does it; behind a tunnel the port is another.
    for (const headers of [{}, here, { host }, { host: "localhost:8000" }])
      expect(await send(url, { headers })).toMatchObject({ status: 200, body: "<p>page</p>" });
    expect(await send(url.slice(0, -1))).toMatchObject({ status: 308, headers: { location: `/${token}/` } });
    expect(setting.sentAt).toEqual([]);
  });

  it("sends every answer with headers that let nothing in and nothing out", async () => {
    await using setting = await setUp(stack);
    const { url } = setting.ui;
    for (const path of ["", "style.css", "nothing", "../"]) {
      const { headers } = await send(`${url}${path}`);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      });
      const policy = `${headers["content-security-policy"]}`;
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"])
        expect(policy).toContain(part);
      expect(policy).not.toContain("unsafe");
    }
  });

  it("tells of names as they come, change and go", async () => {
    await using setting = await setUp(stack);
    const { locks, ui } = setting;
    await locks.group("tenants").lock("first").acquire({ label: "nightly" });
    const page = await openStream(ui.url);
    const { rows } = await page.until("rows", (message) => message.rows.length > 0);
    expect(rows).toMatchObject([{ name: "first", group: "tenants", kind: "lock", held: true, label: "nightly" }]);
    const second = await locks.lock("second").acquire();
    await page.until("rows", (message) => message.rows.some(({ name, held }) => name === "second" && held));
    await second.release();
    await page.until("rows", (message) => message.rows.some(({ name, held }) => name === "second" && !held));
    await stack.redis.command("DEL", `${setting.prefix}{second}`);
    await page.until("rows", ({ gone }) => gone.some((id) => id.includes("second")));
    // Another page gets all at once.
    const other = await openStream(ui.url);
    expect((await other.until("rows")).rows.map(({ name }) => name)).toEqual(["first"]);
    page.close();
    other.close();
  });

  it("reports a record that cannot be read with the others, and continues (E24)", async () => {
    await using setting = await setUp(stack);
    const { locks, ui, prefix } = setting;
    await locks.lock("ours").acquire({ label: "nightly" });
    await stack.redis.command("HSET", `${prefix}{typed}`, "a", "1");
    await stack.redis.command("SET", `${prefix}{cut}`, "once 1 17 8999999999999999   ");
    await stack.redis.command("SET", `${prefix}{ours}%fence`, "fence 1 17 0 9 cut");
    const page = await openStream(ui.url);
    const seen = new Set<string>();
    await page.until("rows", ({ rows }) => {
      for (const { name, kind, state } of rows) seen.add(`${name}: ${kind}, ${state}`);
      return seen.size >= 4;
    });
    expect([...seen].sort()).toEqual([
      "cut: once/1, unreadable",
      "ours: fence/1, unreadable",
      "ours: lock, held",
      "typed: foreign, unreadable",
    ]);
    const { problem } = await page.until("status", ({ lastRound }) => lastRound !== undefined);
    expect(problem).toBeUndefined();
    await page.look({ name: { name: "cut" } });
    const { entry } = await page.until("name", (message) => message.entry?.name === "cut");
    expect(entry).toMatchObject({ state: "unreadable", unreadable: expect.stringContaining("damaged") });
    await page.look({ name: { name: "ours", isFence: true } });
    const fence = await page.until("name", (message) => message.entry?.kind === "fence/1");
    expect(fence.entry).toMatchObject({ state: "unreadable", unreadable: expect.stringContaining("damaged") });
    page.close();
  });

  it("sends one request at a time and hardly more than one per interval for all pages, and none while no page is open", async () => {
    const intervalMs = 30;
    await using setting = await setUp(stack, { intervalMs });
    const { locks, ui, sentAt } = setting;
    for (const name of ["a", "b", "c"]) await locks.lock(name).acquire();
    await pause(3 * intervalMs);
    expect(sentAt).toEqual([]);
    const pages = await Promise.all(["a", "b", "c"].map(() => openStream(ui.url)));
    for (const [n, page] of pages.entries()) {
      const name = "abc"[n] as string;
      await page.look({ name: { name } });
      await page.until("name", ({ entry }) => entry?.name === name && entry.holders?.length === 1);
    }
    const { pages: count } = await (pages[0] as (typeof pages)[0]).until("status", ({ requests }) => requests >= 30);
    expect(count).toBe(3);
    const elapsed = (sentAt.at(-1) ?? 0) - (sentAt[0] ?? 0);
    expect(sentAt.length).toBeGreaterThanOrEqual(30);
    expect(sentAt.length).toBeLessThanOrEqual((elapsed / intervalMs) * (1 + 1 / INTERVALS_PER_HURRY) + 2 + MAX_HURRIES);
    for (const page of pages) page.close();
    await pause(2 * intervalMs);
    const before = sentAt.length;
    await pause(5 * intervalMs);
    expect(sentAt.length - before).toBeLessThanOrEqual(1);
  });

  it("counts its requests and commands", async () => {
    await using setting = await setUp(stack);
    for (const name of ["a", "b"]) await setting.locks.lock(name).acquire();
    const page = await openStream(setting.ui.url);
    const status = await page.until("status", ({ lastRound }) => lastRound !== undefined);
    expect(status.lastRound).toMatchObject({ names: 2 });
    // The script, a page of names (on a server that others use, too), and the names.
    expect(status.requests).toBeLessThanOrEqual(setting.sentAt.length);
    expect(status.commands).toBeGreaterThanOrEqual(4);
    page.close();
  });

  it("counts the commands that Redis counts, those in scripts included", async () => {
    await using redis = await useOwnStack();
    await using setting = await setUp(redis.stack);
    const { locks, ui, prefix } = setting;
    await locks.lock("plain").acquire({ lease: "5m" });
    await (await locks.lock("free").acquire()).release();
    await locks.fairLock("queue").acquire({ lease: "5m" });
    const now = Date.now() * 1000;
    // A waiter that does not poll meanwhile.
    const waiter = `${"0".repeat(36)}@worker`;
    const member = [`${-(now + 300e6)}`, `w${waiter}`, `${4.5e15 + now}`, `p${waiter}`];
    await redis.stack.redis.command("ZADD", `${prefix}{queue}%crowd`, ...member);
    await locks.readWriteLock("pages").read.acquire({ lease: "5m", label: "reader" });
    await locks.semaphore("pool", { permits: 3 }).acquire({ lease: "5m" });
    const before = await redis.commands();
    const page = await openStream(ui.url);
    await page.look({ name: { name: "pool" } });
    await page.until("name", ({ entry }) => entry?.holders?.length === 1);
    await page.until("status", ({ requests }) => requests >= 10);
    await page.look({ name: { name: "queue" } });
    await page.until("name", ({ entry }) => entry?.waiting?.[0]?.label === "worker");
    await page.until("status", ({ requests }) => requests >= 30);
    page.close();
    await pause(200);
    const counted = (await redis.commands()) - before;
    const last = await openStream(ui.url);
    const { commands } = await last.until("status");
    last.close();
    // The last status was before the last requests.
    expect(commands / counted).toBeGreaterThan(0.9);
    expect(commands / counted).toBeLessThan(1.1);
  });

  it("takes as many commands a second for 1 000 names that do not change as for one", async () => {
    await using redis = await useOwnStack();
    const rates: number[] = [];
    for (const names of [1, 1000]) {
      await using setting = await setUp(redis.stack);
      const { locks, ui, prefix } = setting;
      await locks.lock("name 0").acquire({ lease: "10m" });
      const copies =
        "for n = 1, ARGV[1] do redis.call('SET', KEYS[1] .. n .. '}', redis.call('GET', KEYS[1] .. '0}'), 'PX', 600000) end";
      await redis.stack.redis.command("EVAL", copies, "1", `${prefix}{name `, `${names - 1}`);
      const page = await openStream(ui.url);
      await page.until("status", ({ lastRound }) => lastRound?.names === names);
      const [before, sent] = [await redis.commands(), setting.sentAt.length];
      await page.until("status", () => setting.sentAt.length >= sent + 12);
      rates.push(((await redis.commands()) - before) / (setting.sentAt.length - sent));
      page.close();
    }
    // SCAN, the script, TIME and MGET; the database has the names of both.
    for (const rate of rates) expect(rate).toBeLessThanOrEqual(5);
  });

  it("names who waits for a plain lock where the server holds requests, in no more requests or commands", async () => {
    const holding = await startStack({ holds: true });
    await using setting = await setUp(holding, { intervalMs: 100 });
    const { locks, ui, sentAt } = setting;
    const first = await locks.lock("busy").acquire({ lease: "5m" });
    const waiter = locks.lock("busy").acquire({ wait: "1m", label: "nightly" });
    const page = await openStream(ui.url);
    await page.until("rows", ({ rows }) => rows.some(({ name, waiters }) => name === "busy" && waiters === 1));
    await page.look({ name: { name: "busy" } });
    const { isHolding } = await page.until("name", ({ entry }) => entry?.waiting?.[0]?.label === "nightly");
    expect(isHolding).toBe(true);
    const began = performance.now();
    const { commands, requests } = await page.until("status");
    const later = await page.until("status", (status) => status.requests >= requests + 10);
    // SCAN, and two scripts with TIME and MGET each.
    expect((later.commands - commands) / (later.requests - requests)).toBeLessThanOrEqual(7);
    const expected = (performance.now() - began) / 100;
    expect(sentAt.filter((at) => at > began).length).toBeLessThanOrEqual(expected * 1.3 + MAX_HURRIES);
    await first.release();
    await (await waiter).release();
    await page.until("rows", ({ rows }) => rows.some(({ name, waiters }) => name === "busy" && !waiters));
    await page.until("name", ({ history }) => history.waiters.at(-1)?.count === 0);
    page.close();
    await holding.stop();
  });

  it("reads a name at once that is exactly what somebody types, with its group in front or not", async () => {
    await using setting = await setUp(stack, { intervalMs: 3000 });
    const { locks, ui } = setting;
    const page = await openStream(ui.url);
    await page.until("status", ({ lastRound }) => lastRound !== undefined);
    for (const [typed, group, name] of [
      ["typed", undefined, "typed"],
      ["tenants/a/b", "tenants", "a/b"],
    ] as const) {
      await (group === undefined ? locks : locks.group(group)).lock(name).acquire({ label: "just now" });
      const began = performance.now();
      await page.look({ search: typed });
      await page.until("rows", ({ rows }) => rows.some((row) => row.name === name && row.group === group));
      // Sooner than the next round.
      expect(performance.now() - began).toBeLessThan(2000);
    }
    page.close();
  });

  it("shows what is held in its first answer, without a wait for the next interval", async () => {
    await using setting = await setUp(stack, { intervalMs: 20_000 });
    await setting.locks.lock("first").acquire();
    const page = await openStream(setting.ui.url);
    await page.until("rows", ({ rows }) => rows.some(({ name }) => name === "first"));
    page.close();
  });

  it("releases the permits of one holder, and remembers that it was done here", async () => {
    await using setting = await setUp(stack, { allowRelease: true });
    const { locks, ui } = setting;
    const pool = locks.semaphore("pool");
    await pool.setPermits(4);
    const [one, other] = [await pool.acquire({ label: "a" }), await pool.acquire({ permits: 2, label: "b" })];
    const page = await openStream(ui.url);
    await page.look({ name: { name: "pool" } });
    await page.until("name", ({ entry }) => entry?.holders?.length === 2);
    const answer = await post(ui.url, "release", { name: "pool", token: one.token, isOne: true });
    expect(JSON.parse(answer.body)).toMatchObject({ outcome: "released" });
    const { history } = await page.until("name", ({ entry }) => entry?.holders?.length === 1);
    const ends = history.tenures.map(({ label, ended }) => [label, ended]);
    expect(ends).toEqual(
      expect.arrayContaining([
        ["a", "here"],
        ["b", undefined],
      ]),
    );
    expect([await one.verify(), await other.verify()]).toEqual([false, true]);
    page.close();
  });

  it("does not release unless it was started so", async () => {
    await using setting = await setUp(stack);
    const { locks, ui } = setting;
    const lease = await locks.lock("kept").acquire();
    const wanted = { name: "kept", token: lease.token };
    expect(await post(ui.url, "release", wanted)).toMatchObject({ status: 403, body: "" });
    expect(await lease.verify()).toBe(true);
  });

  it("refuses what no page would send", async () => {
    await using setting = await setUp(stack);
    const { url } = setting.ui;
    const page = await openStream(url);
    const { stream } = await page.until("hello");
    for (const body of ["", "null", "[", '"x"', { stream: 1 }, { stream, name: 1 }, { stream, name: { name: "" } }])
      expect((await post(url, "look", body)).status).toBe(400);
    expect((await post(url, "look", { stream, name: { name: "x".repeat(600) } })).status).toBe(400);
    expect((await post(url, "look", { stream: "another" })).status).toBe(410);
    const long = JSON.stringify({ stream, name: { name: "x" }, more: "x".repeat(10_000) });
    expect((await post(url, "look", long)).status).toBe(400);
    expect((await page.look({ name: { name: "x" } })).status).toBe(204);
    page.close();
  });

  it("tells the last run of each job", async () => {
    await using setting = await setUp(stack);
    const { locks, ui } = setting;
    await runCron({ locks, name: "export", slot: "monday" }, async () => {});
    await runCron({ locks, name: "mail", slot: "monday" }, () => Promise.reject(new Error("SMTP 421"))).catch(
      () => undefined,
    );
    const page = await openStream(ui.url);
    const { jobs } = await page.until("runs");
    expect([...jobs].sort((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
      { name: "export", slot: "monday", outcome: "ran" },
      { name: "mail", slot: "monday", outcome: "failed", error: "Error: SMTP 421" },
    ]);
    page.close();
  });

  it("says when Redis does not answer, and continues when it does", async () => {
    await using world = await startWorld(stack);
    const away = createLocks({ url: "http://127.0.0.1:9", token: stack.token, requestTimeout: "500ms" });
    const ui = await startUi(away, { files: {} as never, intervalMs: 40 });
    const page = await openStream(ui.url);
    const { problem } = await page.until("status", (status) => status.problem !== undefined);
    expect(problem).toMatchObject({ code: "unreachable" });
    expect(JSON.stringify(problem)).not.toContain(stack.token);
    page.close();
    await ui.close();
    const locks = world.client();
    await locks.lock("back").acquire();
    const served = await startUi(locks, { files: {} as never, intervalMs: 40 });
    const end = world.proxy.always(
      () => true,
      ({ answer }) => answer({ status: 503, headers: {}, body: "" }),
    );
    const other = await openStream(served.url);
    await other.until("status", (status) => status.problem !== undefined);
    end();
    await other.until("rows", ({ rows }) => rows.some(({ name }) => name === "back"));
    await other.until("status", (status) => status.lastRound !== undefined && status.problem === undefined);
    other.close();
    await served.close();
  });
});
