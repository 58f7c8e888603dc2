import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPlayground, servePlayground } from "../../tools/playground.ts";
import { axeFindings, preferScheme } from "../support/axe.ts";
import { type Browser, browser, type Page, startBrowser } from "../support/browser.ts";

const LARGEST_BYTES = 400_000;
const files = await buildPlayground();
const READY = "document.body?.dataset.ready === 'true'";
const TEXTS = (selector: string): string =>
  `[...document.querySelectorAll("${selector}")].map((part) => part.innerText)`;
const TEXT = (id: string): string => `document.getElementById("${id}").innerText`;

it("the page is smaller than 400 kB, and asks no other host", () => {
  const bytes = Object.values(files).reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  expect(bytes).toBeLessThan(LARGEST_BYTES);
  const asked = `${files["index.html"]}${files["style.css"]}`.replace(/<a href="[^"]*"/g, "");
  expect(asked).not.toMatch(/https?:\/\/|@import|url\((?!#)/);
  for (const property of ["og:title", "og:description"]) expect(asked).toContain(`property="${property}"`);
  expect(asked).toContain('name="description"');
});

it("the page shows the code that runs in it", () => {
  expect(files["index.html"]).toContain("await fence.claim(lease);");
  expect(files["playground.js"]).toContain(".claim(");
});

// A machine without a browser leaves these out; CI has to have one.
describe.runIf(browser || process.env["CI"])("the page in Chromium", () => {
  let server: Awaited<ReturnType<typeof servePlayground>>;
  let chromium: Browser;
  let page: Page;
  beforeAll(async () => {
    server = await servePlayground(files, 0);
    chromium = startBrowser();
    page = await chromium.page();
  });
  afterAll(async () => {
    await chromium?.close();
    await server?.close();
  });

  const open = (hash: string): Promise<void> => page.open(`${server.url}#${hash}`, READY);

  async function pressOn(selector: string, key: "Enter" | " "): Promise<void> {
    await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`);
    await page.press(key);
  }

  it("tells by the keyboard alone that the late write of a frozen holder is refused, and keeps it in the address", async () => {
    await open("seed=1&at=1.2");
    await pressOn('[data-action="freeze-A"]', "Enter");
    await pressOn('[name="speed"][value="10"]', " ");
    await pressOn("#play", "Enter");
    await page.until(`${TEXT("log")}.includes("The fence refuses A's write: its token #1 is lower than #2")`);
    await page.until(`document.getElementById("value").innerText.includes("B, round 1")`);
    await pressOn("#play", " ");
    expect(await page.evaluate("location.hash")).toBe("#seed=1&do=freeze-A@1.2");
    const live = await page.evaluate<string>(TEXT("log"));
    // Somebody else opens the same address.
    await open("seed=1&do=freeze-A@1.2&at=15");
    const replayed = await page.evaluate<string>(TEXT("log"));
    expect(live.length).toBeGreaterThan(500);
    expect(replayed.startsWith(live)).toBe(true);
  });

  it("opens on the freeze, and shows the refusal within 6 s, all above the fold at 1366 × 650", async () => {
    await page.resize(1366, 650);
    await page.open(server.url, READY);
    const began = Date.now();
    await page.until(`${TEXT("caption")}.includes("The fence refuses A's write: its token #1 is lower than #2")`);
    // On a busy machine a run may fall behind.
    expect(await page.evaluate<number>(`parseFloat(${TEXT("caption")})`)).toBeLessThan(6 * 3);
    expect(Date.now() - began).toBeLessThan(15_000);
    const below = `[...document.querySelectorAll("h1, .lead, nav, .transport, .stage, #caption")].filter((part) => part.getBoundingClientRect().bottom > innerHeight).map((part) => part.className || part.id)`;
    expect(await page.evaluate(below)).toEqual([]);
    expect(await page.evaluate(`document.querySelector(".story[aria-current]").innerText`)).toBe("A holder freezes");
    for (const word of ["lease", "token"]) expect(await page.evaluate(TEXTS("dfn"))).toContain(word);
    await page.resize(1400);
  });

  it("shows the value that is lost without the fence, and keeps the switch in the address", async () => {
    await open("seed=1&do=freeze-A@2.4&at=2");
    await pressOn("#unfenced", " ");
    await page.until(`location.hash.endsWith("&fence=off")`);
    await page.open(`${server.url}#seed=1&do=freeze-A@2.4&fence=off&at=14`, READY);
    expect(await page.evaluate(TEXT("log"))).toContain(
      "Nothing checks the token: A writes “A, round 1” under #1, and “B, round 1” of #2 is lost.",
    );
    expect(await page.evaluate(TEXT("value"))).toContain("A, round 1");
    expect(await page.evaluate(`document.getElementById("unfenced").checked`)).toBe(true);
  });

  it("stops on the first frame with reduced motion, and advances by steps", async () => {
    const media = (value: string) =>
      page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value }] });
    await media("reduce");
    await page.open(server.url, READY);
    const seconds = `document.getElementById("look").max`;
    expect(Number(await page.evaluate(seconds))).toBeGreaterThan(2);
    expect(await page.evaluate(TEXT("caption"))).toContain("You freeze A");
    const before = await page.evaluate(seconds);
    await pressOn("#step", "Enter");
    await page.until(`${seconds} !== ${JSON.stringify(before)}`);
    expect(await page.evaluate(TEXT("play"))).toBe("Play");
    await media("no-preference");
  });

  it("shows the same run for the same address", async () => {
    const shown = `["log", "picture", "holder", "token", "value", "belief-A", "belief-B"].map((id) => document.getElementById(id).innerHTML)`;
    const address = "seed=5&do=lose-A@0,clock-forward@2,freeze-B@4,kill-A@6&at=8";
    await page.resize(1400);
    await open(address);
    const first = await page.evaluate<string[]>(shown);
    await open(address);
    expect(await page.evaluate(shown)).toEqual(first);
    await open(address.replace("seed=5", "seed=6"));
    expect(await page.evaluate(shown)).not.toEqual(first);
  });

  it("advances by one event at a time", async () => {
    await open("seed=1&at=0.1");
    const lines = `document.querySelectorAll("#log > *").length`;
    for (const expected of [1, 2, 3]) {
      await pressOn("#step", "Enter");
      await page.until(`${lines} === ${expected}`);
    }
    expect(await page.evaluate(`document.getElementById("play").innerText`)).toBe("Play");
  });

  it("needs no sideways scroll at 400 and at 1400 pixels", async () => {
    await open("do=freeze-A@1.2,clock-back@5&at=12");
    for (const width of [400, 1400]) {
      await page.resize(width);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await page.evaluate("document.getElementById('picture').clientWidth")).toBeGreaterThan(width / 2);
    }
  });

  it("names leasehold on the first screen, and leads to its site, at 1366 and 390 px (54.1)", async () => {
    for (const [width, height] of [
      [1366, 650],
      [390, 844],
    ] as const) {
      await page.resize(width, height);
      await open("seed=1&at=2");
      const shown = `[...document.querySelectorAll("a")].filter((link) => link.getBoundingClientRect().bottom < innerHeight).map((link) => [link.innerText, link.href])`;
      const links = await page.evaluate<[string, string][]>(shown);
      expect(links).toContainEqual(["leasehold", "https://leasehold.github.io/leasehold/"]);
      expect(links).toContainEqual(["Start", "https://leasehold.github.io/leasehold/#start-in-five-minutes"]);
      // All lanes are on it, too.
      expect(
        await page.evaluate("document.getElementById('picture').getBoundingClientRect().bottom < innerHeight"),
      ).toBe(true);
    }
    await page.resize(1400);
  });

  it("has a name for everything that can be used", async () => {
    await open("at=3");
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
      .filter(({ role }) => /^(button|link|radio|slider|image|img|region|log|navigation|group)$/.test(role));
    expect(used.filter(({ name }) => name === "")).toEqual([]);
    expect(new Set(used.map(({ role, name }) => `${role} ${name}`)).size).toBe(used.length);
    const names = used.map(({ name }) => name);
    for (const name of ["Freeze A for 10 seconds", "Lose an answer to B, the next one", "Kill A", "10×", "Look back"])
      expect(names).toContain(name);
    expect(used.filter(({ role }) => role === "button")).toHaveLength(13);
    expect(used.filter(({ role }) => role === "log")).toHaveLength(1);
  });

  it("keeps its stories and its controls in one row each at 768 pixels", async () => {
    await page.resize(768);
    await open("seed=1&at=1.2");
    const rows = (parts: string): string =>
      `new Set([...document.querySelectorAll("${parts}")].map((part) => part.getBoundingClientRect().top)).size`;
    expect(await page.evaluate(rows(".story"))).toBe(1);
    expect(await page.evaluate(rows(".transport > button"))).toBe(1);
    await page.resize(1400);
  });

  it.each([360, 768, 1400])("has no finding of axe at %d pixels, light and dark", async (width) => {
    await page.resize(width);
    for (const scheme of ["light", "dark"] as const) {
      await preferScheme(page, scheme);
      for (const address of ["seed=1&do=freeze-A@2.4&at=14", "seed=1&do=freeze-A@2.4,lose-B@3&fence=off&at=14"]) {
        await open(address);
        expect(await axeFindings(page, scheme), `${scheme}, ${address}`).toEqual([]);
      }
    }
    await preferScheme(page, "light");
    await page.resize(1400);
  });

  it("has written no error to the console in all of this", () => {
    expect(page.errors).toEqual([]);
  });
});
