import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFindings, preferScheme } from "../support/axe.ts";
import { type Browser, browser, type Page, startBrowser } from "../support/browser.ts";
import { run } from "../support/command.ts";

const BASE = "/leasehold/";
const ROOT = join(import.meta.dirname, "../..");
const BUILD_MS = 300_000;
/** The longest page takes ten seconds on a quiet machine. */
const PAGE_MS = 120_000;
/** What a search finds first. */
const FOUND: Readonly<Record<string, string>> = {
  nextjs: "nextjs#nextjs",
  mutex: "locks#locks",
  semaphore: "locks#semaphore",
  idempotency: "webhooks#webhooks-and-idempotency-key",
  "cron twice": "cron#cron-jobs",
  "exactly once": "guarantees#guarantees",
  sigterm: "shutdown#graceful-shutdown",
  prisma: "fencing#drizzle-prisma-kysely",
  otel: "observability#opentelemetry",
  acl: "operations#a-restricted-user",
  debounce: "newest-wins#newest-wins-queue-reject",
  redlock: "migrating#from-redlock-5",
};
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".json": "application/json",
};

let out: string;
let files: readonly string[];

/** The file that GitHub Pages serves for a path. */
function fileOf(path: string): string | undefined {
  const name = decodeURI(path.slice(BASE.length));
  const names = [name, `${name}.html`, join(name, "index.html")];
  return names.find((candidate) => files.includes(candidate));
}

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), "leasehold-site-"));
  await run(process.execPath, ["--import", "./tools/sources.ts", "tools/site.ts", out], ROOT, {}, BUILD_MS);
  const entries = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  files = entries.map(({ parentPath, name }) => relative(out, join(parentPath, name)));
}, BUILD_MS);
afterAll(() => rm(out, { recursive: true, force: true }));

/** The pages that VitePress wrote; the playground has tests of its own. */
const pagesOf = (): readonly string[] =>
  files.filter((file) => file.endsWith(".html") && !file.startsWith("playground/"));
const textOf = (file: string): string => readFileSync(join(out, file), "utf8");

