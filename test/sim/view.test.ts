import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BREAKS } from "../../verification/sim/breaks.ts";
import { planOf } from "../../verification/sim/plan.ts";
import { type Result, run } from "../../verification/sim/run.ts";
import { ROUNDS, seedThatShows, showsBreak } from "../../verification/sim/shown.ts";
import { pageOf } from "../../verification/sim/view/page.ts";
import type { Picture } from "../../verification/sim/view/picture.ts";
import { pictureOf } from "../../verification/sim/view/picture-of.ts";
import { axeFindings, preferScheme } from "../support/axe.ts";
import { type Browser, browser, type Page, startBrowser } from "../support/browser.ts";

const KIND = "lock";
const MAX_SEEDS = 100;
const MANY_FAULTS = 0.3;
const PLANTED = "a token is the time, not above the last";
const READY = "document.body?.dataset.ready === 'true'";

const broken = BREAKS.find(({ kind, what }) => kind === KIND && what === PLANTED);
if (!broken) throw new Error(`no rule is broken by "${PLANTED}"`);

let passing: Result;
let violating: Result;
const shown = (result: Result): Picture => pictureOf(result, { command: "npm run sim", planted: undefined });

beforeAll(async () => {
  const seed = await seedThatShows(broken.seed, MAX_SEEDS, showsBreak(broken));
  if (seed === undefined) throw new Error("no seed shows the broken rule");
  passing = await run(planOf(KIND, seed, ROUNDS), { isNoted: true });
  violating = await run(planOf(KIND, seed, ROUNDS), { isNoted: true, breaks: [broken] });
}, 300_000);

