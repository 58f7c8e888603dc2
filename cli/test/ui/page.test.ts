import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cronRoute, runCron } from "../../../src/cron/index.ts";
import { axeFindings, preferScheme } from "../../../test/support/axe.ts";
import { type Browser, browser, type Page, startBrowser } from "../../../test/support/browser.ts";
import { pause, useStack } from "../../../test/support/use-stack.ts";
import { buildUiPage } from "../../../tools/ui-page.ts";
import { examine } from "../../src/operations/doctor/examine.ts";
import type { Ui } from "../../src/ui/server.ts";
import { type Setting, setUp } from "./support.ts";

const LARGEST_BYTES = 60_000;
const MANY = 10_000;
const MAX_ROWS = 80;
/** How much longer the first paint may take with many names than with one. Measured: 1 to 1.5. */
const SLOWER = 6;
const READY = "document.body?.dataset.ready === 'true'";
const files = await buildUiPage();
const stack = useStack();

const text = (id: string): string => `document.getElementById("${id}").innerText`;
const rows = `[...document.querySelectorAll("#grid .space .row")]`;

it("the page is smaller than 60 kB, asks no other host, and has no script within it", () => {
  const bytes = Object.values(files).reduce((sum, file) => sum + new TextEncoder().encode(file).length, 0);
  expect(bytes).toBeLessThan(LARGEST_BYTES);
  expect(`${files["index.html"]}${files["style.css"]}`).not.toMatch(
    /https?:\/\/|@import|url\(|<script>|\son\w+=|style=/,
  );
});

// A machine without a browser leaves these out; CI has to have one.
describe.runIf(browser || process.env["CI"])("the page of leasehold ui in Chromium", () => {
  let chromium: Browser;
  let page: Page;
  const settings: Setting[] = [];
  beforeAll(async () => {
    chromium = startBrowser();
    page = await chromium.page();
  });
  afterAll(async () => {
    await page?.send("Page.navigate", { url: "about:blank" });
    for (const setting of settings) await setting[Symbol.asyncDispose]();
    await chromium?.close();
  });

  async function serve(options: Parameters<typeof setUp>[1] = {}): Promise<Setting> {
    const setting = await setUp(stack, { files, ...options });
    settings.push(setting);
    return setting;
  }
  const open = (ui: Ui, hash = ""): Promise<void> => page.open(`${ui.url}#${hash}`, READY);

  it("shows who holds a contended lock, who waits, and the hand-over", async () => {
    const { ui, locks } = await serve();
    const invoice = locks.fairLock("invoice:42");
    const first = await invoice.acquire({ label: "web-1" });
    const next = invoice.acquire({ label: "web-2", wait: "20s" });
    await open(ui, "name=invoice:42");
    await page.until(`${text("name")}.includes("Held by web-1") && ${text("name")}.includes("1 waiter.")`);
    expect(await page.evaluate(`document.querySelector("#name svg").getAttribute("aria-label")`)).toContain(
      "1 tenure was seen, of which 0 expired; at most 1 caller waited",
    );
    await page.until(`${rows}.some((row) => row.innerText.includes("invoice:42"))`);
    await first.release();
    const second = await next;
    await page.until(`${text("name")}.includes("Held by web-2")`);
    await page.until(`document.querySelectorAll("#name svg .bar").length === 2`);
    const table = await page.evaluate<string>(`document.querySelector("#name table").innerText`);
    expect(table).toContain(`${second.token}`);
    expect(table).toContain(`${first.token}`);
    expect(table).toContain("released or forced out");
    // Those who listen are told of the change, once.
    await page.until(`${text("said")}.includes("held by web-2 under token ${second.token}")`);
    expect(await page.evaluate(`document.getElementById("release").hidden`)).toBe(true);
  });

  it("says that nothing is held, and how many names are remembered (54.9)", async () => {
    const { ui, locks } = await serve();
    await (await locks.lock("done").acquire()).release();
    await open(ui);
    await page.until(`${text("grid")}.includes("Nothing is held; 1 name is remembered.")`);
    await page.until(`${text("fresh")}.startsWith("1 name in all. It was read within")`);
    await (await locks.lock("done too").acquire()).release();
    await page.until(`${text("grid")}.includes("Nothing is held; 2 names are remembered.")`);
    await page.evaluate(
      `(() => { const search = document.getElementById("search"); search.value = "another";
        search.dispatchEvent(new Event("input", { bubbles: true })); })()`,
    );
    await page.until(`${text("grid")}.includes("No name matches the filter.")`);
  });

  it("shortens long names in their middle, at 1366 and 390 px (54.9)", async () => {
    const { ui, locks } = await serve();
    const long = `invoices of the year 2026 ${"and so on ".repeat(20)}`;
    await locks.lock(`${long}:first`).acquire({ lease: "10m" });
    await locks.group("a group with a name that is long enough").lock(`${long}:second`).acquire({ lease: "10m" });
    for (const width of [1366, 390]) {
      await page.resize(width, 800);
      await open(ui);
      await page.until(`${rows}.length === 2`);
      const ends = `${rows}.map((row) => {
        const [cell, end] = [row.querySelector(".name").getBoundingClientRect(), row.querySelector(".end").getBoundingClientRect()];
        const start = row.querySelector(".start");
        return [row.querySelector(".end").textContent.slice(-6), end.right <= cell.right + 1, start.scrollWidth > start.clientWidth, row.querySelector(".name").getAttribute("aria-label").length > 200];
      })`;
      expect((await page.evaluate<unknown[][]>(ends)).sort()).toEqual([
        [":first", true, true, true],
        ["second", true, true, true],
      ]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    }
    await page.resize(1366, 800);
  });

  it("releases what it showed, by the keyboard alone, and nothing else", async () => {
    const { ui, locks } = await serve({ allowRelease: true });
    const lease = await locks.lock("stuck").acquire({ lease: "10m", label: "build 1" });
    const other = await locks.lock("other").acquire({ lease: "10m" });
    await open(ui);
    await page.evaluate(`document.getElementById("search").value = "stu"`);
    await page.evaluate(`document.getElementById("search").dispatchEvent(new Event("input", { bubbles: true }))`);
    await page.until(`${rows}.length === 1`);
    await page.evaluate(`document.getElementById("grid").focus()`);
    await page.press("ArrowDown");
    await page.press("Enter");
    await page.until(`document.activeElement.id === "name-title"`);
    await page.until(`!document.getElementById("release").hidden`);
    await page.evaluate(`document.getElementById("release").focus()`);
    await page.press("Enter");
    await page.until(`document.getElementById("confirm").open`);
    const asked = await page.evaluate<string>(text("confirm"));
    expect(asked).toContain(`Token ${lease.token}`);
    expect(asked).toContain("Held by build 1");
    // The key that is pressed by accident cancels.
    expect(await page.evaluate("document.activeElement.id")).toBe("cancel");
    await page.press("Enter");
    await page.until(`!document.getElementById("confirm").open`);
    expect(await lease.verify()).toBe(true);
    await page.evaluate(`document.getElementById("release").click()`);
    await page.evaluate(`document.getElementById("really").focus()`);
    await page.press("Enter");
    await page.until(`${text("said")} === "Released: token ${lease.token} no longer holds it."`);
    expect(await lease.verify()).toBe(false);
    expect(await other.verify()).toBe(true);
    await page.press("Escape");
    await page.until(`document.activeElement.id === "grid" && document.getElementById("name").hidden`);
  });

  it("says when it released a name, and releases the permits of one holder of a semaphore", async () => {
    const { ui, locks } = await serve({ allowRelease: true });
    const pool = locks.semaphore("pool");
    await pool.setPermits(4);
    const one = await pool.acquire({ label: "a", lease: "10m" });
    const other = await pool.acquire({ permits: 2, label: "b", lease: "10m" });
    await open(ui, "name=pool");
    await page.until(`${text("name")}.includes("3 of 4 permits are in use")`);
    const button = `document.querySelector('[aria-label="Release the permits of token ${one.token}"]')`;
    await page.until(`${button} !== null`);
    await page.evaluate(`${button}.click()`);
    expect(await page.evaluate(text("confirm"))).toContain("1 permit, held by a. The other holders keep theirs.");
    await page.evaluate(`document.getElementById("really").click()`);
    await page.until(`${text("name")}.includes("2 of 4 permits are in use")`);
    await page.until(`/was released here at \\d\\d:\\d\\d:\\d\\d/.test(${text("name")})`);
    expect([await one.verify(), await other.verify()]).toEqual([false, true]);
  });

  it("keeps the focus on the button of one holder while the times change", async () => {
    const { ui, locks } = await serve({ allowRelease: true });
    const pool = locks.semaphore("kept", { permits: 4 });
    const { token } = await pool.acquire({ lease: "10m" });
    await pool.acquire({ lease: "10m" });
    await open(ui, "name=kept");
    const button = `document.querySelector('[aria-label="Release the permits of token ${token}"]')`;
    await page.until(`${button} !== null`);
    await page.evaluate(`${button}.focus()`);
    const times = `document.querySelector("#name tbody").innerText`;
    const before = await page.evaluate<string>(times);
    await page.until(`${times} !== ${JSON.stringify(before)}`);
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe(`Release the permits of token ${token}`);
    await page.press("Enter");
    await page.until(`document.getElementById("confirm").open`);
    expect(await page.evaluate(text("confirm"))).toContain(`Token ${token}`);
    await page.evaluate(`document.getElementById("cancel").click()`);
  });

  it("says how long a job has been running, second by second", async () => {
    const { ui, locks } = await serve();
    let end = (): void => {};
    const work = () =>
      new Promise<void>((resolve) => {
        end = resolve;
      });
    const job = runCron({ locks, name: "reindex", slot: "monday" }, work);
    await open(ui, "view=runs");
    await page.until(`/\\d+ s so far/.test(${text("view-runs")})`);
    const before = await page.evaluate<string>(`/\\d+ s so far/.exec(${text("view-runs")})[0]`);
    await page.evaluate(`document.querySelector("#view-runs .link").focus()`);
    await page.until(`!${text("view-runs")}.includes(${JSON.stringify(before)})`);
    expect(await page.evaluate("document.activeElement.innerText")).toBe("reindex");
    end();
    await job;
  });

  it("counts what is held, waiting, suspicious and failed, and shows the names of each", async () => {
    const { ui, locks, prefix } = await serve();
    const caller = new AbortController();
    const busy = locks.fairLock("busy");
    await busy.acquire({ lease: "5m" });
    const waiting = Array.from({ length: 5 }, () =>
      busy.acquire({ wait: "5m", signal: caller.signal }).catch(() => undefined),
    );
    await locks.lock("quiet").acquire({ lease: "1m" });
    // Taken two minutes ago for an hour, by somebody who has not come back since.
    const old = Date.now() * 1000 - 120e6;
    const record = `lock 1 ${old} ${old + 3600e6}  ${"a".repeat(36)}:${old + 3600e6}, ${" "} 0 0`;
    await stack.redis.command("SET", `${prefix}{stuck}`, record);
    await locks
      .once("charge")
      .run(() => Promise.reject(new Error("no")))
      .catch(() => undefined);
    await open(ui);
    await page.resize(1400);
    const numbers = `[...document.querySelectorAll("#strip button")].map((button) => button.innerText).join()`;
    await page.until(`${numbers} === "3 held,5 waiting,2 suspicious,1 failed"`);
    const namesOf = async (group: string): Promise<string> => {
      await page.evaluate(`document.querySelector('[data-group="${group}"]').click()`);
      const found = await page.evaluate<string>(
        `${rows}.map((row) => row.querySelector(".own").innerText).sort().join()`,
      );
      await page.evaluate(`document.querySelector('[data-group="${group}"]').click()`);
      return found;
    };
    expect(await namesOf("waiting")).toBe("busy");
    expect(await namesOf("suspicious")).toBe("busy,stuck");
    expect(await namesOf("failed")).toBe("charge");
    expect(await page.evaluate(text("grid"))).toContain("not extended · held");
    caller.abort();
    await Promise.all(waiting);
  });

  it("sorts by the heads of its columns, forwards and backwards", async () => {
    const { ui, locks } = await serve();
    for (const [name, lease] of [
      ["b", "3m"],
      ["a", "9m"],
      ["c", "6m"],
    ] as const)
      await locks.lock(name).acquire({ lease });
    await open(ui);
    await page.resize(1400);
    await page.until(`${rows}.length === 3`);
    const names = `${rows}.sort((a, b) => a.ariaRowIndex - b.ariaRowIndex).map((row) => row.querySelector(".own").innerText).join("")`;
    const press = (head: string): Promise<unknown> =>
      page.evaluate(`document.querySelector(".head .${head} button").click()`);
    const order: unknown[] = [];
    for (const head of ["name", "name", "left", "left"]) {
      await press(head);
      order.push(await page.evaluate(names));
    }
    expect(order).toEqual(["abc", "cba", "bca", "acb"]);
    expect(await page.evaluate(`document.querySelector(".head .left").ariaSort`)).toBe("descending");
  });

  it("shows holder, label and waiters also at 360 pixels", async () => {
    const { ui, locks } = await serve();
    const caller = new AbortController();
    const busy = locks.fairLock("invoice:42");
    await busy.acquire({ lease: "5m", label: "web-1" });
    const waiting = busy.acquire({ wait: "5m", signal: caller.signal }).catch(() => undefined);
    await open(ui);
    await page.resize(360);
    await page.until(`${rows}[0]?.innerText.includes("1")`);
    for (const part of ["name", "holder", "waiting", "left", "state"]) {
      const box = `${rows}[0].querySelector(".${part}").getBoundingClientRect()`;
      expect(await page.evaluate<number>(`${box}.width * ${box}.height`), part).toBeGreaterThan(0);
    }
    await page.resize(1400);
    caller.abort();
    await waiting;
  });

  it("leaves a tenure alone that began after the one it showed", async () => {
    const { ui, locks } = await serve({ allowRelease: true });
    const shown = await locks.lock("moving").acquire();
    await open(ui, "name=moving");
    await page.until(`!document.getElementById("release").hidden`);
    await page.evaluate(`document.getElementById("release").click()`);
    await shown.release();
    const later = await locks.lock("moving").acquire();
    await page.evaluate(`document.getElementById("really").click()`);
    await page.until(`${text("said")}.startsWith("Nothing was released: another tenure has it")`);
    expect(await later.verify()).toBe(true);
  });

  it("shows a record that cannot be read, and why, next to the others (E24)", async () => {
    const { ui, locks, prefix } = await serve();
    await locks.lock("ours").acquire({ label: "nightly" });
    await stack.redis.command("SET", `${prefix}{cut}`, "once 1 17 8999999999999999   ");
    await open(ui, "name=cut");
    await page.until(`${rows}.length === 2`);
    await page.until(`${text("name")}.includes("Unreadable: its record is damaged")`);
    const shown = `${await page.evaluate<string>(text("grid"))}${await page.evaluate<string>(text("name"))}`;
    for (const part of ["once/1", "unreadable", "ours", "nightly"]) expect(shown).toContain(part);
  });

  it("takes names, labels and groups as text", async () => {
    const { ui, locks } = await serve();
    const script = `<script>document.title="hit"</script><img src=x onerror="document.title='hit'">`;
    await locks.group("<b>bold</b>").lock(script).acquire({ label: "<i>label</i>" });
    await locks.lock("invoice\u202efdp.exe").acquire({ label: "a\u0000b\u2066c" });
    await locks.lock("حساب 42").acquire();
    await page.resize(1400);
    await open(ui);
    await page.until(`${rows}.length === 3`);
    const shown = await page.evaluate<string>(text("grid"));
    for (const part of [
      script,
      "in <b>bold</b>",
      "<i>label</i>",
      "invoice\\u{202e}fdp.exe",
      "a\\u{0}b\\u{2066}c",
      "حساب 42",
    ])
      expect(shown).toContain(part);
    for (const row of [0, 1, 2]) await page.evaluate(`${rows}[${row}].click()`);
    await page.evaluate(
      `location.hash = new URLSearchParams({ name: ${JSON.stringify(script)}, group: "<b>bold</b>" })`,
    );
    await page.until(`${text("name")}.includes("Held by <i>label</i>")`);
    const made = `document.querySelectorAll("main script, main img, main b, main i:not(.mark), main [onerror]").length`;
    expect(await page.evaluate(made)).toBe(0);
    expect(await page.evaluate("document.title")).toBe("leasehold");
  });

  it("names those who wait, in the order of the queue, as text", async () => {
    const { ui, locks } = await serve();
    const fair = locks.fairLock("printer");
    await fair.acquire({ lease: "5m", label: "web-1" });
    const stop = new AbortController();
    const labels = ["nightly", "<img src=x>", "last"];
    const waits: Promise<unknown>[] = [];
    for (const label of labels) {
      waits.push(fair.acquire({ wait: "5m", label, signal: stop.signal }).catch(() => {}));
      while ((await fair.inspect()).waiters < waits.length) await pause(10);
    }
    await open(ui, "name=printer");
    const waiting = `[...document.querySelectorAll("#name table")].find((each) => each.caption.innerText === "Waiters")`;
    await page.until(`${waiting}?.tBodies[0].rows.length === 3`);
    const cells = `[...${waiting}.tBodies[0].rows].map((row) => row.cells[1].innerText)`;
    expect(await page.evaluate(cells)).toEqual(labels);
    stop.abort();
    await Promise.all(waits);
    await page.until(`${waiting} === undefined`);
  });

  it("shows semaphores with their holders, jobs, and deliveries", async () => {
    const { ui, locks } = await serve();
    for (const permits of [1, 2]) await locks.semaphore("pdf", { permits: 4 }).acquire({ permits });
    for (const hour of ["01", "02", "03"])
      await runCron({ locks, name: "hourly", slot: `2026-11-22T${hour}:00:00Z` }, async () => {});
    const route = cronRoute({ locks, name: "clean up", secret: "of the route", every: "12h" }, () => {});
    await route(new Request("https://a.example/", { headers: { authorization: "Bearer of the route" } }));
    await runCron({ locks, name: "mail", slot: "a slot of its own, which is longer than a column" }, () =>
      Promise.reject(new Error("SMTP 421")),
    ).catch(() => undefined);
    await locks.once("cron-slot:6:export:monday").run(async () => "done");
    await locks.once(`github:${"A".repeat(43)}`).begin();
    await open(ui, "name=pdf");
    await page.until(`${text("name")}.includes("3 permits are in use")`);
    await page.until(`document.querySelectorAll("#name table tbody tr").length >= 2`);
    expect(await page.evaluate(text("name"))).toContain("2 permits");
    await page.evaluate(`document.getElementById("tab-runs").click()`);
    await page.until(`${text("view-runs")}.includes("monday")`);
    const runs = await page.evaluate<string>(text("view-runs"));
    expect(runs).toMatch(/export\s+monday\s+done\s+1/);
    await page.until(`${text("view-runs")}.includes("SMTP 421")`);
    const jobs = await page.evaluate<string>(text("view-runs"));
    expect(jobs).toContain("a slot of its own, which is longer than a column");
    expect(jobs).toMatch(/hourly[\s\S]*04:00:00[\s\S]*overdue/);
    const planned = await page.evaluate<string>(`document.querySelector("#view-runs [title^='By the job']").innerText`);
    expect(planned).toMatch(/00:00$/);
    const colour = `getComputedStyle(document.querySelector('#view-runs [data-outcome="failed"]')).color`;
    expect(await page.evaluate(colour)).toBe("rgb(185, 28, 28)");
    expect(runs).toMatch(/github\s+A{12}…\s+running\s+1/);
  });

  it("is not held up by 10 000 names", async () => {
    const { ui, locks, prefix } = await serve();
    const paint = `performance.getEntriesByName("first-contentful-paint")[0]?.startTime`;
    await locks.lock("name 0").acquire({ lease: "10m", label: "the same" });
    const paints: number[] = [];
    const measure = async (): Promise<void> => {
      await open(ui);
      await page.until(`${paint} !== undefined`);
      paints.push(await page.evaluate<number>(paint));
    };
    await measure();
    const copies =
      "for n = 1, ARGV[1] do redis.call('SET', KEYS[1] .. n .. '}', redis.call('GET', KEYS[1] .. '0}'), 'PX', 600000) end";
    await stack.redis.command("EVAL", copies, "1", `${prefix}{name `, `${MANY - 1}`);
    await page.until(`document.getElementById("fresh").innerText.startsWith("10,000 names in all")`);
    await measure();
    const [one = 0, many = 0] = paints;
    expect(many).toBeLessThan(SLOWER * one);
    await page.until(`document.getElementById("grid").getAttribute("aria-rowcount") === "${MANY + 1}"`);
    const count = await page.evaluate<number>("document.getElementsByTagName('*').length");
    expect(await page.evaluate<number>(`${rows}.length`)).toBeLessThan(MAX_ROWS);
    await page.evaluate(`document.getElementById("grid").focus()`);
    await page.press("End");
    await page.until(
      `${rows}.some((row) => row.dataset.active !== undefined && row.getAttribute("aria-rowindex") === "${MANY + 1}")`,
    );
    expect(await page.evaluate<number>(`${rows}.length`)).toBeLessThan(MAX_ROWS);
    expect(await page.evaluate<number>("document.getElementsByTagName('*').length")).toBeLessThan(count + 1000);
    await page.evaluate(`document.getElementById("search").value = "name 9999"`);
    await page.evaluate(`document.getElementById("search").dispatchEvent(new Event("input", { bubbles: true }))`);
    await page.until(`${rows}.length === 1`);
  });

  it("needs no sideways scroll from 360 to 1400 pixels, in no view", async () => {
    const { ui, locks } = await serve();
    await locks.lock("a name that is long enough to need more than one line on a phone ".repeat(3)).acquire();
    await locks.fairLock("x".repeat(200)).acquire({ label: "y".repeat(150) });
    await open(ui);
    for (const width of [360, 950, 1280, 1400]) {
      await page.resize(width);
      for (const hash of ["", `name=${"x".repeat(200)}`, "view=runs", "view=doctor"]) {
        await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
        if (hash.startsWith("name")) await page.until(`${text("name")}.includes("Held by")`);
        expect(await page.evaluate("document.documentElement.scrollWidth"), `${hash} at ${width}`).toBe(width);
        const wide = `[...document.querySelectorAll("main, #grid, .card")].filter((part) => part.scrollWidth > part.clientWidth).length`;
        expect(await page.evaluate(wide), `${hash} at ${width}`).toBe(0);
      }
    }
  });

  it("has a name for everything that can be used", async () => {
    const { ui, locks } = await serve({ allowRelease: true, diagnose: async () => {} });
    await locks.lock("one").acquire();
    await open(ui, "name=one");
    await page.until(`!document.getElementById("release").hidden`);
    const { nodes } = await page.send<{
      readonly nodes: readonly {
        readonly ignored: boolean;
        readonly role?: { readonly value: string };
        readonly name?: { readonly value: string };
      }[];
    }>("Accessibility.getFullAXTree");
    const used = nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name }) => ({ role: role?.value ?? "", name: name?.value ?? "" }))
      .filter(({ role }) =>
        /^(button|tab|tablist|tabpanel|searchbox|checkbox|combobox|radio|grid|image|img|region)$/.test(role),
      );
    expect(used.filter(({ name }) => name === "")).toEqual([]);
    const all = used.map(({ role, name }) => `${role} ${name}`);
    for (const one of ["tab Names", "tab Runs", "tab Doctor", "grid Names", "searchbox Search", "button Release …"])
      expect(all).toContain(one);
  });

  it.each([360, 768, 1400])("has no finding of axe at %d pixels in any view, light and dark", async (width) => {
    const { url, token } = stack;
    const { ui, locks } = await serve({
      allowRelease: true,
      diagnose: (how) => examine({ connection: locks.connection, address: url, rest: { url, token } }, how),
    });
    const caller = new AbortController();
    const busy = locks.fairLock("busy");
    await busy.acquire({ lease: "5m", label: "web-1" });
    const waiting = busy.acquire({ wait: "5m", signal: caller.signal }).catch(() => undefined);
    for (const permits of [1, 2]) await locks.semaphore("pdf", { permits: 4 }).acquire({ permits, label: "page" });
    for (const hour of ["01", "02", "03"])
      await runCron({ locks, name: "hourly", slot: `2026-11-22T${hour}:00:00Z` }, async () => {});
    const failed = () => Promise.reject(new Error("SMTP 421"));
    await runCron({ locks, name: "mail", slot: "monday" }, failed).catch(() => undefined);
    await open(ui);
    await page.resize(width);
    const shown = {
      "": "busy",
      "name=busy": "1 waiter.",
      "name=pdf": "in use",
      "view=runs": "SMTP 421",
      "view=doctor": "Check the server",
    };
    for (const [hash, words] of Object.entries(shown)) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.until(`document.body.innerText.includes(${JSON.stringify(words)})`);
      if (hash === "view=doctor") await page.evaluate(`document.getElementById("examine").click()`);
      if (hash === "view=doctor") await page.until(`document.querySelectorAll("#view-doctor tbody tr").length > 5`);
      for (const scheme of ["light", "dark"] as const) {
        await preferScheme(page, scheme);
        expect(await axeFindings(page, scheme), `${scheme}, ${hash}`).toEqual([]);
      }
    }
    // The question before a release lies above all else.
    await page.evaluate(`location.hash = "name=busy"`);
    await page.until(`${text("name")}.includes("Held by web-1")`);
    const release = `document.getElementById("release")`;
    await page.until(`${release}?.hidden === false && (${release}.click(), document.getElementById("confirm").open)`);
    for (const scheme of ["light", "dark"] as const) {
      await preferScheme(page, scheme);
      expect(await axeFindings(page, scheme), `${scheme}, the question`).toEqual([]);
    }
    await page.evaluate(`document.getElementById("cancel").click()`);
    await preferScheme(page, "light");
    await page.resize(1400);
    caller.abort();
    await waiting;
  });

  it("asks nothing while it is paused, and says so", async () => {
    const { ui, locks, sentAt } = await serve();
    await locks.lock("one").acquire();
    await open(ui);
    expect(await page.evaluate(text("cost"))).toMatch(
      /^1 request\/s, [\d,]+ billed commands\/s; [\d,]+ commands so far/,
    );
    await page.evaluate(`document.getElementById("pause").click()`);
    await page.until(`${text("cost")}.startsWith("Paused: no requests")`);
    await pause(200);
    const before = sentAt.length;
    await pause(300);
    expect(sentAt.length).toBe(before);
    await page.evaluate(`document.getElementById("pause").click()`);
    await page.until(`${text("cost")}.startsWith("1 request/s")`);
  });

  it("shows the doctor's verdicts", async () => {
    const { url, token } = stack;
    const { ui, locks } = await serve({
      diagnose: (how) => examine({ connection: locks.connection, address: url, rest: { url, token } }, how),
    });
    await open(ui, "view=doctor");
    await page.evaluate(`document.getElementById("examine").click()`);
    await page.until(`document.querySelectorAll("#view-doctor tbody tr").length > 5`);
    await page.until(`!document.getElementById("examine").disabled`);
    expect(await page.evaluate(text("view-doctor"))).toMatch(/✓ ok\s+round trip/);
  });

  it("has written no error to the console in all of this", () => {
    expect(page.errors).toEqual([]);
  });
});
