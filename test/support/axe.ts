import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "./browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

type Scheme = "light" | "dark";

/** Shows an open page as a browser that prefers light or dark pages does. */
export const preferScheme = (page: Page, scheme: Scheme): Promise<unknown> =>
  page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });

/**
 * Returns what axe finds wrong with an open page: each rule with the elements that break it. A dark page differs from
 * the light one in its colours, so only the rules about those are checked again.
 */
export async function axeFindings(page: Page, scheme: Scheme): Promise<readonly string[]> {
  const options = scheme === "light" ? {} : { runOnly: COLOUR_RULES };
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(": ")))`,
  );
}
