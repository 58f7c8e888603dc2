/**
 * Draws the picture that other sites show with a link to the repository, .github/social.png, in Chromium.
 *
 *   node tools/social-picture.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startBrowser } from "../test/support/browser.ts";

const [WIDTH, HEIGHT] = [1280, 640];
const FILE = join(import.meta.dirname, "../.github/social.png");

/** A frozen lease, the next lease, and the late write. */
const PAGE = `<!doctype html>
<meta charset="utf-8">
<style>
  body { margin: 0; width: ${WIDTH}px; height: ${HEIGHT}px; background: #0d1117; color: #f0f6fc; font-family: system-ui, sans-serif }
  h1 { position: absolute; left: 80px; top: 44px; font-size: 84px; letter-spacing: -2px; margin: 0 }
  p { position: absolute; left: 84px; top: 152px; font-size: 34px; line-height: 1.35; margin: 0; color: #9da7b3; width: 1100px }
  svg { position: absolute; left: 80px; top: 300px }
  text { font: 600 26px system-ui, sans-serif; fill: #f0f6fc }
  .quiet { fill: #9da7b3; font-weight: 400 }
</style>
<h1>leasehold</h1>
<p>Distributed locks for code that can freeze at any line. Redis, Upstash, Workers, Vercel, Deno, Bun and Node.</p>
<svg width="1120" height="300">
  <rect x="0" y="20" width="250" height="64" rx="8" fill="#1f6feb" />
  <rect x="250" y="20" width="500" height="64" rx="8" fill="#30363d" stroke="#8b949e" stroke-dasharray="8 6" stroke-width="2" />
  <text x="24" y="61">A, token 33</text>
  <text x="280" y="61" class="quiet">frozen</text>
  <rect x="430" y="130" width="480" height="64" rx="8" fill="#238636" />
  <text x="454" y="171">B, token 34</text>
  <line x1="750" y1="84" x2="750" y2="262" stroke="#f85149" stroke-width="4" />
  <circle cx="750" cy="262" r="12" fill="#f85149" />
  <text x="780" y="271" fill="#f85149">A's late write: refused</text>
  <line x1="0" y1="262" x2="738" y2="262" stroke="#30363d" stroke-width="3" />
  <text x="0" y="245" class="quiet">your database</text>
</svg>`;

const folder = mkdtempSync(join(tmpdir(), "leasehold-social-"));
const chromium = startBrowser();
try {
  const source = join(folder, "social.html");
  writeFileSync(source, PAGE);
  const page = await chromium.page();
  const size = { width: WIDTH, height: HEIGHT, deviceScaleFactor: 1, mobile: false };
  await page.send("Emulation.setDeviceMetricsOverride", size);
  await page.open(pathToFileURL(source).href, "document.readyState === 'complete'");
  const { data } = await page.send<{ readonly data: string }>("Page.captureScreenshot", { format: "png" });
  writeFileSync(FILE, Buffer.from(data, "base64"));
} finally {
  await chromium.close();
  rmSync(folder, { recursive: true, force: true });
}