it("every link and picture of the site leads to a file of it, and to a heading in it (54.5)", () => {
  const ids = new Map(
    pagesOf().map((file) => [file, new Set([...textOf(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const dead = pagesOf().flatMap((file) => {
    const links = [...textOf(file).matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = ""]) => link);
    // Relative links count from the page's own address.
    const address = `http://site${BASE}${file.replace(/(index)?\.html$/, "")}`;
    return links
      .filter((link) => !/^(?!https?:)[a-z]+:/.test(link))
      .filter((link) => {
        const { host, pathname, hash } = new URL(link.replaceAll("&amp;", "&"), address);
        if (host !== "site") return false;
        const target = pathname.startsWith(BASE) ? fileOf(pathname) : undefined;
        if (target === undefined) return true;
        return hash !== "" && ids.get(target)?.has(decodeURIComponent(hash.slice(1))) === false;
      })
      .map((link) => `${file}: ${link}`);
  });
  expect([...new Set(dead)]).toEqual([]);
  expect(files).toContain("reference/leasehold/cron.html");
  expect(files).toContain("playground/playground.js");
});

// A machine without a browser leaves these out; CI has to have one.
describe.runIf(browser || process.env["CI"])("the site in Chromium", () => {
  let server: Server;
  let chromium: Browser;
  let page: Page;
  let origin: string;
  beforeAll(async () => {
    server = createServer(({ url = "/" }, response) => {
      const file = fileOf(url.replace(/[?#].*/, ""));
      if (file === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(readFileSync(join(out, file)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    chromium = startBrowser();
    page = await chromium.page();
  });
  afterAll(async () => {
    await chromium?.close();
    server?.closeAllConnections();
    server?.close();
  });

  const open = (path: string): Promise<void> =>
    page.open(
      `${origin}${BASE}${path}`,
      "document.querySelector('#app')?.childElementCount > 0 && document.readyState === 'complete'",
    );

  it.each(["", "webhooks", "errors", "benchmarks", "reference/leasehold/fence"])(
    "page %j fits into 360 px, has no error and no finding of axe, light and dark",
    async (path) => {
      await page.resize(360);
      for (const scheme of ["light", "dark"] as const) {
        await preferScheme(page, scheme);
        await open(path);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
        expect(await axeFindings(page, scheme)).toEqual([]);
      }
      expect(page.errors).toEqual([]);
    },
    PAGE_MS,
  );

  it("the first screen has the picture, and a sentence and a link for locks, webhooks and crons (54.1)", async () => {
    await page.resize(1366, 768);
    await open("");
    await page.until("document.querySelector('.vp-doc img')?.complete === true");
    const seen = (selector: string): string =>
      `[...document.querySelectorAll("${selector}")].filter((part) => part.getBoundingClientRect().bottom < innerHeight)`;
    expect(await page.evaluate(`${seen(".vp-doc img")}.map(({ src }) => src.includes("freeze"))`)).toEqual([true]);
    const links = `${seen(".vp-doc li")}.map((item) => [item.querySelector("a").pathname, item.innerText.length > 50])`;
    expect(await page.evaluate(links)).toEqual(["locks", "webhooks", "cron"].map((name) => [`${BASE}${name}`, true]));
  });

  it("tables fit, or show at their edge that they continue (54.7)", async () => {
    await page.resize(1366, 768);
    const tables = `[...document.querySelectorAll(".vp-doc table")].map((table) => [table.scrollWidth - table.clientWidth, getComputedStyle(table).backgroundAttachment, getComputedStyle(table.querySelector("tbody tr")).backgroundColor])`;
    await open("senders");
    const senders = await page.evaluate<[number, string, string][]>(tables);
    // Its `ttl` and `fingerprint` are on the first screen.
    expect(senders.map(([hidden]) => hidden)).toEqual(senders.map(() => 0));
    await open("benchmarks");
    const wide = (await page.evaluate<[number, string, string][]>(tables)).filter(([hidden]) => hidden > 0);
    expect(wide.length).toBeGreaterThan(0);
    // Nothing covers the shadows, which are scrolled away with the covers above them.
    for (const [, attachment, color] of wide)
      expect([attachment, color]).toEqual(["local, local, scroll, scroll", "rgba(0, 0, 0, 0)"]);
  });

  it("finds a page by its words without asking another host", async () => {
    await page.resize(1366);
    await open("");
    await page.evaluate("document.querySelector('.VPNavBarSearch button').click()");
    await page.until("document.querySelector('.VPLocalSearchBox input') !== null");
    await page.evaluate(
      `(() => { const input = document.querySelector(".VPLocalSearchBox input");
        input.value = "graceful shutdown"; input.dispatchEvent(new Event("input", { bubbles: true })); })()`,
    );
    await page.until("document.querySelector('.VPLocalSearchBox .results')?.innerText.includes('Graceful shutdown')");
  });

  it("finds the page for a word that the page does not use itself (54.6)", async () => {
    await page.resize(1366);
    await open("");
    await page.evaluate("document.querySelector('.VPNavBarSearch button').click()");
    await page.until("document.querySelector('.VPLocalSearchBox input') !== null");
    const first = "document.querySelector('.VPLocalSearchBox .results a')?.getAttribute('href')";
    for (const [words, section] of Object.entries(FOUND)) {
      await page.evaluate(
        `(() => { const input = document.querySelector(".VPLocalSearchBox input");
          input.value = ${JSON.stringify(words)}; input.dispatchEvent(new Event("input", { bubbles: true })); })()`,
      );
      await page.until(`${first} === ${JSON.stringify(BASE + section)}`).catch(async () => {
        expect([words, await page.evaluate(first)]).toEqual([words, BASE + section]);
      });
    }
  }, 120_000);
});