describe("the picture of a run", () => {
  it("does not change the run", async () => {
    const { hash, notes } = await run(passing.plan);
    expect(hash).toBe(passing.hash);
    expect(notes).toEqual([]);
  });

  it("shows every call and every request, and who held a name under rising tokens", () => {
    const { calls, requests, holds, durationMs } = shown(passing);
    expect(calls).toHaveLength(passing.calls);
    expect(requests).toHaveLength(passing.requests);
    expect(calls.every(({ from, to }) => from >= 0 && from <= to && to <= durationMs)).toBe(true);
    const tenures = holds.filter(({ from, to }) => to > from).sort((a, b) => a.from - b.from);
    expect(tenures.length).toBeGreaterThan(10);
    const tokens = new Map<string, number>();
    for (const { name, token } of tenures) {
      expect(token).toBeGreaterThanOrEqual(tokens.get(name) ?? 0);
      tokens.set(name, token);
    }
  });

  it("tells the fate of a request by what became of it", async () => {
    const plans = Array.from({ length: MAX_SEEDS }, (_, n) => planOf(KIND, n + 1, ROUNDS));
    const faulty = plans.find(({ networkFaults }) => networkFaults > MANY_FAULTS);
    const result = await run(faulty ?? expect.unreachable("no seed has a network this bad"), { isNoted: true });
    const { requests } = shown(result);
    const fated = new Map(result.notes.flatMap((note) => (note.type === "sent" ? [[note.request, note.fate]] : [])));
    const fatesOf = (fate: string) =>
      requests.filter(({ id }) => fated.get(id) === fate).map((request) => request.fate);
    expect(new Set(fatesOf("lost"))).toEqual(new Set(["lost"]));
    expect(new Set(fatesOf("answer lost"))).toEqual(new Set(["lost"]));
    expect(new Set(fatesOf("copied"))).toContain("twice");
    expect(new Set(fatesOf("429"))).toEqual(new Set(["refused"]));
    expect(fatesOf("late")).toContain("late");
    expect(fatesOf("fine")).toContain("answered");
  });

  it("marks the rule that is broken", () => {
    expect(shown(passing).findings.filter(({ excuse }) => excuse === undefined)).toEqual([]);
    const found = shown(violating).findings.filter(({ excuse }) => excuse === undefined);
    expect(found.map(({ rule }) => rule)).toContain("tokens");
    expect(found).toHaveLength(violating.violations.length);
  });

  it("needs no other file and no host", async () => {
    const page = await pageOf(shown(passing));
    expect(page).not.toMatch(/\b(?:src|href)="(?!data:)|@import|url\(|https?:\/\/(?!www\.w3\.org)/);
  });
});

// A machine without a browser leaves these out; CI has to have one.
describe.runIf(browser || process.env["CI"])("the page of a run in Chromium", () => {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-sim-view-"));
  let chromium: Browser;
  let page: Page;
  beforeAll(async () => {
    for (const [name, result] of Object.entries({ passing, violating }))
      writeFileSync(join(folder, `${name}.html`), await pageOf(shown(result)));
    chromium = startBrowser();
    page = await chromium.page();
  });
  afterAll(async () => {
    await chromium?.close();
    rmSync(folder, { recursive: true });
  });
  const open = (name: string): Promise<void> => page.open(pathToFileURL(join(folder, `${name}.html`)).href, READY);
  const text = (id: string): Promise<string> => page.evaluate(`document.getElementById("${id}").innerText`);
  const count = (selector: string): Promise<number> => page.evaluate(`document.querySelectorAll("${selector}").length`);
  const titles = (): Promise<string[]> =>
    page.evaluate(`[...document.querySelectorAll(".lane .title")].map((title) => title.firstChild.textContent)`);

  it("says that no rule is broken, and shows who holds what and each worker", async () => {
    await open("passing");
    expect(await text("verdict")).toContain("No rule is broken");
    expect(await page.evaluate(`document.getElementById("findings").hidden`)).toBe(true);
    expect(await titles()).toEqual(expect.arrayContaining(["n0", ...passing.plan.workers.map((id) => `worker ${id}`)]));
    expect(await count("svg .bar")).toBeGreaterThan(5);
    expect(page.errors).toEqual([]);
  });

  it("leads to the violation, and says what it is", async () => {
    await open("violating");
    expect(await text("verdict")).toContain("A rule is broken");
    await page.until(`document.querySelectorAll("svg .flag").length > 1`);
    expect(await count("#lanes svg .violation")).toBeGreaterThan(0);
    await page.evaluate(
      `document.querySelector("#lanes .flag").dispatchEvent(new MouseEvent("click", { bubbles: true }))`,
    );
    expect(await text("details")).toContain("the rule “tokens” is broken");
    await page.until(`document.getElementById("told").innerText.includes("the rule “tokens” is broken")`);
    expect(page.errors).toEqual([]);
  });

  it("zooms and scrolls by the keyboard alone", async () => {
    await open("passing");
    await page.evaluate(`document.getElementById("scroller").focus()`);
    const whole = await text("window");
    for (const _ of [1, 2, 3]) await page.press("+");
    await page.until(`document.getElementById("window").innerText !== ${JSON.stringify(whole)}`);
    const zoomed = await text("window");
    await page.press("ArrowRight");
    await page.until(`document.getElementById("window").innerText !== ${JSON.stringify(zoomed)}`);
    await page.press("0");
    await page.until(`document.getElementById("window").innerText === ${JSON.stringify(whole)}`);
  });

  it("shows one worker alone", async () => {
    await open("passing");
    const [worker = ""] = passing.plan.workers;
    await page.evaluate(
      `(() => { const only = document.getElementById("only"); only.value = "worker:${worker}";
        only.dispatchEvent(new Event("change", { bubbles: true })); })()`,
    );
    await page.until(`document.querySelectorAll(".lane").length < ${passing.plan.workers.length + 2}`);
    expect((await titles()).filter((title) => title.startsWith("worker"))).toEqual([`worker ${worker}`]);
  });

  it.each([1366, 390])("fits %i px, light and dark, without a fault that axe finds", async (width) => {
    await page.resize(width);
    for (const name of ["passing", "violating"]) {
      await open(name);
      await page.until(`document.querySelectorAll("#told tbody tr").length > 3`);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      for (const scheme of ["light", "dark"] as const) {
        await preferScheme(page, scheme);
        expect(await axeFindings(page, scheme), `${name}, ${scheme}`).toEqual([]);
      }
    }
  });
});
