import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "./browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Shows an open page as a browser that prefers light or dark pages does. */
export const preferScheme = (page: Page, scheme: "light" | "dark"): Promise<unknown> =>
  page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });

/** Returns what axe finds wrong with an open page: each rule with the elements that break it. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(": ")))`,
  );
}
